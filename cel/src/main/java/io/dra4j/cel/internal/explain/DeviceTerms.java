package io.dra4j.cel.internal.explain;

import dev.cel.common.ast.CelConstant;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.ast.CelExpr.CelCall;
import dev.cel.common.ast.CelExpr.CelComprehension;
import dev.cel.common.ast.CelExpr.ExprKind.Kind;
import io.dra4j.cel.internal.cost.CostEstimator;
import io.dra4j.cel.internal.text.GoText;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Finds the attributes and capacities that an expression reads by name, and the values that it
 * compares them with. It needs no types, so it also works on expressions that do not compile.
 */
final class DeviceTerms {

  private static final Set<String> COMPARISONS =
      Set.of("_==_", "_!=_", "_<_", "_<=_", "_>_", "_>=_", "@in");

  private static final Set<String> EQUALITIES = Set.of("_==_", "_!=_", "@in");

  private static final Pattern IDENTIFIER = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

  private static final String DRIVER = "driver";
  private static final String VERSION = "semver";
  private static final String QUANTITY = "quantity";

  private static final Object DEVICE = new Object();
  private static final Object OTHER = new Object();

  private static final Set<String> FIELDS = Set.of("attributes", "capacity", DRIVER);

  /**
   * A place in a device.
   *
   * @param field {@code attributes}, {@code capacity} or {@code driver}
   * @param domain the key of the domain, or null if the expression reads all domains, or the driver
   * @param id the name in the domain, or null if the expression reads the whole domain
   */
  record Term(String field, @Nullable String domain, @Nullable String id) {

    /** Returns whether this is a single value, and not a map of them. */
    boolean isValue() {
      return id != null || field.equals(DRIVER);
    }

    /** Returns the place as CEL writes it. */
    @Override
    public String toString() {
      StringBuilder text = new StringBuilder("device.").append(field);
      if (domain != null) {
        text.append('[').append(GoText.quote(domain)).append(']');
      }
      if (id != null) {
        text.append(IDENTIFIER.matcher(id).matches() ? "." + id : "[" + GoText.quote(id) + "]");
      }
      return text.toString();
    }
  }

  /**
   * A comparison of a term with a literal.
   *
   * @param term the place that is read
   * @param operator the operator or function with both operands
   * @param function the function around the literal, {@code semver} or {@code quantity}; empty for
   *     a plain literal
   * @param literal the literal
   * @param result the comparison of a function's result, for example {@code >= 0}; empty if it is
   *     not compared with a number
   */
  record Use(Term term, String operator, String function, CelConstant literal, String result) {

    /** Returns whether the literal is converted to a version or a quantity. */
    boolean isConverted() {
      return !function.isEmpty();
    }
  }

  /**
   * A field that an expression reads of a single value, which has no fields.
   *
   * @param term the value
   * @param field the name of the field
   */
  record Wrapped(Term term, String field) {}

  private final List<Term> terms = new ArrayList<>();
  private final List<Use> uses = new ArrayList<>();
  private final List<Wrapped> wrapped = new ArrayList<>();
  private final List<String> versions = new ArrayList<>();
  private final List<String> quantities = new ArrayList<>();
  private final List<String> unbound = new ArrayList<>();
  private final Map<String, Object> names = new HashMap<>(); // of bindings and loops

  private DeviceTerms() {}

  static DeviceTerms of(CelExpr expr) {
    DeviceTerms found = new DeviceTerms();
    found.names.put("device", DEVICE);
    found.walk(expr);
    return found;
  }

  /** Returns the places that are read, in the order of the text, each once. */
  List<Term> terms() {
    return terms.stream().distinct().toList();
  }

  /** Returns the strings that the driver is compared with. */
  List<String> drivers() {
    return uses.stream()
        .filter(use -> use.term().field().equals(DRIVER) && EQUALITIES.contains(use.operator()))
        .map(Use::literal)
        .filter(literal -> literal.getKind() == CelConstant.Kind.STRING_VALUE)
        .map(CelConstant::stringValue)
        .distinct()
        .toList();
  }

  /** Returns the strings that the expression converts to versions. */
  List<String> versions() {
    return versions.stream().distinct().toList();
  }

  /** Returns the strings that the expression converts to quantities. */
  List<String> quantities() {
    return quantities.stream().distinct().toList();
  }

  /** Returns the fields of single values that the expression reads, each once. */
  List<Wrapped> wrapped() {
    return wrapped.stream().distinct().toList();
  }

  /** Returns the comparisons with literals. */
  List<Use> uses() {
    return uses;
  }

  /** Returns the names that are not the device, a variable, or a field of the device. */
  List<String> unbound() {
    return unbound.stream().distinct().toList();
  }

  private void walk(CelExpr expr) {
    walk(expr, "");
  }

  /** Examines an expression; {@code result} is the comparison of its value, or empty. */
  private void walk(CelExpr expr, String result) {
    if (resolve(expr) instanceof Term term) {
      terms.add(term);
      return;
    }
    switch (expr.getKind()) {
      case IDENT -> {
        if (!names.containsKey(expr.ident().name())) {
          unbound.add(expr.ident().name());
        }
      }
      case SELECT -> {
        Object operand = resolve(expr.select().operand());
        if (operand == DEVICE) {
          unbound.add(expr.select().field());
        } else if (operand instanceof Term term && term.isValue()) {
          wrapped.add(new Wrapped(term, expr.select().field()));
        }
        walk(expr.select().operand());
      }
      case CALL -> call(expr.call(), result);
      case LIST -> expr.list().elements().forEach(this::walk);
      case MAP ->
          expr.map()
              .entries()
              .forEach(
                  entry -> {
                    walk(entry.key());
                    walk(entry.value());
                  });
      case STRUCT -> expr.struct().entries().forEach(entry -> walk(entry.value()));
      case COMPREHENSION -> loop(expr.comprehension());
      default -> {}
    }
  }

