package io.dra4j.inventory;

import java.util.Objects;

/**
 * The identity of a pool in a cluster: two drivers may use the same pool name.
 *
 * @param driver the driver's name
 * @param name the pool's name
 */
public record PoolId(String driver, String name) implements Comparable<PoolId> {

  /** Rejects null. {@inheritDoc} */
  public PoolId {
    Objects.requireNonNull(driver, "driver");
    Objects.requireNonNull(name, "name");
  }

  /** Compares by driver, then by name: the order in which Kubernetes tries pools. */
  @Override
  public int compareTo(PoolId other) {
    int order = driver.compareTo(other.driver);
    return order != 0 ? order : name.compareTo(other.name);
  }

  /** {@return the form in which Kubernetes writes a pool in messages: {@code driver/name}} */
  @Override
  public String toString() {
    return driver + "/" + name;
  }
}
