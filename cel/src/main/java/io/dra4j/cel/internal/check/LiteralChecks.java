package io.dra4j.cel.internal.check;

import dev.cel.common.ast.CelConstant;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.ast.CelExpr.CelCall;
import dev.cel.common.ast.CelExpr.CelComprehension;
import dev.cel.common.ast.CelExpr.CelList;
import dev.cel.common.ast.CelExpr.ExprKind.Kind;
import dev.cel.common.types.CelType;
import dev.cel.common.types.OptionalType;
import io.dra4j.cel.internal.text.GoTime;
import io.dra4j.cel.internal.text.Regex;
import io.dra4j.cel.internal.text.RegexSyntaxException;
import io.dra4j.cel.internal.text.TimeCheck;
import io.dra4j.cel.internal.text.Unicode;
import java.time.Instant;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Checks of literals that the types do not cover: durations, timestamps and patterns must be valid,
 * and all elements of a literal list or map must have one type.
 *
 * <p>Source: {@code cel/validator.go} of cel-go. Unlike for the checker, the dynamic type is one
 * like any other.
 */
final class LiteralChecks {

  private final CheckedExpression checked;
  private final Unicode unicode;
  private final Problems problems;
  private final TimeCheck time;

  private LiteralChecks(
      CheckedExpression checked, Unicode unicode, Problems problems, TimeCheck time) {
    this.checked = checked;
    this.unicode = unicode;
    this.problems = problems;
    this.time = time;
  }

  static void check(CheckedExpression checked, Unicode unicode, Problems problems, TimeCheck time) {
    new LiteralChecks(checked, unicode, problems, time).visit(checked.expression(), false);
  }

  /** Visits a node; elements can have several types if {@code mixed}, as in {@code format}. */
  private void visit(CelExpr expr, boolean mixed) {
    switch (expr.getKind()) {
      case SELECT -> visit(expr.select().operand(), mixed);
      case CALL -> {
        call(expr.call(), mixed);
        FormatChecks.check(checked, expr, problems);
      }
      case LIST -> {
        if (!mixed) {
          list(expr.list());
        }
        expr.list().elements().forEach(element -> visit(element, mixed));
      }
      case MAP -> {
        if (!mixed) {
          map(expr.map().entries());
        }
        for (CelExpr.CelMap.Entry entry : expr.map().entries()) {
          visit(entry.key(), mixed);
          visit(entry.value(), mixed);
        }
      }
      case STRUCT -> {
        for (CelExpr.CelStruct.Entry entry : expr.struct().entries()) {
          visit(entry.value(), mixed);
        }
      }
      case COMPREHENSION -> {
        CelComprehension loop = expr.comprehension();
        visit(loop.iterRange(), mixed);
        visit(loop.accuInit(), mixed);
        visit(loop.loopCondition(), mixed);
        visit(loop.loopStep(), mixed);
        visit(loop.result(), mixed);
      }
      default -> {}
    }
  }

  private void call(CelCall call, boolean mixed) {
    if (!call.args().isEmpty() && call.args().get(0).getKind() == Kind.CONSTANT) {
      literal(call.function(), call.args().get(0));
    }
    boolean mixedInside = mixed || call.function().equals("format");
    call.target().ifPresent(target -> visit(target, mixedInside));
    call.args().forEach(arg -> visit(arg, mixedInside));
  }

  private void literal(String function, CelExpr arg) {
    CelConstant constant = arg.constant();
    boolean valid =
        switch (function) {
          case "duration" -> isDuration(constant);
          case "timestamp" -> isTimestamp(constant);
          case "matches" -> isPattern(constant);
          default -> true;
        };
    if (!valid) {
      problems.add(arg, "invalid %s argument", function);
    }
  }

  private static boolean isDuration(CelConstant constant) {
    return switch (constant.getKind()) {
      case STRING_VALUE -> GoTime.duration(constant.stringValue()) != null;
      case NULL_VALUE -> false;
      default -> true;
    };
  }

  private static boolean isTimestamp(CelConstant constant) {
    return switch (constant.getKind()) {
      case STRING_VALUE -> {
        Instant timestamp = GoTime.timestamp(constant.stringValue());
        yield timestamp != null && GoTime.isTimestamp(timestamp.getEpochSecond());
      }
      case INT64_VALUE -> GoTime.isTimestamp(constant.int64Value());
      case NULL_VALUE -> false;
      default -> true;
    };
  }

  private boolean isPattern(CelConstant constant) {
    if (constant.getKind() != CelConstant.Kind.STRING_VALUE) {
      return true;
    }
    try {
      Regex.check(constant.stringValue(), unicode, time);
      return true;
    } catch (RegexSyntaxException e) {
      return false;
    }
  }

  /** Complains about the first element only. */
  private void list(CelList list) {
    CelType wanted = null;
    BitSet optionals = Checker.optionals(list);
    for (int i = 0; i < list.elements().size(); i++) {
      CelExpr element = list.elements().get(i);
      CelType type = type(element, optionals.get(i));
      if (wanted != null && !areSame(wanted, type)) {
        mismatch(element, wanted, type);
        return;
      }
      wanted = wanted == null ? type : wanted;
    }
  }

  private void map(List<CelExpr.CelMap.Entry> entries) {
    CelType keys = null;
    CelType values = null;
    for (CelExpr.CelMap.Entry entry : entries) {
      keys = same(keys, entry.key(), type(entry.key(), false));
      values = same(values, entry.value(), type(entry.value(), entry.optionalEntry()));
    }
  }

  private CelType same(@Nullable CelType wanted, CelExpr element, CelType type) {
    if (wanted != null && !areSame(wanted, type)) {
      mismatch(element, wanted, type);
    }
    return wanted == null ? type : wanted;
  }

  private CelType type(CelExpr element, boolean optional) {
    CelType type = checked.type(element);
    return optional && type instanceof OptionalType ? type.parameters().get(0) : type;
  }

  private static boolean areSame(CelType type1, CelType type2) {
    return type1.equals(type2)
        || TypeSubstitution.withoutNull(type1).equals(TypeSubstitution.withoutNull(type2));
  }

  private void mismatch(CelExpr element, CelType wanted, CelType found) {
    problems.add(
        element, "expected type '%s' but found '%s'", TypeNames.of(wanted), TypeNames.of(found));
  }
}
