package io.dra4j.netlink.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.databind.JsonNode;
import io.dra4j.netlink.LinkKey;
import io.dra4j.netlink.NetlinkException;
import io.dra4j.netlink.ethtool.DriverInformation;
import io.dra4j.netlink.ethtool.Ethtool;
import io.dra4j.netlink.ethtool.Feature;
import io.dra4j.netlink.ethtool.FeatureAliases;
import io.dra4j.netlink.ethtool.LinkMode;
import io.dra4j.netlink.route.Link;
import io.dra4j.netlink.route.RouteNetlink;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Emulated NICs with the drivers of real ones, compared with what {@code ethtool} says. */
@EnabledIf(Machine.IS_OURS)
class NicsTest {

  /** As ethtool prints them, which has no more. */
  private static final Set<String> PLUGS = Set.of("TP", "AUI", "MII", "FIBRE", "BNC", "Backplane");

  private RouteNetlink route;
  private Ethtool ethtool;

  @BeforeEach
  void open() throws IOException {
    route = RouteNetlink.open();
    ethtool = Ethtool.open();
  }

  @AfterEach
  void close() {
    ethtool.close();
    route.close();
  }

  static List<String> nics() throws IOException {
    return Machine.nics();
  }

  private Link link(String name) throws IOException {
    return route.links().get(name);
  }

  private static Feature feature(Map<String, Feature> features, String name) {
    return Objects.requireNonNull(features.get(name), name);
  }

  /** ethtool sums up some features under names of its own, which people may use here, too. */
  @ParameterizedTest
  @MethodSource("nics")
  void featuresAreReadAsEthtoolReadsThem(String name) throws IOException {
    JsonNode theirs = Machine.json("ethtool --json -k " + name).get(0);
    Map<String, Feature> ours = ethtool.features(link(name));

    Set<String> compared = new HashSet<>();
    theirs
        .properties()
        .forEach(
            entry -> {
              if (entry.getKey().equals("ifname")) {
                return;
              }
              JsonNode said = entry.getValue();
              List<String> meant = FeatureAliases.resolve(entry.getKey(), ours.keySet());
              boolean active = meant.stream().anyMatch(one -> feature(ours, one).active());
              assertThat(active).as(entry.getKey()).isEqualTo(said.get("active").asBoolean());
              if (!said.get("fixed").isNull()) {
                assertThat(meant).as(entry.getKey()).hasSize(1);
                Feature feature = feature(ours, meant.get(0));
                assertThat(feature.changeable())
                    .as(entry.getKey())
                    .isEqualTo(!said.get("fixed").asBoolean());
                assertThat(feature.wanted())
                    .as(entry.getKey())
                    .isEqualTo(said.get("requested").asBoolean());
                compared.add(feature.name());
              }
            });
    assertThat(compared).isEqualTo(ours.keySet()).hasSizeGreaterThan(50);
  }

  @ParameterizedTest
  @MethodSource("nics")
  void modesAreReadAsEthtoolReadsThem(String name) throws IOException {
    JsonNode theirs = Machine.json("ethtool --json " + name).get(0);
    int index = link(name).index();
    LinkMode mode = ethtool.mode(LinkKey.of(index));

    assertThat(mode.supported())
        .containsExactlyInAnyOrderElementsOf(texts(theirs, "supported-link-modes"));
    assertThat(mode.advertised())
        .containsExactlyInAnyOrderElementsOf(texts(theirs, "advertised-link-modes"));
    assertThat(mode.abilities().keySet().stream().filter(PLUGS::contains))
        .containsExactlyInAnyOrderElementsOf(texts(theirs, "supported-ports"));
    assertThat(mode.abilities().containsKey("Autoneg"))
        .isEqualTo(theirs.get("supports-auto-negotiation").asBoolean());
    assertThat(mode.abilities().getOrDefault("Autoneg", false))
        .isEqualTo(theirs.get("advertised-auto-negotiation").asBoolean());
    assertThat(mode.abilities().containsKey("Pause"))
        .isEqualTo(theirs.get("supported-pause-frame-use").asText().startsWith("Symmetric"));
    assertThat(mode.lanes().orElse(0)).isEqualTo(theirs.path("lanes").asInt(0));
    assertThat(mode.megabitsPerSecond().orElse(0)).isEqualTo(theirs.path("speed").asInt(0));
    assertThat(mode.duplex())
        .hasToString(theirs.get("duplex").asText().replace("!", "").toUpperCase(Locale.ROOT));
    assertThat(mode.autonegotiation()).isEqualTo(theirs.get("auto-negotiation").asBoolean());
    assertThat(ethtool.hasLink(LinkKey.of(index)))
        .isEqualTo(theirs.get("link-detected").asBoolean());
    assertThat(ethtool.port(LinkKey.of(index)))
        .isEqualTo(
            switch (theirs.get("port").asText()) {
              case "Twisted Pair" -> 0;
              case "FIBRE" -> 3;
              case "Other" -> 255;
              default -> -1;
            });
  }

