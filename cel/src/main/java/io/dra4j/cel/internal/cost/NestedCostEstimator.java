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
import dev.cel.common.types.SimpleType;
import io.dra4j.cel.internal.check.CheckedExpression;
import io.dra4j.cel.internal.library.Argument;
import io.dra4j.cel.internal.library.CallEstimate;
import io.dra4j.cel.internal.library.DeclaredSize;
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
 * Estimates the maximum cost of an expression as Kubernetes 1.38 does: by {@code common/cost} of
 * cel-go 0.33, with version 0 of its model. Unlike {@link CostEstimator}, it tracks the sizes of
 * elements of lists and maps at any depth. For one expression.
 */
final class NestedCostEstimator {

  private static final Estimate SELECT = Estimate.ONE;
  private static final Estimate CREATE_LIST = Estimate.fixed(10);
  private static final Estimate CREATE_MAP = Estimate.fixed(30);
  private static final Estimate CREATE_MESSAGE = Estimate.fixed(40);
  private static final Estimate NOTHING_YET = new Estimate(Estimate.MAX, 0);
  private static final double TWO_TO_64 = 0x1p64;
  private static final int DEEPEST_DYNAMIC_PATH = 32;

  /** The number of characters of a string per unit of cost. */
  private static final int TEXT = 10;

  /** Of a regular expression. */
  private static final int REGEX = 4;

  private final CheckedExpression checked;
  private final FunctionLibrary library;
  private final @Nullable FieldPath[] paths;
  private final @Nullable NestedSize[] sizes;
  private final Map<String, Deque<Local>> locals = new HashMap<>();

  private record Local(FieldPath path, @Nullable NestedSize size) {}

  /**
   * What a call costs, and how large its result is.
   *
   * @param cost with that of its arguments
   * @param result the size of the result, if its function says it
   */
  private record Outcome(Estimate cost, @Nullable NestedSize result) {}

  NestedCostEstimator(CheckedExpression checked, FunctionLibrary library) {
    this.checked = checked;
    this.library = library;
    this.paths = new FieldPath[checked.nodes()];
    this.sizes = new NestedSize[checked.nodes()];
  }

  Estimate cost(CelExpr expr) {
    return switch (expr.getKind()) {
      case CONSTANT, NOT_SET -> Estimate.ZERO;
      case IDENT -> ident(expr);
      case SELECT -> select(expr, expr.select());
      case CALL -> call(expr, expr.call());
      case LIST -> {
        Estimate sum = CREATE_LIST;
        for (CelExpr element : expr.list().elements()) {
          sum = sum.plus(cost(element));
        }
        yield sum;
      }
      case MAP -> {
        Estimate sum = CREATE_MAP;
        for (CelExpr.CelMap.Entry entry : expr.map().entries()) {
          sum = sum.plus(cost(entry.key())).plus(cost(entry.value()));
        }
        yield sum;
      }
      case STRUCT -> {
        Estimate sum = CREATE_MESSAGE;
        for (CelExpr.CelStruct.Entry entry : expr.struct().entries()) {
          sum = sum.plus(cost(entry.value()));
        }
        yield sum;
      }
      case COMPREHENSION -> {
        CelComprehension loop = expr.comprehension();
        yield CostEstimator.isBinding(loop) ? binding(expr, loop) : comprehension(expr, loop);
      }
    };
  }

  private Estimate ident(CelExpr expr) {
    Local local = local(expr);
    paths[id(expr)] = local == null ? FieldPath.of(expr.ident().name()) : local.path();
    return SELECT;
  }

  private Estimate select(CelExpr expr, CelSelect select) {
    Estimate own = select.testOnly() ? branchQualification(select.operand()) : SELECT;
    Estimate sum = own.plus(cost(select.operand()));
    FieldPath target = path(select.operand());
    if (target.length() > 0) {
      paths[id(expr)] = target.append(select.field());
    }
    return sum;
  }

  /** A presence test has no cost of its own, except at the branch of a conditional. */
  private static Estimate branchQualification(CelExpr operand) {
    CelExpr root = chainRoot(operand);
    if (!isCallOf(root, "_?_:_")) {
      return Estimate.ZERO;
    }
    List<CelExpr> args = root.call().args();
    return branch(args.get(1)).union(branch(args.get(2)));
  }

  private static Estimate branch(CelExpr expr) {
    return isChain(expr) && !isPresenceTest(expr) ? branchQualification(expr) : SELECT;
  }

