/** Contracts between dra4j and code that reads topology or drives devices. */
module io.dra4j.spi {
  requires transitive io.dra4j.core;
  requires static transitive org.jspecify;

  exports io.dra4j.spi;
  exports io.dra4j.spi.configuration;
  exports io.dra4j.spi.publish;

  uses io.dra4j.spi.HostWatcher;
  uses io.dra4j.spi.TopologyReader;
}
