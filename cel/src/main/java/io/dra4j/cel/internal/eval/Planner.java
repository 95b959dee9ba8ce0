package io.dra4j.cel.internal.eval;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import com.google.common.primitives.UnsignedLong;
import dev.cel.common.ast.CelConstant;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.ast.CelExpr.CelCall;
import dev.cel.common.ast.CelExpr.CelComprehension;
import dev.cel.common.ast.CelExpr.CelList;
import dev.cel.common.ast.CelExpr.CelMap;
import dev.cel.common.ast.CelExpr.CelSelect;
import dev.cel.common.ast.CelExpr.CelStruct;
import dev.cel.common.types.CelKind;
import dev.cel.common.types.CelType;
import dev.cel.common.values.NullValue;
import dev.cel.common.values.OpaqueValue;
import io.dra4j.cel.internal.check.CheckedExpression;
import io.dra4j.cel.internal.check.Environment;
import io.dra4j.cel.internal.library.CallCost;
import io.dra4j.cel.internal.library.Dialect;
import io.dra4j.cel.internal.library.FunctionLibrary;
import io.dra4j.cel.internal.library.Functions;
import io.dra4j.cel.internal.library.Implementation;
import io.dra4j.cel.internal.library.OperatorFunctions;
import io.dra4j.cel.internal.message.WellKnownMessage;
import io.dra4j.cel.internal.text.BudgetCheck;
import io.dra4j.cel.internal.text.Patterns;
import io.dra4j.cel.internal.text.Regex;
import io.dra4j.cel.internal.text.RegexSyntaxException;
import io.dra4j.cel.internal.text.TimeCheck;
import io.dra4j.cel.internal.value.Arithmetic;
import io.dra4j.cel.internal.value.EvalError;
import io.dra4j.cel.internal.value.EvaluationAborted;
import io.dra4j.cel.internal.value.Values;
import io.dra4j.common.Budget;
import io.dra4j.common.BudgetExceededException;
import io.dra4j.selector.SelectorException;
import java.time.Duration;
import java.time.temporal.Temporal;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Converts a checked expression to a program, after {@code interpreter/planner.go} and the
 * optimizations of {@code interpreter/decorators.go} of cel-go, which affect the cost.
 */
public final class Planner {

  private static final int MAX_KEPT_TEXT = 1_000;

  /** Larger regular expressions are left to {@link Patterns}, which all selectors share. */
  private static final int MAX_PATTERN = 64 << 10;

  private static final int MAX_PATTERNS = 256 << 10;

  /** The maximum time of a call that is done during planning: some milliseconds. */
  private static final int MAX_LOOKS_AT_CALL = 5;

  /** The maximum time of all these calls together. */
  private static final int MAX_LOOKS = 40;

  /** Functions whose calls with a constant cel-go replaces by the result. */
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

  private static final Set<String> SEARCHES = Set.of("matches", "find", "findAll");

  /** Functions with one implementation for all overloads compute all arguments. */
  private static final Set<String> UNDIVIDED = Set.of("@sortByAssociatedKeys");

  /** A name that a loop declares; inner ones hide outer ones. */
  private record Scope(String name, Node value, @Nullable Scope outer) {}

  private final CheckedExpression checked;
  private final FunctionLibrary library;
  private final AttributeNames names;
  private final Set<String> variables;
  private final Dialect dialect;
  private final Budget budget;
  private final TimeCheck time;
  private final Frame folding;
  private final DeviceReads.Collector reads = new DeviceReads.Collector();
  private @Nullable Scope scope;
  private int locals;
  private int parts; // of the expression
  private int patternBytes;
  private long compiledBytes; // kept or not
  private int looks; // while calls with constants are done
  private int looksAtCall;

  private Planner(
      CheckedExpression checked,
      FunctionLibrary library,
      AttributeNames names,
      Set<String> variables,
      Dialect dialect,
      Budget budget) {
    this.checked = checked;
    this.library = library;
    this.names = names;
    this.variables = variables;
    this.dialect = dialect;
    this.budget = budget;
    this.time = new BudgetCheck(budget);
    this.folding = new Frame(EvaluationLimit.STANDARD, new Patterns(dialect.unicode()), dialect);
  }

