package io.dra4j.topology;

/**
 * Links between two devices outside the PCIe tree.
 *
 * @param a the id of one device
 * @param b the id of the other, or {@link #numaNode(int)}
 * @param type the kind of the links
 * @param count the number of links
 * @param megabytesPerSecond the bandwidth of one link in one direction, in MB/s; 0 if not known
 */
public record DirectLink(String a, String b, Type type, int count, int megabytesPerSecond) {

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

    /** {@return the name of the kind in output, for example {@code nvlink}} */
    public String label() {
      return label;
    }
  }

  /**
   * Checks the numbers. {@inheritDoc}
   *
   * @throws IllegalArgumentException if the count is not positive or the rate is negative
   */
  public DirectLink {
    if (count <= 0) {
      throw new IllegalArgumentException("links: expected a count above 0, found " + count);
    }
    if (megabytesPerSecond < 0) {
      throw new IllegalArgumentException(
          "links: expected a rate of at least 0 MB/s, found " + megabytesPerSecond);
    }
  }

  /**
   * Creates links of which only the number is known.
   *
   * @param a the id of one device
   * @param b the id of the other, or {@link #numaNode(int)}
   * @param type the kind of the links
   * @param count the number of links
   * @throws IllegalArgumentException if the count is not positive
   */
  public DirectLink(String a, String b, Type type, int count) {
    this(a, b, type, count, 0);
  }

  /** These links with other ids of the devices. */
  DirectLink between(String newA, String newB) {
    return new DirectLink(newA, newB, type, count, megabytesPerSecond);
  }

  /**
   * {@return the id of a NUMA node in a link, for example {@code numa:0}}
   *
   * @param id the number of the node
   */
  public static String numaNode(int id) {
    return "numa:" + id;
  }

  /** {@return the name of these links in {@code nvidia-smi topo -m}, for example {@code NV18}} */
  public String nvidiaSmiName() {
    return switch (type) {
      case NVLINK -> "NV" + count;
      case XGMI -> "XGMI" + count;
      case C2C -> "C2C" + count;
    };
  }
}
