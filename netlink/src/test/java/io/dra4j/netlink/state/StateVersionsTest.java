package io.dra4j.netlink.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Texts that other releases have stored are read, whatever they have more or less. */
class StateVersionsTest {

  @BeforeEach
  void isOfThisByteOrder() {
    assumeThat(ByteOrder.nativeOrder())
        .as("the texts are of such a machine")
        .isEqualTo(ByteOrder.LITTLE_ENDIAN);
  }

  private static String stored(String name) throws IOException {
    try (InputStream text =
        StateVersionsTest.class.getResourceAsStream("link-state-1-" + name + ".txt")) {
      return new String(text.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"plain", "uppers", "member"})
  void theTextsOfTheFirstReleaseAreReadAndWrittenAgain(String name) throws IOException {
    LinkState state = LinkState.parse(stored(name));

    assertThat(LinkState.parse(state.toText())).isEqualTo(state);
    assertThat(state.toText().lines())
        .as("nothing of it is lost, so that the older release reads it again")
        .containsAll(stored(name).lines().filter(line -> !line.startsWith("end ")).toList());
  }

  @Test
  void theFactsOfALinkAreThoseThatTheFirstReleaseWrote() throws IOException {
    LinkState state = LinkState.parse(stored("plain"));

    assertThat(state.name()).isEqualTo("eth0");
    assertThat(state.values())
        .containsEntry("mtu", "1450")
        .containsEntry("alias", "a=b")
        .containsEntry("altname storage", "on");
    assertThat(state.addresses()).hasSize(3);
    assertThat(state.nextHopObjects()).hasSize(1);
    assertThat(state.routes()).hasSize(7);
    assertThat(state.neighbours()).hasSize(1);
    assertThat(state.rules()).hasSize(1);
    assertThat(state.obstacles())
        .extracting(Obstacle::kind)
        .containsExactly(Obstacle.Kind.SHARED_ROUTE);
  }

  @Test
  void linksOnALinkThatTheFirstReleaseStoredAreObstacles() throws IOException {
    LinkState state = LinkState.parse(stored("uppers"));
    String onEachOther = stored("uppers").replace("\nup\nupper ", "\nupper ");
    LinkState nested =
        LinkState.parse(Scenario.sealed(onEachOther.replace("\nup\nend", "\nup\nup\nend")));

    assertThat(state.addresses()).as("its own alone").hasSize(2);
    assertThat(state.obstacles())
        .singleElement()
        .extracting(Obstacle::text, STRING)
        .contains("mv0", "in0");
    assertThat(nested.obstacles())
        .singleElement()
        .extracting(Obstacle::text, STRING)
        .contains("mv0")
        .doesNotContain("in0");
    assertThat(nested.values()).containsEntry("link mv0", "macvlan");
  }

  @Test
  void aMemberThatTheFirstReleaseStoredIsAnObstacle() throws IOException {
    assertThat(LinkState.parse(stored("member")).obstacles())
        .singleElement()
        .extracting(Obstacle::text)
        .isEqualTo("eth2 is a member of br0; remove it first: ip link set dev eth2 nomaster");
  }

  @Test
  void whatANewerReleaseWritesIsKept() throws IOException {
    String newer =
        Scenario.sealed(
            stored("plain")
                .replace("state 1 ", "state 7 ")
                .replaceFirst("\nvalue ", "\nring rx 4096\nvalue colour=blue\nvalue "));

    LinkState state = LinkState.parse(newer);

    assertThat(state.values()).containsEntry("colour", "blue");
    assertThat(LinkState.parse(state.toText())).isEqualTo(state);
    assertThat(state.toText()).contains("\nring rx 4096\n", "\nvalue colour=blue\n");
    assertThat(state.changesTo(LinkState.parse(stored("plain"))))
        .singleElement()
        .hasToString("colour was blue, is gone: this release does not restore it");
  }

  @Test
  void whatAnOlderReleaseDidNotReadIsNoChange() throws IOException {
    LinkState full = LinkState.parse(stored("plain"));
    LinkState without =
        LinkState.parse(
            Scenario.sealed(
                stored("plain")
                    .replaceAll("\nvalue (sysctl ipv6|feature |channels |gso_|up=).*", "")));
    assertThat(without.values()).hasSizeLessThan(full.values().size() - 40);

    assertThat(without.changesTo(full)).isEmpty();
  }
}