  /** Returns where a chain of selections and indexes begins. */
  private static CelExpr chainRoot(CelExpr expr) {
    CelExpr root = expr;
    while (true) {
      if (root.getKind() == Kind.SELECT && !isPresenceTest(root)) {
        root = root.select().operand();
      } else if (isIndex(root)) {
        root = root.call().args().get(0);
      } else {
        return root;
      }
    }
  }

  private static boolean isChain(CelExpr expr) {
    return expr.getKind() == Kind.IDENT
        || expr.getKind() == Kind.SELECT
        || isIndex(expr)
        || isCallOf(expr, "_?_:_");
  }

  private static boolean isPresenceTest(CelExpr expr) {
    return expr.getKind() == Kind.SELECT && expr.select().testOnly();
  }

  private static boolean isIndex(CelExpr expr) {
    return isCallOf(expr, "_[_]") || isCallOf(expr, "_[?_]") || isCallOf(expr, "_?._");
  }

  private static boolean isCallOf(CelExpr expr, String function) {
    return expr.getKind() == Kind.CALL && expr.call().function().equals(function);
  }

  private Estimate call(CelExpr expr, CelCall call) {
    if (call.function().equals("dyn")) {
      CelExpr arg = call.args().get(0);
      Estimate sum = cost(arg).plus(Estimate.ONE);
      setSize(expr, size(arg));
      return sum;
    }
    List<Estimate> costs = new ArrayList<>(call.args().size());
    for (CelExpr arg : call.args()) {
      costs.add(cost(arg));
    }
    List<String> overloads = checked.overloads(expr);
    if (overloads.isEmpty()) {
      return sum(costs).plus(Estimate.ONE);
    }
    List<Argument> all = new ArrayList<>(costs.size() + 1);
    Estimate sum = Estimate.ZERO;
    if (call.target().isPresent()) {
      sum = cost(call.target().get());
    }
    List<CelExpr> operands = new ArrayList<>(costs.size() + 1);
    call.target().ifPresent(operands::add);
    operands.addAll(call.args());
    for (CelExpr operand : operands) {
      all.add(argument(operand));
    }
    Estimate functionCost = NOTHING_YET;
    NestedSize resultSize = null;
    for (String overload : overloads) {
      Outcome outcome = overload(call.function(), overload, operands, all, costs);
      functionCost = functionCost.union(outcome.cost());
      if (overload.equals("index_list") || overload.equals("index_map")) {
        setElementPath(expr, call.args().get(0), overload);
      }
      NestedSize result = outcome.result() == null ? size(expr) : outcome.result();
      resultSize = NestedSize.join(resultSize, result);
    }
    setSize(expr, resultSize);
    return sum.plus(functionCost);
  }

  private void setElementPath(CelExpr expr, CelExpr container, String overload) {
    FieldPath path = path(container);
    if (path.length() > 0) {
      paths[id(expr)] = path.append(overload.equals("index_list") ? "@items" : "@values");
    }
  }

  private Outcome overload(
      String function,
      String overload,
      List<CelExpr> operands,
      List<Argument> all,
      List<Estimate> costs) {
    if (overload.equals("logical_or") || overload.equals("logical_and")) {
      Estimate left = costs.get(0);
      return new Outcome(new Estimate(left.min(), left.plus(costs.get(1)).max()), null);
    } else if (overload.equals("conditional")) {
      List<CelExpr> branches = operands.subList(1, 3);
      Estimate bounds = bounds(branches.get(0)).union(bounds(branches.get(1)));
      return new Outcome(
          costs.get(0).plus(costs.get(1).union(costs.get(2))), combined(branches, bounds));
    }
    CallEstimate estimate = functionEstimate(function, overload, all);
    return new Outcome(
        estimate.cost().plus(sum(costs)), result(overload, operands, estimate.resultSize()));
  }

  /** Returns the cost of a call without its arguments. */
  private CallEstimate functionEstimate(String function, String overload, List<Argument> all) {
    CallEstimate known;
    if (Functions.isOperator(function)) {
      known = OperatorFunctions.estimate(function, overload, all);
    } else {
      FunctionCost cost = library.cost(overload);
      known = cost == null ? CallEstimate.ONE : cost.estimate().of(all);
    }
    Estimate first = all.isEmpty() ? Estimate.ZERO : all.get(0).sizeOrDeclared();
    Estimate second = all.size() < 2 ? Estimate.ZERO : all.get(1).sizeOrDeclared();
    return new CallEstimate(
        callCost(overload, all, first, second, known), resultSize(overload, first, known));
  }

