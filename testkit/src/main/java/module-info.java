/**
 * Captured and made-up hosts for tests, a JUnit extension that lays them out, and the suites that
 * every driver and every rule for allocations have to pass.
 */
module io.dra4j.testkit {
  requires transitive io.dra4j.spi;
  requires static transitive org.jspecify;
  requires static org.apache.commons.compress;
  requires transitive org.junit.jupiter.api;

  exports io.dra4j.testkit;
  exports io.dra4j.testkit.allocation;
  exports io.dra4j.testkit.driver;
}
