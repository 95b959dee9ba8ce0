package io.dra4j.placement.internal.server;

/**
 * The link above a PCIe switch, or above a card with several functions, which all devices below it
 * share when they talk to others.
 *
 * @param gpus the GPUs below it that reach others through it; those with a link to their processor
 *     do not
 * @param nics the NICs below it
 * @param gigabytesPerSecond what it carries in one direction
 * @param isPublished whether it is published; what is assumed limits no pair that is alone
 */
public record Uplink(long gpus, long nics, double gigabytesPerSecond, boolean isPublished) {

  /** Whether what a GPU and a NIC send each other goes through it: one of them is below. */
  public boolean isCrossedBy(long gpu, long nic) {
    return ((gpus & gpu) != 0) != ((nics & nic) != 0);
  }

  /**
   * How many pairs of a set go through it at most, where those below are made first, as the best
   * ones are.
   */
  int crossings(long someGpus, long someNics) {
    return Math.abs(Long.bitCount(gpus & someGpus) - Long.bitCount(nics & someNics));
  }
}
