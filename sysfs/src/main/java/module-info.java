/** Readers of Linux' sysfs and of recorded topologies. */
module io.dra4j.sysfs {
  requires transitive io.dra4j.spi;
  requires java.xml;
  requires static transitive org.jspecify;

  exports io.dra4j.sysfs;
  exports io.dra4j.sysfs.overlay;

  provides io.dra4j.spi.TopologyReader with
      io.dra4j.sysfs.SysfsReader;
}
