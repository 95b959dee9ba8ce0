package io.dra4j.topology;

/**
 * The speed and width of a PCIe link.
 *
 * @param megatransfersPerSecond the speed per lane, for example 32,000 for PCIe 5.0
 * @param width the number of lanes, 1 to 32
 */
public record PcieLink(int megatransfersPerSecond, int width) {

  static final int MAX_SPEED = 1_024_000;
  static final int MAX_WIDTH = 32;
  private static final int FIRST_128B_130B = 8_000; // PCIe 3.0; 8b/10b before
  private static final int FIRST_FLIT = 64_000; // PCIe 6.0: 242 of 256 bytes carry data

  /**
   * Checks the numbers. {@inheritDoc}
   *
   * @throws IllegalArgumentException if one is not positive, or above 1,024,000 MT/s or 32 lanes
   */
  public PcieLink {
    if (megatransfersPerSecond <= 0 || megatransfersPerSecond > MAX_SPEED) {
      throw new IllegalArgumentException(
          "link speed: expected 1 to 1,024,000 MT/s, found " + megatransfersPerSecond);
    }
    if (width <= 0 || width > MAX_WIDTH) {
      throw new IllegalArgumentException("link width: expected 1 to 32 lanes, found " + width);
    }
  }

  /**
   * {@return the bandwidth of the link in one direction in GB/s, after line encoding (PCI Express
   * Base Specification, chapter 4), including packet headers} {@link #ncclGigabytesPerSecond} is
   * the usable part.
   */
  public double gigabytesPerSecond() {
    double encoding =
        megatransfersPerSecond >= FIRST_FLIT
            ? 242.0 / 256
            : megatransfersPerSecond >= FIRST_128B_130B ? 128.0 / 130 : 0.8;
    return megatransfersPerSecond / 8_000.0 * width * encoding;
  }

  /**
   * Returns the bandwidth that NCCL expects from such a link in one direction: three quarters of
   * the raw rate from PCIe 3.0 on, for example 48 GB/s for PCIe 5.0 x16. It is {@code width × speed
   * ÷ 80}, with the speed of each generation in units of 100 Mbit/s; speeds of no generation count
   * as PCIe 3.0 ({@code kvDictPciGen} and {@code ncclTopoGetSystemFromXml}, {@code
   * src/graph/topo.cc}).
   *
   * @return GB/s
   */
  public double ncclGigabytesPerSecond() {
    int hundredMegabits =
        switch (megatransfersPerSecond) {
          case 2_500 -> 15;
          case 5_000 -> 30;
          case 16_000 -> 120;
          case 32_000 -> 240;
          case 64_000 -> 480;
          default -> 60;
        };
    return width * hundredMegabits / 80.0;
  }

  /** {@return the PCIe generation that introduced the speed, from 1 to 7; 0 if there is none} */
  public int generation() {
    return switch (megatransfersPerSecond) {
      case 2_500 -> 1;
      case 5_000 -> 2;
      case 8_000 -> 3;
      case 16_000 -> 4;
      case 32_000 -> 5;
      case 64_000 -> 6;
      case 128_000 -> 7;
      default -> 0;
    };
  }

  /** {@return speed and width of the link, for example {@code 32 GT/s x16}} */
  @Override
  public String toString() {
    double gigatransfers = megatransfersPerSecond / 1_000.0;
    String speed =
        gigatransfers == Math.rint(gigatransfers)
            ? Long.toString((long) gigatransfers)
            : Double.toString(gigatransfers);
    return speed + " GT/s x" + width;
  }
}
