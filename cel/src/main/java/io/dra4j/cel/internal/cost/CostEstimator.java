package io.dra4j.cel.internal.cost;

import dev.cel.common.ast.CelConstant;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.ast.CelExpr.CelCall;
import dev.cel.common.ast.CelExpr.CelComprehension;
import dev.cel.common.ast.CelExpr.CelSelect;
import dev.cel.common.ast.CelExpr.ExprKind.Kind;
import dev.cel.common.types.CelKind;
import dev.cel.common.types.CelType;
import dev.cel.common.types.OptionalType;
import io.dra4j.cel.internal.check.CheckedExpression;
import io.dra4j.cel.internal.library.Argument;
import io.dra4j.cel.internal.library.CallEstimate;
import io.dra4j.cel.internal.library.DeclaredSize;
import io.dra4j.cel.internal.library.Dialect;
import io.dra4j.cel.internal.library.Estimate;
import io.dra4j.cel.internal.library.FieldPath;
import io.dra4j.cel.internal.library.FunctionCost;
import io.dra4j.cel.internal.library.FunctionLibrary;
import io.dra4j.cel.internal.library.Functions;
import io.dra4j.cel.internal.library.OperatorFunctions;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Estimates the maximum cost of an expression, in the units of the API server, before it is
 * evaluated. The result equals the result of {@code checker/cost.go} of cel-go, with the rules of
 * each function, which are declared with its implementation. For one expression.
 */
public final class CostEstimator {

  private static final Estimate SELECT = Estimate.ONE;
  private static final Estimate CREATE_LIST = Estimate.fixed(10);
  private static final Estimate CREATE_MAP = Estimate.fixed(30);
  private static final Estimate CREATE_MESSAGE = Estimate.fixed(40);
  private static final Estimate NOTHING_YET = new Estimate(Estimate.MAX, 0);

  private final CheckedExpression checked;
  private final FunctionLibrary library;
  private final @Nullable FieldPath[] paths;
  private final @Nullable Estimate[] sizes;
  private final @Nullable EntrySize[] entrySizes;
  private final Map<String, Deque<Local>> locals = new HashMap<>();

  /**
   * The sizes of the elements of a list or a map.
   *
   * @param isList a list or else a map
   * @param key of the keys
   * @param value of the values or elements
   */
  private record EntrySize(boolean isList, Estimate key, Estimate value) {

    static @Nullable EntrySize union(@Nullable EntrySize a, @Nullable EntrySize b) {
      return a == null || b == null
          ? null
          : new EntrySize(a.isList, a.key.union(b.key), a.value.union(b.value));
    }
  }

  private record Local(FieldPath path, @Nullable Estimate size, @Nullable EntrySize entrySize) {}

  private CostEstimator(CheckedExpression checked, FunctionLibrary library) {
    this.checked = checked;
    this.library = library;
    this.paths = new FieldPath[checked.nodes()];
    this.sizes = new Estimate[checked.nodes()];
    this.entrySizes = new EntrySize[checked.nodes()];
  }

  /** Estimates the minimum and the maximum cost of an evaluation. */
  public static Estimate estimate(CheckedExpression checked, FunctionLibrary library) {
    return estimate(checked, library, Dialect.KUBERNETES);
  }

  /** Estimates the same by the rules of a dialect. */
  public static Estimate estimate(
      CheckedExpression checked, FunctionLibrary library, Dialect dialect) {
    return dialect.sparesFailures()
        ? new NestedCostEstimator(checked, library).cost(checked.expression())
        : new CostEstimator(checked, library).cost(checked.expression());
  }

  private Estimate cost(CelExpr expr) {
    return switch (expr.getKind()) {
      case CONSTANT, NOT_SET -> Estimate.ZERO;
      case IDENT -> ident(expr);
      case SELECT -> select(expr, expr.select());
      case CALL -> call(expr, expr.call());
      case LIST -> list(expr);
      case MAP -> map(expr);
      case STRUCT -> {
        Estimate sum = Estimate.ZERO;
        for (CelExpr.CelStruct.Entry entry : expr.struct().entries()) {
          sum = sum.plus(cost(entry.value()));
        }
        yield sum.plus(CREATE_MESSAGE);
      }
      case COMPREHENSION -> {
        CelComprehension loop = expr.comprehension();
        yield isBinding(loop) ? binding(expr, loop) : comprehension(expr, loop);
      }
    };
  }

