package io.dra4j.cli.device;

import io.dra4j.cli.terminal.Terminal;
import io.dra4j.cli.terminal.TextTable;
import io.dra4j.rdma.CharacterDevice;
import io.dra4j.rdma.verbs.DeviceField;
import io.dra4j.rdma.verbs.PortLimits;
import io.dra4j.rdma.verbs.RdmaLimits;
import io.dra4j.spi.HostInventory;
import io.dra4j.spi.PciFunction;
import io.dra4j.spi.RdmaDevice;
import io.dra4j.spi.RdmaGid;
import io.dra4j.spi.RdmaPort;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Writes RDMA devices as text: a table of ports, then each device in full. */
public final class RdmaText {

  private RdmaText() {}

  /** Returns the text; with all limits if {@code all}. */
  static String of(
      HostInventory host, List<RdmaCommand.Report> reports, @Nullable Boolean shared, boolean all) {
    if (reports.isEmpty()) {
      return "No RDMA device.\n";
    }
    TextTable table =
        new TextTable(
            "DEVICE", "PORT", "STATE", "RATE", "LINK LAYER", "NETDEV", "PCI FUNCTION", "NUMA");
    for (RdmaCommand.Report report : reports) {
      RdmaDevice device = report.device();
      String address = device.address() == null ? "" : device.address().toString();
      for (RdmaPort port : device.ports()) {
        table.row(
            device.name(),
            Integer.toString(port.number()),
            port.state(),
            rate(port.gigabitsPerSecond()),
            port.linkLayer(),
            port.netdev() == null ? "" : port.netdev(),
            address,
            numaNode(function(host, device)));
      }
      if (device.ports().isEmpty()) {
        table.row(device.name(), "", "", "", "", "", address, numaNode(function(host, device)));
      }
    }
    StringBuilder text = new StringBuilder(table.toString());
    reports.forEach(report -> text.append('\n').append(device(host, report, all)));
    if (shared != null) {
      text.append("\nNetwork namespaces ")
          .append(shared ? "share RDMA devices.\n" : "have their own RDMA devices.\n");
    }
    return text.toString();
  }

  private static @Nullable PciFunction function(HostInventory host, RdmaDevice device) {
    return host.pciFunctions().stream()
        .filter(function -> function.address().equals(device.address()))
        .findFirst()
        .orElse(null);
  }

  private static String numaNode(@Nullable PciFunction function) {
    OptionalInt node = function == null ? OptionalInt.empty() : function.location().numaNode();
    return node.isPresent() ? Integer.toString(node.getAsInt()) : "";
  }

  public static String rate(OptionalDouble gigabits) {
    return gigabits.isEmpty()
        ? ""
        : BigDecimal.valueOf(gigabits.getAsDouble()).stripTrailingZeros().toPlainString() + " Gb/s";
  }

  private static String device(HostInventory host, RdmaCommand.Report report, boolean all) {
    RdmaDevice device = report.device();
    RdmaLimits limits = report.limits();
    Lines lines = new Lines(device.name());
    identity(device, function(host, device), limits, lines);
    lines.add(
        "limits",
        join(
            ", ",
            number(device.maxQueuePairs(), " queue pairs"),
            number(device.maxMemoryRegions(), " memory regions")));
    if (limits != null && all) {
      limits.values().forEach((field, value) -> lines.add("  " + field, field.text(value)));
    }
    for (RdmaPort port : device.ports()) {
      port(port, lines);
      PortLimits portLimits = report.limits(port);
      if (portLimits != null && all) {
        portLimits.values().forEach((field, value) -> lines.add("  " + field, field.text(value)));
      }
      report
          .counters()
          .getOrDefault(port.number(), Map.of())
          .forEach((name, value) -> lines.add("  " + name, Long.toUnsignedString(value)));
    }
    RdmaRemarks.of(device).forEach(remark -> lines.add("remark", remark));
    report.nodes().list().forEach(node -> file(node, lines));
    return lines.toString();
  }

