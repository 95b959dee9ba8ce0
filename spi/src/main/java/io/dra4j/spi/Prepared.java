package io.dra4j.spi;

import java.util.List;
import java.util.Objects;

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
    Objects.requireNonNull(devices, "devices");
    for (PreparedDevice device : devices) {
      Objects.requireNonNull(device, "device");
    }
    devices = List.copyOf(devices);
  }
}
