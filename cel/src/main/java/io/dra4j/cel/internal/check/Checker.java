package io.dra4j.cel.internal.check;

import com.google.common.collect.ImmutableList;
import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.ast.CelConstant;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.ast.CelExpr.CelCall;
import dev.cel.common.ast.CelExpr.CelComprehension;
import dev.cel.common.ast.CelExpr.CelList;
import dev.cel.common.ast.CelExpr.CelSelect;
import dev.cel.common.ast.CelExpr.CelStruct;
import dev.cel.common.ast.CelExpr.ExprKind.Kind;
import dev.cel.common.types.CelKind;
import dev.cel.common.types.CelType;
import dev.cel.common.types.ListType;
import dev.cel.common.types.MapType;
import dev.cel.common.types.OptionalType;
import dev.cel.common.types.SimpleType;
import dev.cel.common.types.StructType;
import io.dra4j.cel.internal.check.CheckedExpression.Reference;
import io.dra4j.cel.internal.check.Environment.Structure;
import io.dra4j.cel.internal.library.Functions.Function;
import io.dra4j.cel.internal.library.Functions.Overload;
import io.dra4j.cel.internal.text.TimeCheck;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Finds the types of an expression and the overloads that its calls may reach, by the rules of
 * {@code checker/checker.go} of cel-go: an expression compiles here if and only if it does there.
 * For one expression.
 */
@SuppressWarnings("ReferenceEquality") // shows whether the check replaced a node
final class Checker {

  private static final String OPTIONAL_SELECT = "_?._";
  private static final String SELECT_OVERLOAD = "select_optional_field";

  private final Environment environment;
  private final Problems problems;
  private final TypeSubstitution substitution;
  private @Nullable CelType[] types = new CelType[64];
  private @Nullable Reference[] references = new Reference[64];
  private @Nullable Local locals;
  private boolean computesKeys;

  /** A variable of a loop or of {@code cel.bind}; inner ones hide outer ones. */
  private record Local(String name, CelType type, @Nullable Local outer) {}

  /** A name as the tree has it after the check, and its type. */
  private record Resolved(String name, CelType type) {}

  private Checker(Environment environment, Problems problems, TimeCheck time) {
    this.environment = environment;
    this.problems = problems;
    this.substitution = new TypeSubstitution(time, environment.dialect().sparesFailures());
  }

  /**
   * Checks a parsed expression. The result is of use only if no problem was reported.
   *
   * @param time checked from time to time
   */
  static CheckedExpression check(
      Environment environment, CelAbstractSyntaxTree tree, Problems problems, TimeCheck time) {
    Checker checker = new Checker(environment, problems, time);
    CelExpr expression = checker.check(tree.getExpr());
    IdentityHashMap<CelType, CelType> finished = new IdentityHashMap<>(); // many nodes have one
    for (int i = 0; i < checker.types.length; i++) {
      CelType type = checker.types[i];
      if (type != null) {
        checker.types[i] = finished.computeIfAbsent(type, checker.substitution::finish);
      }
    }
    return new CheckedExpression(
        expression, tree.getSource(), checker.types, checker.references, checker.computesKeys);
  }

  private CelExpr check(CelExpr expr) {
    return switch (expr.getKind()) {
      case CONSTANT -> constant(expr, expr.constant());
      case IDENT -> ident(expr, expr.ident().name());
      case SELECT -> select(expr, expr.select());
      case CALL -> call(expr, expr.call());
      case LIST -> list(expr);
      case MAP -> map(expr);
      case STRUCT -> struct(expr, expr.struct());
      case COMPREHENSION -> comprehension(expr, expr.comprehension());
      case NOT_SET -> throw new IllegalStateException("an empty node");
    };
  }

  private CelExpr constant(CelExpr expr, CelConstant constant) {
    if (constant.getKind() == CelConstant.Kind.DOUBLE_VALUE
        && Double.isInfinite(constant.doubleValue())) {
      problems.addParsed(expr, "invalid double literal");
    }
    setType(
        expr,
        switch (constant.getKind()) {
          case BOOLEAN_VALUE -> SimpleType.BOOL;
          case BYTES_VALUE -> SimpleType.BYTES;
          case DOUBLE_VALUE -> SimpleType.DOUBLE;
          case INT64_VALUE -> SimpleType.INT;
          case NULL_VALUE -> SimpleType.NULL_TYPE;
          case STRING_VALUE -> SimpleType.STRING;
          case UINT64_VALUE -> SimpleType.UINT;
          default -> throw new IllegalStateException("a literal " + constant.getKind());
        });
    return expr;
  }

