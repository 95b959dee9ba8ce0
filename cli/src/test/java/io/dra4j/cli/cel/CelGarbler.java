package io.dra4j.cli.cel;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** Makes expressions that the grammar of CEL does not allow: a few of their tokens are changed. */
final class CelGarbler {

  /** Roughly the tokens of CEL; a text that does not end is several of them. */
  private static final Pattern TOKEN =
      Pattern.compile(
          "\"(?:[^\"\\\\\n]|\\\\.)*\"|[a-zA-Z_]\\w*|[0-9][\\w.]*|&&|\\|\\||[=!<>]=|\\s+|.",
          Pattern.DOTALL);

  private static final List<String> TOKENS =
      List.of(
          "( ) [ ] { } . , ? : - + * / % ! < <= == != && || in in. true null for as package x 1 1u 1.5 .5 0x"
              .split(" ", -1));

  private static final List<String> ODD =
      List.of(
          "1.",
          "1e",
          "0x1G",
          "\"",
          "'",
          "\"\"\"",
          "`",
          "`a-b`",
          "`a",
          "\\",
          "$",
          "#",
          "@",
          "&",
          "|",
          "=",
          "~",
          "^",
          ";",
          "\u00e9",
          "\ud83d\ude00",
          "\n",
          "// x",
          "r\"\\\"",
          "b'",
          "[?",
          ".?",
          "{?",
          "!!",
          "--",
          "- -",
          "9223372036854775808",
          "18446744073709551616u",
          "1e999",
          "?.",
          "..",
          "\u0000",
          "\u00a0");

  private static final int MOST_CHANGES = 3;

  private CelGarbler() {}

  /** The expression with one to three tokens left out, repeated, exchanged, replaced or added. */
  static String garbled(String expression, SplittableRandom random) {
    List<String> tokens =
        new ArrayList<>(TOKEN.matcher(expression).results().map(MatchResult::group).toList());
    for (int changes = 1 + random.nextInt(MOST_CHANGES); changes > 0; changes--) {
      int at = random.nextInt(tokens.size());
      switch (random.nextInt(8)) {
        case 0 -> tokens.remove(at);
        case 1 -> tokens.subList(at, tokens.size()).clear();
        case 2 -> tokens.subList(0, at).clear();
        case 3 -> tokens.add(at, tokens.get(at));
        case 4 -> tokens.add(at, tokens.remove(random.nextInt(tokens.size())));
        case 5 -> tokens.set(at, pick(TOKENS, random));
        case 6 -> tokens.add(at, pick(TOKENS, random));
        default -> tokens.add(at, pick(ODD, random));
      }
      if (tokens.isEmpty()) {
        tokens.add(pick(TOKENS, random));
      }
    }
    return String.join("", tokens);
  }

  private static String pick(List<String> texts, SplittableRandom random) {
    return texts.get(random.nextInt(texts.size()));
  }
}