  private static void identity(
      RdmaDevice device, @Nullable PciFunction function, @Nullable RdmaLimits limits, Lines lines) {
    lines.add("index", number("", device.index()));
    lines.add("protocol", join(", ", device.protocol(), device.nodeType()));
    lines.add(
        "PCI function",
        join(
            ", ",
            device.address() == null ? "" : device.address().toString(),
            function == null || function.deviceName() == null ? "" : function.deviceName(),
            function == null || function.pcieRoot() == null ? "" : function.pcieRoot()));
    lines.add("driver", device.driver() == null ? "" : device.driver());
    lines.add("parent", device.parent() == null ? "" : device.parent());
    lines.add("firmware", device.firmwareVersion());
    if (limits != null) {
      lines.add("hardware", hardware(limits));
    }
    lines.add("model", join(", ", device.model(), device.boardId()));
    lines.add("description", device.description());
    lines.add("node GUID", device.nodeGuid());
    lines.add("system GUID", device.sysImageGuid());
  }

  private static void port(RdmaPort port, Lines lines) {
    lines.add(
        "port " + port.number(),
        join(
            ", ",
            port.state(),
            port.physicalState(),
            port.linkLayer(),
            rate(port.gigabitsPerSecond()),
            mtu(port),
            port.netdev() == null ? "" : "netdev " + port.netdev()));
    lines.add(
        "  LID",
        join(
            ", ",
            number("", port.lid()),
            port.lid().isPresent() ? number("LMC ", port.lidMaskCount()) : "",
            number("subnet manager ", port.subnetManagerLid())));
    if (port.capabilityMask().isPresent()) {
      lines.add("  capabilities", "0x%08x".formatted(port.capabilityMask().getAsLong()));
    }
    for (RdmaGid gid : port.gids()) {
      lines.add(
          "  GID " + gid.index(),
          join(", ", gid.value(), gid.type(), gid.netdev() == null ? "" : gid.netdev()));
    }
    List<String> keys = port.pkeys().stream().map("0x%04x"::formatted).toList();
    lines.add("  partitions", String.join(" ", keys));
  }

  private static void file(CharacterDevice node, Lines lines) {
    lines.add(
        node.kind().toString(),
        join(
            ", ",
            node.path(),
            node.type() + " " + node.major() + ":" + node.minor(),
            node.mode().isPresent() ? "%04o".formatted(node.mode().getAsInt()) : "",
            node.port().isPresent() ? "port " + node.port().getAsInt() : ""));
  }

  private static String hardware(RdmaLimits limits) {
    return "vendor "
        + text(limits, DeviceField.VENDOR_ID)
        + ", part "
        + text(limits, DeviceField.VENDOR_PART_ID)
        + ", version "
        + text(limits, DeviceField.HW_VER);
  }

  private static String text(RdmaLimits limits, DeviceField field) {
    return field.text(limits.get(field));
  }

  /** Returns the MTU of a port, such as MTU 1024 of 4096. */
  private static String mtu(RdmaPort port) {
    if (port.activeMtu().isEmpty()) {
      return number("largest MTU ", port.maxMtu());
    }
    return "MTU " + port.activeMtu().getAsInt() + number(" of ", port.maxMtu());
  }

  private static String number(OptionalLong value, String after) {
    return value.isPresent() ? value.getAsLong() + after : "";
  }

  private static String number(String before, OptionalInt value) {
    return value.isPresent() ? before + value.getAsInt() : "";
  }

  private static String join(String separator, String... parts) {
    List<String> known = new ArrayList<>();
    for (String part : parts) {
      if (!part.isEmpty()) {
        known.add(part);
      }
    }
    return String.join(separator, known);
  }

  /** A device and its facts, each on one line; empty facts are left out. */
  private static final class Lines {

    private static final int WIDTH = 14;

    private final StringBuilder text = new StringBuilder();

    Lines(String title) {
      text.append(Terminal.safe(title)).append('\n');
    }

    void add(String name, String value) {
      if (!value.isEmpty()) {
        text.append("  ")
            .append(Terminal.safe(name))
            .append(" ".repeat(Math.max(1, WIDTH - name.length())))
            .append(Terminal.safe(value))
            .append('\n');
      }
    }

    @Override
    public String toString() {
      return text.toString();
    }
  }
}