  private Estimate ident(CelExpr expr) {
    Local local = local(expr.ident().name());
    paths[id(expr)] = local == null ? FieldPath.of(expr.ident().name()) : local.path();
    return SELECT;
  }

  /** A presence test has no cost of its own. */
  private Estimate select(CelExpr expr, CelSelect select) {
    Estimate sum = cost(select.operand());
    if (select.testOnly()) {
      return sum;
    }
    CelKind kind = checked.type(select.operand()).kind();
    if (kind == CelKind.MAP || kind == CelKind.STRUCT) {
      sum = sum.plus(SELECT);
    }
    paths[id(expr)] = path(select.operand()).append(select.field());
    return sum;
  }

  private Estimate call(CelExpr expr, CelCall call) {
    if (call.function().equals("dyn")) {
      return dyn(expr, call.args().get(0));
    }
    List<Argument> args = new ArrayList<>(call.args().size());
    List<Estimate> costs = new ArrayList<>(call.args().size());
    for (CelExpr arg : call.args()) {
      costs.add(cost(arg));
      args.add(argument(arg));
    }
    List<String> overloads = checked.overloads(expr);
    if (overloads.isEmpty()) {
      return Estimate.ZERO;
    }
    Estimate sum = Estimate.ZERO;
    Argument target = null;
    if (call.target().isPresent()) {
      sum = cost(call.target().get());
      target = argument(call.target().get());
    }
    Estimate functionCost = NOTHING_YET;
    Estimate resultSize = null;
    for (String overload : overloads) {
      CallEstimate callCost = overload(expr, call.function(), overload, target, args, costs);
      functionCost = functionCost.union(callCost.cost());
      Estimate size = callCost.resultSize();
      if (size != null) {
        resultSize = resultSize == null ? size : resultSize.union(size);
      }
      if (overload.equals("index_list") || overload.equals("index_map")) {
        resultSize = element(expr, call.args().get(0), overload);
      }
      if (resultSize == null) {
        resultSize = size(expr);
      }
    }
    setSize(expr, resultSize);
    return sum.plus(functionCost);
  }

  private Estimate dyn(CelExpr expr, CelExpr arg) {
    Estimate sum = cost(arg).plus(Estimate.ONE);
    copySizes(expr, arg);
    return sum;
  }

  /** Sets the path of an element of a list or map, and returns its size. */
  private @Nullable Estimate element(CelExpr expr, CelExpr container, String overload) {
    EntrySize entries = entrySize(container);
    paths[id(expr)] = path(container).append(overload.equals("index_list") ? "@items" : "@values");
    return entries == null ? null : entries.value();
  }

  /** Returns the cost of a call, including its arguments. */
  private CallEstimate overload(
      CelExpr expr,
      String function,
      String overload,
      @Nullable Argument target,
      List<Argument> args,
      List<Estimate> costs) {
    if (overload.equals("logical_or") || overload.equals("logical_and")) {
      Estimate left = costs.get(0);
      return new CallEstimate(new Estimate(left.min(), left.plus(costs.get(1)).max()));
    } else if (overload.equals("conditional")) {
      EntrySize entries =
          EntrySize.union(entrySize(args.get(1).expr()), entrySize(args.get(2).expr()));
      setEntrySize(expr, entries);
      return new CallEstimate(
          costs.get(0).plus(costs.get(1).union(costs.get(2))),
          args.get(1).sizeOrUnknown().union(args.get(2).sizeOrUnknown()));
    }
    Estimate sum = Estimate.ZERO;
    for (Estimate cost : costs) {
      sum = sum.plus(cost);
    }
    CallEstimate cost = call(function, overload, target, args);
    if (overload.equals("add_list")
        || overload.equals("add_string")
        || overload.equals("add_bytes")) {
      EntrySize entries =
          EntrySize.union(entrySize(args.get(0).expr()), entrySize(args.get(1).expr()));
      setEntrySize(expr, entries);
    }
    return new CallEstimate(cost.cost().plus(sum), cost.resultSize());
  }

