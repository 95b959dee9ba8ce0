package io.dra4j.cel.internal.check;

import cel.parser.internal.CELLexer;
import cel.parser.internal.CELParser;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.antlr.v4.runtime.BaseErrorListener;
import org.antlr.v4.runtime.CharStreams;
import org.antlr.v4.runtime.CommonTokenStream;
import org.antlr.v4.runtime.DefaultErrorStrategy;
import org.antlr.v4.runtime.InputMismatchException;
import org.antlr.v4.runtime.Parser;
import org.antlr.v4.runtime.ParserRuleContext;
import org.antlr.v4.runtime.RecognitionException;
import org.antlr.v4.runtime.Recognizer;
import org.antlr.v4.runtime.Token;
import org.antlr.v4.runtime.atn.ATNState;
import org.antlr.v4.runtime.misc.IntervalSet;
import org.antlr.v4.runtime.tree.ErrorNode;
import org.antlr.v4.runtime.tree.ParseTreeListener;
import org.antlr.v4.runtime.tree.TerminalNode;
import org.jspecify.annotations.Nullable;

/**
 * Finds the syntax errors of an expression as the parser of cel-go does, and with {@link
 * TreeErrors} the errors that the grammar itself allows. The grammar and the tables come from
 * cel-java, but the runtime of the parser generator has other rules in Java than in Go: it expects
 * more tokens after an error, writes line ends as escapes, and never gives up.
 *
 * <p>Source: {@code parser/parser.go} of cel-go, {@code error_strategy.go} of antlr4-go.
 */
final class SyntaxErrors {

  private static final int MAX_ERRORS = 100;
  private static final int MAX_DEPTH = 250;
  private static final int MAX_RECOVERIES = 30;
  private static final int MAX_SKIPPED = 256;

  /**
   * An error.
   *
   * @param line from 1
   * @param column from 0, in code points; -1 for the whole expression
   * @param message the text of cel-go
   */
  record SyntaxError(int line, int column, String message) {}

  private final List<SyntaxError> errors = new ArrayList<>();

  private final boolean hasEscapedNames;

  private SyntaxErrors(boolean hasEscapedNames) {
    this.hasEscapedNames = hasEscapedNames;
  }

  /**
   * Parses an expression for its errors only, which are in the order in which they are found.
   *
   * @param hasEscapedNames whether names of fields may be in backticks
   */
  static List<SyntaxError> in(String expression, boolean hasEscapedNames) {
    SyntaxErrors found = new SyntaxErrors(hasEscapedNames);
    try {
      found.parse(expression);
    } catch (GivenUp e) {
      // nothing more is looked for
    } catch (TreeErrors.TooDeep e) {
      found.addOfWhole("max recursion depth exceeded");
    }
    return List.copyOf(found.errors);
  }

  private void parse(String expression) {
    Listener listener = new Listener();
    CELLexer lexer = new Lexer(expression);
    lexer.removeErrorListeners();
    lexer.addErrorListener(listener);
    CELParser parser = new CELParser(new CommonTokenStream(lexer));
    parser.removeErrorListeners();
    parser.addErrorListener(listener);
    parser.addParseListener(new Depth());
    parser.setErrorHandler(new Recovery());
    new TreeErrors(errors, hasEscapedNames).visit(parser.start());
  }

  private void addOfWhole(String message) {
    errors.add(new SyntaxError(-1, -1, message));
  }

  /** Ends the parsing. */
  private static final class GivenUp extends RuntimeException {

    private static final long serialVersionUID = 1L;

    GivenUp() {
      super(null, null, false, false);
    }
  }

  /** Reports unreadable text unchanged. */
  private static final class Lexer extends CELLexer {

    Lexer(String expression) {
      super(CharStreams.fromString(expression));
    }

    @Override
    public String getErrorDisplay(String text) {
      return text;
    }
  }

  private final class Listener extends BaseErrorListener {

