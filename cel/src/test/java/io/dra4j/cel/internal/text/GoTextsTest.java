package io.dra4j.cel.internal.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Random;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Numbers, zones, versions and quoted texts. */
class GoTextsTest {

  private static final Pattern NUMBER =
      Pattern.compile(
          "[+-]?(?:[0-9_]+\\.?[0-9_]*|\\.[0-9_]+)(?:[eE][+-]?[0-9][0-9_]*)?"
              + "|[+-]?0[xX](?:[0-9a-fA-F_]+\\.?[0-9a-fA-F_]*|\\.[0-9a-fA-F_]+)[pP][+-]?[0-9][0-9_]*");

  @Test
  void numbersAreThoseOfARegularExpression() {
    Random random = new Random(42);
    String characters = "001.eExXpP+-aF_";
    for (int i = 0; i < 300_000; i++) {
      StringBuilder made = new StringBuilder(random.nextInt(4) == 0 ? "0x" : "");
      for (int length = random.nextInt(8); length > 0; length--) {
        made.append(characters.charAt(random.nextInt(characters.length())));
      }
      String text = made.toString();
      if (text.indexOf('_') < 0) { // which must stand between digits besides
        assertThat(GoNumbers.parse(text).isPresent()).as(text).isEqualTo(isFinite(text));
      }
    }
  }

  private static boolean isFinite(String text) {
    return NUMBER.matcher(text).matches() && Double.isFinite(Double.parseDouble(text));
  }

  @Test
  void aLongNumberThatIsNoneIsReadInTimeLinearInItsLength() {
    for (String text : List.of("1".repeat(2_000_000), "0x" + "a".repeat(2_000_000), ".1")) {
      assertThat(GoNumbers.parse(text + "x")).isEmpty();
    }
  }

  @Test
  void writesTheFewestDigitsAndOfTheseTheNearest() {
    for (int exponent = Double.MIN_EXPONENT - 52; exponent <= Double.MAX_EXPONENT; exponent++) {
      double power = Math.scalb(1.0, exponent);
      assertIsShortest(power);
      assertIsShortest(-power);
      assertIsShortest(Math.nextUp(power));
      assertIsShortest(Math.nextDown(power));
    }
    Random random = new Random(42);
    for (int i = 0; i < 5_000; i++) {
      assertIsShortest(Double.longBitsToDouble(random.nextLong() >>> random.nextInt(64)));
      assertIsShortest(Double.longBitsToDouble(random.nextLong() >>> (12 + random.nextInt(52))));
    }
  }

  /** Looks at the numbers of each count of digits on both sides, from one digit on. */
  private static void assertIsShortest(double value) {
    if (value == 0 || !Double.isFinite(value)) {
      return;
    }
    BigDecimal exact = new BigDecimal(value);
    BigDecimal best = null;
    for (int digits = 1; best == null; digits++) {
      BigDecimal below = exact.round(new MathContext(digits, RoundingMode.FLOOR));
      BigDecimal above = exact.round(new MathContext(digits, RoundingMode.CEILING));
      boolean belowIs = below.doubleValue() == value;
      boolean aboveIs = above.doubleValue() == value;
      if (belowIs && aboveIs) {
        best = exact.round(new MathContext(digits, RoundingMode.HALF_EVEN));
      } else if (belowIs || aboveIs) {
        best = belowIs ? below : above;
      }
    }
    assertThat(new BigDecimal(GoNumbers.plain(value))).isEqualByComparingTo(best);
    assertThat(new BigDecimal(GoNumbers.shortest(value))).isEqualByComparingTo(best);
  }