  private CelExpr ident(CelExpr expr, String name) {
    Resolved resolved = resolve(name, name);
    return resolved == null ? undeclared(expr, name) : toIdent(expr, resolved);
  }

  private CelExpr toIdent(CelExpr expr, Resolved resolved) {
    setType(expr, resolved.type());
    setReference(expr, new Reference(resolved.name(), List.of()));
    return expr.getKind() == Kind.IDENT && expr.ident().name().equals(resolved.name())
        ? expr
        : CelExpr.ofIdent(expr.id(), resolved.name());
  }

  /** Looks up a name. A leading dot skips local variables; it stays in the tree if it skips one. */
  private @Nullable Resolved resolve(String name, String firstPart) {
    Local local = local(firstPart.startsWith(".") ? firstPart.substring(1) : firstPart);
    if (local != null && !firstPart.startsWith(".")) {
      return name.equals(firstPart) ? new Resolved(name, local.type()) : null;
    }
    Environment.Variable variable = environment.variable(name);
    if (variable == null) {
      return null;
    }
    return new Resolved(local == null ? variable.name() : "." + variable.name(), variable.type());
  }

  private @Nullable Local local(String name) {
    for (Local local = locals; local != null; local = local.outer()) {
      if (local.name().equals(name)) {
        return local;
      }
    }
    return null;
  }

  private CelExpr select(CelExpr expr, CelSelect select) {
    if (!select.testOnly()) {
      String name = qualifiedName(expr, false);
      if (name != null) {
        Resolved resolved = resolve(name, name.substring(0, name.indexOf('.', 1)));
        if (resolved != null) {
          return toIdent(expr, resolved);
        } else if (isMistaken(name, name.substring(0, name.lastIndexOf('.')))) {
          return undeclared(expr, name);
        }
      }
    }
    CelExpr operand = check(select.operand());
    CelType type = field(expr, operand, select.field(), false);
    setType(expr, select.testOnly() ? SimpleType.BOOL : substitution.resolve(type));
    return operand == select.operand()
        ? expr
        : CelExpr.ofSelect(expr.id(), operand, select.field(), select.testOnly());
  }

  private static @Nullable String qualifiedName(CelExpr expr, boolean testOnlyToo) {
    if (expr.getKind() == Kind.IDENT) {
      return expr.ident().name();
    }
    if (expr.getKind() != Kind.SELECT || (expr.select().testOnly() && !testOnlyToo)) {
      return null;
    }
    String prefix = qualifiedName(expr.select().operand(), testOnlyToo);
    return prefix == null ? null : prefix + "." + expr.select().field();
  }

  /** Returns the type of a field of a value that is checked already. */
  private CelType field(CelExpr expr, CelExpr operand, String field, boolean optional) {
    CelType operandType = substitution.resolve(type(operand));
    CelType target = unwrapOptional(operandType);
    CelType result =
        switch (target.kind()) {
          case MAP -> ((MapType) target).valueType();
          case STRUCT -> fieldOf(expr, (StructType) target, field);
          case TYPE_PARAM -> {
            // Keeps later uses from binding the variable to something more special.
            substitution.assign(SimpleType.DYN, target);
            yield SimpleType.DYN;
          }
          default -> {
            // Quantities and versions are structures without fields to cel-go.
            if (target.kind() == CelKind.OPAQUE && environment.isStructure(target)) {
              problems.add(expr, "unexpected failed resolution of '%s'", target.name());
              yield SimpleType.ERROR;
            } else if (!TypeSubstitution.isDynOrError(target)) {
              problems.add(
                  expr, "type '%s' does not support field selection", TypeNames.of(target));
            }
            yield SimpleType.DYN;
          }
        };
    return target != operandType || optional ? OptionalType.create(result) : result;
  }

  private CelType fieldOf(CelExpr expr, StructType struct, String field) {
    Optional<StructType.Field> found = struct.findField(field);
    if (found.isEmpty()) {
      problems.add(expr, "undefined field '%s'", field);
      return SimpleType.ERROR;
    }
    return found.get().type();
  }