    @Override
    public void syntaxError(
        Recognizer<?, ?> recognizer,
        @Nullable Object symbol,
        int line,
        int column,
        String message,
        @Nullable RecognitionException cause) {
      boolean tooMany = errors.size() >= MAX_ERRORS; // tokens are looked at later
      errors.add(
          new SyntaxError(
              line,
              column,
              "Syntax error: "
                  + (tooMany
                      ? "More than " + MAX_ERRORS + " syntax errors"
                      : message.replaceAll(
                          "no viable alternative at input '.(true|false|null)'",
                          "mismatched input '$1' expecting IDENTIFIER"))));
      if (tooMany) {
        throw new GivenUp();
      }
    }
  }

  /** Counts how deep each rule is nested in itself. */
  private final class Depth implements ParseTreeListener {

    private final Map<Integer, Integer> depths = new HashMap<>();

    @Override
    public void enterEveryRule(ParserRuleContext context) {
      if (depths.merge(context.getRuleIndex(), 1, Integer::sum) > MAX_DEPTH) {
        addOfWhole("expression recursion limit exceeded: " + MAX_DEPTH);
        throw new GivenUp();
      }
    }

    @Override
    public void exitEveryRule(ParserRuleContext context) {
      depths.computeIfPresent(context.getRuleIndex(), (rule, depth) -> Math.max(0, depth - 1));
    }

    @Override
    public void visitTerminal(TerminalNode node) {}

    @Override
    public void visitErrorNode(ErrorNode node) {}
  }

  /** Recovers after an error as in Go. */
  private final class Recovery extends DefaultErrorStrategy {

    private int attempts;

    @Override
    public void recover(Parser parser, RecognitionException cause) {
      count(parser);
      super.recover(parser, cause);
    }

    @Override
    public Token recoverInline(Parser parser) {
      count(parser);
      Token deleted = singleTokenDeletion(parser);
      if (deleted != null) {
        parser.consume();
        return deleted;
      } else if (singleTokenInsertion(parser)) {
        return getMissingSymbol(parser);
      }
      throw new InputMismatchException(parser);
    }

    private void count(Parser parser) {
      if (attempts++ == MAX_RECOVERIES) {
        parser.notifyErrorListeners("error recovery attempt limit exceeded: " + MAX_RECOVERIES);
        throw new GivenUp();
      }
    }

    /** Unlike in Java, nothing is remembered where a rule may be empty. */
    @Override
    public void sync(Parser parser) {
      if (inErrorRecoveryMode(parser)) {
        return;
      }
      ATNState state = parser.getATN().states.get(parser.getState());
      IntervalSet next = parser.getATN().nextTokens(state);
      if (next.contains(Token.EPSILON) || next.contains(parser.getInputStream().LA(1))) {
        return;
      }
      switch (state.getStateType()) {
        case ATNState.BLOCK_START,
            ATNState.STAR_BLOCK_START,
            ATNState.PLUS_BLOCK_START,
            ATNState.STAR_LOOP_ENTRY -> {
          if (singleTokenDeletion(parser) == null) {
            throw new InputMismatchException(parser);
          }
        }
        case ATNState.PLUS_LOOP_BACK, ATNState.STAR_LOOP_BACK -> {
          reportUnwantedToken(parser);
          IntervalSet wanted = new IntervalSet(parser.getExpectedTokens());
          wanted.addAll(getErrorRecoverySet(parser));
          consumeUntil(parser, wanted);
        }
        default -> {}
      }
    }

    @Override
    protected void consumeUntil(Parser parser, IntervalSet wanted) {
      int skipped = 0;
      for (int type = parser.getInputStream().LA(1);
          type != Token.EOF && !wanted.contains(type);
          type = parser.getInputStream().LA(1)) {
        if (skipped++ >= MAX_SKIPPED) {
          addOfWhole("error recovery token lookahead limit exceeded: " + MAX_SKIPPED);
          throw new GivenUp();
        }
        parser.consume();
      }
    }
  }
}
