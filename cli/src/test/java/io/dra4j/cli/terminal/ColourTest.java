package io.dra4j.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class ColourTest {

  @Test
  void aTerminalShowsTheColour() {
    assertThat(Colour.YES.of("placed", Map.of("S", "1", "TERM", "xterm"), "S"))
        .isEqualTo("\u001b[32mplaced\u001b[0m");
    assertThat(Colour.NO.of("pending", Map.of("S", "1", "TERM", "xterm", "NO_COLOR", ""), "S"))
        .isEqualTo("\u001b[31mpending\u001b[0m");
  }

  @Test
  void filesPipesAndTheWishOfAUserAreWithoutColour() {
    assertThat(Colour.YES.of("placed", Map.of("TERM", "xterm"), "S")).isEqualTo("placed");
    assertThat(Colour.YES.of("placed", Map.of("S", "1", "TERM", "xterm", "NO_COLOR", "1"), "S"))
        .isEqualTo("placed");
    assertThat(Colour.YES.of("placed", Map.of("S", "1", "TERM", "dumb"), "S")).isEqualTo("placed");
    assertThat(Colour.YES.of("placed", Map.of("S", "1"), "S")).isEqualTo("placed");
  }
}
