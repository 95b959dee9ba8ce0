/** The network driver. */
module io.dra4j.dranet {
  requires com.fasterxml.jackson.databind;
  requires io.dra4j.sysfs;
  requires java.net.http;
  requires org.slf4j;
  requires transitive io.dra4j.core;
  requires transitive io.dra4j.netlink;
  requires transitive io.dra4j.rdma;
  requires transitive io.dra4j.spi;
  requires static transitive org.jspecify;

  exports io.dra4j.dranet;
  exports io.dra4j.dranet.attach;
  exports io.dra4j.dranet.cloud;
  exports io.dra4j.dranet.compat;
  exports io.dra4j.dranet.config;
  exports io.dra4j.dranet.discovery;
}
