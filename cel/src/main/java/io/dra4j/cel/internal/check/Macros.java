package io.dra4j.cel.internal.check;

import com.google.common.collect.ImmutableList;
import dev.cel.common.CelIssue;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.ast.CelExpr.ExprKind.Kind;
import dev.cel.extensions.CelExtensions;
import dev.cel.parser.CelMacro;
import dev.cel.parser.CelMacroExprFactory;
import dev.cel.parser.CelStandardMacro;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The macros. Some are written anew, because cel-java expands them into another shape than cel-go,
 * which shows in what they cost and in what compiles.
 */
final class Macros {

  private static final String UNUSED = "#unused";
  private static final String SORT_INPUT = "@__sortBy_input__";

  private static final String NO_IDENTIFIER = "argument is not an identifier";

  static final ImmutableList<CelMacro> ALL =
      ImmutableList.<CelMacro>builder()
          .add(
              CelMacro.newGlobalMacro("has", 1, (f, target, args) -> has(f, args.get(0))),
              CelMacro.newReceiverMacro(
                  "optMap", 2, (f, target, args) -> optMap(f, target, args, true)),
              CelMacro.newReceiverMacro(
                  "optFlatMap", 2, (f, target, args) -> optMap(f, target, args, false)),
              CelMacro.newReceiverMacro("sortBy", 2, Macros::sortBy))
          .addAll(CelExtensions.bindings().macros())
          .addAll(
              CelStandardMacro.STANDARD_MACROS.stream()
                  .filter(macro -> macro != CelStandardMacro.HAS)
                  .map(
                      macro ->
                          switch (macro) {
                            case FILTER -> named(macro.getDefinition()); // its variable is a value
                            case MAP, MAP_FILTER -> named(withVariables(macro.getDefinition(), 1));
                            default -> withVariables(macro.getDefinition(), 1);
                          })
                  .iterator())
          .addAll(
              CelExtensions.comprehensions().macros().stream()
                  .map(macro -> withVariables(macro, 2))
                  .iterator())
          .build();

  private Macros() {}

  private static Optional<CelExpr> has(CelMacroExprFactory factory, CelExpr field) {
    return field.getKind() == Kind.SELECT
        ? Optional.of(factory.newSelect(field.select().operand(), field.select().field(), true))
        : error(factory, field, "invalid argument to has() macro");
  }

  /**
   * A macro with the rules of cel-go for its variables: they must be distinct, and may have a
   * leading dot, with which nothing can refer to them.
   */
  private static CelMacro withVariables(CelMacro macro, int count) {
    return CelMacro.newReceiverMacro(
        macro.getFunction(),
        macro.getArgumentCount(),
        (factory, target, args) -> {
          CelExpr first = args.get(0);
          CelExpr second = args.get(1);
          if (count == 2
              && first.getKind() == Kind.IDENT
              && second.getKind() == Kind.IDENT
              && first.ident().name().equals(second.ident().name())) {
            return error(factory, second, "duplicate variable name: " + second.ident().name());
          }
          List<CelExpr> plain = new ArrayList<>(args);
          plain.subList(0, count).replaceAll(variable -> withoutDot(factory, variable));
          return macro.getExpander().expandMacro(factory, target, ImmutableList.copyOf(plain));
        });
  }

  /** A macro that calls its variable an identifier where the others want a simple name. */
  private static CelMacro named(CelMacro macro) {
    return CelMacro.newReceiverMacro(
        macro.getFunction(),
        macro.getArgumentCount(),
        (factory, target, args) ->
            args.get(0).getKind() == Kind.IDENT
                ? macro.getExpander().expandMacro(factory, target, args)
                : error(factory, args.get(0), NO_IDENTIFIER));
  }

  private static CelExpr withoutDot(CelMacroExprFactory factory, CelExpr variable) {
    return variable.getKind() == Kind.IDENT && variable.ident().name().startsWith(".")
        ? factory.newIdentifier("@" + variable.ident().name())
        : variable;
  }

  /** {@code target.hasValue() ? optional.of(cel.bind(x, target.value(), y)) : optional.none()}. */
  private static Optional<CelExpr> optMap(
      CelMacroExprFactory factory, CelExpr target, ImmutableList<CelExpr> args, boolean wrap) {
    CelExpr variable = args.get(0);
    if (variable.getKind() != Kind.IDENT) {
      return error(
          factory,
          variable,
          (wrap ? "optMap" : "optFlatMap") + "() variable name must be a simple identifier");
    }
    CelExpr test = factory.newReceiverCall("hasValue", target);
    CelExpr value =
        bind(
            factory,
            variable.ident().name(),
            factory.newReceiverCall("value", factory.copy(target)),
            args.get(1));
    return Optional.of(
        factory.newGlobalCall(
            "_?_:_",
            test,
            wrap ? factory.newGlobalCall("optional.of", value) : value,
            factory.newGlobalCall("optional.none")));
  }

  /** Sorts by the keys that a {@code map} gives. */
  private static Optional<CelExpr> sortBy(
      CelMacroExprFactory factory, CelExpr target, ImmutableList<CelExpr> args) {
    switch (target.getKind()) {
      case LIST, SELECT, IDENT, COMPREHENSION, CALL -> {}
      default -> {
        return error(
            factory,
            target,
            "sortBy can only be applied to a list, identifier, comprehension, call or select"
                + " expression");
      }
    }
    CelExpr variable = args.get(0);
    if (variable.getKind() != Kind.IDENT) {
      return error(factory, variable, NO_IDENTIFIER);
    }
    String name = variable.ident().name();
    if (name.equals("__result__") || name.equals(factory.getAccumulatorVarName())) {
      return error(factory, variable, "iteration variable overwrites accumulator variable");
    }
    CelExpr keys =
        factory.fold(
            name,
            factory.newIdentifier(SORT_INPUT),
            factory.getAccumulatorVarName(),
            factory.newList(),
            factory.newBoolLiteral(true),
            factory.newGlobalCall(
                "_+_",
                factory.newIdentifier(factory.getAccumulatorVarName()),
                factory.newList(args.get(1))),
            factory.newIdentifier(factory.getAccumulatorVarName()));
    CelExpr sorted =
        factory.newReceiverCall("@sortByAssociatedKeys", factory.newIdentifier(SORT_INPUT), keys);
    return Optional.of(bind(factory, SORT_INPUT, target, sorted));
  }

  private static CelExpr bind(
      CelMacroExprFactory factory, String name, CelExpr value, CelExpr result) {
    return factory.fold(
        UNUSED,
        factory.newList(),
        name,
        value,
        factory.newBoolLiteral(false),
        factory.newIdentifier(name),
        result);
  }

  private static Optional<CelExpr> error(
      CelMacroExprFactory factory, CelExpr place, String message) {
    return Optional.of(
        factory.reportError(CelIssue.formatError(factory.getSourceLocation(place), message)));
  }
}
