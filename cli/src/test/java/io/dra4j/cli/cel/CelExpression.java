package io.dra4j.cli.cel;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A random expression as a tree, so that it can be made smaller.
 *
 * @param parts its text and the expressions within, in order
 */
record CelExpression(List<CelPart> parts) implements CelPart {

  private static final List<String> SMALL =
      List.of("true", "false", "0", "1", "0u", "0.0", "\"\"", "\"a\"", "[]", "[0]", "{}", "null");

  CelExpression {
    parts = List.copyOf(parts);
  }

  static CelExpression of(String text) {
    return new CelExpression(List.of(new CelPart.Text(text)));
  }

  String text() {
    return parts.stream()
        .map(
            part ->
                part instanceof CelExpression within ? within.text() : ((CelPart.Text) part).text())
        .collect(Collectors.joining());
  }

  /** Expressions with one part replaced by something smaller. */
  List<CelExpression> smaller() {
    List<CelExpression> smaller = new ArrayList<>(within());
    SMALL.forEach(text -> smaller.add(of(text)));
    for (int i = 0; i < parts.size(); i++) {
      if (parts.get(i) instanceof CelExpression within) {
        for (CelExpression replacement : within.smaller()) {
          List<CelPart> changed = new ArrayList<>(parts);
          changed.set(i, replacement);
          smaller.add(new CelExpression(changed));
        }
      }
    }
    int length = text().length();
    smaller.removeIf(expression -> expression.text().length() >= length);
    return smaller;
  }

  /** Expressions with some characters left out. */
  static List<CelExpression> shorter(String text) {
    List<CelExpression> shorter = new ArrayList<>();
    for (int length = Math.min(16, text.length() - 1); length > 0; length--) {
      for (int from = 0; from + length <= text.length(); from++) {
        String rest = text.substring(0, from) + text.substring(from + length);
        if (StandardCharsets.UTF_8.newEncoder().canEncode(rest)) { // no half of a surrogate pair
          shorter.add(of(rest));
        }
      }
    }
    return shorter;
  }

  private List<CelExpression> within() {
    List<CelExpression> within = new ArrayList<>();
    for (CelPart part : parts) {
      if (part instanceof CelExpression expression) {
        within.add(expression);
        within.addAll(expression.within());
      }
    }
    return within;
  }
}
