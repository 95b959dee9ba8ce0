package io.dra4j.dranet.attach;

import io.dra4j.spi.DriverException;
import org.jspecify.annotations.Nullable;

/** Signals that an RDMA device cannot be moved into a pod, although its link could be. */
public final class RdmaDeviceException extends DriverException {

  private static final long serialVersionUID = 1L;

  /** The failure, without the name of the device. */
  private final String problem;

  private RdmaDeviceException(
      Kind kind, @Nullable String device, String problem, DriverException cause) {
    super(kind, device, null, problem, cause);
    this.problem = problem;
  }

  /**
   * Creates the exception from a failure of an RDMA device.
   *
   * @param failure the failure
   */
  public RdmaDeviceException(DriverException failure) {
    this(failure.kind(), failure.device(), String.valueOf(failure.getMessage()), failure);
  }

  /** Returns this failure with the name of the device. {@inheritDoc} */
  @Override
  public RdmaDeviceException forDevice(String name) {
    return new RdmaDeviceException(kind(), name, problem, this);
  }
}
