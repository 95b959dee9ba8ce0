package io.dra4j.topology;

import java.util.Set;

/**
 * The identity of a PCI function, by the numbers of its configuration space.
 *
 * @param classCode base class, sub-class and programming interface in 24 bits, for example {@code
 *     0x030200}; {@link #UNKNOWN_CLASS} if not known
 * @param vendor the vendor ID, for example {@code 0x10de}; 0 if not known
 * @param device the device ID, for example {@code 0x2330}; 0 if not known
 * @param subsystemVendor the vendor ID of the subsystem; 0 if not known
 * @param subsystemDevice the device ID of the subsystem; 0 if not known
 */
public record PciIdentity(
    int classCode, int vendor, int device, int subsystemVendor, int subsystemDevice) {

  /** The class of a function whose class is not known; no class has this number. */
  public static final int UNKNOWN_CLASS = -1;

  /**
   * Checks the numbers. {@inheritDoc}
   *
   * @throws IllegalArgumentException if the class has more than 24 bits, or another number more
   *     than 16
   */
  public PciIdentity {
    if ((classCode >>> 24 != 0 && classCode != UNKNOWN_CLASS)
        || (vendor | device | subsystemVendor | subsystemDevice) >>> 16 != 0) {
      throw new IllegalArgumentException("a number of a PCI identity is out of range");
    }
  }

  private static final int VGA = 0x0300;
  private static final int OTHER_DISPLAY = 0x0380;

  /**
   * The vendors of display controllers only for management controllers and virtual machines
   * (pci.ids): Matrox, Cirrus, QEMU, Silicon Motion, VMware, XGI, ASPEED, VirtualBox, Parallels,
   * Hyper-V, Red Hat (QXL, virtio), Amazon EC2 and bhyve.
   */
  private static final Set<Integer> ONLY_DRAWING =
      Set.of(
          0x102b, 0x1013, 0x1234, 0x126f, 0x15ad, 0x18ca, 0x1a03, 0x80ee, 0x1ab8, 0x1414, 0x1b36,
          0x1af4, 0x1d0f, 0xfb5d);

  private static final int HUAWEI = 0x19e5;
  private static final int HUAWEI_BMC = 0x1711;

  /** {@return the kind of device of the class; for display controllers, the vendor also counts} */
  public DeviceKind kind() {
    if (classCode == UNKNOWN_CLASS) {
      return DeviceKind.UNKNOWN;
    }
    DeviceKind kind = DeviceKind.ofPciClass(classCode);
    int subClass = classCode >>> 8;
    boolean display = subClass == VGA || subClass == OTHER_DISPLAY;
    boolean onlyDraws = ONLY_DRAWING.contains(vendor) || (vendor == HUAWEI && device == HUAWEI_BMC);
    return display && onlyDraws ? DeviceKind.DISPLAY : kind;
  }
}