  private CelExpr call(CelExpr expr, CelCall call) {
    if (call.function().equals(OPTIONAL_SELECT)) {
      return optionalSelect(expr, call);
    }
    ImmutableList<CelExpr> args = checkAll(call.args());
    if (call.target().isEmpty()) {
      Function function = environment.function(call.function());
      if (function == null) {
        return undeclared(expr, call.function());
      }
      resolveOverload(expr, function, null, args);
      return args == call.args() && function.name().equals(call.function())
          ? expr
          : CelExpr.ofCall(expr.id(), Optional.empty(), function.name(), args);
    }
    CelExpr target = call.target().get();
    String prefix = qualifiedName(target, true);
    if (prefix != null) {
      Function function = environment.function(prefix + "." + call.function());
      if (function != null) {
        resolveOverload(expr, function, null, args);
        return CelExpr.ofCall(expr.id(), Optional.empty(), function.name(), args);
      } else if (isMistaken(prefix + "." + call.function(), prefix)) {
        return undeclared(expr, prefix + "." + call.function());
      }
    }
    CelExpr checkedTarget = check(target);
    Function function = environment.function(call.function());
    if (function == null) {
      return undeclared(expr, call.function());
    }
    resolveOverload(expr, function, checkedTarget, args);
    return args == call.args() && target == checkedTarget
        ? expr
        : CelExpr.ofCall(expr.id(), Optional.of(checkedTarget), call.function(), args);
  }

  private CelExpr optionalSelect(CelExpr expr, CelCall call) {
    CelExpr field = call.args().get(1);
    if (field.getKind() != Kind.CONSTANT
        || field.constant().getKind() != CelConstant.Kind.STRING_VALUE) {
      problems.add(field, "unsupported optional field selection");
      return expr;
    }
    grow(field); // it gets no type, but what is kept by identifier must have a place for it
    CelExpr operand = check(call.args().get(0));
    CelType type = field(expr, operand, field.constant().stringValue(), true);
    setType(expr, substitution.resolve(type));
    setReference(expr, new Reference("", List.of(SELECT_OVERLOAD)));
    return operand == call.args().get(0)
        ? expr
        : CelExpr.ofCall(
            expr.id(), Optional.empty(), OPTIONAL_SELECT, ImmutableList.of(operand, field));
  }

  private void resolveOverload(
      CelExpr expr, Function function, @Nullable CelExpr target, List<CelExpr> args) {
    List<CelType> argTypes = new ArrayList<>(args.size() + 1);
    if (target != null) {
      argTypes.add(type(target));
    }
    args.forEach(arg -> argTypes.add(type(arg)));
    if (function.name().equals("_&&_") || function.name().equals("_||_")) {
      logical(expr, function, args);
      return;
    }
    CelType result = null;
    List<String> overloads = new ArrayList<>(2);
    for (Overload overload : function.overloads()) {
      CelType type = overload.member() == (target != null) ? result(overload, argTypes) : null;
      if (type == null) {
        continue;
      }
      overloads.add(overload.id());
      if (result == null) {
        result = type;
      } else if (!TypeSubstitution.isDyn(result) && !substitution.isSame(type, result)) {
        result = SimpleType.DYN;
      }
    }
    if (result == null) {
      argTypes.replaceAll(substitution::finish);
      problems.add(
          expr,
          "found no matching overload for '%s' applied to '%s'",
          function.name(),
          signature(argTypes, target != null));
      setType(expr, SimpleType.ERROR);
      return;
    }
    setType(expr, result);
    setReference(expr, new Reference("", List.copyOf(overloads)));
  }

  /** Returns the type of the result of an overload, or null if it does not take the arguments. */
  private @Nullable CelType result(Overload overload, List<CelType> argTypes) {
    if (!overload.generic()) {
      return substitution.assign(argTypes, overload.parameters()) ? overload.result() : null;
    }
    // for any number of arguments, since errors show the types
    Map<CelType, CelType> fresh = new HashMap<>();
    List<CelType> parameters = new ArrayList<>(overload.parameters());
    parameters.replaceAll(parameter -> substitution.instantiate(parameter, fresh));
    CelType type = substitution.instantiate(overload.result(), fresh);
    return substitution.assign(argTypes, parameters) ? substitution.resolve(type) : null;
  }

  private void logical(CelExpr expr, Function function, List<CelExpr> args) {
    boolean valid = true;
    for (CelExpr arg : args) {
      if (!substitution.assign(type(arg), SimpleType.BOOL)) {
        mismatch(arg, SimpleType.BOOL, type(arg));
        valid = false;
      }
    }
    setType(expr, valid ? SimpleType.BOOL : SimpleType.ERROR);
    if (valid) {
      setReference(expr, new Reference("", List.of(function.overloads().get(0).id())));
    }
  }

  private static String signature(List<CelType> types, boolean member) {
    String args =
        types.stream()
            .skip(member ? 1 : 0)
            .map(TypeNames::of)
            .collect(Collectors.joining(", ", "(", ")"));
    return member ? TypeNames.of(types.get(0)) + "." + args : args;
  }

