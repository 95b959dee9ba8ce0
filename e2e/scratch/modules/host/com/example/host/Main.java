package com.example.host;

import io.dra4j.model.Device;
import io.dra4j.model.DeviceClass;
import io.dra4j.model.ResourceClaim;
import io.dra4j.netlink.route.Link;
import io.dra4j.netlink.route.RouteNetlink;
import io.dra4j.rdma.RdmaReader;
import io.dra4j.runtime.DriverRuntime;
import io.dra4j.selector.CompiledAttribute;
import io.dra4j.selector.CompiledSelector;
import io.dra4j.selector.SelectorCompiler;
import io.dra4j.selector.SelectorException;
import io.dra4j.spi.DeviceDriver;
import io.dra4j.spi.Host;
import io.dra4j.spi.HostInventory;
import java.nio.file.Path;
import java.util.List;

/** Lists links and RDMA devices, and runs a driver. */
public final class Main {

  private Main() {}

  /** Takes the file of the driver's store. */
  public static void main(String[] args) throws Exception {
    try (RouteNetlink route = RouteNetlink.open()) {
      for (Link link : route.links().list()) {
        System.out.println("link " + link.index() + " " + link.name());
      }
    }
    System.out.println(RdmaReader.read(Host.live()).rdmaDevices().size() + " RDMA devices");
    try (DriverRuntime runtime =
        DriverRuntime.builder()
            .driver(new LampDriver())
            .selectors(new NoSelectors())
            .store(Path.of(args[0]))
            .deviceClasses(List.of(DeviceClass.named("lamp")))
            .build()) {
      runtime.start();
      System.out.println(
          runtime.allocate(
              ResourceClaim.named("light")
                  .request("lamp", lamp -> lamp.deviceClass("lamp"))
                  .build()));
    }
  }

  private static final class LampDriver implements DeviceDriver {
    @Override
    public String name() {
      return "lamp.example.com";
    }

    @Override
    public List<Device> discover(HostInventory host) {
      return List.of(Device.named("lamp-0").build());
    }
  }

  /** Classes without expressions need no CEL. */
  private static final class NoSelectors implements SelectorCompiler {
    @Override
    public CompiledSelector compileSelector(String expression) throws SelectorException {
      throw new SelectorException("no expressions here");
    }

    @Override
    public CompiledAttribute compileAttribute(String expression) throws SelectorException {
      throw new SelectorException("no expressions here");
    }
  }
}
