package io.dra4j.placement.internal.server;

/**
 * The link above a PCIe switch, or above a card with several functions. All devices below it share
 * it when they communicate with other devices.
 *
 * @param gpus the GPUs below it that reach other devices through it; GPUs with a link to their
 *     processor do not
 * @param nics the NICs below it
 * @param gigabytesPerSecond its bandwidth in one direction
 * @param isPublished whether the bandwidth is published; an assumed bandwidth does not limit a pair
 *     alone
 */
public record Uplink(long gpus, long nics, double gigabytesPerSecond, boolean isPublished) {

  /** {@return whether GPU-NIC traffic goes through this uplink: exactly one of them is below it} */
  public boolean isCrossedBy(long gpu, long nic) {
    return ((gpus & gpu) != 0) != ((nics & nic) != 0);
  }

  /** The most pairs of a set that go through this uplink, if devices below it are paired first. */
  int crossings(long someGpus, long someNics) {
    return Math.abs(Long.bitCount(gpus & someGpus) - Long.bitCount(nics & someNics));
  }
}
