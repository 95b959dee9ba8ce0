package com.example.image;

import io.dra4j.allocation.Allocator;
import io.dra4j.inventory.DeviceInventory;
import io.dra4j.manifest.Manifests;
import io.dra4j.model.ResourceClaim;
import io.dra4j.selector.CompiledAttribute;
import io.dra4j.selector.CompiledSelector;
import io.dra4j.selector.SelectorCompiler;
import io.dra4j.selector.SelectorException;
import io.dra4j.spi.Host;
import io.dra4j.spi.TopologyReaders;
import io.dra4j.sysfs.SysfsReader;
import io.dra4j.sysfs.overlay.NcclXml;
import io.dra4j.topology.HostTopology;
import java.nio.file.Path;
import java.util.List;

/** Allocates by device classes that have no selectors, and reads this host. */
public final class Main {

  private Main() {}

  /** Takes a dump of a cluster, a node of it, and a topology file of NCCL. */
  public static void main(String[] args) throws Exception {
    DeviceInventory inventory = DeviceInventory.of(Manifests.readSnapshot(Path.of(args[0])));
    ResourceClaim claim =
        ResourceClaim.named("training")
            .request("gpus", gpus -> gpus.deviceClass("any").count(2))
            .build();
    Allocator allocator = Allocator.builder().selectors(new NoSelectors()).build();
    System.out.println(allocator.allocate(inventory, args[1], List.of(claim)));

    HostTopology topology =
        SysfsReader.read(Host.live())
            .topology()
            .overlay(NcclXml.read(Path.of(args[2]), System.err::println))
            .build();
    System.out.println(topology.endpoints().size() + " endpoints");
    int found = TopologyReaders.installed().read(Host.live()).pciFunctions().size();
    System.out.println(found + " PCI functions");
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
