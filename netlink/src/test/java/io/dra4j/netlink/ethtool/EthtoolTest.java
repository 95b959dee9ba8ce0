package io.dra4j.netlink.ethtool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.dra4j.linux.LinuxException;
import io.dra4j.linux.NetworkNamespace;
import io.dra4j.netlink.LinkKey;
import io.dra4j.netlink.NetlinkException;
import io.dra4j.netlink.route.Link;
import io.dra4j.netlink.route.LinkSettings;
import io.dra4j.netlink.route.NewLink;
import io.dra4j.netlink.route.RouteNetlink;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A pair of links, compared with what the command {@code ethtool} says of them. */
@EnabledIf("ethtoolIsThere")
class EthtoolTest {

  private NetworkNamespace namespace;
  private RouteNetlink route;
  private Ethtool ethtool;
  private Link link;

  static boolean ethtoolIsThere() {
    try (NetworkNamespace namespace = NetworkNamespace.create()) {
      return namespace.call(() -> new ProcessBuilder("ethtool", "--version").start().waitFor())
          == 0;
    } catch (IOException e) {
      return false;
    }
  }

  @BeforeEach
  void open() throws IOException {
    namespace = NetworkNamespace.create();
    route = RouteNetlink.open(namespace);
    ethtool = Ethtool.open(namespace);
    route.links().create(NewLink.veth("veth0", "veth1"));
    link = route.links().get("veth0");
    for (String name : List.of("veth0", "veth1")) {
      route.links().change(route.links().get(name), LinkSettings.none().up());
    }
  }

  @AfterEach
  void close() {
    ethtool.close();
    route.close();
    namespace.close();
  }

  private String run(String... command) throws IOException {
    return namespace.call(
        () -> {
          Process process = new ProcessBuilder(command).start();
          String output =
              new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
          assertThat(process.waitFor()).isZero();
          return output;
        });
  }

  /** {@code ethtool -k} names some features by its own names; those are left out. */
  @Test
  void featuresAreReadAsEthtoolReadsThem() throws IOException {
    Map<String, String> expected = new TreeMap<>();
    for (String line : run("ethtool", "-k", "veth0").lines().skip(1).toList()) {
      String[] parts = line.strip().split(": ", 2);
      expected.put(parts[0], parts[1]);
    }
    Map<String, Feature> features = ethtool.features(link);
    int compared = 0;
    for (Feature feature : features.values()) {
      String theirs = expected.get(feature.name());
      if (theirs != null) {
        compared++;
        assertThat((feature.active() ? "on" : "off") + (feature.changeable() ? "" : " [fixed]"))
            .as(feature.name())
            .isEqualTo(theirs.replace(" [requested on]", "").replace(" [requested off]", ""));
      }
    }
    assertThat(compared).isGreaterThan(35);
  }

  @Test
  void featuresAreSwitched() throws IOException {
    Map<String, Boolean> off = new LinkedHashMap<>();
    for (String name : FeatureAliases.resolve("tso", ethtool.features(link).keySet())) {
      off.put(name, false);
    }
    assertThat(off).hasSizeGreaterThan(2);

    FeatureChange change = ethtool.setFeatures(link, off);

    assertThat(change.refused()).isEmpty();
    assertThat(change.changed()).containsEntry("tx-tcp-segmentation", false);
    assertThat(run("ethtool", "-k", "veth0")).contains("tcp-segmentation-offload: off");
    assertThat(ethtool.features(link).get("tx-tcp-segmentation"))
        .isEqualTo(new Feature("tx-tcp-segmentation", false, false, true));
    ethtool.setFeatures(link, Map.of("tx-tcp-segmentation", true));
    assertThat(run("ethtool", "-k", "veth0")).contains("tx-tcp-segmentation: on");
  }

  @Test
  void featuresThatCannotBeSwitchedAreTold() throws IOException {
    Feature fixed =
        ethtool.features(link).values().stream()
            .filter(feature -> !feature.changeable() && !feature.active())
            .findFirst()
            .orElseThrow();

    FeatureChange change = ethtool.setFeatures(link, Map.of(fixed.name(), true));

    assertThat(change.refused()).containsOnlyKeys(fixed.name());
  }

