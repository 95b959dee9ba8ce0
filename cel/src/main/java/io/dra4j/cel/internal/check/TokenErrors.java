package io.dra4j.cel.internal.check;

import cel.parser.internal.CELParser.BytesContext;
import cel.parser.internal.CELParser.DoubleContext;
import cel.parser.internal.CELParser.IntContext;
import cel.parser.internal.CELParser.LiteralContext;
import cel.parser.internal.CELParser.StringContext;
import cel.parser.internal.CELParser.UintContext;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.antlr.v4.runtime.Token;
import org.jspecify.annotations.Nullable;

/**
 * Finds errors in numbers and strings that the lexer accepts.
 *
 * <p>Source: {@code parser/parser.go}, {@code parser/unescape.go} of cel-go.
 */
final class TokenErrors {

  private static final int HEX = 16;

  /** An escape in a text, as the lexer lets it through. */
  private static final Pattern ESCAPE =
      Pattern.compile("\\\\(?:u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|.)", Pattern.DOTALL);

  private TokenErrors() {}

  /** Returns whether it is a text, of characters or bytes. */
  static boolean isText(LiteralContext literal) {
    return literal instanceof StringContext || literal instanceof BytesContext;
  }

  /** Returns the problem of a literal, or null. */
  static @Nullable String of(LiteralContext context) {
    if (context instanceof IntContext number) {
      return isInt(signed(number.sign, number.tok)) ? null : "invalid int literal";
    } else if (context instanceof UintContext number) {
      String text = number.tok.getText();
      return isUint(text.substring(0, text.length() - 1)) ? null : "invalid uint literal";
    } else if (context instanceof DoubleContext number) {
      return Double.isInfinite(Double.parseDouble(number.tok.getText()))
          ? "invalid double literal"
          : null;
    } else if (context instanceof StringContext text) {
      return escapeError(text.tok.getText(), false);
    } else if (context instanceof BytesContext bytes) {
      return escapeError(bytes.tok.getText().substring(1), true);
    }
    return null;
  }

  private static String signed(@Nullable Token sign, Token number) {
    return (sign == null ? "" : "-") + number.getText();
  }

  private static boolean isInt(String text) {
    try {
      boolean hex = text.startsWith("0x") || text.startsWith("-0x");
      long unused = hex ? Long.parseLong(text.replace("0x", ""), HEX) : Long.parseLong(text);
      return true;
    } catch (NumberFormatException e) {
      return false;
    }
  }

  private static boolean isUint(String text) {
    try {
      long unused =
          text.startsWith("0x")
              ? Long.parseUnsignedLong(text.substring(2), HEX)
              : Long.parseUnsignedLong(text);
      return true;
    } catch (NumberFormatException e) {
      return false;
    }
  }

  private static @Nullable String escapeError(String literal, boolean bytes) {
    if (literal.startsWith("r") || literal.startsWith("R")) {
      return null;
    }
    Matcher escape = ESCAPE.matcher(literal);
    while (escape.find()) {
      String digits = escape.group(1) != null ? escape.group(1) : escape.group(2);
      if (digits != null && bytes) {
        return "unable to unescape string";
      } else if (digits != null && !isCharacter(Long.parseLong(digits, HEX))) {
        return "invalid unicode code point";
      }
    }
    return null;
  }

  private static boolean isCharacter(long code) {
    return code <= Character.MAX_CODE_POINT
        && (code < Character.MIN_SURROGATE || code > Character.MAX_SURROGATE);
  }
}