  /** Returns the cost of a call: the known one, except for some functions. */
  private static Estimate callCost(
      String overload, List<Argument> all, Estimate first, Estimate second, CallEstimate known) {
    return switch (overload) {
      case "string_to_bytes", "bytes_to_string", "strings_quote", "string_format" ->
          parts(first, TEXT);
      case "starts_with_string", "ends_with_string" -> parts(second, TEXT);
      case "add_string", "add_bytes" -> parts(first.plus(second), TEXT);
      case "contains_string" -> parts(first, TEXT).times(parts(second, TEXT));
      case "matches", "matches_string" ->
          parts(first.plus(Estimate.ONE), TEXT).times(parts(second, REGEX));
      case "in_list" -> second;
      case "list_distinct" ->
          first
              .times(first)
              .times(comparison(all.get(0).type()))
              .plus(Estimate.ONE)
              .plus(CREATE_LIST);
      case "list_flatten_int" ->
          isNegative(all.get(1))
              ? first.times(TWO_TO_64).plus(Estimate.ONE).plus(CREATE_LIST)
              : known.cost();
      case "lists_range", "list_reverse" ->
          known.resultSize() == null
              ? known.cost()
              : known.resultSize().plus(Estimate.ONE).plus(CREATE_LIST);
      default -> known.cost();
    };
  }

  private static @Nullable Estimate resultSize(
      String overload, Estimate first, CallEstimate known) {
    return switch (overload) {
      case "url_get_scheme", "url_get_hostname", "url_get_host", "url_get_port", "url_get_query" ->
          first;
      case "url_get_escaped_path" -> first.times(new Estimate(1, 3));
      default -> known.resultSize();
    };
  }

  /** Returns the cost of a comparison of two elements of a list. Texts cost more. */
  private static double comparison(CelType list) {
    CelKind element = parameter(list, 0).kind();
    return element == CelKind.STRING || element == CelKind.BYTES ? 2.1 : 2;
  }

  private static boolean isNegative(Argument argument) {
    CelExpr expr = argument.expr();
    return expr != null
        && expr.getKind() == Kind.CONSTANT
        && expr.constant().getKind() == CelConstant.Kind.INT64_VALUE
        && expr.constant().int64Value() < 0;
  }

  /** Divides both ends and rounds up; what has no bound stays so. */
  private static Estimate parts(Estimate size, int divisor) {
    return new Estimate(parts(size.min(), divisor), parts(size.max(), divisor));
  }

  private static long parts(long size, int divisor) {
    if (size == Estimate.MAX) {
      return size;
    }
    long whole = Long.divideUnsigned(size, divisor);
    return whole * divisor == size ? whole : whole + 1;
  }

  /** Returns the size of a result and of its elements, if the function declares them. */
  private @Nullable NestedSize result(
      String overload, List<CelExpr> operands, @Nullable Estimate bounds) {
    if (overload.equals("index_list") || overload.equals("index_map")) {
      NestedSize container = size(operands.get(0));
      return container == null || container.element() == null
          ? NestedSize.UNKNOWN
          : container.element();
    } else if (bounds == null) {
      return null;
    } else if (overload.startsWith("add_")) {
      return combined(operands, bounds);
    } else if (overload.equals("lists_range")) {
      return new NestedSize(bounds, null, NestedSize.ONE);
    } else if (overload.startsWith("string_replace")) {
      return sizeOrUnknown(operands.get(2)).withBounds(bounds);
    } else if (overload.startsWith("string_split") || overload.startsWith("string_find")) {
      return NestedSize.of(bounds);
    }
    NestedSize first = operands.isEmpty() ? NestedSize.UNKNOWN : sizeOrUnknown(operands.get(0));
    return first.withBounds(bounds);
  }

