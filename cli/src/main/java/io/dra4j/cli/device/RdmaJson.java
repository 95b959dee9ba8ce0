package io.dra4j.cli.device;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.dra4j.cli.terminal.JsonTree;
import io.dra4j.rdma.CharacterDevice;
import io.dra4j.rdma.verbs.DeviceField;
import io.dra4j.rdma.verbs.PortLimits;
import io.dra4j.rdma.verbs.RdmaLimits;
import io.dra4j.spi.HostInventory;
import io.dra4j.spi.PciFunction;
import io.dra4j.spi.RdmaDevice;
import io.dra4j.spi.RdmaGid;
import io.dra4j.spi.RdmaPort;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Writes RDMA devices as JSON: an object with a field per fact; unknown ones are {@code null}. */
final class RdmaJson {

  private RdmaJson() {}

  static String of(HostInventory host, List<RdmaCommand.Report> reports, @Nullable Boolean shared) {
    ObjectNode json = JsonTree.NODES.objectNode();
    json.put("sharedByNamespaces", shared);
    ArrayNode devices = json.putArray("devices");
    reports.forEach(report -> add(host, report, devices.addObject()));
    return JsonTree.ofProgram(json);
  }

  @SuppressWarnings("MethodLength") // a flat list of the fields in their order
  private static void add(HostInventory host, RdmaCommand.Report report, ObjectNode json) {
    RdmaDevice device = report.device();
    json.put("name", device.name());
    number(json, "index", device.index());
    text(json, "protocol", device.protocol());
    text(json, "nodeType", device.nodeType());
    text(json, "nodeGuid", device.nodeGuid());
    text(json, "sysImageGuid", device.sysImageGuid());
    text(json, "firmwareVersion", device.firmwareVersion());
    text(json, "model", device.model());
    text(json, "boardId", device.boardId());
    text(json, "description", device.description());
    json.put("driver", device.driver());
    json.put("parent", device.parent());
    json.put("pciFunction", device.address() == null ? null : device.address().toString());
    PciFunction function =
        host.pciFunctions().stream()
            .filter(one -> one.address().equals(device.address()))
            .findFirst()
            .orElse(null);
    json.put("pcieRoot", function == null ? null : function.pcieRoot());
    number(
        json, "numaNode", function == null ? OptionalInt.empty() : function.location().numaNode());
    number(json, "maxQueuePairs", device.maxQueuePairs());
    number(json, "maxMemoryRegions", device.maxMemoryRegions());
    RdmaLimits limits = report.limits();
    if (limits == null) {
      json.putNull("limits");
    } else {
      ObjectNode values = json.putObject("limits");
      limits
          .values()
          .forEach((field, value) -> values.put(field.toString(), unsigned(field, value)));
    }
    ArrayNode ports = json.putArray("ports");
    for (RdmaPort port : device.ports()) {
      add(port, report.counters().get(port.number()), report.limits(port), ports.addObject());
    }
    ArrayNode nodes = json.putArray("characterDevices");
    report.nodes().list().forEach(node -> add(node, nodes.addObject()));
    ArrayNode remarks = json.putArray("remarks");
    RdmaRemarks.of(device).forEach(remarks::add);
    ArrayNode problems = json.putArray("problems");
    report.nodes().problems().forEach(problems::add);
  }

  private static void add(
      RdmaPort port,
      @Nullable Map<String, Long> counters,
      @Nullable PortLimits limits,
      ObjectNode json) {
    json.put("number", port.number());
    text(json, "state", port.state());
    text(json, "physicalState", port.physicalState());
    text(json, "linkLayer", port.linkLayer());
    if (port.gigabitsPerSecond().isPresent()) {
      json.put("gigabitsPerSecond", port.gigabitsPerSecond().getAsDouble());
    } else {
      json.putNull("gigabitsPerSecond");
    }
    number(json, "lid", port.lid());
    number(json, "lidMaskCount", port.lidMaskCount());
    number(json, "subnetManagerLid", port.subnetManagerLid());
    if (port.capabilityMask().isPresent()) {
      json.put("capabilityMask", port.capabilityMask().getAsLong());
    } else {
      json.putNull("capabilityMask");
    }
    number(json, "maxMtu", port.maxMtu());
    number(json, "activeMtu", port.activeMtu());
    json.put("netdev", port.netdev());
    ArrayNode gids = json.putArray("gids");
    for (RdmaGid gid : port.gids()) {
      ObjectNode one = gids.addObject().put("index", gid.index()).put("value", gid.value());
      text(one, "type", gid.type());
      one.put("netdev", gid.netdev());
    }
    ArrayNode pkeys = json.putArray("pkeys");
    port.pkeys().forEach(pkeys::add);
    if (limits == null) {
      json.putNull("limits");
    } else {
      ObjectNode values = json.putObject("limits");
      limits.values().forEach((field, value) -> values.put(field.toString(), value));
    }
    if (counters != null) {
      ObjectNode values = json.putObject("counters");
      counters.forEach((name, value) -> values.put(name, unsigned(value)));
    }
  }

  private static void add(CharacterDevice node, ObjectNode json) {
    json.put("kind", node.kind().toString());
    json.put("path", node.path());
    json.put("type", node.type());
    json.put("major", node.major());
    json.put("minor", node.minor());
    json.put("mode", node.mode().isPresent() ? "%04o".formatted(node.mode().getAsInt()) : null);
    number(json, "port", node.port());
  }

  private static void text(ObjectNode json, String name, String value) {
    json.put(name, value.isEmpty() ? null : value);
  }

  /** Returns a value without sign; fields of 64 bits are unsigned. */
  private static BigInteger unsigned(DeviceField field, long value) {
    return field == DeviceField.MAX_MR_SIZE || field == DeviceField.PAGE_SIZE_CAP
        ? unsigned(value)
        : BigInteger.valueOf(value);
  }

  private static BigInteger unsigned(long value) {
    return new BigInteger(Long.toUnsignedString(value));
  }

  private static void number(ObjectNode json, String name, OptionalLong value) {
    if (value.isPresent()) {
      json.put(name, value.getAsLong());
    } else {
      json.putNull(name);
    }
  }

  private static void number(ObjectNode json, String name, OptionalInt value) {
    if (value.isPresent()) {
      json.put(name, value.getAsInt());
    } else {
      json.putNull(name);
    }
  }
}
