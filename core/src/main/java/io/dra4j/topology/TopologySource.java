package io.dra4j.topology;

/** The source of a fact about the topology of a host. */
public enum TopologySource {
  /** The PCI and NUMA entries of the host's {@code /sys}. */
  SYSFS("sysfs"),
  /** An NCCL topology file. */
  NCCL_XML("nccl-xml"),
  /** An export of hwloc. */
  HWLOC_XML("hwloc-xml"),
  /** The matrix that {@code nvidia-smi topo -m} prints. */
  NVIDIA_SMI("nvidia-smi"),
  /** The tables of {@code rocm-smi --showtopo} and {@code amd-smi topology}. */
  AMD_SMI("amd-smi"),
  /** The attributes that drivers publish in ResourceSlices. */
  RESOURCE_SLICES("resource-slices");

  private final String label;

  TopologySource(String label) {
    this.label = label;
  }

  /** {@return whether the source is a matrix: paths for pairs of devices, without locations} */
  public boolean isMatrix() {
    return this == NVIDIA_SMI || this == AMD_SMI;
  }

  /** {@return the name of the source in output, for example {@code nccl-xml}} */
  public String label() {
    return label;
  }
}