  /**
   * Creates a program.
   *
   * @param variables the variables other than {@code device}, or another one of that name
   * @param budget the time that the caller allows
   * @throws SelectorException if cel-go could not
   * @throws BudgetExceededException if a check finds that the budget has expired
   */
  public static Program plan(
      CheckedExpression checked,
      FunctionLibrary library,
      AttributeNames names,
      Set<String> variables,
      Dialect dialect,
      Budget budget)
      throws SelectorException, BudgetExceededException {
    try {
      return new Planner(checked, library, names, variables, dialect, budget).program();
    } catch (BudgetCheck.Over e) {
      throw e.exceeded();
    } catch (EvaluationAborted e) {
      throw failure(e.getMessage());
    }
  }

  private Program program() throws SelectorException {
    Node root = node(checked.expression());
    if (checked.resultType().kind() != CelKind.BOOL || !(root instanceof LogicNodes.Test)) {
      root = new LogicNodes.Result(root);
    }
    return new Program(root, locals, reads.build(), parts, patternBytes);
  }

  private static SelectorException failure(@Nullable String cause) {
    return new SelectorException("program instantiation failed: " + cause);
  }

  private Node node(CelExpr expr) throws SelectorException {
    return plan(expr).build(names, reads);
  }

  private Planned plan(CelExpr expr) throws SelectorException {
    parts++;
    return switch (expr.getKind()) {
      case CONSTANT -> new ValueNodes.Constant(value(expr.constant()));
      case IDENT -> ident(expr, expr.ident().name());
      case SELECT -> select(expr, expr.select());
      case CALL -> call(expr, expr.call());
      case LIST -> list(expr.list());
      case MAP -> map(expr.map());
      case STRUCT -> message(expr.struct());
      case COMPREHENSION -> fold(expr.comprehension());
      default -> throw failure("unsupported expression");
    };
  }

  static Object value(CelConstant constant) {
    return switch (constant.getKind()) {
      case BOOLEAN_VALUE -> constant.booleanValue();
      case INT64_VALUE -> constant.int64Value();
      case UINT64_VALUE -> constant.uint64Value();
      case DOUBLE_VALUE -> constant.doubleValue();
      case STRING_VALUE -> constant.stringValue().intern();
      case BYTES_VALUE -> constant.bytesValue();
      default -> NullValue.NULL_VALUE;
    };
  }

  private Planned ident(CelExpr expr, String written) throws SelectorException {
    if (!written.startsWith(".")) {
      for (Scope inner = scope; inner != null; inner = inner.outer()) {
        if (inner.name().equals(written)) {
          return checked.type(expr).kind() == CelKind.TYPE
              ? new ValueNodes.Constant(type(written)) // cel-go takes it for the name of a type
              : PathPlan.from(inner.value());
        }
      }
    }
    String name = checked.name(expr);
    return named(expr, name == null ? written : name);
  }

  private static CelType type(String name) throws SelectorException {
    CelType type = Environment.typeByName(name);
    if (type == null) {
      throw failure("reference to undefined type: " + name);
    }
    return type;
  }

  private Planned named(CelExpr expr, String written) throws SelectorException {
    String name = written.startsWith(".") ? written.substring(1) : written;
    if (!variables.contains(name)) {
      CelType type = checked.type(expr);
      if (type.kind() == CelKind.TYPE) {
        return new ValueNodes.Constant(type(written)); // there is none with a dot before its name
      } else if (type.kind() == CelKind.ERROR) {
        CelType named = Environment.typeByName(name);
        if (named != null) {
          return new ValueNodes.Constant(named);
        }
      }
      if (name.equals(WellKnownMessage.NULL_VALUE)) {
        return new ValueNodes.Constant(0L);
      } else if (name.equals("device")) {
        return PathPlan.from(new ValueNodes.WholeDevice());
      }
    }
    return PathPlan.from(new ValueNodes.Variable(name));
  }

