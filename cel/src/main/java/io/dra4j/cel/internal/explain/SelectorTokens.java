package io.dra4j.cel.internal.explain;

import cel.parser.internal.CELLexer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.antlr.v4.runtime.CharStreams;
import org.antlr.v4.runtime.Token;

/**
 * The tokens of an expression that compiles, without spaces and comments, as the lexer of the
 * grammar finds them, so that brackets in strings, comments and quoted names do not count. Tokens
 * are numbered from 0; places in the text are in code points, as in the tree.
 */
final class SelectorTokens {

  /** The enclosing bracket of a token without one. */
  static final int OUTSIDE = -1;

  private final int[] text;
  private final List<Token> tokens = new ArrayList<>();
  private final Map<Integer, Integer> byPlace = new HashMap<>();
  private final int[] partners; // of brackets; else -1
  private final int[] enclosing; // the innermost open bracket around each token

  SelectorTokens(String expression) {
    this.text = expression.codePoints().toArray();
    CELLexer lexer = new CELLexer(CharStreams.fromString(expression));
    lexer.removeErrorListeners();
    for (Token token = lexer.nextToken(); token.getType() != Token.EOF; token = lexer.nextToken()) {
      if (token.getChannel() == Token.DEFAULT_CHANNEL) {
        byPlace.put(token.getStartIndex(), tokens.size());
        tokens.add(token);
      }
    }
    this.partners = new int[tokens.size()];
    this.enclosing = new int[tokens.size()];
    matchBrackets();
  }

  private void matchBrackets() {
    Arrays.fill(partners, -1);
    Deque<Integer> open = new ArrayDeque<>();
    for (int i = 0; i < partners.length; i++) {
      int type = tokens.get(i).getType();
      if (isClosing(type) && !open.isEmpty()) {
        int opening = open.pop();
        partners[opening] = i;
        partners[i] = opening;
      }
      enclosing[i] = open.isEmpty() ? OUTSIDE : open.peek();
      if (isOpening(type)) {
        open.push(i);
      }
    }
  }

  private static boolean isOpening(int type) {
    return type == CELLexer.LPAREN || type == CELLexer.LBRACKET || type == CELLexer.LBRACE;
  }

  private static boolean isClosing(int type) {
    return type == CELLexer.RPAREN || type == CELLexer.RPRACKET || type == CELLexer.RBRACE;
  }

  /** A range of tokens: from the first one up to the end, which is excluded. */
  record Range(int first, int end) {}

  /** Returns all tokens. */
  Range all() {
    return new Range(0, tokens.size());
  }

  /** Returns the token that begins at a place of the tree; -1 if none does. */
  int at(int place) {
    return byPlace.getOrDefault(place, -1);
  }

  /** Returns the innermost open bracket around a token, or {@link #OUTSIDE}. */
  int enclosing(int token) {
    return enclosing[token];
  }

  /** Returns a range without the brackets around it. */
  Range unwrapped(Range range) {
    Range inner = range;
    while (isBracketed(inner.first, inner.end)) {
      inner = new Range(inner.first + 1, inner.end - 1);
    }
    return inner;
  }

  /** Returns a range without brackets and double negations around it: the tree has neither. */
  Range content(Range range) {
    Range inner = unwrapped(range);
    int bracket = inner.first;
    while (tokens.get(bracket).getType() == CELLexer.EXCLAM) {
      bracket++;
    }
    int negations = bracket - inner.first;
    return negations > 0 && negations % 2 == 0 && isBracketed(bracket, inner.end)
        ? content(new Range(bracket, inner.end))
        : inner;
  }

  private boolean isBracketed(int first, int end) {
    return tokens.get(first).getType() == CELLexer.LPAREN && partners[first] == end - 1;
  }

  /** Returns the last argument of a call, whose closing bracket is the last token of the range. */
  Range lastArgument(Range call) {
    int open = partners[call.end - 1];
    int from = call.end - 1;
    while (from > open + 1
        && !(tokens.get(from - 1).getType() == CELLexer.COMMA && enclosing[from - 1] == open)) {
      from--;
    }
    return new Range(from, call.end - 1);
  }

  /** Returns the offset of a range in the text, in code points. */
  int place(Range range) {
    return tokens.get(range.first).getStartIndex();
  }

  /** Returns the text of a range. */
  String text(Range range) {
    int from = place(range);
    return new String(text, from, tokens.get(range.end - 1).getStopIndex() + 1 - from);
  }
}