  /** Returns what values that are put together hold. */
  private NestedSize combined(List<CelExpr> operands, Estimate bounds) {
    NestedSize key = null;
    NestedSize element = null;
    boolean anyKey = false;
    boolean anyElement = false;
    for (CelExpr operand : operands) {
      NestedSize size = sizeOrUnknown(operand);
      anyKey |= size.key() != null;
      anyElement |= size.element() != null;
    }
    for (CelExpr operand : operands) {
      NestedSize size = sizeOrUnknown(operand);
      boolean mayHold = size.bounds().max() != 0;
      boolean unstated = mayHold && !size.holdsKnown() && mayBeContainer(checked.type(operand));
      NestedSize keys = size.key() == null && unstated ? NestedSize.UNKNOWN : size.key();
      boolean unknown = size.element() == null && (unstated || (size.key() != null && mayHold));
      NestedSize elements = unknown ? NestedSize.UNKNOWN : size.element();
      key = anyKey ? NestedSize.join(key, keys) : null;
      element = anyElement ? NestedSize.join(element, elements) : null;
    }
    return new NestedSize(bounds, key, element);
  }

  private static boolean mayBeContainer(CelType type) {
    return switch (type.kind()) {
      case BOOL, DOUBLE, DURATION, INT, NULL_TYPE, TIMESTAMP, UINT, STRING, BYTES -> false;
      default -> true;
    };
  }

  private Estimate binding(CelExpr expr, CelComprehension loop) {
    Estimate sum = cost(loop.iterRange()).plus(cost(loop.accuInit()));
    push(loop.accuVar(), new Local(path(loop.accuInit()), size(loop.accuInit())));
    sum = sum.plus(cost(loop.result()));
    FieldPath path = path(loop.result());
    if (path.length() > 0) {
      paths[id(expr)] = path;
    }
    setSize(expr, size(loop.result()));
    pop(loop.accuVar());
    return sum;
  }

  private Estimate comprehension(CelExpr expr, CelComprehension loop) {
    CelExpr range = loop.iterRange();
    Estimate sum = cost(range).plus(cost(loop.accuInit()));
    push(loop.accuVar(), new Local(path(loop.accuInit()), size(loop.accuInit())));
    boolean two = !loop.iterVar2().isEmpty();
    NestedSize rangeSize = sizeOrUnknown(range);
    boolean isList = checked.type(range).kind() == CelKind.LIST;
    if (two) {
      pushPart(loop.iterVar(), range, isList ? "@indices" : "@keys", isList, rangeSize.key());
      pushPart(loop.iterVar2(), range, isList ? "@items" : "@values", false, rangeSize.element());
    } else if (isList || isDynamicList(range, rangeSize)) {
      pushPart(loop.iterVar(), range, "@items", false, rangeSize.element());
    } else {
      pushPart(loop.iterVar(), range, "@keys", false, rangeSize.key());
    }
    Estimate round = cost(loop.loopCondition());
    round = round.plus(cost(loop.loopStep()));
    NestedSize step = size(loop.loopStep());
    pop(loop.iterVar());
    if (two) {
      pop(loop.iterVar2());
    }
    sum = sum.plus(cost(loop.result()));
    pop(loop.accuVar());
    rangeSize = sizeOrUnknown(range);
    sum = sum.plus(rangeSize.bounds().times(round));
    Kind kind = loop.accuInit().getKind();
    if (kind == Kind.CONSTANT) {
      setSize(expr, size(loop.accuInit()));
    } else if (kind == Kind.LIST || kind == Kind.MAP) {
      setSize(expr, accumulated(loop, rangeSize, step));
    }
    return sum;
  }

  private static NestedSize accumulated(
      CelComprehension loop, NestedSize range, @Nullable NestedSize step) {
    boolean isMap = loop.accuInit().getKind() == Kind.MAP;
    NestedSize key = isMap ? range.key() : null;
    NestedSize element = range.element();
    if (step != null) {
      key = isMap && step.key() != null ? step.key() : key;
      element = step.element() == null ? element : step.element();
    }
    Estimate bounds = range.bounds();
    return new NestedSize(
        isCallOf(loop.loopStep(), "_?_:_") ? new Estimate(0, bounds.max()) : bounds, key, element);
  }

  private boolean isDynamicList(CelExpr range, NestedSize size) {
    return checked.type(range).kind() == CelKind.DYN
        && size.key() == null
        && size.element() != null;
  }