  private Planned select(CelExpr expr, CelSelect select) throws SelectorException {
    String name = checked.name(expr);
    if (name != null && !select.testOnly()) {
      return named(expr, name);
    }
    PathPlan path = plan(select.operand()).path();
    if (select.testOnly()) {
      return path.add(Qualifier.presence(select.field(), dialect));
    }
    return path.add(
        isMessage(checked.type(select.operand()))
            ? Qualifier.field(select.field(), dialect)
            : Qualifier.constant(select.field(), false, dialect));
  }

  private static boolean isMessage(CelType type) {
    return type.kind() == CelKind.STRUCT && WellKnownMessage.named(type.name()) != null;
  }

  private Planned call(CelExpr expr, CelCall call) throws SelectorException {
    int offset = call.target().isPresent() ? 1 : 0;
    Planned[] planned = new Planned[call.args().size() + offset];
    if (offset == 1) {
      planned[0] = plan(call.target().get());
    }
    for (int i = 0; i < call.args().size(); i++) {
      planned[i + offset] = plan(call.args().get(i));
    }
    String function = call.function();
    switch (function) {
      case "_?_:_" -> {
        return PathPlan.conditional(
            planned[0].build(names, reads),
            planned[1].path(),
            planned[2].path(),
            dialect.sparesFailures() ? 0 : -1);
      }
      case "_[_]" -> {
        return index(planned, false);
      }
      case "_[?_]", "_?._" -> {
        return index(planned, true);
      }
      default -> {}
    }
    Node[] arguments = new Node[planned.length];
    for (int i = 0; i < planned.length; i++) {
      arguments[i] = planned[i].build(names, reads);
    }
    List<String> overloads = checked.overloads(expr);
    String overload = overloads.size() == 1 ? overloads.get(0) : "";
    Node node = operator(function, overload, arguments);
    if (node == null) {
      node = function(function, overload, arguments);
    }
    return folded(function, node, arguments);
  }

  private Planned index(Planned[] planned, boolean optional) throws SelectorException {
    PathPlan path = planned[0].path();
    Planned key = planned[1];
    if (key instanceof ValueNodes.Constant constant) {
      Object value = constant.value();
      if (!(value instanceof String || value instanceof Number || value instanceof Boolean)) {
        throw failure(
            "invalid qualifier type: "
                + (dialect.sparesFailures() ? Values.newerGoType(value) : Values.goType(value)));
      }
      return path.add(Qualifier.constant(value, optional, dialect));
    }
    return path.add(Qualifier.computed(key.buildPart(names, reads), optional, dialect));
  }

  private @Nullable Node operator(String function, String overload, Node[] arguments) {
    if (arguments.length == 2) {
      return binary(function, overload, arguments[0], arguments[1]);
    } else if (arguments.length != 1) {
      return null;
    }
    Node operand = arguments[0];
    return switch (function) {
      case "!_" -> new LogicNodes.Not(operand);
      case "@not_strictly_false", "__not_strictly_false__" ->
          new LogicNodes.NotStrictlyFalse(operand);
      case "-_" -> new OperatorNodes.Unary(Arithmetic::negate, operand);
      case "size" -> new OperatorNodes.Unary(OperatorNodes::size, operand);
      case "type" -> new OperatorNodes.Unary(Values::type, operand);
      case "dyn" -> new OperatorNodes.Unary(value -> value, operand);
      default -> null;
    };
  }

