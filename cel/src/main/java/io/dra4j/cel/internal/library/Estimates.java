package io.dra4j.cel.internal.library;

import dev.cel.common.ast.CelConstant;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.ast.CelExpr.ExprKind.Kind;
import dev.cel.common.types.CelKind;
import dev.cel.common.types.CelType;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Rules that the estimates of several functions share. */
final class Estimates {

  /** The cost of going through a string, for each character. */
  static final double TEXT = 0.1;

  /** The cost of a regular expression, for each of its characters. */
  static final double REGEX = 0.25;

  /** The cost of creating a list. */
  static final long LIST = 10;

  private Estimates() {}

  /** Returns the rule for going through a string. */
  static FunctionCost.Rule text(int argument) {
    return args -> new CallEstimate(args.get(argument).sizeOrDeclared().times(TEXT));
  }

  /** Returns the rule for creating a string that is as long as another one. */
  static FunctionCost.Rule sameText(int argument) {
    return args -> {
      Estimate size = args.get(argument).sizeOrDeclared();
      return new CallEstimate(size.times(TEXT), size);
    };
  }

  static CallEstimate newList(double factor, Estimate size) {
    return new CallEstimate(size.times(factor).plus(Estimate.ONE).plus(Estimate.fixed(LIST)), size);
  }

  /**
   * Returns the estimate for going through the elements of a list, or the characters of a string.
   */
  static CallEstimate scan(List<Argument> args) {
    return scan(args.get(0), size -> size.times(TEXT));
  }

  /** Returns the estimate for going through the elements of a value of unknown type. */
  static CallEstimate scanElements(List<Argument> args) {
    return scan(args.get(0), size -> size);
  }

  private static CallEstimate scan(Argument target, UnaryOperator<Estimate> unknown) {
    Argument element = element(target);
    if (element == null) {
      return new CallEstimate(unknown.apply(target.sizeOrDeclared()));
    }
    Estimate each = Estimate.ONE;
    CelKind kind = element.type().kind();
    if (kind == CelKind.STRING || kind == CelKind.BYTES) {
      each = each.plus(element.sizeOrDeclared().times(TEXT));
    }
    return new CallEstimate(target.sizeOrDeclared().times(each));
  }

  /** Returns what a list holds, or null if it is not known to be a list. */
  static @Nullable Argument element(Argument list) {
    List<CelType> parameters = list.type().parameters();
    if (parameters.isEmpty()) {
      return null;
    }
    FieldPath path = list.path();
    return new Argument(
        null, parameters.get(0), path.length() == 0 ? path : path.copyAnd("@items"), null);
  }

  /** One more than the length, so that the expression counts for an empty text too. */
  static Estimate match(Estimate text, Estimate regex) {
    return text.plus(Estimate.ONE).times(TEXT).times(regex.times(REGEX));
  }

  /** Returns a number if it is literal; 0 if it is negative. */
  static long number(Argument argument, long otherwise) {
    Long value = literal(argument);
    return value == null ? otherwise : Math.max(0, value);
  }

  static @Nullable Long literal(Argument argument) {
    CelExpr expr = argument.expr();
    return expr != null
            && expr.getKind() == Kind.CONSTANT
            && expr.constant().getKind() == CelConstant.Kind.INT64_VALUE
        ? (Long) expr.constant().int64Value()
        : null;
  }
}
