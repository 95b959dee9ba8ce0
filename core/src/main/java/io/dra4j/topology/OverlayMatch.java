package io.dra4j.topology;

import java.util.List;

/**
 * The result of matching a recorded topology with the devices of a host. A record without any match
 * was made on another machine.
 *
 * @param found the number of recorded devices that the host has
 * @param recorded the number of NICs, GPUs and accelerators with an address, or of rows of a
 *     matrix, in the record
 * @param problems the reasons why others do not match
 */
public record OverlayMatch(int found, int recorded, List<String> problems) {

  /** Copies the problems. {@inheritDoc} */
  public OverlayMatch {
    problems = List.copyOf(problems);
  }
}
