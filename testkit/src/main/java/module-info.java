/**
 * Captured and synthetic hosts for tests, a JUnit extension that writes them, and the suites that
 * every driver and every allocation rule should pass.
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
