package io.dra4j.testkit;

/**
 * A PCI bus of a {@link SyntheticHost}, on which functions are put: that of a root, or the one
 * behind a bridge.
 */
public final class SyntheticBus {

  private final SyntheticHost host;
  private final String path;
  private final int numaNode;

  SyntheticBus(SyntheticHost host, String path, int numaNode) {
    this.host = host;
    this.path = path;
    this.numaNode = numaNode;
  }

  /**
   * Puts a function on the bus.
   *
   * @param address as sysfs writes it: {@code 0000:8f:00.0}
   * @param pciClass 24 bits, for example {@code 0x030200} for a 3D controller
   * @param vendor 16 bits
   * @param device 16 bits
   * @return the function, to say more about it
   */
  public SyntheticFunction function(String address, int pciClass, int vendor, int device) {
    return new SyntheticFunction(host, this, address, pciClass, vendor, device);
  }

  /**
   * Puts a bridge on the bus of which it does not matter who built it; for others see {@link
   * SyntheticFunction#busBehind}.
   *
   * @param address as sysfs writes it
   * @return the bus behind it
   */
  public SyntheticBus bridge(String address) {
    return function(address, 0x060400, 0x8086, 0x352a)
        .driver("pcieport")
        .link("32.0 GT/s PCIe", 16)
        .busBehind();
  }

  String path() {
    return path;
  }

  int numaNode() {
    return numaNode;
  }
}
