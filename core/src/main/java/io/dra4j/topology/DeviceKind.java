package io.dra4j.topology;

import java.util.Arrays;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;

/** The kind of a device in placement. */
public enum DeviceKind {
  /** Network and InfiniBand controllers, and other functions with a netdev or an RDMA device. */
  NIC,
  /**
   * Display controllers that compute: 3D controllers, and all others that are not {@link #DISPLAY}.
   */
  GPU,
  /** Processing accelerators and co-processors. */
  ACCELERATOR,
  /** Display controllers that only draw: of management controllers (BMC) and virtual machines. */
  DISPLAY,
  /** NVMe drives. */
  NVME,
  /** Other disks and volumes. */
  DISK,
  /** CPUs that a driver publishes. */
  CPU,
  /** Memory and huge pages that a driver publishes. */
  MEMORY,
  /** Bridges: root ports, ports of switches, host bridges. */
  BRIDGE,
  /** Everything else. */
  OTHER,
  /** A source names the device without its kind. */
  UNKNOWN;

  /**
   * {@return the kind of a PCI class (PCI Code and ID Assignment Specification)}
   *
   * @param classCode base class, sub-class and programming interface in 24 bits, for example {@code
   *     0x030200}
   */
  public static DeviceKind ofPciClass(int classCode) {
    int subClass = classCode >>> 8 & 0xffff;
    return switch (subClass) {
      case 0x0108 -> NVME;
      case 0x0b40 -> ACCELERATOR;
      case 0x0c06 -> NIC;
      default ->
          switch (subClass >>> 8) {
            case 0x02 -> NIC;
            case 0x03 -> GPU;
            case 0x06 -> BRIDGE;
            case 0x12 -> ACCELERATOR;
            default -> OTHER;
          };
    };
  }

  /**
   * {@return the kind with a name, as {@code dra4j discover} publishes it; empty if there is none}
   *
   * @param name the name of the constant in lower case, for example {@code nic}
   */
  public static Optional<DeviceKind> byName(String name) {
    Objects.requireNonNull(name, "name");
    return Arrays.stream(values())
        .filter(kind -> kind.name().toLowerCase(Locale.ROOT).equals(name))
        .findFirst();
  }

  /**
   * {@return whether paths from and to such devices matter: NICs, GPUs, accelerators, and devices
   * of unknown kind}
   */
  public boolean isEndpoint() {
    return this == NIC || this == GPU || this == ACCELERATOR || this == UNKNOWN;
  }
}
