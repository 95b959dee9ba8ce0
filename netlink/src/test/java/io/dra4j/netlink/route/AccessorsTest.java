package io.dra4j.netlink.route;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

/** Each accessor of rules and links reads what {@code ip -d -j} shows; a new one wants a line. */
@EnabledIf(TestNamespace.MAY)
class AccessorsTest {

  /** What no field of {@code ip} is, or {@link Agreement} compares field by field. */
  private static final Set<String> NOT_OF_RULES = Set.of("withoutState", "state", "toString");

  private static final Set<String> NOT_OF_LINKS =
      Set.of(
          "objectKind",
          "toString",
          "newNamespace",
          "newIndex",
          "carrierUps",
          "carrierDowns",
          "data",
          "kindAttributes",
          "memberAttributes",
          "otherAttributes",
          "token",
          "limits",
          "statistics",
          "flags");

  private static Map<String, Function<JsonNode, String>> rule() {
    Map<String, Function<JsonNode, String>> all = new TreeMap<>();
    all.put("v6", ip -> "false");
    all.put("priority", field("priority"));
    all.put("source", ip -> network(ip, "src"));
    all.put("destination", ip -> network(ip, "dst"));
    all.put("inputLink", field("iif"));
    all.put("outputLink", field("oif"));
    all.put("mark", ip -> decoded(ip, "fwmark", ""));
    all.put("markMask", ip -> decoded(ip, "fwmask", "-1"));
    all.put("typeOfService", ip -> decoded(ip, "tos", "0"));
    all.put("dscp", ip -> decoded(ip, "dscp", ""));
    all.put("ipProtocol", ip -> ip.path("ipproto").asText("").replace("ipproto-", ""));
    all.put("sourcePorts", ip -> range(ip, "sport"));
    all.put("destinationPorts", ip -> range(ip, "dport"));
    all.put("users", ip -> range(ip, "uid"));
    all.put("tunnelId", field("tun_id"));
    all.put("action", ip -> ip.has("goto") ? "2" : ip.path("action").asText("1"));
    all.put("table", field("table"));
    all.put("target", field("goto"));
    all.put("suppressPrefixLength", field("suppress_prefixlen"));
    all.put("suppressGroup", field("suppress_ifgroup"));
    all.put("protocol", field("protocol"));
    all.put("masterTable", ip -> Boolean.toString(ip.has("l3mdev")));
    all.put("inverted", ip -> Boolean.toString(ip.has("not")));
    return all;
  }

  private static Map<String, Function<JsonNode, String>> link(Map<String, String> indices) {
    Map<String, Function<JsonNode, String>> all = new TreeMap<>();
    all.put("index", field("ifindex"));
    all.put("knownIndex", field("ifindex"));
    all.put("name", field("ifname"));
    all.put("knownName", field("ifname"));
    all.put(
        "alternativeNames",
        ip ->
            ip.has("altnames")
                ? ip.get("altnames").toString().replace("\"", "").replace(",", ", ")
                : "[]");
    all.put(
        "hardwareType",
        ip -> Map.of("ether", "1", "loopback", "772").get(ip.get("link_type").asText()));
    all.put("isUp", ip -> flag(ip, "UP"));
    all.put("isLoopback", ip -> flag(ip, "LOOPBACK"));
    all.put("hasCarrier", ip -> flag(ip, "LOWER_UP"));
    all.put("address", field("address"));
    all.put("broadcast", field("broadcast"));
    all.put("permanentAddress", field("permaddr"));
    all.put("mtu", field("mtu"));
    all.put("operationalState", ip -> ip.get("operstate").asText().toLowerCase(Locale.ROOT));
    all.put("linkMode", ip -> ip.get("linkmode").asText().equals("DORMANT") ? "1" : "0");
    all.put("isProtocolDown", ip -> Boolean.toString(ip.has("protodown")));
    all.put("parentIndex", ip -> indices.getOrDefault(ip.path("link").asText(""), ""));
    all.put("lowerIndex", ip -> ""); // of pairs and others that are on none
    all.put("parentNamespace", field("link_netnsid"));
    all.put("masterIndex", ip -> indices.getOrDefault(ip.path("master").asText(""), ""));
    all.put("group", ip -> ip.get("group").asText().replace("default", "0"));
    all.put("promiscuity", field("promiscuity"));
    all.put("allMulticast", field("allmulti"));
    all.put("xdpProgram", ip -> ip.path("xdp").path("prog").path("id").asText(""));
    all.put("queueDiscipline", field("qdisc"));
    all.put("kind", ip -> ip.path("linkinfo").path("info_kind").asText(""));
    all.put("memberKind", ip -> ip.path("linkinfo").path("info_slave_kind").asText(""));
    all.put(
        "addressGeneration",
        ip ->
            Integer.toString(
                List.of("eui64", "none", "stable_secret", "random")
                    .indexOf(ip.get("inet6_addr_gen_mode").asText())));
    all.put("alias", field("ifalias"));
    all.put("physicalPortName", field("phys_port_name"));
    all.put("physicalPortId", field("phys_port_id"));
    all.put("switchId", field("phys_switch_id"));
    all.put("parentDevice", field("parentdev"));
    all.put("parentBus", field("parentbus"));
    return all;
  }

  private static Function<JsonNode, String> field(String name) {
    return ip -> ip.path(name).asText("");
  }

