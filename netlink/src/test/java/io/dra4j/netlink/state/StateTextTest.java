package io.dra4j.netlink.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

/** A state is stored by one process and read by another, whatever has happened to it meanwhile. */
@EnabledIf(Host.MAY)
class StateTextTest {

  private Host host;
  private LinkState state;

  @BeforeEach
  void open() throws IOException {
    host = new Host();
    host.ip("link add nic0 type veth peer name other", "link set other up");
    Scenario.configure(host, "nic0");
    host.ip("link set nic0 alias \"a=b \\\\n c\"");
    state = LinkState.capture(host.namespace, "nic0");
  }

  @AfterEach
  void close() {
    host.close();
  }

  @Test
  void isReadAsItWasWritten() {
    String text = state.toText();

    LinkState read = LinkState.parse(text);

    assertThat(read).isEqualTo(state).hasToString(state.toString());
    assertThat(read.toText()).isEqualTo(text);
    assertThat(state.changesTo(read)).isEmpty();
    assertThat(text).startsWith("dra4j-link-state 1 ").hasSizeLessThan(30_000);
  }

  private void isRefused(String text, String problem) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> LinkState.parse(text))
        .withMessageContaining(problem);
  }

  @Test
  void whatIsNoStateIsRefused() {
    String text = state.toText();
    isRefused("", "line 1 is '', expected 'dra4j-link-state 1 ");
    isRefused(text.replace("state 1", "state x"), "line 1 is 'dra4j-link-state x ");
    isRefused(text.replace("_ENDIAN", "_INDIAN"), "line 1 is ");
    isRefused(text.substring(0, text.length() / 2), "is not an end line with the checksum");
    isRefused(text.replace("mtu=1450", "mtu=1451"), "is not an end line with the checksum");
    isRefused(text + "\n", "is not an end line with the checksum");
    for (String line :
        List.of("value x", "value mtu=1", "address 0", "address zz", "route 00", "upper 1 1 x")) {
      isRefused(Scenario.sealed(text.replaceFirst("\nvalue ", "\n" + line + "\nvalue ")), "");
    }
    isRefused(Scenario.sealed(text.replace("link " + state.index(), "link 0")), "'0', expected");
    isRefused(Scenario.sealed(text.replaceFirst("value ", "value \\\\x")), "unknown escape \\x");
  }

  /** Whatever bytes are changed, with a checksum that fits: a state, or refused with a reason. */
  @Test
  void damageIsRefusedOrReadAndNeverBreaksTheReader() {
    String text = state.toText();
    Random random = new Random(11);
    int read = 0;
    int refused = 0;
    for (int i = 0; i < 300; i++) {
      StringBuilder damaged = new StringBuilder(text);
      for (int n = 1 + random.nextInt(3); n > 0; n--) {
        char c = "0123456789abcdef =\n\\u".charAt(random.nextInt(21));
        damaged.setCharAt(60 + random.nextInt(text.length() - 80), c);
      }
      try {
        assertThat(LinkState.parse(Scenario.sealed(damaged.toString())).toText()).isNotEmpty();
        read++;
      } catch (IllegalArgumentException e) {
        refused++;
      }
    }
    assertThat(read).isPositive();
    assertThat(refused).isPositive();
  }

  /** A driver has to hear of it before it gives the link away, not when it wants it back. */
  @Test
  void whatWouldNotBeReadIsNotWritten() {
    Map<String, String> values = Map.of("alias", "x".repeat(64 << 20));
    LinkState large = new LinkState(1, 1, "nic0", values, Map.of(), Map.of(), List.of());

    assertThatIllegalStateException()
        .isThrownBy(large::toText)
        .withMessageContaining("characters to store, at most 67108864");
  }
}
