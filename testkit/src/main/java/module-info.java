/** Captured and made-up hosts for tests, and a JUnit extension that lays them out. */
module io.dra4j.testkit {
  requires static transitive org.jspecify;
  requires static org.apache.commons.compress;
  requires transitive org.junit.jupiter.api;

  exports io.dra4j.testkit;
}
