package io.dra4j.spi;

import java.util.List;
import java.util.Objects;

/**
 * The result of preparing a claim.
 *
 * @param devices the devices that are ready, in the order of the allocation
 */
public record Prepared(List<PreparedDevice> devices) {

  /** No device is ready: the preparation of the claim was begun but not completed. */
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
