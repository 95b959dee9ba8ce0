package io.dra4j.cli.cel;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.cli.Cli;
import io.dra4j.cli.cel.CelMistake.Command;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The pairs of {@link CelDifferentialTest} detect each known former bug: it is reintroduced, and
 * then one of the first 20,000 pairs must get a different answer. {@code -Dcel-mistakes.seed=S}
 * looks for them, from that seed on, which takes minutes.
 */
class CelMistakesTest {

  private static final long SEED = Long.getLong("cel-mistakes.seed", 1);
  private static final int MOST_PAIRS = 20_000;
  private static final int PAIRS_AT_A_TIME = 500;

  private static final Map<Integer, List<CelPair>> PAIRS = new HashMap<>();
  private static final Map<Integer, List<String>> ANSWERS = new HashMap<>();

  @TempDir Path directory;

  static Stream<CelMistake> mistakes() {
    return Stream.of(
        // ---- Order of equal keys
        CelMistake.of(
            "a sort that is stable beyond 12 elements",
            "text/GoSort.java",
            "SHORT = 12;",
            "SHORT = 1 << 20;"),
        CelMistake.of(
            "NaN before all numbers in sorts",
            "library/ListFunctions.java",
            "return comparison.compare(values[a], values[b]) < 0;",
            "return values[a] instanceof Double x && values[b] instanceof Double y"
                + " ? Double.compare(x, y) < 0 : comparison.compare(values[a], values[b]) < 0;"),
        // ---- Digits
        CelMistake.of(
            "digits of addresses that are no ASCII",
            "text/IpText.java",
            "if (c >= '0' && c <= '9') {",
            "if (Character.isDigit(c)) { c = (char) ('0' + Character.digit(c, 10));"),
        CelMistake.of(
            "digits of prefixes that are no ASCII",
            "text/IpText.java",
            "if (text.charAt(i) < '0' || text.charAt(i) > '9') {",
            "if (!Character.isDigit(text.charAt(i))) {"),
        // ---- Time zones and timestamps
        CelMistake.of(
            "the JDK's names of time zones",
            "text/GoZones.java",
            "    Zone zone = Zones.ALL.get(name);\n    return zone != null ? zone : file(name);",
            """
                try {
                  return new Zone(ZoneId.of(name).getRules(), null);
                } catch (java.time.DateTimeException e) {
                  throw new IllegalArgumentException("unknown time zone " + name, e);
                }\
            """),
        CelMistake.of(
            "old names of time zones with three letters",
            "text/GoZones.java",
            "      ADDED.forEach((name, zone) -> rules.put(name, zone.getRules()));",
            ""),
        CelMistake.of(
            "a copy of a zone's directory that has more than zones",
            "text/GoZones.java",
            "copy && (TABLES",
            "!copy && (TABLES"),
        CelMistake.of(
            "offsets before 1970 of a neighbour",
            "text/GoZones.java",
            "time.getEpochSecond() >= 0",
            "true"),
        CelMistake.of(
            "timestamps that forget their offset",
            "value/Timestamps.java",
            ": new Zoned(instant, Zone.of(minutes(text)));",
            ": instant;"),
        // ---- Addresses of the web
        CelMistake.of(
            "IPv4 in brackets told as any other host",
            "text/Url.java",
            "? \"invalid IP-literal\" : \"\"",
            "? \"invalid host: invalid IP-literal\" : \"\""),
        CelMistake.of(
            "broken characters before a dash",
            "library/FormatFunctions.java",
            "BROKEN.get(left) + \"a\"",
            "\"a\""),
        CelMistake.of(
            "URLs that are equal but for their escapes",
            "value/UrlValue.java",
            "url.toString().equals(value.url.toString())",
            "url.toString().replace(\"%2F\", \"/\").equals(value.url.toString().replace(\"%2F\","
                + " \"/\"))"),
        CelMistake.of(
            "bytes of URLs that are no UTF-8 become U+FFFD",
            "text/Url.java",
            "return GoText.decode(bytes.getBytes(StandardCharsets.ISO_8859_1));",
            "return new String(bytes.getBytes(StandardCharsets.ISO_8859_1),"
                + " StandardCharsets.UTF_8);"),
        // ---- Regular expressions
        CelMistake.of(
            "no long names of classes of characters",
            "text/Unicode.java",
            "aliases.getOrDefault(canonical, canonical)",
            "canonical"),
        CelMistake.of(
            "names of classes in one case only",
            "text/Unicode.java",
            "text.append(text.length() == 0 ? Ascii.toUpperCase(c) : Ascii.toLowerCase(c));",
            "text.append(c);"),
        CelMistake.of(
            "no newer scripts",
            "text/Unicode.java",
            "default -> tables().get(canonical);",
            "default -> canonical.equals(\"Kawi\") ? null : tables().get(canonical);"),
        CelMistake.of(
            "classes that keep their case",
            "text/Unicode.java",
            "    int[] ranges = set.ranges();\n    for (int i = 0; i < ranges.length; i += 2) {\n"
                + "      int first",
            "    int[] ranges = set.ranges();\n    for (int i = 0; i < 0; i += 2) {\n"
                + "      int first"),
        CelMistake.of(
            "fewer nested groups",
            "text/RegexParser.java",
            "MAX_HEIGHT = 1_000;",
            "MAX_HEIGHT = 200;"),
        CelMistake.of(
            "smaller regular expressions",
            "text/RegexParser.java",
            "MAX_SIZE = (128 << 20) / 40;",
            "MAX_SIZE = 50_000;"),
        CelMistake.of(
            "more repetitions of repetitions",
            "text/RegexParser.java",
            "part.copies() > MAX_COUNT",
            "part.copies() > 2 * MAX_COUNT"),
        CelMistake.of(
            "no name for two groups",
            "text/RegexParser.java",
            "    if (name == end) {",
            "    if (name == end || pattern.indexOf(pattern.substring(begin, end + 1)) < begin) {"),
        // ---- Numbers in texts
        CelMistake.of(
            "numbers without underscores",
            "text/GoNumbers.java",
            "(text.indexOf('_') >= 0 && !separatesDigits(text))",
            "text.indexOf('_') >= 0"),
        CelMistake.of(
            "numbers with underscores anywhere",
            "text/GoNumbers.java",
            "(text.indexOf('_') >= 0 && !separatesDigits(text))",
            "false"),
        // ---- How a quantity is written
        new CelMistake(
            "integers that were written as fractions",
            Path.of("../core/src/main/java/io/dra4j/model/Quantity.java"),
            "    if (big != null || scale < 0) {\n      return OptionalLong.empty();",
            """
            if (big == null && scale < 0 && unscaled % 1000 == 0) {
              return OptionalLong.of(unscaled / 1000);
            } else if (big != null || scale < 0) {
              return OptionalLong.empty();\
            """),
        // ---- Texts
        CelMistake.of(
            "the JDK's idea of what is printed",
            "text/Unicode.java",
            "return c < 0x7f ? c >= ' ' : tables().printed().contains(c);",
            "return c >= ' ' && c != 0x7f && Character.isDefined(c);"),
        CelMistake.of(
            "one text for all versions that are none",
            "text/GoVersions.java",
            "return \"Version string empty\";\n    } else if (parts.size() < 3) {",
            "return \"Version string empty\";\n    } else if (true) {"),
        CelMistake.of(
            "another text where a quantity is no integer",
            "library/QuantityFunctions.java",
            "cannot convert value to integer",
            "not an integer"),
        CelMistake.of(
            "operators named where types cannot be compared",
            "eval/LogicNodes.java",
            "Equality.NEITHER ? frame.fail(NO_SUCH_OVERLOAD) : equal",
            "Equality.NEITHER ? frame.fail(EvalError.noSuchOverload(\"_==_\")) : equal"),
        CelMistake.of(
            "types of CEL where Go names its own",
            "eval/Qualifier.java",
            "\"invalid qualifier type: \" + goType(key, frame)",
            "\"invalid qualifier type: \" + Values.typeName(key)"),
        CelMistake.of(
            "refusals of lists in one form",
            "eval/CallNode.java",
            "case \"sort\", \"@sortByAssociatedKeys\" ->",
            "case \"sort of nothing\" ->"),
        // ---- Syntax errors
        CelMistake.of(
            "the recovery of Java after a syntax error",
            "check/SyntaxErrors.java",
            "parser.setErrorHandler(new Recovery());",
            "parser.setErrorHandler(new DefaultErrorStrategy());"),
        CelMistake.of(
            "raw literals that end with a backslash",
            "check/RawLiterals.java",
            "Set.of(\"r\", \"R\", \"br\", \"bR\", \"Br\", \"BR\")",
            "Set.of()"),
        // ---- Macros
        CelMistake.of(
            "one text for all macros that want a name",
            "check/MacroErrors.java",
            "case \"map/2\", \"map/3\", \"filter/2\" -> loop(args.get(0), \"argument is not an"
                + " identifier\");",
            "case \"map/2\", \"map/3\", \"filter/2\" -> loop(args.get(0), \"argument must be a"
                + " simple name\");"),
        CelMistake.of(
            "arguments of macros that are shown at their sign",
            "check/TreeErrors.java",
            "operators.size() % 2 == 0 ? term",
            "operators.size() % 2 == 0 ? new Term(term.kind(), term.name(),"
                + " operators.get(operators.size() - 1))"),
        CelMistake.of(
            "levels that are not counted",
            "check/TreeErrors.java",
            "MAX_DEPTH = 250;",
            "MAX_DEPTH = 2_500;"),
        // ---- Optionals
        CelMistake.of(
            "optional fields of what is no optional",
            "eval/ValueNodes.java",
            "value = unwrapped(value, () -> \"entry '\" + field + \"'\", frame);",
            "value = value instanceof Optional<?> ? unwrapped(value, () -> field, frame) : value;"),
        // ---- Durations
        CelMistake.of(
            "durations longer than Go has them",
            "value/Arithmetic.java",
            "return isInRange(duration) ? duration : INT_OVERFLOW;",
            "return duration;"),
        CelMistake.of(
            "timestamps beyond their years",
            "value/Arithmetic.java",
            "isInRange(sum) ? Timestamps",
            "sum != null ? Timestamps"),
        CelMistake.of(
            "digits of durations that are no ASCII",
            "text/GoTime.java",
            "    return c >= '0' && c <= '9';",
            "    return Character.isDigit(c);"),
        // ---- Texts of URLs and regular expressions
        CelMistake.of(
            "ports of URLs that are shown as they are",
            "text/Url.java",
            "\"invalid port \" + GoText.quote(text(port)) + \" after host\"",
            "\"invalid port \\\"\" + text(port) + \"\\\" after host\""),
        CelMistake.of(
            "one text for all wrong repetitions",
            "text/RegexParser.java",
            "throw problem(\"invalid nested repetition operator\", since(repetition));",
            "throw problem(\"missing argument to repetition operator\", since(repetition));"),
        // ---- Keys that are equal to themselves only
        CelMistake.of(
            "capacities that are another key each time they are read",
            "value/QuantityValue.java",
            "return capacity == null ? this : capacity;",
            "return this;"),
        CelMistake.of(
            "maps of the device that are another key wherever they are kept",
            "value/MapKeys.java",
            "return value instanceof MapValue map ? map.bound() : value;",
            "return value;"),
        CelMistake.of(
            "optionals that are the same key each time they are read",
            "value/MapKeys.java",
            "? Optional.of(optional.get())",
            "? optional"),
        CelMistake.of(
            "zones of other hours that are one",
            "value/Timestamps.java",
            "IntStream.rangeClosed(-12, 14)",
            "IntStream.rangeClosed(-23, 23)"),
        CelMistake.of(
            "capacities that only texts find",
            "value/MapValue.java",
            "entries.containsKey(keys.of(key))",
            "entries.containsKey(key)"),
        // ---- Lists
        CelMistake.of(
            "nothing and a list that are a list of two",
            "value/Arithmetic.java",
            "return a.isEmpty() ? b : b.isEmpty() ? a : new",
            "return new"),
        CelMistake.of(
            "lists behind others that grow",
            "value/Accumulators.java",
            "growing.subList(0, growing.size())",
            "growing"),
        CelMistake.of(
            "loops over lists that grow",
            "eval/FoldNode.java",
            "i < size; i++",
            "i < list.size(); i++"),
        // ---- Bytes that are no character
        CelMistake.of(
            "bytes that come together and stay apart",
            "text/GoText.java",
            "? joined(both) : both",
            "? both : both"),
        CelMistake.of(
            "bytes that are not found in characters",
            "text/GoText.java",
            "return !text.isEmpty() && (isByteAlone(text.charAt(0))",
            "return text.length() < 0 && (isByteAlone(text.charAt(0))"));
  }

