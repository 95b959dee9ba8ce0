package io.dra4j.spi;

/** The services that a runtime offers to its driver. Thread-safe. */
public interface DriverContext {

  /** {@return the name of the node that the driver runs on, and of the driver's own pool} */
  String node();

  /**
   * Requests a new discovery because devices, their taints or their health have changed. The
   * runtime then reads the host and calls {@link DeviceDriver#discover}, {@link
   * DeviceDriver#taints} and {@link PreparingDriver#health}. Returns at once. One discovery can
   * answer several calls within a short time. A call after the runtime was closed does nothing.
   *
   * @param why the cause, for logs, for example {@code link eth1 lost its carrier}
   */
  void changed(String why);
}