  private ImmutableList<CelExpr> checkAll(ImmutableList<CelExpr> list) {
    List<CelExpr> checked = null;
    for (int i = 0; i < list.size(); i++) {
      CelExpr element = check(list.get(i));
      if (checked == null && element != list.get(i)) {
        checked = new ArrayList<>(list);
      }
      if (checked != null) {
        checked.set(i, element);
      }
    }
    return checked == null ? list : ImmutableList.copyOf(checked);
  }

  private CelExpr list(CelExpr expr) {
    ImmutableList<CelExpr> elements = expr.list().elements();
    BitSet optionals = optionals(expr.list());
    List<CelExpr> checked = new ArrayList<>(elements.size());
    boolean same = true;
    CelType joined = null;
    for (int i = 0; i < elements.size(); i++) {
      CelExpr element = check(elements.get(i));
      same &= element == elements.get(i);
      checked.add(element);
      CelType type = type(element);
      if (optionals.get(i)) {
        type = optionalElement(element, type);
      }
      joined = join(joined, type);
    }
    setType(expr, ListType.create(joined == null ? substitution.newVariable() : joined));
    return same
        ? expr
        : CelExpr.ofList(expr.id(), ImmutableList.copyOf(checked), expr.list().optionalIndices());
  }

  /** Returns the places of the elements of a list that are optional. */
  static BitSet optionals(CelList list) {
    BitSet places = new BitSet();
    list.optionalIndices().forEach(places::set);
    return places;
  }

  private CelExpr map(CelExpr expr) {
    List<CelExpr.CelMap.Entry> checked = new ArrayList<>();
    boolean same = true;
    CelType keys = null;
    CelType values = null;
    for (CelExpr.CelMap.Entry entry : expr.map().entries()) {
      computesKeys |= entry.key().getKind() != Kind.CONSTANT;
      CelExpr key = check(entry.key());
      keys = join(keys, type(key));
      CelExpr value = check(entry.value());
      CelType type = type(value);
      if (entry.optionalEntry()) {
        type = optionalElement(value, type);
      }
      values = join(values, type);
      same &= key == entry.key() && value == entry.value();
      checked.add(CelExpr.ofMapEntry(entry.id(), key, value, entry.optionalEntry()));
    }
    setType(
        expr,
        keys == null || values == null
            ? MapType.create(substitution.newVariable(), substitution.newVariable())
            : MapType.create(keys, values));
    return same ? expr : CelExpr.ofMap(expr.id(), ImmutableList.copyOf(checked));
  }

  private CelExpr struct(CelExpr expr, CelStruct struct) {
    Structure structure = environment.structure(struct.messageName());
    if (structure == null) {
      if (!Environment.isType(struct.messageName())) {
        return undeclared(expr, struct.messageName());
      }
      problems.add(expr, "'%s' is not a message type", struct.messageName());
    }
    setType(expr, structure == null ? SimpleType.ERROR : structure.type());
    List<CelStruct.Entry> checked = new ArrayList<>();
    for (CelStruct.Entry entry : struct.entries()) {
      CelExpr value = check(entry.value());
      CelType valueType = type(value);
      if (entry.optionalEntry()) {
        valueType = optionalElement(value, valueType);
      }
      if (structure != null) {
        CelExpr place = CelExpr.ofNotSet(entry.id());
        CelType fieldType = fieldOf(place, structure.fields(), entry.fieldKey());
        if (!substitution.assign(fieldType, valueType)) {
          problems.add(
              place,
              "expected type of field '%s' is '%s' but provided type is '%s'",
              entry.fieldKey(),
              TypeNames.of(fieldType),
              TypeNames.of(valueType));
        }
      }
      checked.add(
          CelExpr.ofStructEntry(entry.id(), entry.fieldKey(), value, entry.optionalEntry()));
    }
    return CelExpr.ofStruct(
        expr.id(),
        structure == null ? struct.messageName() : structure.name(),
        ImmutableList.copyOf(checked));
  }

  private CelType optionalElement(CelExpr element, CelType type) {
    if (!(type instanceof OptionalType) && !TypeSubstitution.isDyn(type)) {
      mismatch(element, OptionalType.create(type), type);
    }
    return unwrapOptional(type);
  }

  /** Elements may be of several types here; {@link LiteralChecks} refuses most such literals. */
  private CelType join(@Nullable CelType previous, CelType current) {
    if (previous == null) {
      return current;
    }
    if (!substitution.assign(previous, current)) {
      return SimpleType.DYN;
    }
    return environment.dialect().strict() && current.kind() == CelKind.NULL_TYPE
        ? previous
        : substitution.mostGeneral(previous, current);
  }