  @ParameterizedTest
  @MethodSource("mistakes")
  void theSourceStillHasThePlaceWhereItWasMade(CelMistake mistake) throws IOException {
    assertThat(mistake.wrongText()).contains(mistake.wrong());
  }

  @ParameterizedTest
  @MethodSource("mistakes")
  @EnabledIfSystemProperty(named = "cel-mistakes.seed", matches = "\\d+")
  void theRandomPairsFindIt(CelMistake mistake) throws IOException, ReflectiveOperationException {
    try (Command command = mistake.command(directory)) {
      for (int from = 0; from < MOST_PAIRS; from += PAIRS_AT_A_TIME) {
        List<CelPair> pairs = pairs(from);
        List<String> answers = command.answers(input(pairs), "cel");
        OptionalInt found = firstDifferent(answers(from), answers);
        if (found.isPresent()) {
          int at = found.getAsInt();
          System.out.printf(
              "mistake: %s: pair %d of seed %d, %s: now %s, then %s%n",
              mistake.family(),
              from + at,
              SEED,
              pairs.get(at).expression().text(),
              answers(from).get(at),
              answers.get(at));
          return;
        }
      }
    }
    assertThat(mistake.family()).as("mistakes that no pair finds").isEmpty();
  }

  private static OptionalInt firstDifferent(List<String> now, List<String> then) {
    assertThat(then).hasSameSizeAs(now);
    return IntStream.range(0, now.size()).filter(i -> !now.get(i).equals(then.get(i))).findFirst();
  }

  private static List<CelPair> pairs(int from) throws IOException {
    List<CelPair> known = PAIRS.get(from);
    if (known != null) {
      return known;
    }
    CelGenerator generator = new CelGenerator(CelGrammar.read());
    List<CelPair> pairs = new ArrayList<>();
    for (int i = from; i < from + PAIRS_AT_A_TIME; i++) {
      pairs.add(CelDifferentialTest.pair(generator, SEED, i));
    }
    PAIRS.put(from, pairs);
    return pairs;
  }

  private static List<String> answers(int from) throws IOException {
    List<String> known = ANSWERS.get(from);
    if (known != null) {
      return known;
    }
    List<String> answers = Cli.runWith(input(pairs(from)), "cel").out().lines().toList();
    ANSWERS.put(from, answers);
    return answers;
  }

  private static String input(List<CelPair> pairs) {
    StringBuilder lines = new StringBuilder();
    pairs.forEach(pair -> lines.append(pair.line()).append('\n'));
    return lines.toString();
  }
}
