package io.dra4j.dranet.config;

import com.fasterxml.jackson.databind.JsonNode;
import io.dra4j.netlink.route.IpAddress;
import io.dra4j.netlink.route.IpPrefix;
import io.dra4j.spi.configuration.ConfigurationException;
import io.dra4j.spi.configuration.ConfigurationProblem;
import io.dra4j.spi.configuration.JsonTree;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Parses JSON to a {@link NetworkConfig}. Checks each field by itself; {@link ConfigRules} checks
 * combinations of fields.
 */
final class ConfigReader {

  private static final long MAX_TABLE = 0xffff_ffffL; // 32 bits of RTA_TABLE and FRA_TABLE
  private static final int MIN_MTU = 68; // RFC 791

  private final List<ConfigurationProblem> problems = new ArrayList<>();

  NetworkConfig read(String json, int maxBytes) throws ConfigurationException {
    JsonNode value = JsonTree.parse(json, maxBytes, problems);
    JsonFields fields = JsonFields.of(value, "", problems);
    NetworkConfig config = config(fields);
    fields.noOthers();
    if (isWhole(value, config)) {
      addNew(ConfigRules.of(config));
    }
    if (!problems.isEmpty()) {
      throw new ConfigurationException(problems);
    }
    return config;
  }

  /** Returns the JSON pointers of all fields of a configuration, except fields in lists. */
  static Set<String> pointers() {
    Set<String> pointers = new LinkedHashSet<>();
    new ConfigReader().config(JsonFields.listing(pointers));
    return Collections.unmodifiableSet(pointers);
  }

  private NetworkConfig config(JsonFields fields) {
    InterfaceConfig link = fields.object("interface", this::link);
    EthtoolConfig ethtool =
        fields.object(
            "ethtool",
            one -> new EthtoolConfig(one.truths("features"), one.truths("privateFlags")));
    return new NetworkConfig(
        fields.text("profile"),
        link == null ? InterfaceConfig.NONE : link,
        fields.objects("routes", this::route),
        fields.objects("rules", ConfigReader::rule),
        fields.objects("neighbors", ConfigReader::neighbour),
        ethtool == null ? EthtoolConfig.NONE : ethtool);
  }

  /** Adds problems, except for fields that have one: an unreadable field is reported once. */
  private void addNew(List<ConfigurationProblem> found) {
    Set<String> known = new HashSet<>();
    problems.forEach(one -> known.add(one.pointer()));
    found.stream().filter(one -> !known.contains(one.pointer())).forEach(problems::add);
  }

  /** Returns whether no list entry was left out as unreadable, so that list indexes are valid. */
  private static boolean isWhole(JsonNode value, NetworkConfig config) {
    return size(config.link().addresses()) == value.path("interface").path("addresses").size()
        && size(config.routes()) == value.path("routes").size()
        && size(config.rules()) == value.path("rules").size()
        && size(config.neighbours()) == value.path("neighbors").size();
  }

  private static int size(@Nullable List<?> list) {
    return list == null ? 0 : list.size();
  }

  private InterfaceConfig link(JsonFields fields) {
    return new InterfaceConfig(
        fields.parsed("name", LinkNames::template),
        fields.parsedList("addresses", IpText::prefix),
        fields.truth("dhcp"),
        fields.integer("mtu", MIN_MTU, Integer.MAX_VALUE),
        fields.parsed("hardwareAddr", MacText::parse),
        fields.integer("gsoMaxSize", 1, Integer.MAX_VALUE),
        fields.integer("groMaxSize", 1, Integer.MAX_VALUE),
        fields.integer("gsoIPv4MaxSize", 1, Integer.MAX_VALUE),
        fields.integer("groIPv4MaxSize", 1, Integer.MAX_VALUE),
        fields.truth("disableEbpfPrograms"),
        fields.truth("forwarding"),
        arpIgnore(fields),
        fields.integer("arpAnnounce", 0, 2),
        fields.object("vrf", ConfigReader::vrf));
  }

  private static @Nullable Integer arpIgnore(JsonFields fields) {
    Integer value = fields.integer("arpIgnore", 0, 8);
    if (value != null && value > 3 && value < 8) { // reserved: ip-sysctl.rst
      fields.problem("arpIgnore", "must be 0, 1, 2, 3 or 8, found " + value);
      return null;
    }
    return value;
  }

  private static @Nullable VrfConfig vrf(JsonFields fields) {
    String name = fields.parsed("name", LinkNames::plain);
    Long table = fields.number("table", 1, MAX_TABLE);
    if (table != null && table >= 253 && table <= 255) {
      fields.problem("table", table + " is a table of the kernel; must not be 253, 254 or 255");
    }
    if (name == null && !fields.has("name")) {
      fields.problem("name", "required");
    }
    return name == null ? null : new VrfConfig(name, table);
  }

  private @Nullable RouteConfig route(JsonFields fields) {
    boolean given = fields.has("destination");
    IpPrefix destination = fields.parsed("destination", IpText::prefix);
    if (!given) {
      fields.problem("destination", "required, for example 10.0.0.0/8");
    }
    IpAddress gateway = fields.parsedUnlessEmpty("gateway", IpText::address);
    IpAddress source = fields.parsedUnlessEmpty("source", IpText::address);
    Integer scope = fields.integer("scope", 0, 255);
    if (scope != null && scope != 0 && scope != 253) {
      fields.problem("scope", "must be 0 (universe) or 253 (link), found " + scope);
    }
    Long table = fields.number("table", 0, MAX_TABLE);
    return destination == null ? null : new RouteConfig(destination, gateway, source, scope, table);
  }

  private static RuleConfig rule(JsonFields fields) {
    return new RuleConfig(
        fields.integer("priority", 0, 32767),
        fields.parsedUnlessEmpty("source", IpText::prefix),
        fields.parsedUnlessEmpty("destination", IpText::prefix),
        fields.number("table", 0, MAX_TABLE));
  }

  private static @Nullable NeighbourConfig neighbour(JsonFields fields) {
    for (String required : List.of("destination", "hardwareAddr")) {
      if (!fields.has(required)) {
        fields.problem(required, "required");
      }
    }
    IpAddress destination = fields.parsed("destination", IpText::address);
    var address = fields.parsed("hardwareAddr", MacText::parse);
    return destination == null || address == null
        ? null
        : new NeighbourConfig(destination, address);
  }
}
