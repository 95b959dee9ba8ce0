package io.dra4j.cel.internal.check;

import com.google.common.collect.ImmutableSet;
import com.google.common.collect.Sets;
import dev.cel.common.ast.CelConstant;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.ast.CelExpr.CelCall;
import dev.cel.common.ast.CelExpr.ExprKind.Kind;
import dev.cel.common.types.CelKind;
import dev.cel.common.types.CelType;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Checks calls of {@code format} with a literal text and a literal list: every clause needs an
 * argument of a type that suits, and no argument may be left over.
 *
 * <p>Source: {@code stringFormatValidator} in {@code ext/formatting.go} of cel-go.
 */
final class FormatChecks {

  private static final ImmutableSet<CelKind> INTEGERS =
      Sets.immutableEnumSet(CelKind.INT, CelKind.UINT);
  private static final ImmutableSet<CelKind> FIXED =
      Sets.immutableEnumSet(CelKind.DOUBLE, CelKind.STRING);
  private static final ImmutableSet<CelKind> BINARY =
      Sets.immutableEnumSet(CelKind.INT, CelKind.UINT, CelKind.BOOL);
  private static final ImmutableSet<CelKind> HEX =
      Sets.immutableEnumSet(CelKind.INT, CelKind.UINT, CelKind.STRING, CelKind.BYTES);
  private static final ImmutableSet<CelKind> TEXTS =
      Sets.immutableEnumSet(
          CelKind.LIST,
          CelKind.MAP,
          CelKind.INT,
          CelKind.UINT,
          CelKind.DOUBLE,
          CelKind.BOOL,
          CelKind.STRING,
          CelKind.TIMESTAMP,
          CelKind.BYTES,
          CelKind.DURATION,
          CelKind.TYPE,
          CelKind.NULL_TYPE);

  private final CheckedExpression checked;
  private final CelExpr call;
  private final List<CelExpr> arguments;
  private final Problems problems;

  private FormatChecks(CheckedExpression checked, CelExpr call, Problems problems) {
    this.checked = checked;
    this.call = call;
    this.arguments = call.call().args().get(0).list().elements();
    this.problems = problems;
  }

  static void check(CheckedExpression checked, CelExpr expr, Problems problems) {
    CelCall call = expr.call();
    CelExpr target = call.target().orElse(null);
    if (call.function().equals("format")
        && target != null
        && target.getKind() == Kind.CONSTANT
        && target.constant().getKind() == CelConstant.Kind.STRING_VALUE
        && call.args().size() == 1
        && call.args().get(0).getKind() == Kind.LIST) {
      new FormatChecks(checked, expr, problems).check(target.constant().stringValue());
    }
  }

  private void check(String format) {
    byte[] text = format.getBytes(StandardCharsets.UTF_8); // a clause is one byte
    int used = 0;
    int i = 0;
    while (i < text.length) {
      if (text[i++] != '%') {
        continue;
      }
      if (i < text.length && text[i] == '%') {
        i++;
        continue;
      }
      if (i >= text.length) {
        problems.add(call, "unexpected end of string");
        return;
      }
      if (used >= arguments.size()) {
        problems.add(call, "index %s out of range", used);
        return;
      }
      i = precision(text, i);
      if (i < 0 || !clause((char) (text[i++] & 0xff), arguments.get(used++))) {
        return;
      }
    }
    if (used < arguments.size()) {
      problems.add(
          call,
          "too many arguments supplied to string.format (expected %s, got %s)",
          used,
          arguments.size());
    }
  }

  /** Skips a precision. Returns -1 if it is invalid. */
  private int precision(byte[] text, int start) {
    if (text[start] != '.') {
      return start;
    }
    int i = start + 1;
    while (i < text.length && text[i] >= '0' && text[i] <= '9') {
      i++;
    }
    if (i >= text.length) {
      problems.add(
          call,
          "could not parse formatting clause: error while parsing precision: could not find end of precision specifier");
      return -1;
    }
    String digits = new String(text, start + 1, i - start - 1, StandardCharsets.US_ASCII);
    try {
      Long.parseLong(digits);
    } catch (NumberFormatException e) {
      problems.add(
          call,
          "could not parse formatting clause: error while parsing precision: error while converting precision to integer:"
              + " strconv.Atoi: parsing \"%s\": %s",
          digits,
          digits.isEmpty() ? "invalid syntax" : "value out of range");
      return -1;
    }
    return i;
  }

  private boolean clause(char clause, CelExpr argument) {
    return switch (clause) {
      case 's' -> {
        CelExpr bad = noText(argument);
        yield bad == null
            || refuse(
                bad,
                "string clause can only be used on strings, bools, bytes, ints, doubles, maps,"
                    + " lists, types, durations, and timestamps");
      }
      case 'd' ->
          is(argument, INTEGERS) || refuse(argument, "decimal clause can only be used on integers");
      case 'f' ->
          is(argument, FIXED) || refuse(argument, "fixed-point clause can only be used on doubles");
      case 'e' ->
          is(argument, FIXED) || refuse(argument, "scientific clause can only be used on doubles");
      case 'b' ->
          is(argument, BINARY)
              || refuse(argument, "only integers and bools can be formatted as binary");
      case 'x', 'X' ->
          is(argument, HEX)
              || refuse(
                  argument, "only integers, byte buffers, and strings can be formatted as hex");
      case 'o' ->
          is(argument, INTEGERS) || refuse(argument, "octal clause can only be used on integers");
      default -> {
        problems.add(
            call,
            "could not parse formatting clause: unrecognized formatting clause \"%s\"",
            clause);
        yield false;
      }
    };
  }

  private boolean refuse(CelExpr argument, String reason) {
    CelType type = checked.type(argument);
    problems.add(
        argument,
        "error during formatting: %s, was given %s",
        reason,
        type.kind() == CelKind.ANY ? "google.protobuf.Any" : type.name());
    return false;
  }

  private boolean is(CelExpr argument, Set<CelKind> kinds) {
    CelKind kind = checked.type(argument).kind();
    return kind == CelKind.DYN || kinds.contains(kind);
  }

  /** Returns what cannot be written as text, in literal lists and maps too, or null. */
  private @Nullable CelExpr noText(CelExpr argument) {
    if (!is(argument, TEXTS)) {
      return argument;
    }
    if (argument.getKind() == Kind.LIST) {
      for (CelExpr element : argument.list().elements()) {
        CelExpr bad = noText(element);
        if (bad != null) {
          return bad;
        }
      }
    } else if (argument.getKind() == Kind.MAP) {
      for (CelExpr.CelMap.Entry entry : argument.map().entries()) {
        CelExpr bad = noText(entry.key());
        bad = bad == null ? noText(entry.value()) : bad;
        if (bad != null) {
          return bad;
        }
      }
    }
    return null;
  }
}