  private void call(CelCall call, String result) {
    call.target().ifPresent(this::walk);
    boolean isComparison = COMPARISONS.contains(call.function()) && call.args().size() == 2;
    for (int i = 0; i < call.args().size(); i++) {
      String operator = i == 0 ? call.function() : mirrored(call.function());
      walk(call.args().get(i), isComparison ? resultOf(operator, call.args().get(1 - i)) : "");
    }
    String converted = converted(call);
    if (converted != null) {
      (call.function().equals(VERSION) ? versions : quantities).add(converted);
    }
    if (call.target().isPresent()) {
      for (CelExpr arg : call.args()) {
        use(call.target().get(), call.function(), arg, result);
      }
    } else if (isComparison) {
      use(call.args().get(0), call.function(), call.args().get(1), "");
      use(call.args().get(1), mirrored(call.function()), call.args().get(0), "");
    }
  }

  private static String resultOf(String operator, CelExpr other) {
    return other.getKind() == Kind.CONSTANT
            && other.constant().getKind() == CelConstant.Kind.INT64_VALUE
        ? "%s %d".formatted(operator.replace("_", ""), other.constant().int64Value())
        : "";
  }

  /** Returns the string that a call converts to a version or quantity; null for other calls. */
  private static @Nullable String converted(CelCall call) {
    return (call.function().equals(VERSION) || call.function().equals(QUANTITY))
            && call.target().isEmpty()
            && call.args().size() == 1
            && call.args().get(0).getKind() == Kind.CONSTANT
            && call.args().get(0).constant().getKind() == CelConstant.Kind.STRING_VALUE
        ? call.args().get(0).constant().stringValue()
        : null;
  }

  /** Returns the operator for swapped operands. */
  private static String mirrored(String operator) {
    return operator.startsWith("_<")
        ? operator.replace('<', '>')
        : operator.startsWith("_>") ? operator.replace('>', '<') : operator;
  }

  private void use(CelExpr place, String operator, CelExpr other, String result) {
    if (!(resolve(place) instanceof Term term)) {
      return;
    }
    if (operator.equals("@in") && other.getKind() == Kind.CONSTANT && !term.isValue()) {
      if (other.constant().getKind() == CelConstant.Kind.STRING_VALUE
          && step(term, other.constant().stringValue()) instanceof Term inner) {
        terms.add(inner);
      }
    } else if (other.getKind() == Kind.CONSTANT) {
      uses.add(new Use(term, operator, "", other.constant(), result));
    } else if (other.getKind() == Kind.CALL && converted(other.call()) != null) {
      CelCall call = other.call();
      uses.add(new Use(term, operator, call.function(), call.args().get(0).constant(), result));
    } else if (other.getKind() == Kind.LIST && operator.equals("@in")) {
      for (CelExpr element : other.list().elements()) {
        if (element.getKind() == Kind.CONSTANT) {
          uses.add(new Use(term, operator, "", element.constant(), result));
        }
      }
    }
  }

  private void loop(CelComprehension loop) {
    boolean binding = CostEstimator.isBinding(loop);
    Object value = binding ? resolve(loop.accuInit()) : null;
    walk(loop.iterRange());
    if (value == null || value == OTHER) {
      walk(loop.accuInit());
    }
    Object before = names.put(loop.accuVar(), value == null ? OTHER : value);
    if (binding) {
      walk(loop.result());
    } else {
      Object outer = names.put(loop.iterVar(), OTHER);
      Object outer2 = loop.iterVar2().isEmpty() ? null : names.put(loop.iterVar2(), OTHER);
      walk(loop.loopCondition());
      walk(loop.loopStep());
      restore(loop.iterVar2(), outer2);
      restore(loop.iterVar(), outer);
      walk(loop.result());
    }
    restore(loop.accuVar(), before);
  }

  private void restore(String name, @Nullable Object value) {
    if (value != null) {
      names.put(name, value);
    } else if (!name.isEmpty()) {
      names.remove(name);
    }
  }

  /** Returns {@link #DEVICE}, a {@link Term}, or null for anything else. */
  private @Nullable Object resolve(CelExpr expr) {
    return switch (expr.getKind()) {
      case IDENT -> {
        Object named = names.get(expr.ident().name());
        yield named == OTHER ? null : named;
      }
      case SELECT -> step(resolve(expr.select().operand()), expr.select().field());
      case CALL -> {
        CelCall call = expr.call();
        boolean index =
            call.function().equals("_[_]")
                || call.function().equals("_[?_]")
                || call.function().equals("_?._");
        yield index
                && call.args().size() == 2
                && call.args().get(1).getKind() == Kind.CONSTANT
                && call.args().get(1).constant().getKind() == CelConstant.Kind.STRING_VALUE
            ? step(resolve(call.args().get(0)), call.args().get(1).constant().stringValue())
            : null;
      }
      default -> null;
    };
  }

  private static @Nullable Object step(@Nullable Object from, String key) {
    if (from == DEVICE) {
      return FIELDS.contains(key) ? new Term(key, null, null) : null;
    } else if (from instanceof Term term && !term.isValue()) {
      if (term.domain() == null) {
        return new Term(term.field(), key, null);
      } else if (term.id() == null) {
        return new Term(term.field(), term.domain(), key);
      }
    }
    return null;
  }
}