  @Test
  void featuresThatNobodyHasAreRefused() {
    assertThatExceptionOfType(NetlinkException.class)
        .isThrownBy(() -> ethtool.setFeatures(link, Map.of("no-such-feature", true)))
        .withMessageContaining("kernel says: bit name not found")
        .satisfies(
            e ->
                assertThat(e.attribute())
                    .hasValueSatisfying(
                        path ->
                            assertThat(path)
                                .startsWith("ETHTOOL_A_FEATURES_WANTED/ETHTOOL_A_BITSET_BITS/")
                                .endsWith("ETHTOOL_A_BITSET_BIT_NAME")));
  }

  @Test
  void modesAreReadAsEthtoolReadsThem() throws IOException {
    String theirs = run("ethtool", "veth0");
    LinkMode mode = ethtool.mode(link);

    assertThat(theirs).contains("Speed: " + mode.megabitsPerSecond().orElseThrow() + "Mb/s");
    assertThat(theirs).contains("Duplex: Full");
    assertThat(mode.duplex()).isEqualTo(LinkMode.Duplex.FULL);
    assertThat(mode.autonegotiation()).isEqualTo(theirs.contains("Auto-negotiation: on"));
    assertThat(ethtool.hasLink(link)).isEqualTo(theirs.contains("Link detected: yes"));
    assertThat(ethtool.port(link) == 0).isEqualTo(theirs.contains("Port: Twisted Pair"));
  }

  @Test
  void driversAreReadAsEthtoolReadsThem() throws IOException {
    String theirs = run("ethtool", "-i", "veth0");
    DriverInformation driver = namespace.call(() -> Ethtool.driver(LinkKey.of("veth0")));

    assertThat(theirs)
        .contains("driver: " + driver.driver() + "\n")
        .contains("version: " + driver.version() + "\n")
        .contains("firmware-version: " + driver.firmwareVersion() + "\n")
        .contains("bus-info: " + driver.busAddress() + "\n");
    assertThat(driver.driver()).isEqualTo("veth");
    assertThatExceptionOfType(LinuxException.class)
        .isThrownBy(() -> namespace.call(() -> Ethtool.driver(LinkKey.of("none"))))
        .withMessage("get driver information of link none: ENODEV");
  }

  @Test
  void driversAreFoundByIndexUnderWhateverName() throws IOException {
    try (RouteNetlink route = RouteNetlink.open(namespace)) {
      Link before = route.links().get("veth0");
      route.links().change(before, LinkSettings.none().name("renamed"));

      assertThat(Ethtool.driver(namespace, before).driver()).isEqualTo("veth");
      assertThat(Ethtool.driver(namespace, LinkKey.of(before.index())).driver()).isEqualTo("veth");
      assertThatExceptionOfType(LinuxException.class)
          .isThrownBy(() -> Ethtool.driver(namespace, LinkKey.of(77_777)))
          .withMessage("get driver information of link 77777: ENODEV");
    }
  }

  @Test
  void whatALinkDoesNotHaveIsUnsupported() {
    assertThatExceptionOfType(NetlinkException.Unsupported.class)
        .isThrownBy(() -> ethtool.privateFlags(link));
    assertThatExceptionOfType(NetlinkException.Unsupported.class)
        .isThrownBy(() -> ethtool.port(LinkKey.of(1)))
        .withMessageStartingWith("get link information of link 1: EOPNOTSUPP");
    assertThatExceptionOfType(NetlinkException.NotFound.class)
        .isThrownBy(() -> ethtool.features(LinkKey.of(4_711)))
        .withMessage(
            "get features of link 4711: ENODEV, kernel says: no device matches ifindex"
                + " (ETHTOOL_A_FEATURES_HEADER/ETHTOOL_A_HEADER_DEV_INDEX)");
  }

  @ParameterizedTest
  @CsvSource({
    "tso, tx-tcp-segmentation tx-tcp-ecn-segmentation",
    "tcp-segmentation-offload, tx-tcp-segmentation tx-tcp-ecn-segmentation",
    "rx, rx-checksum",
    "rx-gro, rx-gro",
    "gro, rx-gro",
    "none, ''",
  })
  void namesOfPeopleBecomeNamesOfTheKernel(String name, String kernel) {
    List<String> known =
        List.of(
            "rx-checksum", "rx-gro", "tx-tcp-segmentation", "tx-tcp-ecn-segmentation", "tx-tcp");

    assertThat(String.join(" ", FeatureAliases.resolve(name, known))).isEqualTo(kernel);
  }
}