  private CelExpr comprehension(CelExpr expr, CelComprehension loop) {
    CelExpr range = check(loop.iterRange());
    CelExpr init = check(loop.accuInit());
    CelType accuType = type(init);
    Local outer = locals;
    Local accumulator = new Local(loop.accuVar(), accuType, outer);
    locals = withVariables(accumulator, loop, range);
    CelExpr condition = check(loop.loopCondition());
    assertType(condition, SimpleType.BOOL);
    CelExpr step = check(loop.loopStep());
    assertType(step, accuType);
    locals = accumulator;
    CelExpr result = check(loop.result());
    locals = outer;
    setType(expr, substitution.resolve(type(result)));
    return CelExpr.ofComprehension(
        expr.id(),
        loop.iterVar(),
        loop.iterVar2(),
        range,
        loop.accuVar(),
        init,
        condition,
        step,
        result);
  }

  /** Adds the variables of a loop, whose types depend on its range. */
  private Local withVariables(Local accumulator, CelComprehension loop, CelExpr range) {
    CelType rangeType = substitution.resolve(type(range));
    boolean two = !loop.iterVar2().isEmpty();
    CelType first;
    CelType second;
    switch (rangeType.kind()) {
      case LIST -> {
        second = ((ListType) rangeType).elemType();
        first = two ? SimpleType.INT : second;
      }
      case MAP -> {
        first = ((MapType) rangeType).keyType();
        second = ((MapType) rangeType).valueType();
      }
      case DYN, ERROR, TYPE_PARAM -> {
        substitution.assign(SimpleType.DYN, rangeType);
        first = SimpleType.DYN;
        second = SimpleType.DYN;
      }
      default -> {
        problems.add(
            range,
            "expression of type '%s' cannot be range of a comprehension"
                + " (must be list, map, or dynamic)",
            TypeNames.of(rangeType));
        first = SimpleType.ERROR;
        second = SimpleType.ERROR;
      }
    }
    Local variable = new Local(loop.iterVar(), first, accumulator);
    return two ? new Local(loop.iterVar2(), second, variable) : variable;
  }

  private void assertType(CelExpr expr, CelType wanted) {
    if (!substitution.assign(wanted, type(expr))) {
      mismatch(expr, wanted, type(expr));
    }
  }

  private void mismatch(CelExpr expr, CelType wanted, CelType found) {
    problems.add(
        expr, "expected type '%s' but found '%s'", TypeNames.of(wanted), TypeNames.of(found));
  }

  /**
   * Returns whether a name of several parts is written in place of another one: there is one like
   * it, and none of the shorter names up to its prefix is declared.
   */
  private boolean isMistaken(String name, String prefix) {
    if (!environment.suggests()) {
      return false;
    }
    String first = prefix.substring(0, end(prefix, prefix.startsWith(".") ? 1 : 0));
    for (int end = first.length(); end <= prefix.length(); end = end(prefix, end + 1)) {
      if (resolve(prefix.substring(0, end), first) != null) {
        return false;
      }
    }
    return !environment.suggestions(name).isEmpty();
  }

  /** Returns where a part of a name ends, or a number beyond the name after the last one. */
  private static int end(String name, int from) {
    if (from > name.length()) {
      return from;
    }
    int dot = name.indexOf('.', from);
    return dot < 0 ? name.length() : dot;
  }

  private CelExpr undeclared(CelExpr expr, String name) {
    if (environment.suggests()) {
      String suffix = Suggestions.suffix(name, environment.suggestions(name));
      problems.add(expr, "undeclared reference to '%s'%s", name, suffix);
    } else {
      problems.add(
          expr, "undeclared reference to '%s' (in container '%s')", name, environment.container());
    }
    setType(expr, SimpleType.ERROR);
    return expr;
  }

  private static CelType unwrapOptional(CelType type) {
    return type instanceof OptionalType ? type.parameters().get(0) : type;
  }

  private CelType type(CelExpr expr) {
    CelType type = types[(int) expr.id()];
    return type == null ? SimpleType.ERROR : type;
  }

  private void setType(CelExpr expr, CelType type) {
    substitution.checkSize(type);
    int id = grow(expr);
    types[id] = type;
  }

  private void setReference(CelExpr expr, Reference reference) {
    int id = grow(expr);
    references[id] = reference;
  }

  private int grow(CelExpr expr) {
    int id = Math.toIntExact(expr.id());
    if (id >= types.length) {
      types = Arrays.copyOf(types, Math.max(id + 1, 2 * types.length));
      references = Arrays.copyOf(references, types.length);
    }
    return id;
  }
}
