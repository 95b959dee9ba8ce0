package io.dra4j.spi;

/** What a driver gets from the runtime that it runs in. Thread-safe. */
public interface DriverContext {

  /**
   * Names the node that the driver runs on.
   *
   * @return the name of the node, which is also the name of the driver's own pool
   */
  String node();

  /**
   * Asks the runtime to look again, because the devices, their taints or their health have changed:
   * the host is read, and {@link DeviceDriver#discover}, {@link DeviceDriver#taints} and {@link
   * PreparingDriver#health} are called. Returns at once. Several calls in a short time can be
   * answered by one look; a call after the runtime was closed does nothing.
   *
   * @param why what happened, for logs, for example {@code link eth1 lost its carrier}
   */
  void changed(String why);
}
