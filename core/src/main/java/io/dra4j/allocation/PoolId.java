package io.dra4j.allocation;

/**
 * What identifies a pool in a cluster: two drivers may use the same pool name.
 *
 * @param driver the driver's name
 * @param name the pool's name
 */
record PoolId(String driver, String name) {

  @Override
  public String toString() {
    return driver + "/" + name;
  }
}
