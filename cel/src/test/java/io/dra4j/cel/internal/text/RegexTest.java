package io.dra4j.cel.internal.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RegexTest {

  private static Regex regex(String expression) throws RegexSyntaxException {
    return Regex.compile(expression, Unicode.V15, TimeCheck.NONE);
  }

  private static boolean isFound(String expression, String text) throws RegexSyntaxException {
    return regex(expression).isFoundIn(text, TimeCheck.NONE);
  }

  private static List<String> all(String expression, String text) throws RegexSyntaxException {
    return regex(expression).findAll(text, -1, TimeCheck.NONE);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '¦',
      nullValues = "-",
      textBlock =
          """
          ^a ¦ abc ¦ true
          ^b ¦ abc ¦ false
          c$ ¦ abc ¦ true
          a.c ¦ abc ¦ true
          a\\.c ¦ abc ¦ false
          \\bgpu\\b ¦ x-gpu-y ¦ true
          \\bgpu\\b ¦ xgpuy ¦ false
          \\Bpu ¦ gpu ¦ true
          [^a-c] ¦ abc ¦ false
          [[:digit:]]+$ ¦ gpu7 ¦ true
          \\p{Letter} ¦ 7x ¦ true
          \\p{letter} ¦ 77 ¦ false
          \\p{^Lu} ¦ A ¦ false
          \\PL ¦ A ¦ false
          (?i)k ¦ \u212A ¦ true
          (?i)s ¦ \u017F ¦ true
          (?i)[^k] ¦ \u212A ¦ false
          (?i)\\W ¦ \u017F ¦ false
          ^.$ ¦ \ud834\udd1e ¦ true
          \\x{1D11E} ¦ \ud834\udd1e ¦ true
          a{0}b ¦ b ¦ true
          a{2} ¦ a ¦ false
          (|a)*b ¦ b ¦ true
          x* ¦ - ¦ true
          """)
  void findsWhatGoFinds(String expression, String text, boolean found) throws Exception {
    String meant = expression.replace("\\\\", "\\");

    assertThat(isFound(meant, text == null ? "" : text)).isEqualTo(found);
    assertThat(all(meant, text == null ? "" : text).isEmpty()).isEqualTo(!found);
  }

  @Test
  void prefersWhatComesFirstAndAsMuchAsItMay() throws Exception {
    assertThat(all("a|ab", "abab")).containsExactly("a", "a");
    assertThat(all("ab|a", "abab")).containsExactly("ab", "ab");
    assertThat(all("a+?", "aaa")).containsExactly("a", "a", "a");
    assertThat(all("(?U)a+", "aaa")).containsExactly("a", "a", "a");
    assertThat(all("(?U)a+?", "aaa")).containsExactly("aaa");
    assertThat(all("x{2,3}", "xxxxx")).containsExactly("xxx", "xx");
    assertThat(all("(|a)+", "aa")).containsExactly("", "", "");
  }

  @Test
  void anEmptyFindBehindAnotherDoesNotCount() throws Exception {
    assertThat(all("a*", "baac")).containsExactly("", "aa", "");
    assertThat(all("", "\ud834\udd1ex")).containsExactly("", "", "");
    assertThat(regex("a").findAll("aaa", 2, TimeCheck.NONE)).containsExactly("a", "a");
    assertThat(regex("a").findAll("aaa", 0, TimeCheck.NONE)).isEmpty();
    assertThat(regex("b").find("aaa", TimeCheck.NONE)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          (          | missing closing ): `(`
          )          | unexpected ): `)`
          [a         | missing closing ]: `[a`
          a**        | invalid nested repetition operator: `**`
          *          | missing argument to repetition operator: `*`
          a{1001}    | invalid repeat count: `{1001}`
          a{2,1}     | invalid repeat count: `{2,1}`
          (a{100}){11} | invalid repeat count: `{11}`
          [b-a]      | invalid character class range: `b-a`
          \\p{Old_Italic} | invalid character class range: `\\p{Old_Italic}`
          \\8         | invalid escape sequence: `\\8`
          (?=a)      | invalid or unsupported Perl syntax: `(?=`
          (?P<n-m>a) | invalid named capture: `(?P<n-m>`
          """)
  void saysWhatIsWrongAsGoDoes(String expression, String problem) {
    assertThatThrownBy(() -> regex(expression.replace("\\\\", "\\")))
        .isInstanceOf(RegexSyntaxException.class)
        .hasMessage("error parsing regexp: " + problem.replace("\\\\", "\\"));
  }

  @Test
  void theLimitsAreThoseOfGo() throws Exception {
    assertThat(isFound("a{1000}".repeat(51), "a")).isFalse();
    assertThat(isFound("(".repeat(250) + "a" + ")".repeat(250), "a")).isTrue();
    assertThat(isFound("(".repeat(999) + "a" + ")".repeat(999), "a")).isTrue();
    assertThatThrownBy(() -> regex("(".repeat(1000) + "a" + ")".repeat(1000)))
        .hasMessageContaining("nests too deeply");
    assertThatThrownBy(() -> regex("a{1000}".repeat(3356)))
        .hasMessageContaining("expression too large");
    assertThat(isFound("(?:".repeat(5000) + "a" + ")".repeat(5000), "a")).isTrue();
  }

  @Test
  void manyAlternativesOfOneCharacterAreOneClass() throws Exception {
    StringBuilder alternatives = new StringBuilder("x");
    for (int c = 0x800; c < 0x800 + 2 * 5_000; c += 2) {
      alternatives.append('|').appendCodePoint(c);
    }
    AtomicInteger looks = new AtomicInteger();
    Regex regex = Regex.compile(alternatives + "|ab|c|d|", Unicode.V15, looks::incrementAndGet);

    assertThat(looks).hasValueLessThan(10);
    assertThat(regex.findAll("\u0802\u0803cab", -1, TimeCheck.NONE))
        .containsExactly("\u0802", "c", "ab");
    assertThat(all("(a|b|c)|(?:d|[e-g]|hi|j|k)|l", "abcdefghijkl")).hasSize(11);
    assertThat(all("(?:a|a|b|[ab]){2}", "abba")).containsExactly("ab", "ba");
  }

  @Test
  void otherCasesOfWideRangesTakeLongAndLookAtTheTime() throws Exception {
    AtomicInteger looks = new AtomicInteger();

    assertThatThrownBy(
            () ->
                Regex.compile(
                    "(?i)" + "[!-\uffff]".repeat(1_200) + "(", Unicode.V15, looks::incrementAndGet))
        .hasMessageContaining("missing closing )");
    assertThat(looks).hasValueGreaterThan(100);
    assertThat(isFound("(?i)^[a-\u1e9e]+$", "S\u00dfK\u212a\u017f")).isTrue();
  }

  @Test
  void statesThatDoNotComeAgainAreForgotten() throws Exception {
    Regex regex = regex("[ab]*a[ab]{14}c");
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 20_000; i++) {
      text.append(Integer.bitCount(i * 0x9E3779B9) % 2 == 0 ? 'a' : 'b');
    }

    assertThat(regex.isFoundIn(text.toString(), TimeCheck.NONE)).isFalse();
    assertThat(regex.isFoundIn(text + "aaaaaaaaaaaaaaac", TimeCheck.NONE)).isTrue();
    assertThat(regex.weight()).isLessThan(40_000);
  }

  @Test
  void aLongSearchAsksWhetherItMayGoOn() throws Exception {
    AtomicInteger looks = new AtomicInteger();
    Regex regex = regex("(x+x+)+y{1000}".repeat(3));

    assertThat(regex.find("x".repeat(20_000), looks::incrementAndGet)).isEmpty();
    assertThat(looks).hasValueGreaterThan(5);
  }
}