  private @Nullable Node binary(String function, String overload, Node left, Node right) {
    return switch (function) {
      case "_&&_" -> new LogicNodes.And(left, right);
      case "_||_" -> new LogicNodes.Or(left, right);
      case "_==_" -> equal(left, right, false);
      case "_!=_" -> equal(left, right, true);
      case "_<_" -> compare(overload, left, right, -1, false);
      case "_<=_" -> compare(overload, left, right, -1, true);
      case "_>_" -> compare(overload, left, right, 1, false);
      case "_>=_" -> compare(overload, left, right, 1, true);
      case "_+_" -> arithmetic(Arithmetic::add, overload, left, right);
      case "_-_" -> arithmetic(Arithmetic::subtract, overload, left, right);
      case "_*_" -> arithmetic(Arithmetic::multiply, overload, left, right);
      case "_/_" -> arithmetic(Arithmetic::divide, overload, left, right);
      case "_%_" -> arithmetic(Arithmetic::modulo, overload, left, right);
      case "@in", "in", "_in_" -> in(overload, left, right);
      case "or" -> new ValueNodes.OrElse(left, right, false);
      case "orValue" -> new ValueNodes.OrElse(left, right, true);
      default -> null;
    };
  }

  private static Node equal(Node left, Node right, boolean negated) {
    Object constant = ValueNodes.constant(right);
    if (constant instanceof String text) {
      return new ConstantComparisons.EqualText(left, text, negated);
    } else if (constant instanceof Boolean bool) {
      return new ConstantComparisons.EqualBool(left, bool, negated);
    } else if (constant instanceof Long number) {
      return new ConstantComparisons.EqualInt(left, number, negated);
    }
    return new LogicNodes.Equal(left, right, negated);
  }

  private static Node compare(String overload, Node left, Node right, int sign, boolean orEqual) {
    CallCost cost = OperatorFunctions.cost(overload);
    return cost == CallCost.ONE && ValueNodes.constant(right) instanceof Long number
        ? new ConstantComparisons.CompareInt(left, number, sign, orEqual)
        : new LogicNodes.Compare(left, right, sign, orEqual, cost);
  }

  private static Node arithmetic(
      Arithmetic.Operator operator, String overload, Node left, Node right) {
    return new OperatorNodes.Binary(operator, left, right, OperatorFunctions.cost(overload));
  }

  /** A constant list of texts, numbers and truth values becomes a set. */
  private Node in(String overload, Node left, Node right) {
    if (right instanceof PathNodes.Domains domains
        && ValueNodes.constant(left) instanceof String domain) {
      return domains.has(domain, names);
    }
    if (overload.equals("in_list") && ValueNodes.constant(right) instanceof List<?> list) {
      if (list.isEmpty()) {
        return new ValueNodes.Constant(false);
      }
      ImmutableSet<Object> set = set(list);
      if (set != null) {
        return new LogicNodes.InSet(left, set);
      }
    }
    return new LogicNodes.In(left, right, OperatorFunctions.cost(overload));
  }

  private static @Nullable ImmutableSet<Object> set(List<?> list) {
    ImmutableSet.Builder<Object> set = ImmutableSet.builder();
    for (Object element : list) {
      if (element instanceof String || element instanceof Boolean) {
        set.add(element);
      } else if (element instanceof Long number) {
        set.add(number, (double) number);
        if (number >= 0) {
          set.add(UnsignedLong.valueOf(number));
        }
      } else if (element instanceof UnsignedLong number) {
        set.add(number, number.doubleValue());
        if (number.longValue() >= 0) {
          set.add(number.longValue());
        }
      } else if (element instanceof Double number) {
        addDouble(set, number);
      } else {
        return null;
      }
    }
    return set.build();
  }

  private static void addDouble(ImmutableSet.Builder<Object> set, double number) {
    if (Double.isNaN(number)) {
      return;
    }
    set.add(number == 0 ? 0.0 : number);
    if (Math.rint(number) == number) {
      if (number > -0x1p63 && number < 0x1p63) {
        set.add((long) number);
      }
      if (number >= 0 && number < 0x1p64) {
        set.add(Values.toUnsigned(number));
      }
    }
  }

