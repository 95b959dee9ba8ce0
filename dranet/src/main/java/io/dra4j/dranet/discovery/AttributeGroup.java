package io.dra4j.dranet.discovery;

/**
 * A group of attributes that can be switched off to make room for others: a device has at most 32
 * attributes and capacities. The groups are in order of importance: if there are too many
 * attributes, the last groups are left out.
 */
public enum AttributeGroup {
  /** The place of the device: ifName, pciAddress, rdma, rdmaDevice, pcieRoot, numaNode. */
  PLACE,
  /** Interface properties: type, virtual, mac, mtu, state, encapsulation, sriov and related. */
  INTERFACE,
  /** The addresses: ipv4 and ipv6. */
  ADDRESSES,
  /** Vendor, device and subsystem by name, and the older numaNode. */
  IDENTITY,
  /** The alias and BPF programs: alias, ebpf, tcFilterNames, tcxProgramNames. */
  TRAFFIC,
  /** The attributes of providers, such as the place in a cloud. */
  PROVIDERS,
  /** The rate and functions: pciBusID, bandwidth, megabitsPerSecond, pfName, vfIndex. */
  RATES,
  /** The hardware: portState, pcieSpeed, pcieWidth, driver, vendorID, deviceID, firmware. */
  HARDWARE
}
