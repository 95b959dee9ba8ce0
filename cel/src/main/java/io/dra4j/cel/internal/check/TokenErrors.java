package io.dra4j.cel.internal.check;

import cel.parser.internal.CELParser.BytesContext;
import cel.parser.internal.CELParser.DoubleContext;
import cel.parser.internal.CELParser.EscapeIdentContext;
import cel.parser.internal.CELParser.EscapedIdentifierContext;
import cel.parser.internal.CELParser.FieldInitializerListContext;
import cel.parser.internal.CELParser.GlobalCallContext;
import cel.parser.internal.CELParser.IdentContext;
import cel.parser.internal.CELParser.IntContext;
import cel.parser.internal.CELParser.MapInitializerListContext;
import cel.parser.internal.CELParser.SelectContext;
import cel.parser.internal.CELParser.SimpleIdentifierContext;
import cel.parser.internal.CELParser.StringContext;
import cel.parser.internal.CELParser.UintContext;
import io.dra4j.cel.internal.check.SyntaxErrors.SyntaxError;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.antlr.v4.runtime.ParserRuleContext;
import org.antlr.v4.runtime.Token;
import org.antlr.v4.runtime.tree.ParseTree;
import org.jspecify.annotations.Nullable;

/**
 * Finds the numbers, texts and names of an expression that the grammar allows and nothing else
 * does, also where the grammar is broken elsewhere.
 *
 * <p>Source: {@code parser/parser.go}, {@code parser/unescape.go} of cel-go.
 */
final class TokenErrors {

  private static final Set<String> RESERVED =
      Set.of(
          "as",
          "break",
          "const",
          "continue",
          "else",
          "false",
          "for",
          "function",
          "if",
          "import",
          "in",
          "let",
          "loop",
          "package",
          "namespace",
          "null",
          "return",
          "true",
          "var",
          "void",
          "while");

  private static final String NO_NAME = "unsupported ident kind";

  private static final int HEX = 16;

  /** An escape in a text, as the lexer lets it through. */
  private static final Pattern ESCAPE =
      Pattern.compile("\\\\(?:u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|.)", Pattern.DOTALL);

  private final List<SyntaxError> errors;

  /**
   * Makes a search.
   *
   * @param errors where to add what is found
   */
  TokenErrors(List<SyntaxError> errors) {
    this.errors = errors;
  }

  /** Looks at a part of an expression, as far as cel-go does. */
  void visit(@Nullable ParseTree tree) {
    if (tree instanceof IdentContext name) {
      checkName(name, name.id);
    } else if (tree instanceof GlobalCallContext call) {
      if (checkName(call, call.id)) {
        visit(call.args);
      }
    } else if (tree instanceof SelectContext select) {
      visit(select.member());
      if (select.id != null && select.op != null && !isName(select.id)) {
        add(select.id, NO_NAME);
      }
    } else if (tree instanceof FieldInitializerListContext list) {
      visitFields(list);
    } else if (tree instanceof MapInitializerListContext list) {
      for (int i = 0; i < least(list.cols, list.keys, list.values); i++) { // the rest is broken off
        visit(list.keys.get(i));
        visit(list.values.get(i));
      }
    } else if (tree instanceof ParserRuleContext context) {
      @Nullable String error = error(context);
      if (error != null) {
        add(context, error);
      }
      for (int i = 0; i < context.getChildCount(); i++) {
        visit(context.getChild(i));
      }
    }
  }

  private void visitFields(FieldInitializerListContext list) {
    for (int i = 0; i < least(list.cols, list.fields, list.values); i++) {
      @Nullable EscapeIdentContext name = list.fields.get(i).escapeIdent();
      if (isName(name)) {
        visit(list.values.get(i));
      } else {
        add(list, NO_NAME);
      }
    }
  }

  private static boolean isName(@Nullable EscapeIdentContext name) {
    return name instanceof SimpleIdentifierContext || name instanceof EscapedIdentifierContext;
  }

  private static int least(List<?> some, List<?> more, List<?> others) {
    return Math.min(some.size(), Math.min(more.size(), others.size()));
  }

  private boolean checkName(ParserRuleContext context, @Nullable Token name) {
    if (name != null && RESERVED.contains(name.getText())) {
      add(context, "reserved identifier: " + name.getText());
      return false;
    }
    return name != null;
  }

  private void add(ParserRuleContext context, String message) {
    Token start = context.getStart();
    errors.add(new SyntaxError(start.getLine(), start.getCharPositionInLine(), message));
  }

  private static @Nullable String error(ParserRuleContext context) {
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
