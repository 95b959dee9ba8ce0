package io.dra4j.cli;

import io.dra4j.cli.CelGrammar.Hole;
import io.dra4j.cli.CelGrammar.Piece;
import io.dra4j.cli.CelGrammar.Production;
import io.dra4j.cli.CelGrammar.Text;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Calls of every function that is declared, with as many arguments as it takes, but of any type.
 */
final class CelCalls {

  private static final Pattern OVERLOAD =
      Pattern.compile("  \\S+ ([^( ]+(?:\\(.*\\))?\\.)?\\((.*)\\) \\S+");
  private static final Pattern NAME = Pattern.compile("[a-zA-Z.]+");
  private static final Hole ANYTHING = new Hole(CelGrammar.Type.parse("dyn"), Map.of());

  private CelCalls() {}

  /** A call of each function in each form, of the kind {@code Call}. */
  static List<Production> productions() throws IOException {
    Set<Production> productions = new LinkedHashSet<>();
    String function = "";
    for (String line : declarations().lines().toList()) {
      Matcher overload = OVERLOAD.matcher(line);
      if (!line.startsWith(" ")) {
        function = line;
      } else if (!overload.matches()) {
        throw new IOException("not an overload: " + line);
      } else if (NAME.matcher(function).matches()) {
        productions.add(call(function, overload.group(1) != null, count(overload.group(2))));
      }
    }
    return List.copyOf(productions);
  }

  private static String declarations() throws IOException {
    try (InputStream in =
        Objects.requireNonNull(CelCalls.class.getResourceAsStream("/io/dra4j/cel/functions.txt"))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  /** How many types there are in a list such as {@code map(A,B), int}. */
  private static int count(String types) {
    return types.isEmpty() ? 0 : types.split(", ", -1).length;
  }

  private static Production call(String function, boolean onTarget, int arguments) {
    List<Piece> pieces = new ArrayList<>();
    if (onTarget) {
      pieces.add(ANYTHING);
      pieces.add(new Text("."));
    }
    pieces.add(new Text(function + "("));
    for (int i = 0; i < arguments; i++) {
      pieces.add(new Text(i == 0 ? "" : ", "));
      pieces.add(ANYTHING);
    }
    pieces.add(new Text(")"));
    return new Production(1, CelGrammar.Type.parse("Call"), pieces, true);
  }
}
