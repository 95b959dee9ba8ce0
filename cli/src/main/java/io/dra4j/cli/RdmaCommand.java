package io.dra4j.cli;

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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code dra4j rdma}: the RDMA devices of a host with their ports, addresses and device files. */
@Command(
    name = "rdma",
    mixinStandardHelpOptions = true,
    description = {
      "Lists the RDMA devices of a host: ports, addresses, and the files that containers need.",
      "",
      "On this host RDMA netlink is asked as well; where it and /sys contradict each other, a"
          + " warning says so. What the hardware is and allows comes from libibverbs.so.1, where it"
          + " is installed."
    })
final class RdmaCommand implements Callable<Integer> {

  /** How the answer is written. */
  enum Output {
    TEXT,
    JSON
  }

  /**
   * All that is told of one RDMA device.
   *
   * @param counters of each port by its number, if they were asked for
   * @param limits what libibverbs tells; null if it is not there
   */
  record Report(
      RdmaDevice device,
      CharacterDevices nodes,
      Map<Integer, Map<String, Long>> counters,
      @Nullable RdmaLimits limits) {

    /** What libibverbs tells of a port; null if it tells nothing. */
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
      description = "Only these devices, for example mlx5_0.")
  private List<String> names = List.of();

  @Option(names = "--counters", description = "Also the counters of each port.")
  private boolean counters;

  @Option(
      names = "--limits",
      description =
          "Also all limits of devices and ports, as ibv_devinfo -v. JSON has them always.")
  private boolean limits;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      defaultValue = "text",
      description = "text or json. Default: text.")
  private Output output = Output.TEXT;

  @Spec private @Nullable CommandSpec spec;

  private final Terminal terminal;

  RdmaCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    HostInventory inventory = host.read(terminal);
    List<RdmaDevice> devices = inventory.rdmaDevices();
    for (String name : names) {
      if (devices.stream().noneMatch(device -> device.name().equals(name))) {
        String message = "no RDMA device " + name + " on " + host.host();
        throw spec == null
            ? new IllegalStateException(message)
            : new ParameterException(spec.commandLine(), message);
      }
    }
    Map<String, RdmaLimits> told = new HashMap<>();
    if (host.host().isLive() && !devices.isEmpty()) {
      // The inventory was read with them, so that warnings have been given.
      RdmaLimits.read(warning -> {}).forEach(one -> told.put(one.device(), one));
    }
    List<RdmaDevice> wanted =
        devices.stream()
            .filter(device -> names.isEmpty() || names.contains(device.name()))
            .toList();
    List<CharacterDevices> nodes = CharacterDevices.of(host.host(), wanted);
    List<Report> reports = new ArrayList<>();
    for (int i = 0; i < wanted.size(); i++) {
      RdmaDevice device = wanted.get(i);
      reports.add(report(host.host(), device, nodes.get(i), told.get(device.name())));
    }
    reports.stream()
        .flatMap(report -> report.nodes().problems().stream())
        .distinct() // what all devices share is missing once
        .forEach(problem -> terminal.problem("warning: " + problem));
    Boolean shared = reports.isEmpty() ? null : isShared(host.host());
    terminal
        .out()
        .print(
            output == Output.JSON
                ? RdmaJson.of(inventory, reports, shared) + "\n"
                : RdmaText.of(inventory, reports, shared, limits));
    return ExitCode.OK.value();
  }

  private Report report(
      Host where, RdmaDevice device, CharacterDevices nodes, @Nullable RdmaLimits told) {
    Map<Integer, Map<String, Long>> values = new LinkedHashMap<>();
    if (counters) {
      InfinibandReader reader = new InfinibandReader();
      for (RdmaPort port : device.ports()) {
        values.put(
            port.number(),
            reader.counters(
                where,
                device.name(),
                port.number(),
                warning -> terminal.problem("warning: " + warning)));
      }
    }
    return new Report(device, nodes, values, told);
  }

  /** Whether network namespaces share RDMA devices; null if nobody tells. */
  private static @Nullable Boolean isShared(Host where) {
    if (!where.isLive()) {
      return null;
    }
    try (RdmaNetlink rdma = RdmaNetlink.open()) {
      return rdma.isShared();
    } catch (NetlinkException | NativeUnavailableException e) {
      return null; // a warning was given when the devices were read
    }
  }
}
