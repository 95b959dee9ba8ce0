package io.dra4j.topology;

/**
 * Links between two devices beside the PCIe tree.
 *
 * @param a the id of one device
 * @param b the id of the other, or {@link #numaNode(int)}
 * @param type what kind of links
 * @param count how many of them
 */
public record DirectLink(String a, String b, Type type, int count) {

  /** The kinds of links, with the names that NCCL's topology files use. */
  public enum Type {
    /** NVIDIA NVLink, directly or through NVSwitches. */
    NVLINK("nvlink"),
    /** AMD Infinity Fabric. */
    XGMI("xgmi"),
    /** NVIDIA NVLink-C2C between a GPU and its CPU: {@code b} is a NUMA node. */
    C2C("c2c");

    private final String label;

    Type(String label) {
      this.label = label;
    }

    /**
     * The word for it in output.
     *
     * @return for example {@code nvlink}
     */
    public String label() {
      return label;
    }
  }

  /**
   * Checks the count. {@inheritDoc}
   *
   * @throws IllegalArgumentException if the count is not positive
   */
  public DirectLink {
    if (count <= 0) {
      throw new IllegalArgumentException("no links: " + count);
    }
  }

  /**
   * How a link names a NUMA node.
   *
   * @param id the number of the node
   * @return for example {@code numa:0}
   */
  public static String numaNode(int id) {
    return "numa:" + id;
  }

  /**
   * What {@code nvidia-smi topo -m} prints for it.
   *
   * @return for example {@code NV18}
   */
  public String nvidiaSmiName() {
    return switch (type) {
      case NVLINK -> "NV" + count;
      case XGMI -> "XGMI" + count;
      case C2C -> "C2C" + count;
    };
  }
}
