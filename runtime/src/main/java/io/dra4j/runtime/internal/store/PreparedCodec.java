package io.dra4j.runtime.internal.store;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.dra4j.model.AllocatedDeviceStatus;
import io.dra4j.model.Condition;
import io.dra4j.model.DeviceAttribute;
import io.dra4j.model.DeviceId;
import io.dra4j.model.NetworkDeviceData;
import io.dra4j.spi.Attached;
import io.dra4j.spi.BindMount;
import io.dra4j.spi.ContainerEdits;
import io.dra4j.spi.ContainerHook;
import io.dra4j.spi.DeviceNode;
import io.dra4j.spi.Prepared;
import io.dra4j.spi.PreparedDevice;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The JSON of drivers' results: prepared devices, edits of containers, statuses. It is written
 * field by field, so that a new component of a record does not make the data of earlier releases
 * unreadable: missing fields have their defaults, and unknown fields are ignored.
 */
public final class PreparedCodec {

  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private PreparedCodec() {}

  // The result of preparing.

  static ObjectNode of(Prepared prepared) {
    ObjectNode node = NODES.objectNode();
    ArrayNode devices = node.putArray("devices");
    for (PreparedDevice one : prepared.devices()) {
      ObjectNode device = devices.addObject();
      device.set("device", of(one.device()));
      device.put("shareId", one.shareId());
      device.set("requests", JsonFields.ofTexts(one.requests()));
      device.set("edits", of(one.edits()));
      device.put("state", one.state());
      device.set("cdiDevices", JsonFields.ofTexts(one.cdiDevices()));
      if (!one.metadata().isEmpty()) {
        device.set("metadata", Documents.ofAttributes(one.metadata()));
      }
    }
    return node;
  }

  static Prepared toPrepared(JsonNode node) throws IOException {
    return new Prepared(
        JsonFields.list(
            node,
            "devices",
            one ->
                new PreparedDevice(
                    toDeviceId(one.path("device")),
                    JsonFields.textOrNull(one, "shareId"),
                    JsonFields.texts(one, "requests"),
                    toEdits(one.path("edits")),
                    JsonFields.text(one, "state", ""),
                    JsonFields.texts(one, "cdiDevices"),
                    metadata(one))));
  }

  private static Map<String, DeviceAttribute> metadata(JsonNode node) throws IOException {
    return node.hasNonNull("metadata") ? Documents.toAttributes(node.get("metadata")) : Map.of();
  }

  private static ObjectNode of(DeviceId id) {
    ObjectNode node = NODES.objectNode();
    return node.put("driver", id.driver()).put("pool", id.pool()).put("device", id.device());
  }

  private static DeviceId toDeviceId(JsonNode node) throws IOException {
    return new DeviceId(
        JsonFields.text(node, "driver"),
        JsonFields.text(node, "pool"),
        JsonFields.text(node, "device"));
  }

  // Edits of containers.

  static ObjectNode of(ContainerEdits edits) {
    ObjectNode node = NODES.objectNode();
    node.set("environment", JsonFields.ofMap(edits.environment()));
    ArrayNode devices = node.putArray("deviceNodes");
    edits.deviceNodes().forEach(one -> devices.add(of(one)));
    ArrayNode mounts = node.putArray("mounts");
    for (BindMount one : edits.mounts()) {
      ObjectNode mount = mounts.addObject();
      mount.put("hostPath", one.hostPath()).put("containerPath", one.containerPath());
      mount.put("readOnly", one.readOnly());
      mount.set("options", JsonFields.ofTexts(one.options()));
    }
    ArrayNode hooks = node.putArray("hooks");
    for (ContainerHook one : edits.hooks()) {
      ObjectNode hook = hooks.addObject();
      hook.put("moment", one.moment().name()).put("path", one.path());
      hook.set("arguments", JsonFields.ofTexts(one.arguments()));
      hook.set("environment", JsonFields.ofMap(one.environment()));
      Duration timeout = one.timeout();
      hook.put("timeoutSeconds", timeout == null ? null : timeout.toSeconds());
    }
    ArrayNode gids = node.putArray("additionalGids");
    edits.additionalGids().forEach(gids::add);
    return node;
  }

  private static ObjectNode of(DeviceNode one) {
    ObjectNode node = NODES.objectNode();
    node.put("path", one.path()).put("hostPath", one.hostPath()).put("kind", one.kind().name());
    node.put("major", one.major()).put("minor", one.minor());
    node.put("permissions", one.permissions());
    return node.put("uid", one.uid()).put("gid", one.gid()).put("fileMode", one.fileMode());
  }

