/** RDMA devices of a Linux host. */
module io.dra4j.rdma {
  requires transitive io.dra4j.netlink;
  requires transitive io.dra4j.spi;
  requires io.dra4j.sysfs;
  requires org.jnrproject.ffi;
  requires org.jnrproject.posix;
  requires static transitive org.jspecify;

  exports io.dra4j.rdma;
  exports io.dra4j.rdma.health;
  exports io.dra4j.rdma.verbs;

  // The classes that jnr-ffi generates live in an unnamed module.
  opens io.dra4j.rdma.verbs.jnr;

  provides io.dra4j.spi.TopologyReader with
      io.dra4j.rdma.RdmaReader,
      io.dra4j.rdma.VerbsReader;
}