  private static List<String> texts(JsonNode ethtool, String which) {
    List<String> texts = new ArrayList<>();
    ethtool.get(which).forEach(mode -> texts.add(mode.asText()));
    return texts;
  }

  @ParameterizedTest
  @MethodSource("nics")
  void driversAreReadAsEthtoolReadsThem(String name) throws IOException {
    String theirs = Machine.run("ethtool -i " + name);
    DriverInformation driver = Ethtool.driver(LinkKey.of(name));

    assertThat(theirs)
        .contains("driver: " + driver.driver() + "\n")
        .contains("version: " + driver.version() + "\n")
        .contains("firmware-version: " + driver.firmwareVersion() + "\n")
        .contains("bus-info: " + driver.busAddress() + "\n");
    assertThat(link(name).parentDevice()).isEqualTo(driver.busAddress());
  }

  @ParameterizedTest
  @MethodSource("nics")
  void featuresAreSwitchedAsEthtoolSeesIt(String name) throws IOException {
    int index = link(name).index();
    boolean before = feature(ethtool.features(LinkKey.of(index)), "rx-gro").active();

    assertThat(ethtool.setFeatures(LinkKey.of(index), Map.of("rx-gro", !before)).refused())
        .isEmpty();
    assertThat(gro(name)).isEqualTo(!before);
    ethtool.setFeatures(LinkKey.of(index), Map.of("rx-gro", before));
    assertThat(gro(name)).isEqualTo(before);
  }

  private static boolean gro(String name) throws IOException {
    JsonNode features = Machine.json("ethtool --json -k " + name).get(0);
    return features.get("generic-receive-offload").get("active").asBoolean();
  }

  /** As {@code ethtool --show-priv-flags} prints them, which has no JSON. */
  private static Map<String, Boolean> flagsByEthtool(String name) throws IOException {
    Map<String, Boolean> flags = new TreeMap<>();
    for (String line : Machine.run("ethtool --show-priv-flags " + name).lines().skip(1).toList()) {
      String[] parts = line.split(":", 2);
      flags.put(parts[0].strip(), parts[1].strip().equals("on"));
    }
    return flags;
  }

  @Test
  @EnabledIf(Machine.HAS_FUNCTIONS)
  void privateFlagsAreSetAsEthtoolSeesThem() throws IOException {
    String name = Machine.physicalFunctions().get(0);
    int index = link(name).index();
    Map<String, Boolean> before = ethtool.privateFlags(LinkKey.of(index));
    assertThat(before).containsEntry("legacy-rx", false).isEqualTo(flagsByEthtool(name));

    ethtool.setPrivateFlags(LinkKey.of(index), Map.of("legacy-rx", true));

    assertThat(ethtool.privateFlags(LinkKey.of(index)))
        .containsEntry("legacy-rx", true)
        .isEqualTo(flagsByEthtool(name));
    ethtool.setPrivateFlags(LinkKey.of(index), before);
    assertThat(flagsByEthtool(name)).isEqualTo(before);
  }

  @Test
  @EnabledIf(Machine.HAS_FUNCTIONS)
  void aDriverWithoutPrivateFlagsSaysSo() throws IOException {
    int index = link(Machine.virtualFunctions().get(0)).index();

    assertThatExceptionOfType(NetlinkException.Unsupported.class)
        .isThrownBy(() -> ethtool.privateFlags(LinkKey.of(index)))
        .withMessageStartingWith("get private flags of link " + index + ": EOPNOTSUPP");
  }
}
