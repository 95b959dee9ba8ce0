/** Netlink and network namespaces of Linux. */
module io.dra4j.netlink {
  requires org.jnrproject.ffi;
  // jnr-ffi writes byte code with these; it is an automatic module and cannot ask for them.
  requires org.objectweb.asm;
  requires org.objectweb.asm.commons;
  requires org.objectweb.asm.util;
  // For the package reader only, which is not used where this is absent.
  requires static io.dra4j.spi;
  requires static transitive org.jspecify;

  exports io.dra4j.linux;
  exports io.dra4j.netlink;
  exports io.dra4j.netlink.devlink;
  exports io.dra4j.netlink.ethtool;
  exports io.dra4j.netlink.generic;
  exports io.dra4j.netlink.rdma;
  exports io.dra4j.netlink.route;
  exports io.dra4j.netlink.uevent;

  // The classes that jnr-ffi generates live in an unnamed module.
  opens io.dra4j.linux.jnr;

  provides io.dra4j.spi.TopologyReader with
      io.dra4j.netlink.reader.NetlinkReader;
}