  private Node function(String function, String overload, Node[] arguments)
      throws SelectorException {
    CallCost cost =
        Functions.isOperator(function)
            ? OperatorFunctions.cost(overload)
            : library.callCost(function, overload);
    if (SEARCHES.contains(function) && arguments.length > 1) {
      return search(function, arguments, cost);
    }
    Implementation only = overload.isEmpty() ? null : library.overload(overload);
    Functions.Function declared = Functions.all().get(function);
    boolean stopsAtError =
        overload.equals("string_format")
            || (overload.isEmpty()
                && !UNDIVIDED.contains(function)
                && declared != null
                && declared.overloads().size() > 1);
    ImmutableList<Implementation> reachable =
        only == null ? library.overloads(function) : ImmutableList.of(only);
    return new CallNode(function, reachable, arguments, stopsAtError, cost);
  }

  private Node search(String function, Node[] arguments, CallCost cost) throws SelectorException {
    Regex kept = null;
    boolean constant = false;
    if (ValueNodes.constant(arguments[1]) instanceof String regex) {
      try {
        if (compiledBytes > MAX_PATTERNS) {
          Regex.check(regex, dialect.unicode(), time); // would hardly be kept
        } else {
          Regex known = Regex.compile(regex, dialect.unicode(), time);
          compiledBytes += known.weight();
          if (known.weight() <= MAX_PATTERN && patternBytes + known.weight() <= MAX_PATTERNS) {
            kept = known;
            patternBytes += known.weight();
          }
        }
        constant = true;
      } catch (RegexSyntaxException e) {
        throw failure(e.getMessage());
      }
    }
    Node limit = arguments.length > 2 ? arguments[2] : null;
    return new SearchNode(function, arguments[0], arguments[1], limit, constant, kept, cost);
  }

  /**
   * Evaluates calls with constants at once. cel-go also does so for conversions; another call that
   * takes long is left to the evaluation, which looks at its time.
   */
  private Node folded(String function, Node node, Node[] arguments) throws SelectorException {
    for (Node argument : arguments) {
      if (!(argument instanceof ValueNodes.Constant)) {
        return node;
      }
    }
    if (dialect.folds() && arguments.length == 1 && CONVERSIONS.contains(function)) {
      Object value = evaluate(node);
      if (value instanceof EvalError error) {
        throw failure(error.message());
      }
      return new ValueNodes.Constant(value);
    } else if (!(node instanceof CallNode)) {
      return node;
    }
    if (looks >= MAX_LOOKS) {
      return node;
    }
    looksAtCall = 0;
    try {
      Object value =
          evaluate(node, folding.withBudget(Budget.unlimited().orUntil(this::isTooLong)));
      // Some values are other keys of maps each time they are made.
      return isKept(value)
          ? new ValueNodes.Computed(value, folding.cost(), checked.computesKeys())
          : node;
    } catch (EvaluationAborted e) {
      time.look();
      return node;
    }
  }

  /** Counts looks, and not time: which calls are done does not depend on the machine. */
  private boolean isTooLong() {
    looks++;
    return ++looksAtCall > MAX_LOOKS_AT_CALL || budget.isOver();
  }

  private static boolean isKept(Object value) {
    return value instanceof OpaqueValue
        || value instanceof Boolean
        || value instanceof Number
        || value instanceof EvalError
        || value instanceof Duration
        || value instanceof Temporal
        || (value instanceof String text && text.length() < MAX_KEPT_TEXT);
  }

  /** Computes what has to be computed. Its size is that of the expression. */
  private Object evaluate(Node node) {
    time.look();
    return evaluate(node, folding.withBudget(Budget.unlimited()));
  }

  private Object evaluate(Node node, Frame frame) {
    frame.start(Map.of(), locals);
    return node.eval(frame);
  }

  private Node list(CelList list) throws SelectorException {
    Node[] elements = new Node[list.elements().size()];
    boolean[] optional = new boolean[elements.length];
    boolean constant = true;
    for (int i = 0; i < elements.length; i++) {
      elements[i] = node(list.elements().get(i));
      constant &= elements[i] instanceof ValueNodes.Constant;
    }
    for (int index : list.optionalIndices()) {
      optional[index] = true;
    }
    Node node = new ValueNodes.ListLiteral(elements, optional);
    return constant ? new ValueNodes.Constant(evaluate(node)) : node;
  }

