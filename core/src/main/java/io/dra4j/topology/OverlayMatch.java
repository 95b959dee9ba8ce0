package io.dra4j.topology;

import java.util.List;

/**
 * How much of a recorded topology is about the devices of a host. A record of which nothing is, was
 * made on another machine.
 *
 * @param found how many of the recorded devices the host has
 * @param recorded how many NICs, GPUs and accelerators with an address, or rows of a matrix, the
 *     record has
 * @param problems why others are not, for people
 */
public record OverlayMatch(int found, int recorded, List<String> problems) {

  /** Copies the problems. {@inheritDoc} */
  public OverlayMatch {
    problems = List.copyOf(problems);
  }
}
