package io.dra4j.cli.topology;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.dra4j.topology.DeviceKind;
import io.dra4j.topology.DevicePath;
import io.dra4j.topology.DirectLink;
import io.dra4j.topology.HostTopology;
import io.dra4j.topology.PciAddress;
import io.dra4j.topology.PciIdentity;
import io.dra4j.topology.TopologyDevice;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Writes a topology as one JSON object: all devices, and the paths between endpoints. */
final class TopologyJson {

  private static final JsonMapper JSON = JsonMapper.builder().build();

  private TopologyJson() {}

  static String of(HostTopology topology) {
    ObjectNode json = JSON.createObjectNode();
    ArrayNode devices = json.putArray("devices");
    topology.devices().forEach(device -> add(device, devices.addObject()));
    ArrayNode pairs = json.putArray("pairs");
    List<TopologyDevice> endpoints =
        topology.devices().stream()
            .filter(device -> device.kind().isEndpoint() || device.kind() == DeviceKind.DISPLAY)
            .toList();
    int[] indices = endpoints.stream().mapToInt(device -> topology.indexOf(device.id())).toArray();
    for (int i = 0; i < indices.length; i++) {
      for (int j = i + 1; j < indices.length; j++) {
        DevicePath path = topology.sourcedPath(indices[i], indices[j]);
        ObjectNode pair =
            pairs
                .addObject()
                .put("a", endpoints.get(i).id())
                .put("b", endpoints.get(j).id())
                .put("type", path.type().name())
                .put("source", path.source().label());
        Optional<DirectLink> link = topology.directLink(indices[i], indices[j]);
        link.ifPresent(direct -> pair.put("link", direct.type().label() + ":" + direct.count()));
      }
    }
    try {
      return JSON.writeValueAsString(json);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("cannot write a JSON tree", e);
    }
  }

  /** Returns a number of the identity of a function in hexadecimal; null if it is not known. */
  private static @Nullable String number(int number) {
    return number == 0 ? null : "0x%04x".formatted(number);
  }

  private static void add(TopologyDevice device, ObjectNode json) {
    json.put("bdf", device.address() == null ? device.id() : device.address().toString());
    if (device.address() != null && !device.address().toString().equals(device.id())) {
      json.put("id", device.id());
    }
    PciIdentity identity = device.identity();
    json.put(
        "class",
        identity == null || identity.classCode() == PciIdentity.UNKNOWN_CLASS
            ? null
            : "0x%06x".formatted(identity.classCode()));
    json.put("vendor", identity == null ? null : number(identity.vendor()));
    json.put("device", identity == null ? null : number(identity.device()));
    json.put("kind", device.kind().name().toLowerCase(Locale.ROOT));
    if (device.location().numaNode().isPresent()) {
      json.put("numaNode", device.location().numaNode().getAsInt());
    } else {
      json.putNull("numaNode");
    }
    json.put("pcieRoot", device.pcieRoot());
    ArrayNode bridges = json.putArray("bridges");
    device.location().bridges().stream().map(PciAddress::toString).forEach(bridges::add);
    ArrayNode names = json.putArray("names");
    device.names().forEach(names::add);
    if (device.physicalFunction() != null) {
      json.put("physicalFunction", device.physicalFunction().toString());
    }
    if (device.link() != null) {
      json.put("link", device.link().toString());
    }
  }
}
