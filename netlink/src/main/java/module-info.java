/** Netlink and network namespaces of Linux. */
module io.dra4j.netlink {
  requires org.jnrproject.ffi;
  // jnr-ffi generates byte code with these; it is an automatic module and cannot require them.
  requires org.objectweb.asm;
  requires org.objectweb.asm.commons;
  requires org.objectweb.asm.util;
  // For the package reader only. spi finds it by META-INF/services, also on the module path; with a
  // provider declared here, JDK 17 would require spi.
  requires static io.dra4j.spi;
  // For events of flight recordings; without it there are none.
  requires static jdk.jfr;
  requires static transitive org.jspecify;

  exports io.dra4j.linux;
  exports io.dra4j.netlink;
  exports io.dra4j.netlink.bpf;
  exports io.dra4j.netlink.devlink;
  exports io.dra4j.netlink.ethtool;
  exports io.dra4j.netlink.generic;
  exports io.dra4j.netlink.rdma;
  exports io.dra4j.netlink.reader;
  exports io.dra4j.netlink.route;
  exports io.dra4j.netlink.state;
  exports io.dra4j.netlink.uevent;

  // The classes that jnr-ffi generates live in an unnamed module.
  opens io.dra4j.linux.jnr;
}