  private static String flag(JsonNode ip, String name) {
    for (JsonNode one : ip.get("flags")) {
      if (one.asText().equals(name)) {
        return "true";
      }
    }
    return "false";
  }

  private static String decoded(JsonNode ip, String field, String otherwise) {
    return ip.has(field) ? Integer.decode(ip.get(field).asText()).toString() : otherwise;
  }

  private static String network(JsonNode ip, String field) {
    String address = ip.path(field).asText("all");
    return address.equals("all") ? "" : address + "/" + ip.path(field + "len").asInt(32);
  }

  private static String range(JsonNode ip, String field) {
    return ip.has(field)
        ? ip.get(field).asText()
        : ip.has(field + "_start")
            ? ip.get(field + "_start").asText() + "-" + ip.get(field + "_end").asText()
            : "";
  }

  private static Set<String> accessors(Class<?> type, Set<String> others) {
    return Arrays.stream(type.getDeclaredMethods())
        .filter(one -> Modifier.isPublic(one.getModifiers()) && !one.isSynthetic())
        .filter(one -> !Modifier.isStatic(one.getModifiers()) && one.getParameterCount() == 0)
        .map(Method::getName)
        .filter(name -> !others.contains(name))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static String text(Object value) {
    if (value instanceof OptionalInt number) {
      return number.isPresent() ? Integer.toString(number.getAsInt()) : "";
    }
    if (value instanceof OptionalLong number) {
      return number.isPresent() ? Long.toString(number.getAsLong()) : "";
    }
    return value instanceof Optional<?> some
        ? some.map(Object::toString).orElse("")
        : value.toString();
  }

  private static Map<String, String> read(Object object, Set<String> accessors) throws Exception {
    Map<String, String> all = new TreeMap<>();
    for (String name : accessors) {
      all.put(name, text(object.getClass().getMethod(name).invoke(object)));
    }
    return all;
  }

  private static Map<String, String> shown(
      JsonNode ip, Map<String, Function<JsonNode, String>> fields) {
    Map<String, String> all = new TreeMap<>();
    fields.forEach((name, field) -> all.put(name, field.apply(ip)));
    return all;
  }

  @Test
  void ofRules() throws Exception {
    Set<String> accessors = accessors(Rule.class, NOT_OF_RULES);
    assertThat(rule().keySet()).containsExactlyElementsOf(accessors);
    try (TestNamespace inside = new TestNamespace()) {
      for (String line :
          List.of(
              "from 192.0.2.0/24 to 198.51.100.0/25 iif lo oif lo2 fwmark 5/0xff ipproto 6 "
                  + "sport 80-90 dport 443-445 uidrange 3-9 tun_id 77 tos 0x10 lookup 99 "
                  + "suppress_prefixlength 3 suppress_ifgroup 6 realms 3/4 protocol 17 pref 70",
              "not from 203.0.113.1 goto 32766 pref 71",
              "l3mdev pref 72",
              "prohibit pref 73")) {
        inside.run("ip", "rule add " + line);
      }
      JsonNode seen = inside.json("ip -N -d -j rule show");
      List<Rule> rules = inside.route.rules().list().stream().filter(one -> !one.v6()).toList();
      assertThat(rules).hasSize(seen.size()).hasSizeGreaterThan(6);
      for (int i = 0; i < rules.size(); i++) {
        assertThat(read(rules.get(i), accessors)).isEqualTo(shown(seen.get(i), rule()));
      }
    }
  }

  @Test
  void ofLinks() throws Exception {
    Set<String> accessors = accessors(Link.class, NOT_OF_LINKS);
    assertThat(link(Map.of()).keySet()).containsExactlyElementsOf(accessors);
    try (TestNamespace inside = new TestNamespace();
        TestNamespace other = new TestNamespace()) {
      inside.veth("veth0", "veth1");
      inside.veth("veth2", "veth3");
      try (RouteNetlink route = RouteNetlink.open(inside.namespace)) {
        route
            .links()
            .change(route.links().get("veth3"), LinkSettings.none().namespace(other.namespace));
      }
      for (String line :
          List.of(
              "link add br0 type bridge",
              "link set veth0 mtu 1400 group 5 alias storage master br0 promisc on",
              "link property add dev veth0 altname one altname two",
              "link set veth1 address 02:00:00:00:00:77 addrgenmode none mode dormant",
              "link set veth0 up",
              "link set lo up",
              "link set veth1 allmulticast on up")) {
        inside.run("ip", line);
      }
      inside.awaitCarrier("veth0");
      JsonNode seen = inside.json("ip -d -j link show");
      Map<String, String> indices = new TreeMap<>();
      seen.forEach(one -> indices.put(one.get("ifname").asText(), one.get("ifindex").asText()));
      int compared = 0;
      for (JsonNode ip : seen) {
        Link link = inside.route.links().get(ip.get("ifindex").asInt());
        if (link.parentNamespace().isEmpty() && !TestNamespace.own(List.of(link)).isEmpty()) {
          assertThat(read(link, accessors)).isEqualTo(shown(ip, link(indices)));
          compared++;
        }
      }
      assertThat(compared).isGreaterThanOrEqualTo(4);
      Link moved = inside.route.links().get("veth2");
      assertThat(text(moved.parentNamespace()))
          .isEqualTo(inside.ipLink("veth2").get("link_netnsid").asText());
    }
  }
}
