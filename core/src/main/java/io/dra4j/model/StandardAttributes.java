package io.dra4j.model;

/**
 * Attribute names with the same meaning for every driver (KEP-4381, {@code
 * k8s.io/dynamic-resource-allocation}, package {@code deviceattribute}).
 */
public final class StandardAttributes {

  /** The PCIe root complex that the device is behind, for example {@code pci0000:8c}. */
  public static final String PCIE_ROOT = "resource.kubernetes.io/pcieRoot";

  /** The device's address, for example {@code 0000:8f:00.0}. */
  public static final String PCI_BUS_ID = "resource.kubernetes.io/pciBusID";

  /** The number of the NUMA node that the device is attached to. */
  public static final String NUMA_NODE = "resource.kubernetes.io/numaNode";

  private StandardAttributes() {}
}
