package io.dra4j.cel.internal.check;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.collect.ImmutableList;
import dev.cel.common.CelIssue;
import dev.cel.common.CelSourceLocation;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.ast.CelExpr.ExprKind.Kind;
import dev.cel.extensions.CelExtensions;
import dev.cel.parser.CelMacro;
import dev.cel.parser.CelMacroExprFactory;
import dev.cel.parser.CelStandardMacro;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * The macros. Some are reimplemented, because cel-java expands them into another shape than cel-go,
 * which affects the cost and the set of valid expressions.
 */
final class Macros {

  /**
   * Parts of an expression that {@code optMap} may begin with. It copies its target, so that each
   * after another one doubles the expression; Go takes as long as that takes. Without it, 10 KiB
   * have about 15,000 parts at most.
   */
  private static final int MAX_PARTS = 20_000;

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
                            case FILTER -> CelMacro.newReceiverMacro("filter", 2, Macros::filter);
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
          Optional<CelExpr> loop =
              macro.getExpander().expandMacro(factory, target, ImmutableList.copyOf(plain));
          return first.getKind() == Kind.IDENT && first.ident().name().startsWith(".")
              ? loop.map(expanded -> withKeyOfOutside(expanded, first.ident().name()))
              : loop;
        });
  }

  /** A macro whose error messages say identifier; those of other macros say simple name. */
  private static CelMacro named(CelMacro macro) {
    return CelMacro.newReceiverMacro(
        macro.getFunction(),
        macro.getArgumentCount(),
        (factory, target, args) ->
            args.get(0).getKind() == Kind.IDENT
                ? macro.getExpander().expandMacro(factory, target, args)
                : error(factory, args.get(0), NO_IDENTIFIER));
  }

  /** The macro also takes a value as its variable; with a leading dot, it is another name. */
  private static Optional<CelExpr> filter(
      CelMacroExprFactory factory, CelExpr target, ImmutableList<CelExpr> args) {
    CelExpr variable = args.get(0);
    Optional<CelExpr> refused = refused(factory, variable);
    if (refused.isPresent()) {
      return refused;
    }
    String accumulator = factory.getAccumulatorVarName();
    return Optional.of(
        factory.fold(
            withoutDot(factory, variable).ident().name(),
            target,
            accumulator,
            factory.newList(),
            factory.newBoolLiteral(true),
            factory.newGlobalCall(
                "_?_:_",
                args.get(1),
                factory.newGlobalCall(
                    "_+_", factory.newIdentifier(accumulator), factory.newList(variable)),
                factory.newIdentifier(accumulator)),
            factory.newIdentifier(accumulator)));
  }

  /** Returns an error where a loop that makes a list has no variable. */
  private static Optional<CelExpr> refused(CelMacroExprFactory factory, CelExpr variable) {
    if (variable.getKind() != Kind.IDENT) {
      return error(factory, variable, NO_IDENTIFIER);
    }
    String name = variable.ident().name();
    return name.equals("__result__") || name.equals(factory.getAccumulatorVarName())
        ? error(factory, variable, "iteration variable overwrites accumulator variable")
        : Optional.empty();
  }

  private static CelExpr withoutDot(CelMacroExprFactory factory, CelExpr variable) {
    return variable.getKind() == Kind.IDENT && variable.ident().name().startsWith(".")
        ? factory.newIdentifier("@" + variable.ident().name())
        : variable;
  }

  /** In {@code transformMap} the key is the variable, or what its name with a dot means outside. */
  private static CelExpr withKeyOfOutside(CelExpr expanded, String name) {
    if (expanded.getKind() == Kind.COMPREHENSION) {
      CelExpr step = withKeyOfOutside(expanded.comprehension().loopStep(), name);
      return expanded.toBuilder()
          .setComprehension(expanded.comprehension().toBuilder().setLoopStep(step).build())
          .build();
    } else if (expanded.getKind() != Kind.CALL) {
      return expanded;
    }
    CelExpr.CelCall call = expanded.call();
    List<CelExpr> args = new ArrayList<>(call.args());
    if (call.function().equals("_?_:_")) {
      args.set(1, withKeyOfOutside(args.get(1), name));
    } else if (call.function().equals("cel.@mapInsert") && args.size() == 3) {
      args.set(1, CelExpr.ofIdent(args.get(1).id(), name));
    }
    return CelExpr.ofCall(
        expanded.id(), call.target(), call.function(), ImmutableList.copyOf(args));
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
    if (target.getKind() == Kind.NOT_SET && target.id() != 0) {
      return Optional.of(target); // refused before
    }
    CelExpr none = factory.newGlobalCall("optional.none");
    if (none.id() > MAX_PARTS) { // they are numbered one after the other
      return error(
          factory, target, "more than " + MAX_PARTS + " parts after optMap and optFlatMap");
    }
    CelExpr test = factory.newReceiverCall("hasValue", target);
    CelExpr value =
        bind(
            factory,
            variable.ident().name(),
            factory.newReceiverCall("value", withFields(factory, factory.copy(target))),
            args.get(1));
    return Optional.of(
        factory.newGlobalCall(
            "_?_:_", test, wrap ? factory.newGlobalCall("optional.of", value) : value, none));
  }

  /** Returns a copy in whose messages fields are where the macro is, as in cel-go. */
  @SuppressWarnings("MethodLength") // one case for each kind of expression
  private static CelExpr withFields(CelMacroExprFactory factory, CelExpr copy) {
    UnaryOperator<CelExpr> within = part -> withFields(factory, part);
    return switch (copy.getKind()) {
      case SELECT ->
          CelExpr.ofSelect(
              copy.id(),
              within.apply(copy.select().operand()),
              copy.select().field(),
              copy.select().testOnly());
      case CALL ->
          CelExpr.ofCall(
              copy.id(),
              copy.call().target().map(within),
              copy.call().function(),
              all(copy.call().args(), within));
      case LIST ->
          CelExpr.ofList(
              copy.id(), all(copy.list().elements(), within), copy.list().optionalIndices());
      case MAP ->
          CelExpr.ofMap(
              copy.id(),
              all(
                  copy.map().entries(),
                  entry ->
                      CelExpr.ofMapEntry(
                          entry.id(),
                          within.apply(entry.key()),
                          within.apply(entry.value()),
                          entry.optionalEntry())));
      case STRUCT ->
          CelExpr.ofStruct(
              copy.id(),
              copy.struct().messageName(),
              all(
                  copy.struct().entries(),
                  entry ->
                      factory
                          .newMessageField(entry.fieldKey(), within.apply(entry.value()))
                          .toBuilder()
                          .setOptionalEntry(entry.optionalEntry())
                          .build()));
      case COMPREHENSION -> {
        CelExpr.CelComprehension loop = copy.comprehension();
        yield CelExpr.ofComprehension(
            copy.id(),
            loop.iterVar(),
            loop.iterVar2(),
            within.apply(loop.iterRange()),
            loop.accuVar(),
            within.apply(loop.accuInit()),
            within.apply(loop.loopCondition()),
            within.apply(loop.loopStep()),
            within.apply(loop.result()));
      }
      default -> copy;
    };
  }

  private static <T> ImmutableList<T> all(List<T> parts, UnaryOperator<T> change) {
    return parts.stream().map(change).collect(toImmutableList());
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
    Optional<CelExpr> refused = refused(factory, variable);
    if (refused.isPresent()) {
      return refused;
    }
    CelExpr keys =
        factory.fold(
            variable.ident().name(),
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
      CelMacroExprFactory factory, CelExpr part, String message) {
    CelSourceLocation place =
        part.id() == 0 // what the parser could not read
            ? CelSourceLocation.NONE
            : factory.getSourceLocation(part);
    return Optional.of(factory.reportError(CelIssue.formatError(place, message)));
  }
}