  /** Returns the cost of a call without its arguments. */
  private CallEstimate call(
      String function, String overload, @Nullable Argument target, List<Argument> args) {
    List<Argument> all = args;
    if (target != null) {
      all = new ArrayList<>();
      all.add(target);
      all.addAll(args);
    }
    if (Functions.isOperator(function)) {
      return OperatorFunctions.estimate(function, overload, all);
    }
    FunctionCost cost = library.cost(overload);
    return cost == null ? CallEstimate.ONE : cost.estimate().of(all);
  }

  private Estimate list(CelExpr expr) {
    List<CelExpr> elements = expr.list().elements();
    Estimate sum = CREATE_LIST;
    Estimate size = elements.isEmpty() ? Estimate.ZERO : NOTHING_YET;
    for (CelExpr element : elements) {
      sum = sum.plus(cost(element));
      size = size.union(sizeOrUnknown(element));
    }
    setEntrySize(expr, new EntrySize(true, Estimate.ONE, size));
    return sum;
  }

  private Estimate map(CelExpr expr) {
    List<CelExpr.CelMap.Entry> entries = expr.map().entries();
    Estimate sum = CREATE_MAP;
    Estimate keys = entries.isEmpty() ? Estimate.ZERO : NOTHING_YET;
    Estimate values = keys;
    for (CelExpr.CelMap.Entry entry : entries) {
      sum = sum.plus(cost(entry.key())).plus(cost(entry.value()));
      keys = keys.union(sizeOrUnknown(entry.key()));
      values = values.union(sizeOrUnknown(entry.value()));
    }
    setEntrySize(expr, new EntrySize(false, keys, values));
    return sum;
  }

  /** {@code cel.bind} and its like: an empty loop whose accumulator is the variable. */
  public static boolean isBinding(CelComprehension loop) {
    return loop.iterRange().getKind() == Kind.LIST
        && loop.iterRange().list().elements().isEmpty()
        && loop.loopCondition().getKind() == Kind.CONSTANT
        && loop.loopCondition().constant().equals(CelConstant.ofValue(false))
        && !loop.accuVar().equals("__result__");
  }

  private Estimate binding(CelExpr expr, CelComprehension loop) {
    Estimate sum = cost(loop.iterRange()).plus(cost(loop.accuInit()));
    pushVariable(loop.accuVar(), loop.accuInit());
    sum = sum.plus(cost(loop.result()));
    pop(loop.accuVar());
    copySizes(expr, loop.result());
    return sum;
  }

  private Estimate comprehension(CelExpr expr, CelComprehension loop) {
    Estimate sum = cost(loop.iterRange()).plus(cost(loop.accuInit()));
    pushVariable(loop.accuVar(), loop.accuInit());
    boolean two = !loop.iterVar2().isEmpty();
    CelExpr range = loop.iterRange();
    if (two) {
      pushElement(loop.iterVar(), range, isList(range) ? "@indices" : "@keys", false);
      pushElement(loop.iterVar2(), range, isList(range) ? "@items" : "@values", true);
    } else if (isList(range)) {
      pushElement(loop.iterVar(), range, "@items", true);
    } else {
      pushElement(loop.iterVar(), range, "@keys", false);
    }
    Estimate round = cost(loop.loopCondition());
    round = cost(loop.loopStep()).plus(round);
    pop(loop.iterVar());
    if (two) {
      pop(loop.iterVar2());
    }
    sum = sum.plus(cost(loop.result()));
    pop(loop.accuVar());
    Estimate rounds = sizeOrUnknown(range);
    sum = sum.plus(rounds.times(round));
    switch (loop.accuInit().getKind()) {
      case CONSTANT -> setSize(expr, size(loop.accuInit()));
      case LIST, MAP -> {
        setSize(expr, rounds);
        setEntrySize(expr, entrySize(loop.loopStep()));
      }
      default -> {}
    }
    return sum;
  }

  private boolean isList(CelExpr range) {
    EntrySize entries = entrySize(range);
    return entries == null ? checked.type(range).kind() == CelKind.LIST : entries.isList();
  }

