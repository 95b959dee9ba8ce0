package io.dra4j.common;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
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

  @Test
  void theStartOfALongTextEndsWithAnEllipsis() {
    assertThat(PrintableText.start("gpu-0", 5)).isEqualTo("gpu-0");
    assertThat(PrintableText.start("gpu-10", 5)).isEqualTo("gpu-1…");
    assertThat(PrintableText.start("ab\uD83D\uDE00", 3)).isEqualTo("ab…");
  }

  @Test
  void theFirstOfManyNamesAreListedAndTheOthersCounted() {
    List<String> names = List.of("a", "b", "c");

    assertThat(PrintableText.some(List.of(), 2)).isEmpty();
    assertThat(PrintableText.some(names, 3)).isEqualTo("a, b, c");
    assertThat(PrintableText.some(names, 2)).isEqualTo("a, b and 1 more");
    assertThat(PrintableText.some(List.of(1, 2), 1, number -> "#" + number))
        .isEqualTo("#1 and 1 more");
  }
}
