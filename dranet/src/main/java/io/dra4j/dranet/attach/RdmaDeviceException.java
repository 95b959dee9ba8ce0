package io.dra4j.dranet.attach;

import io.dra4j.spi.DriverException;
import org.jspecify.annotations.Nullable;

/** An RDMA device cannot be moved into a pod; the link of the same device could be. */
public final class RdmaDeviceException extends DriverException {

  private static final long serialVersionUID = 1L;

  /** What failed, without the device. */
  private final String problem;

  private RdmaDeviceException(
      Kind kind, @Nullable String device, String problem, DriverException cause) {
    super(kind, device, null, problem, cause);
    this.problem = problem;
  }

  /**
   * A failure that is known to be that of an RDMA device.
   *
   * @param failure says what failed
   */
  public RdmaDeviceException(DriverException failure) {
    this(failure.kind(), failure.device(), String.valueOf(failure.getMessage()), failure);
  }

  /** The same failure, said of a device. {@inheritDoc} */
  @Override
  public RdmaDeviceException forDevice(String name) {
    return new RdmaDeviceException(kind(), name, problem, this);
  }
}
