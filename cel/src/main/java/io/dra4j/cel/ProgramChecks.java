package io.dra4j.cel;

import dev.cel.common.ast.CelExpr;
import dev.cel.common.ast.CelExpr.CelCall;
import dev.cel.common.ast.CelExpr.CelComprehension;
import dev.cel.common.types.CelKind;
import io.dra4j.model.SelectorException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Refuses what the checker of cel-go accepts, but {@code interpreter/planner.go} makes no program
 * of: variables that hold types, and constants that cannot be keys.
 */
final class ProgramChecks {

  /** They are carried out early where the argument is constant. */
  private static final Set<String> CONVERSIONS =
      Set.of(
          "bool",
          "bytes",
          "double",
          "duration",
          "dyn",
          "int",
          "string",
          "timestamp",
          "type",
          "uint");

  private final CheckedExpression checked;

  private ProgramChecks(CheckedExpression checked) {
    this.checked = checked;
  }

  static void check(CheckedExpression checked) throws SelectorException {
    new ProgramChecks(checked).visit(checked.expression());
  }

  private void visit(CelExpr expr) throws SelectorException {
    switch (expr.getKind()) {
      case IDENT -> {
        String name = expr.ident().name();
        if (checked.type(expr).kind() == CelKind.TYPE && !Environment.isType(name)) {
          throw new SelectorException(
              "program instantiation failed: reference to undefined type: " + name);
        }
      }
      case SELECT -> visit(expr.select().operand());
      case CALL -> call(expr.call());
      case LIST -> {
        for (CelExpr element : expr.list().elements()) {
          visit(element);
        }
      }
      case MAP -> {
        for (CelExpr.CelMap.Entry entry : expr.map().entries()) {
          visit(entry.key());
          visit(entry.value());
        }
      }
      case STRUCT -> {
        for (CelExpr.CelStruct.Entry entry : expr.struct().entries()) {
          visit(entry.value());
        }
      }
      case COMPREHENSION -> {
        CelComprehension loop = expr.comprehension();
        visit(loop.accuInit());
        visit(loop.iterRange());
        visit(loop.loopCondition());
        visit(loop.loopStep());
        visit(loop.result());
      }
      default -> {}
    }
  }

  private void call(CelCall call) throws SelectorException {
    if (call.target().isPresent()) {
      visit(call.target().get());
    }
    for (CelExpr arg : call.args()) {
      visit(arg);
    }
    if (call.function().equals("_[_]") || call.function().equals("_[?_]")) {
      CelKind kind = constant(call.args().get(1));
      if (kind != null) {
        switch (kind) {
          case BOOL, DOUBLE, INT, STRING, UINT -> {}
          default ->
              throw new SelectorException(
                  "program instantiation failed: invalid qualifier type: " + name(kind));
        }
      }
    }
  }

  /** Returns the kind of a value that is known before the program runs, or else null. */
  private @Nullable CelKind constant(CelExpr expr) {
    CelKind kind = checked.type(expr).kind();
    return switch (expr.getKind()) {
      case CONSTANT -> kind;
      case IDENT -> kind == CelKind.TYPE ? kind : null;
      case LIST -> {
        for (CelExpr element : expr.list().elements()) {
          if (constant(element) == null) {
            yield null;
          }
        }
        yield kind;
      }
      case MAP -> {
        for (CelExpr.CelMap.Entry entry : expr.map().entries()) {
          if (constant(entry.key()) == null || constant(entry.value()) == null) {
            yield null;
          }
        }
        yield kind;
      }
      case CALL -> constant(expr, expr.call());
      default -> null;
    };
  }

  private @Nullable CelKind constant(CelExpr expr, CelCall call) {
    if (call.target().isPresent()
        || call.args().size() != 1
        || !CONVERSIONS.contains(call.function())) {
      return null;
    }
    CelKind argument = constant(call.args().get(0));
    return argument == null || call.function().equals("dyn") ? argument : checked.type(expr).kind();
  }

  private static String name(CelKind kind) {
    return switch (kind) {
      case LIST -> "*types.baseList";
      case MAP -> "*types.baseMap";
      case NULL_TYPE -> "types.Null";
      case BYTES -> "types.Bytes";
      case TYPE -> "*types.Type";
      case DURATION -> "types.Duration";
      case TIMESTAMP -> "types.Timestamp";
      default -> kind.toString();
    };
  }
}