  private void pushElement(String name, CelExpr range, String element, boolean value) {
    EntrySize entries = entrySize(range);
    Estimate size = entries == null ? null : value ? entries.value() : entries.key();
    push(name, new Local(path(range).append(element), size, null));
  }

  private void pushVariable(String name, CelExpr init) {
    EntrySize entries = entrySize(init);
    push(name, new Local(path(init), size(init), entries));
  }

  private void push(String name, Local local) {
    locals.computeIfAbsent(name, n -> new ArrayDeque<>()).push(local);
  }

  private void pop(String name) {
    Deque<Local> stack = locals.get(name);
    if (stack != null) {
      stack.pop();
    }
  }

  private @Nullable Local local(String name) {
    Deque<Local> stack = locals.get(name);
    return stack == null ? null : stack.peek();
  }

  private @Nullable Local local(CelExpr expr) {
    return expr.getKind() == Kind.IDENT ? local(expr.ident().name()) : null;
  }

  private FieldPath path(CelExpr expr) {
    Local local = local(expr);
    if (local != null) {
      return local.path();
    }
    FieldPath path = paths[id(expr)];
    return path == null ? FieldPath.EMPTY : path;
  }

  private Argument argument(CelExpr expr) {
    FieldPath path = path(expr);
    if (path.length() > 0 && isAccumulator(path.get(0))) {
      path = FieldPath.EMPTY;
    }
    return new Argument(expr, checked.type(expr), path, size(expr));
  }

  private static boolean isAccumulator(String name) {
    return name.equals("__result__") || name.equals("@result");
  }

  private Estimate sizeOrUnknown(CelExpr expr) {
    Estimate size = size(expr);
    return size == null ? Estimate.UNKNOWN : size;
  }

  private @Nullable Estimate size(CelExpr expr) {
    Estimate known = sizes[id(expr)];
    if (known == null) {
      known = sizeOfLiteral(expr);
    }
    if (known == null) {
      known = DeclaredSize.of(path(expr));
      sizes[id(expr)] = known;
    }
    if (known == null && isScalar(checked.type(expr))) {
      known = Estimate.ONE;
    }
    if (known == null) {
      Local local = local(expr);
      known = local == null ? null : local.size();
    }
    return known;
  }

  private static @Nullable Estimate sizeOfLiteral(CelExpr expr) {
    return switch (expr.getKind()) {
      case CONSTANT -> sizeOfConstant(expr.constant());
      case LIST -> Estimate.fixed(expr.list().elements().size());
      case MAP -> Estimate.fixed(expr.map().entries().size());
      default -> null;
    };
  }

  static Estimate sizeOfConstant(CelConstant constant) {
    return switch (constant.getKind()) {
      case STRING_VALUE -> {
        String text = constant.stringValue();
        yield Estimate.fixed(text.codePointCount(0, text.length()));
      }
      case BYTES_VALUE -> Estimate.fixed(constant.bytesValue().size());
      default -> Estimate.ONE;
    };
  }

  private static boolean isScalar(CelType type) {
    return switch (type.kind()) {
      case BOOL, DOUBLE, DURATION, INT, TIMESTAMP, UINT -> true;
      default -> type instanceof OptionalType && isScalar(type.parameters().get(0));
    };
  }

  private void setSize(CelExpr expr, @Nullable Estimate size) {
    if (size != null) {
      sizes[id(expr)] = size;
    }
  }

  private @Nullable EntrySize entrySize(@Nullable CelExpr expr) {
    if (expr == null) {
      return null;
    }
    EntrySize known = entrySizes[id(expr)];
    Local local = known == null ? local(expr) : null;
    return local == null ? known : local.entrySize();
  }

  private void setEntrySize(CelExpr expr, @Nullable EntrySize size) {
    if (size != null) {
      entrySizes[id(expr)] = size;
    }
  }

  private void copySizes(CelExpr to, CelExpr from) {
    setSize(to, size(from));
    setEntrySize(to, entrySize(from));
  }

  private static int id(CelExpr expr) {
    return (int) expr.id();
  }
}
