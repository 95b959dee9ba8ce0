package io.dra4j.cli.cel;

import io.dra4j.cel.CelEnvironment;
import io.dra4j.cel.CelFunction;
import io.dra4j.cli.cel.CelGrammar.Hole;
import io.dra4j.cli.cel.CelGrammar.Piece;
import io.dra4j.cli.cel.CelGrammar.Production;
import io.dra4j.cli.cel.CelGrammar.Text;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Calls of every function that is declared, with as many arguments as it takes, but of any type.
 */
final class CelCalls {

  private static final Pattern NAME = Pattern.compile("[a-zA-Z.]+");
  private static final Hole ANYTHING = new Hole(CelGrammar.Type.parse("dyn"), Map.of());

  private CelCalls() {}

  /** A call of each function in each form, of the kind {@code Call}. */
  static List<Production> productions() {
    Set<Production> productions = new LinkedHashSet<>();
    for (CelFunction function : CelEnvironment.stored().functions()) {
      if (NAME.matcher(function.name()).matches()) {
        int arguments = function.parameters().size() - (function.member() ? 1 : 0);
        productions.add(call(function.name(), function.member(), arguments));
      }
    }
    return List.copyOf(productions);
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
