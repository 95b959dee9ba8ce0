/** Runs drivers on a host. */
module io.dra4j.runtime {
  requires transitive io.dra4j.spi;
  requires transitive micrometer.core;
  requires micrometer.registry.prometheus;
  requires java.sql;
  requires jdk.httpserver;
  requires org.slf4j;
  requires org.xerial.sqlitejdbc;
  requires static transitive org.jspecify;

  exports io.dra4j.runtime;
}