  private Node map(CelMap map) throws SelectorException {
    Node[] keys = new Node[map.entries().size()];
    Node[] values = new Node[keys.length];
    boolean[] optional = new boolean[keys.length];
    boolean constant = true;
    for (int i = 0; i < keys.length; i++) {
      CelMap.Entry entry = map.entries().get(i);
      keys[i] = node(entry.key());
      values[i] = node(entry.value());
      optional[i] = entry.optionalEntry();
      constant &=
          keys[i] instanceof ValueNodes.Constant && values[i] instanceof ValueNodes.Constant;
    }
    Node node = new ValueNodes.MapLiteral(keys, values, optional, dialect.strict());
    return constant ? new ValueNodes.Constant(evaluate(node)) : node;
  }

  private Node message(CelStruct message) throws SelectorException {
    String name = message.messageName();
    String[] fields = new String[message.entries().size()];
    Node[] values = new Node[fields.length];
    boolean[] optional = new boolean[fields.length];
    for (int i = 0; i < fields.length; i++) {
      CelStruct.Entry entry = message.entries().get(i);
      fields[i] = entry.fieldKey();
      values[i] = node(entry.value());
      optional[i] = entry.optionalEntry();
    }
    WellKnownMessage type = WellKnownMessage.named(name);
    return new ValueNodes.MessageLiteral(name, type, fields, values, optional);
  }

  private Node fold(CelComprehension fold) throws SelectorException {
    Node initial = node(fold.accuInit());
    Node range = node(fold.iterRange());
    Scope outer = scope;
    int accumulator = locals;
    int variable = locals + 2;
    int second = fold.iterVar2().isEmpty() ? -1 : locals + 3;
    locals += 4;
    Node accumulated =
        new ValueNodes.Accumulator(
            accumulator, initial, !dialect.sparesFailures() || isOfMacro(fold.accuVar()));
    Scope inside = new Scope(fold.iterVar(), new ValueNodes.Local(variable), outer);
    if (second >= 0) {
      Scope key = new Scope(fold.iterVar2(), new ValueNodes.Local(second), outer);
      inside = new Scope(fold.iterVar(), new ValueNodes.Local(variable), key);
    }
    scope = new Scope(fold.accuVar(), accumulated, inside);
    Node condition = node(fold.loopCondition());
    Node step = node(fold.loopStep());
    scope = new Scope(fold.accuVar(), accumulated, outer);
    Node result = node(fold.result());
    scope = outer;
    if (isAccumulator(result, accumulator) && initial instanceof ValueNodes.Constant constant) {
      Node predicate = predicate(condition, step, accumulator, constant.value());
      if (predicate != null) {
        return new QuantifierNode(
            range, variable, second, predicate, constant.value().equals(false));
      }
    }
    return new FoldNode(range, variable, second, accumulator, condition, step, result);
  }

  /**
   * Returns whether a variable is the result of a loop that a macro makes, and no bound variable.
   */
  private static boolean isOfMacro(String name) {
    return name.equals("@result") || name.equals("__result__");
  }

  /** Returns the condition inside {@code all} or {@code exists}; null for another loop. */
  private static @Nullable Node predicate(
      Node condition, Node step, int accumulator, Object initial) {
    if (!(condition instanceof LogicNodes.NotStrictlyFalse goesOn)) {
      return null;
    }
    Node tested = goesOn.operand();
    if (initial.equals(true)
        && isAccumulator(tested, accumulator)
        && step instanceof LogicNodes.And and
        && isAccumulator(and.left(), accumulator)) {
      return and.right();
    } else if (initial.equals(false)
        && tested instanceof LogicNodes.Not not
        && isAccumulator(not.operand(), accumulator)
        && step instanceof LogicNodes.Or or
        && isAccumulator(or.left(), accumulator)) {
      return or.right();
    }
    return null;
  }

  private static boolean isAccumulator(Node node, int place) {
    return node instanceof ValueNodes.Accumulator accumulator && accumulator.place() == place;
  }
}
