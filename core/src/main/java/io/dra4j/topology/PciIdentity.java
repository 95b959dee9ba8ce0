package io.dra4j.topology;

/**
 * What a PCI function is, in the numbers of its configuration space.
 *
 * @param classCode base class, sub-class and programming interface in 24 bits, for example {@code
 *     0x030200}
 * @param vendor for example {@code 0x10de}; 0 if not known
 * @param device for example {@code 0x2330}; 0 if not known
 * @param subsystemVendor 0 if not known
 * @param subsystemDevice 0 if not known
 */
public record PciIdentity(
    int classCode, int vendor, int device, int subsystemVendor, int subsystemDevice) {

  /**
   * Checks the numbers. {@inheritDoc}
   *
   * @throws IllegalArgumentException if the class has more than 24 bits or another number more than
   *     16
   */
  public PciIdentity {
    if (classCode >>> 24 != 0
        || (vendor | device | subsystemVendor | subsystemDevice) >>> 16 != 0) {
      throw new IllegalArgumentException("a number of a PCI identity is out of its range");
    }
  }

  /**
   * The kind of device that goes with the class.
   *
   * @return the kind
   */
  public DeviceKind kind() {
    return DeviceKind.ofPciClass(classCode);
  }
}
