package io.dra4j.spi;

import java.util.List;

/**
 * What preparing a claim came to.
 *
 * @param devices the devices that are ready, in the order in which they were claimed
 */
public record Prepared(List<PreparedDevice> devices) {

  /** No device is ready: preparing the claim was begun and did not end. */
  public static final Prepared NOTHING = new Prepared(List.of());

  /** Copies the list. {@inheritDoc} */
  public Prepared {
    devices = List.copyOf(devices);
  }
}
