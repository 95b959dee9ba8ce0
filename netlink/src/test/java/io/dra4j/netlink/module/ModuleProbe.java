package io.dra4j.netlink.module;

import io.dra4j.linux.NativeAccess;
import io.dra4j.spi.Host;
import io.dra4j.spi.HostInventory;
import io.dra4j.spi.HostWatchers;
import io.dra4j.spi.TopologyReaders;

/** A program beside a module path, which prints what it finds there. */
final class ModuleProbe {

  private ModuleProbe() {}

  /** Calls the kernel, or looks who reads and watches this host. */
  public static void main(String[] arguments) {
    if (arguments.length > 0) {
      System.out.println("close: " + NativeAccess.system().close(-1));
      System.out.println(NativeAccess.class.getModule());
      return;
    }
    HostInventory host = TopologyReaders.installed().read(Host.live());
    System.out.println("watchers: " + HostWatchers.installed().size());
    System.out.println(
        "loopback: " + host.netdevs().stream().anyMatch(one -> one.name().equals("lo")));
    host.warnings().forEach(System.out::println);
  }
}
