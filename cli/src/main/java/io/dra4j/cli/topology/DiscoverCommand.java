package io.dra4j.cli.topology;

import io.dra4j.cli.device.RdmaText;
import io.dra4j.cli.input.HostOptions;
import io.dra4j.cli.terminal.ExitCode;
import io.dra4j.cli.terminal.NodeNames;
import io.dra4j.cli.terminal.Terminal;
import io.dra4j.cli.terminal.TextTable;
import io.dra4j.dranet.NetworkDriver;
import io.dra4j.dranet.NetworkOptions;
import io.dra4j.manifest.Manifest;
import io.dra4j.manifest.ManifestWriter;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceAttribute;
import io.dra4j.model.DeviceCapacity;
import io.dra4j.model.StandardAttributes;
import io.dra4j.spi.HostInventory;
import io.dra4j.spi.publish.SlicePlanner;
import io.dra4j.sysfs.HostDriver;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code dra4j discover}: lists the devices of a host as ResourceSlices. */
@Command(
    name = "discover",
    mixinStandardHelpOptions = true,
    description = {
      "Lists the devices of a host as a driver would publish them.",
      "",
      "The built-in driver "
          + HostDriver.NAME
          + " offers every NIC, GPU, accelerator and NVMe drive, dra.net the network devices that"
          + " can be attached to pods."
    })
public final class DiscoverCommand implements Callable<Integer> {

  /** The output formats. */
  enum Output {
    TABLE,
    YAML,
    JSON
  }

  @Mixin private final HostOptions host = new HostOptions();

  @Option(
      names = "--node",
      paramLabel = "N",
      description = "The name of the node. Default: the name of the host.")
  private @Nullable String node;

  @Option(
      names = "--driver",
      paramLabel = "NAME",
      defaultValue = HostDriver.NAME,
      description = "The driver: " + HostDriver.NAME + " or dra.net. Default: ${DEFAULT-VALUE}.")
  private String driver = HostDriver.NAME;

  @Option(
      names = "--numa-node-lists",
      description =
          "Publish NUMA nodes as lists, which include the nearest nodes on the same socket, for"
              + " clusters with the feature DRAListTypeAttributes.")
  private boolean numaNodeLists;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      defaultValue = "table",
      description = "table, yaml or json. Default: table.")
  private Output output = Output.TABLE;

  private final Terminal terminal;

  public DiscoverCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    boolean network = driver.equals(NetworkDriver.NAME);
    Optional<String> badOption = problemOfOptions(network);
    if (badOption.isPresent()) {
      terminal.problem(badOption.get());
      return ExitCode.BAD_INPUT.value();
    }
    HostInventory inventory = host.read(terminal);
    List<Device> devices;
    try {
      devices = network ? networkDevices(inventory) : hostDevices(inventory);
    } catch (IOException e) {
      terminal.problem(String.valueOf(e.getMessage()));
      return ExitCode.BAD_INPUT.value();
    }
    if (output == Output.TABLE) {
      if (network) {
        printNetworkTable(devices);
      } else {
        printTable(devices);
      }
      return ExitCode.OK.value();
    }
    List<Manifest> slices =
        SlicePlanner.forNode(driver, nodeName(inventory)).plan(devices).stream()
            .map(Manifest::of)
            .toList();
    terminal
        .out()
        .print(
            output == Output.YAML ? ManifestWriter.toYaml(slices) : ManifestWriter.toJson(slices));
    return ExitCode.OK.value();
  }

  private Optional<String> problemOfOptions(boolean network) {
    if (!network && !driver.equals(HostDriver.NAME)) {
      return Optional.of(
          "--driver: no driver " + driver + "; drivers: " + HostDriver.NAME + ", dra.net");
    } else if (network && !host.host().isLive()) {
      return Optional.of(
          "--driver dra.net cannot be used together with --root, because it queries the kernel; "
              + HostDriver.NAME
              + " reads captured hosts");
    }
    return node == null ? Optional.empty() : NodeNames.problem(node);
  }

  private String nodeName(HostInventory inventory) {
    if (node != null) {
      return node;
    }
    String name = inventory.name().toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9.-]", "-");
    return NodeNames.isNodeName(name) ? name : "host";
  }

  private List<Device> hostDevices(HostInventory inventory) {
    HostDriver all = numaNodeLists ? HostDriver.withNumaNodeLists() : HostDriver.create();
    return all.discover(inventory);
  }

  private List<Device> networkDevices(HostInventory inventory) throws IOException {
    NetworkOptions builder = NetworkDriver.builder().host(host.host());
    if (numaNodeLists) {
      builder.numaNodeLists();
    }
    try (NetworkDriver all = builder.build()) {
      return all.discover(inventory);
    }
  }

  private void printNetworkTable(List<Device> devices) {
    TextTable table =
        new TextTable(
            "DEVICE", "INTERFACE", "TYPE", "STATE", "MTU", "NUMA", "PCIE ROOT", "RDMA", "IPV4");
    for (Device device : devices) {
      table.row(
          device.name(),
          text(device, "ifName"),
          text(device, "type"),
          text(device, "state"),
          text(device, "mtu"),
          text(device, StandardAttributes.NUMA_NODE),
          text(device, StandardAttributes.PCIE_ROOT),
          text(device, "rdmaDevice"),
          text(device, "ipv4"));
    }
    terminal.out().print(table.toString());
    if (devices.isEmpty()) {
      terminal.out().println("No network device that can be attached to pods.");
    }
  }

  private void printTable(List<Device> devices) {
    TextTable table =
        new TextTable("DEVICE", "KIND", "NUMA", "PCIE ROOT", "DRIVER", "NAMES", "RDMA", "PRODUCT");
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
          rdma(device),
          product.isEmpty() ? numbers(device) : product);
    }
    terminal.out().print(table.toString());
    if (devices.isEmpty()) {
      terminal.out().println("No NIC, GPU, accelerator or NVMe drive.");
    }
  }

  /** Returns the numbers of vendor and device; empty if neither is known. */
  private static String numbers(Device device) {
    String vendor = text(device, "vendorID");
    String product = text(device, "deviceID");
    return vendor.isEmpty() && product.isEmpty()
        ? ""
        : (vendor.isEmpty() ? "unknown" : vendor) + ":" + (product.isEmpty() ? "unknown" : product);
  }

  /**
   * Returns the state and rate of the RDMA ports, for example {@code ACTIVE 400 Gb/s} or, for
   * several ports, {@code ACTIVE 100 Gb/s, 1 of 2 ports up}.
   */
  private static String rdma(Device device) {
    DeviceCapacity bandwidth = device.capacity().get(HostDriver.RDMA_BANDWIDTH);
    String rate =
        bandwidth == null
            ? ""
            : RdmaText.rate(OptionalDouble.of(bandwidth.value().asApproximateDouble() / 1e9));
    String ports = text(device, HostDriver.RDMA_PORTS);
    String of = text(device, HostDriver.RDMA_ACTIVE_PORTS) + " of " + ports + " ports up";
    String text = (text(device, "rdmaState") + " " + rate).trim();
    return ports.isEmpty() || ports.equals("1") ? text : text + ", " + of;
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