  private void pushPart(
      String name, CelExpr range, String part, boolean isIndex, @Nullable NestedSize size) {
    push(name, new Local(path(range).append(part), isIndex ? NestedSize.ONE : size));
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

  private @Nullable Local local(CelExpr expr) {
    Deque<Local> stack = expr.getKind() == Kind.IDENT ? locals.get(expr.ident().name()) : null;
    return stack == null ? null : stack.peek();
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
    NestedSize size = size(expr);
    return new Argument(expr, checked.type(expr), path(expr), size == null ? null : size.bounds());
  }

  private static Estimate sum(List<Estimate> costs) {
    Estimate sum = Estimate.ZERO;
    for (Estimate cost : costs) {
      sum = sum.plus(cost);
    }
    return sum;
  }

  // ---- Sizes ----

  private NestedSize sizeOrUnknown(CelExpr expr) {
    NestedSize size = size(expr);
    return size == null ? NestedSize.UNKNOWN : size;
  }

  private Estimate bounds(CelExpr expr) {
    return sizeOrUnknown(expr).bounds();
  }

  private void setSize(CelExpr expr, @Nullable NestedSize size) {
    if (size != null) {
      sizes[id(expr)] = size;
    }
  }

  /** What a path declares wins over what is known of a variable. */
  private @Nullable NestedSize size(CelExpr expr) {
    NestedSize size = sizes[id(expr)];
    if (size != null) {
      return size;
    }
    Local local = local(expr);
    if (local != null && local.size() != null) {
      size = declared(path(expr));
      if (size == null) {
        return local.size();
      }
    } else {
      size = size(expr, path(expr), checked.type(expr));
    }
    setSize(expr, size);
    return size;
  }

  /** Returns the size of an element of an expression, which has the type of all elements. */
  private NestedSize size(CelExpr expr, CelType type) {
    NestedSize size = size(expr);
    if (size == null) {
      size = size(expr, FieldPath.EMPTY, type);
    }
    return size == null ? NestedSize.UNKNOWN : size;
  }

  private NestedSize size(FieldPath path, CelType type) {
    NestedSize size = size(null, path, type);
    return size == null ? NestedSize.UNKNOWN : size;
  }

  private @Nullable NestedSize size(@Nullable CelExpr expr, FieldPath path, CelType type) {
    if (expr != null && expr.getKind() == Kind.CONSTANT) {
      return NestedSize.of(CostEstimator.sizeOfConstant(expr.constant()));
    }
    return switch (type.kind()) {
      case LIST -> listSize(expr, path, type);
      case MAP -> mapSize(expr, path, type);
      case DYN, ANY, TYPE_PARAM -> dynamicSize(expr, path, type);
      default -> declaredOrScalar(path, type);
    };
  }

  private @Nullable NestedSize listSize(@Nullable CelExpr expr, FieldPath path, CelType type) {
    CelType elementType = parameter(type, 0);
    NestedSize length = null;
    NestedSize element = null;
    if (expr != null && expr.getKind() == Kind.LIST) {
      List<CelExpr> elements = expr.list().elements();
      List<Integer> optional = expr.list().optionalIndices();
      long max = elements.size();
      for (int i = 0; i < elements.size(); i++) {
        CelExpr value = optional.contains(i) ? optionalValue(elements.get(i)) : elements.get(i);
        if (value == null) {
          max--;
        } else {
          element = NestedSize.join(element, size(value, elementType));
        }
      }
      length = NestedSize.of(new Estimate(elements.size() - optional.size(), max));
    }
    if (length == null) {
      length = declared(path);
    }
    element = part(path, "@items", elementType, element);
    if (length == null && element == null && expr != null) {
      length = NestedSize.UNKNOWN;
    }
    return NestedSize.ofList(length == null ? null : length.bounds(), element);
  }

  /** Returns what an optional element adds to a list, or null for nothing. */
  private static @Nullable CelExpr optionalValue(CelExpr expr) {
    if (expr.getKind() != Kind.CALL || expr.call().target().isPresent()) {
      return expr;
    }
    List<CelExpr> args = expr.call().args();
    return switch (expr.call().function()) {
      case "optional.none" -> args.isEmpty() ? null : expr;
      case "optional.of", "optional.ofNonZeroValue" -> args.size() == 1 ? args.get(0) : expr;
      default -> expr;
    };
  }

  private @Nullable NestedSize mapSize(@Nullable CelExpr expr, FieldPath path, CelType type) {
    CelType keyType = parameter(type, 0);
    CelType valueType = parameter(type, 1);
    NestedSize map = null;
    if (expr != null && expr.getKind() == Kind.MAP) {
      map = literalMapSize(expr.map().entries(), keyType, valueType);
    } else if (expr != null && isCallOf(expr, "cel.@mapInsert")) {
      map = insertedSize(expr.call().args(), type);
    }
    if (map == null) {
      map = declared(path);
    }
    NestedSize key = part(path, "@keys", keyType, map == null ? null : map.key());
    NestedSize value = part(path, "@values", valueType, map == null ? null : map.element());
    if (map == null && key == null && value == null && expr != null) {
      map = NestedSize.UNKNOWN;
    }
    return NestedSize.ofMap(map == null ? null : map.bounds(), key, value);
  }

  private NestedSize literalMapSize(
      List<CelExpr.CelMap.Entry> entries, CelType keyType, CelType valueType) {
    NestedSize key = null;
    NestedSize value = null;
    long min = 0;
    for (CelExpr.CelMap.Entry entry : entries) {
      min += entry.optionalEntry() ? 0 : 1;
      key = NestedSize.join(key, size(entry.key(), keyType));
      value = NestedSize.join(value, size(entry.value(), valueType));
    }
    return new NestedSize(new Estimate(min, entries.size()), key, value);
  }

  private NestedSize insertedSize(List<CelExpr> args, CelType type) {
    NestedSize map = size(args.get(0), type);
    NestedSize more =
        args.size() == 3
            ? new NestedSize(
                Estimate.ONE,
                size(args.get(1), parameter(type, 0)),
                size(args.get(2), parameter(type, 1)))
            : size(args.get(1), type);
    return map.union(more).withBounds(map.bounds().plus(more.bounds()));
  }

  /** What may be anything has the parts that are declared for it. */
  private @Nullable NestedSize dynamicSize(@Nullable CelExpr expr, FieldPath path, CelType type) {
    if (expr != null && expr.getKind() == Kind.LIST) {
      return listSize(expr, path, type);
    } else if (expr != null && expr.getKind() == Kind.MAP) {
      return mapSize(expr, path, type);
    }
    NestedSize base = declaredOrScalar(path, type);
    Estimate bounds = base == null ? null : base.bounds();
    NestedSize item = dynamicPart(path, "@items");
    if (item != null) {
      return NestedSize.ofList(bounds, item);
    }
    NestedSize key = dynamicPart(path, "@keys");
    NestedSize value = dynamicPart(path, "@values");
    return key == null && value == null ? base : NestedSize.ofMap(bounds, key, value);
  }

  private @Nullable NestedSize dynamicPart(FieldPath path, String part) {
    if (path.length() == 0 || path.length() >= DEEPEST_DYNAMIC_PATH) {
      return null;
    }
    FieldPath child = path.copyAnd(part);
    if (declared(child) == null) {
      return null;
    }
    NestedSize size = size(child, SimpleType.DYN);
    return size.isUnknown() ? null : size;
  }

  /** Returns the size of the parts of a container, from what is known of them and its path. */
  private @Nullable NestedSize part(
      FieldPath path, String part, CelType type, @Nullable NestedSize known) {
    NestedSize size = known;
    boolean isOpen = size == null || (size.element() == null && mayHoldParts(type));
    if (isOpen && path.length() > 0) {
      NestedSize found = size(path.copyAnd(part), type);
      if (!found.isUnknown()) {
        size = size == null ? found : found.withBounds(size.bounds());
      }
    }
    return size == null && isScalar(type) ? NestedSize.ONE : size;
  }

  private static boolean mayHoldParts(CelType type) {
    return switch (type.kind()) {
      case LIST, MAP, DYN, ANY, TYPE_PARAM -> true;
      default -> false;
    };
  }

  private static @Nullable NestedSize declaredOrScalar(FieldPath path, CelType type) {
    NestedSize declared = declared(path);
    return declared == null && isScalar(type) ? NestedSize.ONE : declared;
  }

  private static @Nullable NestedSize declared(FieldPath path) {
    Estimate declared = DeclaredSize.of(path);
    return declared == null ? null : NestedSize.of(declared);
  }

  private static CelType parameter(CelType type, int index) {
    return index < type.parameters().size() ? type.parameters().get(index) : SimpleType.DYN;
  }

  /** An optional value within another one has no size that is known. */
  private static boolean isScalar(CelType type) {
    return isPlain(type instanceof OptionalType ? type.parameters().get(0) : type);
  }

  private static boolean isPlain(CelType type) {
    return switch (type.kind()) {
      case BOOL, DOUBLE, DURATION, INT, TIMESTAMP, UINT, TYPE -> true;
      default -> false;
    };
  }

  private static int id(CelExpr expr) {
    return (int) expr.id();
  }
}
