package io.dra4j.cli.device;

import io.dra4j.cli.input.HostOptions;
import io.dra4j.cli.terminal.CommandMessages;
import io.dra4j.cli.terminal.CommandUsage;
import io.dra4j.cli.terminal.ExitCode;
import io.dra4j.cli.terminal.Terminal;
import io.dra4j.linux.NativeUnavailableException;
import io.dra4j.netlink.NetlinkException;
import io.dra4j.netlink.rdma.RdmaNetlink;
import io.dra4j.rdma.CharacterDevices;
import io.dra4j.rdma.verbs.PortLimits;
import io.dra4j.rdma.verbs.RdmaLimits;
import io.dra4j.spi.Host;
import io.dra4j.spi.HostInventory;
import io.dra4j.spi.RdmaDevice;
import io.dra4j.spi.RdmaPort;
import io.dra4j.sysfs.InfinibandReader;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code dra4j rdma}: lists a host's RDMA devices with their ports, addresses and device files. */
@Command(
    name = "rdma",
    mixinStandardHelpOptions = true,
    description = {
      "Lists the RDMA devices of a host: ports, addresses, and the files that containers need.",
      "",
      "Remarks explain why a device that exists does not work; in JSON they are a list of strings"
          + " for each device.",
      "",
      "On this host, RDMA netlink is queried as well; a warning reports contradictions between it"
          + " and /sys. Model and limits of the hardware come from libibverbs.so.1, if it is"
          + " installed."
    })
public final class RdmaCommand implements Callable<Integer> {

  /** The output formats. */
  enum Output {
    TEXT,
    JSON
  }

  /**
   * The printed facts of one RDMA device.
   *
   * @param counters the counters of each port by its number, if requested
   * @param limits the limits that libibverbs reports; null if it is not installed
   */
  record Report(
      RdmaDevice device,
      CharacterDevices nodes,
      Map<Integer, Map<String, Long>> counters,
      @Nullable RdmaLimits limits) {

    /** Returns the limits that libibverbs reports for a port; null if it reports none. */
    @Nullable PortLimits limits(RdmaPort port) {
      return limits == null
          ? null
          : limits.ports().stream()
              .filter(one -> one.number() == port.number())
              .findFirst()
              .orElse(null);
    }
  }

  @Mixin private final HostOptions host = new HostOptions();

  @Parameters(
      paramLabel = "DEVICE",
      arity = "0..*",
      description = "List only these devices, for example mlx5_0.")
  private List<String> names = List.of();

  /** The limit of counters, more than any host has; a small captured tree may claim any number. */
  private static final int MAX_COUNTERS = 200_000;

  private int countersRead;

  @Option(names = "--counters", description = "Also print the counters of each port.")
  private boolean counters;

  @Option(
      names = "--limits",
      description =
          "Also print all limits of devices and ports, like ibv_devinfo -v. JSON always has them.")
  private boolean limits;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      defaultValue = "text",
      description = "text or json. Default: text.")
  private Output output = Output.TEXT;

  @Spec private @Nullable CommandSpec spec;

  private final Terminal terminal;
  private final Set<String> said = new HashSet<>();

  public RdmaCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    HostInventory inventory = host.read(terminal);
    List<RdmaDevice> devices = inventory.rdmaDevices();
    checkNames(devices);
    Map<String, RdmaLimits> limitsByDevice = limitsOf(devices);
    List<RdmaDevice> wanted =
        devices.stream()
            .filter(device -> names.isEmpty() || names.contains(device.name()))
            .toList();
    said.addAll(inventory.warnings());
    List<CharacterDevices> nodes = CharacterDevices.of(host.host(), wanted);
    List<Report> reports = new ArrayList<>();
    for (int i = 0; i < wanted.size(); i++) {
      RdmaDevice device = wanted.get(i);
      reports.add(report(host.host(), device, nodes.get(i), limitsByDevice.get(device.name())));
    }
    reports.forEach(report -> report.nodes().problems().forEach(this::warn));
    reports.forEach(this::warnOfNothing);
    Boolean shared = reports.isEmpty() ? null : isShared(host.host());
    terminal
        .out()
        .print(
            output == Output.JSON
                ? RdmaJson.of(inventory, reports, shared) + "\n"
                : RdmaText.of(inventory, reports, shared, limits));
    return ExitCode.OK.value();
  }

  /** Refuses the names of devices that the host does not have. */
  private void checkNames(List<RdmaDevice> devices) {
    for (String name : names) {
      if (devices.stream().noneMatch(device -> device.name().equals(name))) {
        String message =
            "no RDMA device '"
                + name
                + "' on "
                + host.host()
                + ", which has "
                + (devices.isEmpty()
                    ? "none"
                    : CommandMessages.some(devices.stream().map(RdmaDevice::name).toList()));
        throw CommandUsage.bad(spec, message);
      }
    }
  }

  /** Returns the limits by the names of devices; none for a captured host. */
  private Map<String, RdmaLimits> limitsOf(List<RdmaDevice> devices) {
    Map<String, RdmaLimits> limitsByDevice = new HashMap<>();
    if (host.host().isLive() && !devices.isEmpty()) {
      // The inventory was read with them, so warnings were already printed.
      RdmaLimits.read(warning -> {}).forEach(one -> limitsByDevice.put(one.device(), one));
    }
    return limitsByDevice;
  }

  /** Prints a warning once, even if several devices share it. */
  private void warn(String problem) {
    if (said.add(problem)) {
      terminal.problem("warning: " + problem);
    }
  }

  /** Warns about requested facts that are missing. */
  private void warnOfNothing(Report report) {
    String name = report.device().name();
    if (limits && report.limits() == null) {
      warn(
          host.host().isLive()
              ? "--limits: no limits of "
                  + name
                  + ": libibverbs.so.1 is not installed, has no driver for the device or"
                  + " cannot open it"
              : "--limits: not available for a captured host, because libibverbs queries the device"
                  + " itself");
    }
    report
        .counters()
        .forEach(
            (port, values) -> {
              if (values.isEmpty()) {
                warn(
                    "--counters: no counters of "
                        + name
                        + " port "
                        + port
                        + ": expected files in counters or hw_counters of"
                        + " /sys/class/infiniband/"
                        + name
                        + "/ports/"
                        + port);
              }
            });
    if (counters && report.counters().isEmpty()) {
      warn("--counters: no counters of " + name + ": its ports are not known");
    }
  }

  private Report report(
      Host where, RdmaDevice device, CharacterDevices nodes, @Nullable RdmaLimits limits) {
    Map<Integer, Map<String, Long>> values = new LinkedHashMap<>();
    if (counters) {
      InfinibandReader reader = new InfinibandReader();
      for (RdmaPort port : device.ports()) {
        if (countersRead >= MAX_COUNTERS) {
          warn(
              ("--counters: limit of %d counters reached; counters from port %d of %s on"
                      + " are not shown")
                  .formatted(MAX_COUNTERS, port.number(), device.name()));
          break;
        }
        Map<String, Long> ofPort = reader.counters(where, device.name(), port.number(), this::warn);
        countersRead += Math.max(1, ofPort.size());
        values.put(port.number(), ofPort);
      }
    }
    return new Report(device, nodes, values, limits);
  }

  /** Returns whether network namespaces share RDMA devices; null if unknown. */
  private static @Nullable Boolean isShared(Host where) {
    if (!where.isLive()) {
      return null;
    }
    try (RdmaNetlink rdma = RdmaNetlink.open()) {
      return rdma.isShared();
    } catch (NetlinkException | NativeUnavailableException e) {
      return null; // a warning was printed when the devices were read
    }
  }
}
