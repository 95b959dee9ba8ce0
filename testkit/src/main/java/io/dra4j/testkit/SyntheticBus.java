package io.dra4j.testkit;

/** A PCI bus of a {@link SyntheticHost} for functions: the bus of a root, or behind a bridge. */
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
   * Adds a function to the bus.
   *
   * @param address the address as sysfs writes it: {@code 0000:8f:00.0}
   * @param pciClass the class of 24 bits, for example {@code 0x030200} for a 3D controller
   * @param vendor the vendor of 16 bits
   * @param device the device of 16 bits
   * @return the function, to add more facts
   */
  public SyntheticFunction function(String address, int pciClass, int vendor, int device) {
    return new SyntheticFunction(host, this, address, pciClass, vendor, device);
  }

  /**
   * Adds a bridge of any vendor; for other bridges see {@link SyntheticFunction#busBehind}.
   *
   * @param address the address as sysfs writes it
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
