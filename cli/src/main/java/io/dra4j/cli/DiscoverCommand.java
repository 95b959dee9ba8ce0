package io.dra4j.cli;

import io.dra4j.manifest.Manifest;
import io.dra4j.manifest.ManifestWriter;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceAttribute;
import io.dra4j.model.ResourceSlice;
import io.dra4j.model.StandardAttributes;
import io.dra4j.spi.HostInventory;
import io.dra4j.sysfs.HostDriver;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code dra4j discover}: the devices of a host as ResourceSlices. */
@Command(
    name = "discover",
    mixinStandardHelpOptions = true,
    description = {
      "Lists the devices of a host as a driver would publish them.",
      "",
      "The built-in driver "
          + HostDriver.NAME
          + " offers every NIC, GPU, accelerator and NVMe drive."
    })
final class DiscoverCommand implements Callable<Integer> {

  /** How the answer is written. */
  enum Output {
    TABLE,
    YAML,
    JSON
  }

  /** What the API server takes in one slice (resource.k8s.io/v1, ResourceSliceMaxDevices). */
  private static final int MAX_DEVICES = 128;

  @Mixin private final HostOptions host = new HostOptions();

  @Option(
      names = "--node",
      paramLabel = "N",
      description = "The name of the node. Default: that of the host.")
  private @Nullable String node;

  @Option(
      names = "--numa-node-lists",
      description =
          "Publish NUMA nodes as lists, with those as near as any on the same socket, for clusters"
              + " with the feature DRAListTypeAttributes.")
  private boolean numaNodeLists;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      defaultValue = "table",
      description = "table, yaml or json. Default: table.")
  private Output output = Output.TABLE;

  private final Terminal terminal;

  DiscoverCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    HostInventory inventory = host.read(terminal);
    HostDriver driver = numaNodeLists ? HostDriver.withNumaNodeLists() : HostDriver.create();
    List<Device> devices = driver.discover(inventory);
    if (output == Output.TABLE) {
      printTable(devices);
      return ExitCode.OK.value();
    }
    List<Manifest> slices =
        slices(nodeName(inventory), devices).stream().map(Manifest::of).toList();
    terminal
        .out()
        .print(
            output == Output.YAML ? ManifestWriter.toYaml(slices) : ManifestWriter.toJson(slices));
    return ExitCode.OK.value();
  }

  /** Node names are DNS subdomains (RFC 1123). */
  private String nodeName(HostInventory inventory) {
    if (node != null) {
      return node;
    }
    String name = inventory.name().toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9.-]", "-");
    return name.matches("[a-z0-9].*[a-z0-9]|[a-z0-9]") ? name : "host";
  }

  private static List<ResourceSlice> slices(String nodeName, List<Device> devices) {
    int count = Math.max(1, (devices.size() + MAX_DEVICES - 1) / MAX_DEVICES);
    List<ResourceSlice> slices = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      List<Device> some =
          devices.subList(i * MAX_DEVICES, Math.min(devices.size(), (i + 1) * MAX_DEVICES));
      String name = nodeName + "-" + HostDriver.NAME + (count == 1 ? "" : "-" + i);
      slices.add(
          ResourceSlice.onNode(name, HostDriver.NAME, nodeName, some).toBuilder()
              .pool(nodeName, 1, count)
              .build());
    }
    return slices;
  }

  private void printTable(List<Device> devices) {
    TextTable table =
        new TextTable("DEVICE", "KIND", "NUMA", "PCIE ROOT", "DRIVER", "NAMES", "PRODUCT");
    for (Device device : devices) {
      String names = (text(device, "ifName") + " " + text(device, "rdmaDevice")).trim();
      String product = text(device, "product");
      table.row(
          device.name(),
          text(device, "kind"),
          text(device, StandardAttributes.NUMA_NODE),
          text(device, StandardAttributes.PCIE_ROOT),
          text(device, "driver"),
          names,
          product.isEmpty() ? text(device, "vendorID") + ":" + text(device, "deviceID") : product);
    }
    terminal.out().print(table.toString());
    if (devices.isEmpty()) {
      terminal.out().println("No NIC, GPU, accelerator or NVMe drive.");
    }
  }

  private static String text(Device device, String name) {
    DeviceAttribute value = device.attributes().get(name);
    if (value instanceof DeviceAttribute.StringValue text) {
      return text.value();
    }
    if (value instanceof DeviceAttribute.IntValue number) {
      return Long.toString(number.value());
    }
    return value instanceof DeviceAttribute.IntValues numbers ? numbers.values().toString() : "";
  }
}
