package io.dra4j.model;

/**
 * What identifies a device in a cluster.
 *
 * @param driver the driver's name
 * @param pool the pool's name
 * @param device the device's name
 */
public record DeviceId(String driver, String pool, String device) {

  /**
   * The form in which Kubernetes writes it in messages.
   *
   * @return {@code driver/pool/device}
   */
  @Override
  public String toString() {
    return driver + "/" + pool + "/" + device;
  }
}
