package io.dra4j.common;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PrintableTextTest {

  @Test
  void namesOfAllScriptsStayAsTheyAre() {
    String text = "gpu-0 Größe 名前 \uD83D\uDE00";

    assertThat(PrintableText.of(text)).isSameAs(text);
  }

  @Test
  void whatMovesTheCursorOrTurnsTheWritingIsEscaped() {
    assertThat(PrintableText.of("a\nb\r\u001b[31m\u202e\u2028\uD83D"))
        .isEqualTo("a\\u000ab\\u000d\\u001b[31m\\u202e\\u2028\\ud83d");
    assertThat(PrintableText.of(new StringBuilder().appendCodePoint(0xE0001).toString()))
        .isEqualTo("\\U000e0001");
  }
}
