package io.dra4j.dranet.discovery;

/**
 * Attributes that go together and can be switched off, to make room for others: a device has at
 * most 32 attributes and capacities. In the order of importance: what does not fit is left out from
 * the end.
 */
public enum AttributeGroup {
  /** Where the device is: ifName, pciAddress, rdma, rdmaDevice, pcieRoot, numaNode. */
  PLACE,
  /** What the interface is: type, virtual, mac, mtu, state, encapsulation, sriov and its kin. */
  INTERFACE,
  /** ipv4 and ipv6. */
  ADDRESSES,
  /** Vendor, device and subsystem by name, and the older numaNode. */
  IDENTITY,
  /** alias, ebpf, tcFilterNames, tcxProgramNames. */
  TRAFFIC,
  /** What providers add, such as the place in a cloud. */
  PROVIDERS,
  /** pciBusID, bandwidth, megabitsPerSecond, pfName, vfIndex. */
  RATES,
  /** portState, pcieSpeed, pcieWidth, driver, vendorID, deviceID, firmware. */
  HARDWARE
}