  static ContainerEdits toEdits(JsonNode node) throws IOException {
    return new ContainerEdits(
        JsonFields.map(node, "environment"),
        JsonFields.list(node, "deviceNodes", PreparedCodec::toDeviceNode),
        JsonFields.list(
            node,
            "mounts",
            one ->
                new BindMount(
                    JsonFields.text(one, "hostPath"),
                    JsonFields.text(one, "containerPath"),
                    one.path("readOnly").asBoolean(),
                    JsonFields.texts(one, "options"))),
        JsonFields.list(node, "hooks", PreparedCodec::toHook),
        JsonFields.list(node, "additionalGids", JsonFields::number));
  }

  private static DeviceNode toDeviceNode(JsonNode node) throws IOException {
    String path = JsonFields.text(node, "path");
    Long mode = JsonFields.numberOrNull(node, "fileMode");
    return new DeviceNode(
        path,
        JsonFields.text(node, "hostPath", path),
        DeviceNode.Kind.valueOf(JsonFields.text(node, "kind")),
        JsonFields.number(node.path("major")),
        JsonFields.number(node.path("minor")),
        JsonFields.text(node, "permissions", "rwm"),
        JsonFields.numberOrNull(node, "uid"),
        JsonFields.numberOrNull(node, "gid"),
        mode == null ? null : Math.toIntExact(mode));
  }

  private static ContainerHook toHook(JsonNode node) throws IOException {
    Long seconds = JsonFields.numberOrNull(node, "timeoutSeconds");
    return new ContainerHook(
        ContainerHook.Moment.valueOf(JsonFields.text(node, "moment")),
        JsonFields.text(node, "path"),
        JsonFields.texts(node, "arguments"),
        JsonFields.map(node, "environment"),
        seconds == null ? null : Duration.ofSeconds(seconds));
  }

  // The result of attaching.

  /** Adds statuses and edits to the document of an attachment. */
  static void put(ObjectNode document, Attached attached) {
    ArrayNode statuses = document.putArray("statuses");
    attached.statuses().forEach(one -> statuses.add(of(one)));
    ArrayNode edits = document.putArray("edits");
    attached
        .edits()
        .forEach(
            (device, one) -> {
              ObjectNode edit = edits.addObject();
              edit.set("device", of(device));
              edit.set("edits", of(one));
            });
  }

  static Attached toAttached(JsonNode document) throws IOException {
    Map<DeviceId, ContainerEdits> edits = new LinkedHashMap<>();
    for (JsonNode one : document.path("edits")) {
      edits.put(toDeviceId(one.path("device")), toEdits(one.path("edits")));
    }
    return new Attached(JsonFields.list(document, "statuses", PreparedCodec::toStatus), edits);
  }

  private static ObjectNode of(AllocatedDeviceStatus status) {
    ObjectNode node = NODES.objectNode();
    node.put("driver", status.driver()).put("pool", status.pool()).put("device", status.device());
    node.put("shareId", status.shareId());
    ArrayNode conditions = node.putArray("conditions");
    for (Condition one : status.conditions()) {
      ObjectNode condition = conditions.addObject();
      condition.put("type", one.type()).put("status", one.status());
      condition.put("observedGeneration", one.observedGeneration());
      condition.put("lastTransitionTime", one.lastTransitionTime());
      condition.put("reason", one.reason()).put("message", one.message());
    }
    node.put("data", status.data());
    NetworkDeviceData data = status.networkData();
    if (data != null) {
      ObjectNode network = node.putObject("networkData");
      network.put("interfaceName", data.interfaceName());
      network.set("ips", JsonFields.ofTexts(data.ips()));
      network.put("hardwareAddress", data.hardwareAddress());
    }
    return node;
  }

  private static AllocatedDeviceStatus toStatus(JsonNode node) throws IOException {
    return new AllocatedDeviceStatus(
        JsonFields.text(node, "driver"),
        JsonFields.text(node, "pool"),
        JsonFields.text(node, "device"),
        JsonFields.textOrNull(node, "shareId"),
        JsonFields.list(
            node,
            "conditions",
            one ->
                new Condition(
                    JsonFields.text(one, "type"),
                    JsonFields.text(one, "status"),
                    JsonFields.numberOrNull(one, "observedGeneration"),
                    JsonFields.textOrNull(one, "lastTransitionTime"),
                    JsonFields.text(one, "reason", ""),
                    JsonFields.text(one, "message", ""))),
        JsonFields.text(node, "data", ""),
        toNetworkData(node.path("networkData")));
  }

  private static @Nullable NetworkDeviceData toNetworkData(JsonNode node) throws IOException {
    return node.isObject()
        ? new NetworkDeviceData(
            JsonFields.text(node, "interfaceName", ""),
            List.copyOf(JsonFields.texts(node, "ips")),
            JsonFields.text(node, "hardwareAddress", ""))
        : null;
  }
}