  @ParameterizedTest
  @CsvSource({
    "1_000, 1000",
    "1.5e1_0, 1.5e10",
    "0x_1p1, 2",
    "0x1p-2, 0.25",
    ".5, 0.5",
    "-5., -5",
    "inf, Infinity",
    "-Infinity, -Infinity",
  })
  void readsNumbers(String text, double number) {
    assertThat(GoNumbers.parse(text)).hasValue(number);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"0x1__0p1", "1__0", "_1", "1_", "1_.5", "1e_5", "0x1", "1e400", "１", "+nan"})
  void refusesWhatIsNoNumberToGo(String text) {
    assertThat(GoNumbers.parse(text)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"Z", "+05", "UTC+5", "GMT+5", "PST", "SystemV/EST5", "utc", "Europe/x", ""})
  void onlyNamesOfTheDatabaseAreZones(String name) {
    if (name.isEmpty()) {
      assertThat(GoZones.named(name).offset(Instant.EPOCH)).isEqualTo(ZoneOffset.UTC);
    } else {
      assertThatThrownBy(() -> GoZones.named(name)).hasMessage("unknown time zone " + name);
    }
  }

  /** Go opens files. */
  @ParameterizedTest
  @CsvSource({
    "Europe, is a directory",
    "America/Argentina/, is a directory",
    "posix, is a directory",
    "UTC/, not a directory",
    "Europe/Berlin/x, not a directory",
    "zone.tab, malformed time zone information",
  })
  void filesThatAreNoZonesAreRefusedInOtherWords(String name, String problem) {
    assertThatThrownBy(() -> GoZones.named(name)).hasMessage(problem);
  }

  @Test
  void namesThatTheJdkHasNotAreKnown() {
    Instant winter = Instant.parse("2020-01-01T00:00:00Z");

    assertThat(GoZones.named("EST").offset(winter)).isEqualTo(ZoneOffset.ofHours(-5));
    assertThat(GoZones.named("ROC").offset(winter)).isEqualTo(ZoneOffset.ofHours(8));
    assertThat(GoZones.named("posix/Europe/Berlin").offset(winter))
        .isEqualTo(ZoneOffset.ofHours(1));
    assertThatThrownBy(() -> GoZones.named("../UTC")).hasMessage("time: invalid location name");
  }

  @ParameterizedTest
  @CsvSource({
    "Europe/Amsterdam, 1930-01-01T00:00:00Z, +00:19:32", // the JDK has that of Brussels
    "Europe/Amsterdam, 1937-06-30T22:40:27Z, +01:19:32",
    "Europe/Amsterdam, 1937-06-30T22:40:28Z, +01:20",
    "Africa/Accra, 1942-02-07T23:59:59Z, Z",
    "Africa/Accra, 1942-02-08T00:00:00Z, +00:30",
    "America/Ensenada, 1953-06-06T00:00:00Z, -08:00", // a link to Tijuana
    "EST, 1860-01-01T00:00:00Z, -05:00", // without the history of Panama
    "Asia/Manila, 1840-01-01T00:00:00Z, -15:56:08", // before the date line moved
    "Europe/Amsterdam, 2030-07-01T00:00:00Z, +02:00",
    "America/Coyhaique, 2024-07-01T00:00:00Z, -04:00", // which JDK 17 does not know
    "America/Coyhaique, 2030-07-01T00:00:00Z, -03:00",
  })
  void offsetsAreThoseThatTheZoneHadThen(String zone, String time, String offset) {
    assertThat(GoZones.named(zone).offset(Instant.parse(time))).isEqualTo(ZoneOffset.of(offset));
  }

  @Test
  void offsetsAreAnyHoursAndMinutes() {
    assertThat(GoZones.offset("+5:30")).isEqualTo(19_800);
    assertThat(GoZones.offset("-5:30")).isEqualTo(-19_800);
    assertThat(GoZones.offset("1:60")).isEqualTo(7_200);
    assertThatThrownBy(() -> GoZones.offset("１:00"))
        .hasMessage("strconv.Atoi: parsing \"１\": invalid syntax");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          1.2     | No Major.Minor.Patch elements found
          1..3    | strconv.ParseUint: parsing "": invalid syntax
          01.2.3  | Major number must not contain leading zeroes "01"
          1.x.3   | Invalid character(s) found in minor number "x"
          1.2.3-  | Prerelease is empty
          1.2.3-01 | Numeric PreRelease version must not contain leading zeroes "01"
          1.2.3-é | Invalid character(s) found in prerelease "é"
          1.2.3+  | Build meta data is empty
          1.2.18446744073709551616 | strconv.ParseUint: parsing "18446744073709551616": value out of range
          """)
  void saysWhatIsWrongWithAVersion(String text, String problem) {
    assertThat(GoVersions.semanticProblem(text)).isEqualTo(problem);
  }

  @Test
  void saysWhatIsWrongWithAQuantity() {
    assertThat(GoVersions.quantityProblem("1.5x")).startsWith("quantities must match");
    assertThat(GoVersions.quantityProblem("1KKi")).isEqualTo("unable to parse quantity's suffix");
    assertThat(GoVersions.quantityProblem("."))
        .isEqualTo("unable to parse numeric part of quantity");
  }

  @Test
  void quotesByTheUnicodeOfGo() {
    assertThat(GoText.quote("a\"\n\u0378\u00ad\ud83e\udee8é"))
        .isEqualTo("\"a\\\"\\n\\u0378\\u00ad\ud83e\udee8é\"");
  }

  @Test
  void bytesThatAreNoUtf8StayWhatTheyAre() throws Exception {
    String host = Url.parse("http://a%80\u00e9%f0%9f%92%80/").host();
    assertThat(GoText.bytes(host)).containsExactly('a', 0x80, 0xc3, 0xa9, 0xf0, 0x9f, 0x92, 0x80);
    assertThat(GoText.length(host)).isEqualTo(8);
    assertThat(GoText.characters(host)).isEqualTo("a\ufffd\u00e9\ud83d\udc80");
    assertThat(host).isNotEqualTo(GoText.characters(host));
    assertThat(GoText.characters("\ud83d\udc80")).isEqualTo("\ud83d\udc80");
    assertThat(GoText.order(host, "a\u0080")).isEqualTo(-1);
    assertThat(GoText.order(host, "a\u007f")).isEqualTo(1);
    assertThat(GoText.order("\uffff", "\ud83d\udc80")).isEqualTo(-1);
    assertThat(
            Regex.compile("^a\ufffd.{2}$", Unicode.V15, TimeCheck.NONE)
                .isFoundIn(host, TimeCheck.NONE))
        .isTrue();
    assertThatThrownBy(() -> Regex.check("x" + host, Unicode.V15, TimeCheck.NONE))
        .hasMessageStartingWith("error parsing regexp: invalid UTF-8: `");
  }
}
