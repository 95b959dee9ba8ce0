package io.dra4j.dranet.config;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Writes a {@link NetworkConfig} as JSON, without fields that are not set. */
final class ConfigWriter {

  private static final ObjectMapper JSON =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  private ConfigWriter() {}

  static String write(NetworkConfig config) {
    ObjectNode object = JsonNodeFactory.instance.objectNode();
    text(object, "profile", config.profile());
    ObjectNode link = link(config.link());
    if (!link.isEmpty()) {
      object.set("interface", link);
    }
    list(object, "routes", config.routes(), ConfigWriter::route);
    list(object, "rules", config.rules(), ConfigWriter::rule);
    list(
        object,
        "neighbors",
        config.neighbours(),
        (one, neighbour) -> {
          text(one, "destination", neighbour.destination());
          text(one, "hardwareAddr", neighbour.hardwareAddress());
        });
    ObjectNode ethtool = JsonNodeFactory.instance.objectNode();
    truths(ethtool, "features", config.ethtool().features());
    truths(ethtool, "privateFlags", config.ethtool().privateFlags());
    if (!ethtool.isEmpty()) {
      object.set("ethtool", ethtool);
    }
    try {
      return JSON.writeValueAsString(object);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("cannot write a JSON tree", e);
    }
  }

  private static ObjectNode link(InterfaceConfig link) {
    ObjectNode object = JsonNodeFactory.instance.objectNode();
    text(object, "name", link.name());
    if (link.addresses() != null) {
      ArrayNode addresses = object.putArray("addresses");
      link.addresses().forEach(one -> addresses.add(one.toString()));
    }
    truth(object, "dhcp", link.dhcp());
    number(object, "mtu", link.mtu());
    text(object, "hardwareAddr", link.hardwareAddress());
    number(object, "gsoMaxSize", link.gsoMaxSize());
    number(object, "groMaxSize", link.groMaxSize());
    number(object, "gsoIPv4MaxSize", link.gsoIpv4MaxSize());
    number(object, "groIPv4MaxSize", link.groIpv4MaxSize());
    truth(object, "disableEbpfPrograms", link.disableEbpfPrograms());
    truth(object, "forwarding", link.forwarding());
    number(object, "arpIgnore", link.arpIgnore());
    number(object, "arpAnnounce", link.arpAnnounce());
    if (link.vrf() != null) {
      ObjectNode vrf = object.putObject("vrf");
      text(vrf, "name", link.vrf().name());
      number(vrf, "table", link.vrf().table());
    }
    return object;
  }

  private static void route(ObjectNode object, RouteConfig route) {
    text(object, "destination", route.destination());
    text(object, "gateway", route.gateway());
    text(object, "source", route.source());
    number(object, "scope", route.scope());
    number(object, "table", route.table());
  }

  private static void rule(ObjectNode object, RuleConfig rule) {
    number(object, "priority", rule.priority());
    text(object, "source", rule.source());
    text(object, "destination", rule.destination());
    number(object, "table", rule.table());
  }

  private static void text(ObjectNode object, String name, @Nullable Object value) {
    if (value != null) {
      object.put(name, value.toString());
    }
  }

  private static void number(ObjectNode object, String name, @Nullable Number value) {
    if (value != null) {
      object.put(name, value.longValue());
    }
  }

  private static void truth(ObjectNode object, String name, @Nullable Boolean value) {
    if (value != null) {
      object.put(name, value);
    }
  }

  private static void truths(ObjectNode object, String name, Map<String, Boolean> values) {
    if (!values.isEmpty()) {
      ObjectNode truths = object.putObject(name);
      values.forEach(truths::put);
    }
  }

  private static <T> void list(
      ObjectNode object, String name, @Nullable List<T> values, BiConsumer<ObjectNode, T> writer) {
    if (values != null) {
      ArrayNode array = object.putArray(name);
      values.forEach(value -> writer.accept(array.addObject(), value));
    }
  }
}
