package io.dra4j.cel.internal.check;

import com.google.common.base.Utf8;
import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.CelOptions;
import dev.cel.common.CelSource;
import dev.cel.common.CelValidationException;
import dev.cel.common.CelValidationResult;
import dev.cel.common.ast.CelExpr;
import dev.cel.parser.CelParser;
import dev.cel.parser.CelParserFactory;
import io.dra4j.cel.internal.check.TypeSubstitution.TooLargeException;
import io.dra4j.cel.internal.text.BudgetCheck;
import io.dra4j.cel.internal.text.TimeCheck;
import io.dra4j.cel.internal.value.Limits;
import io.dra4j.common.Budget;
import io.dra4j.common.BudgetExceededException;
import io.dra4j.selector.SelectorException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Parses and checks expressions of one environment: everything the API server does before it makes
 * a program, except for the limit of the cost. Thread-safe.
 */
public final class ExpressionChecker {

  private static final CelOptions OPTIONS =
      CelOptions.current()
          .maxExpressionCodePointSize(Limits.EXPRESSION_BYTES)
          .enableOptionalSyntax(true)
          .build();

  private static final CelParser PARSER =
      CelParserFactory.standardCelParserBuilder().setOptions(OPTIONS).addMacros(Macros.ALL).build();

  /** The characters that open a level each: operators, selections, calls and indices. */
  private static final String LEVELS = ".[?+-*/%<>=!n";

  private static final int MAX_LEVELS = 250;

  private final Environment environment;

  /** The beginning of cel-go's messages about an expression as a whole. */
  private static final String REFUSED = "compilation failed: ERROR: <input>:1:1: ";

  private final boolean checksLiterals;
  private final boolean hasEscapedNames;

  /** Creates a checker of Kubernetes' environment in an edition. */
  public ExpressionChecker(EnvironmentVersion version) {
    this(new Environment(version), true, version.hasEscapedNames());
  }

  /**
   * Creates a checker for any environment.
   *
   * @param environment the names that expressions may use
   * @param checksLiterals whether to reject the literals that Kubernetes rejects, or to follow the
   *     specification of CEL
   */
  public ExpressionChecker(Environment environment, boolean checksLiterals) {
    this(environment, checksLiterals, true);
  }

  private ExpressionChecker(
      Environment environment, boolean checksLiterals, boolean hasEscapedNames) {
    this.environment = environment;
    this.checksLiterals = checksLiterals;
    this.hasEscapedNames = hasEscapedNames;
  }

  /**
   * Checks an expression.
   *
   * @throws SelectorException if it does not compile, with the place and the cause
   */
  public CheckedExpression check(String expression) throws SelectorException {
    return check(expression, new ArrayList<>());
  }

  /**
   * Checks an expression within a budget.
   *
   * @throws SelectorException if it does not compile, with the place and the cause
   * @throws BudgetExceededException if a check between two steps, or during a long one, finds that
   *     the budget has expired
   */
  public CheckedExpression check(String expression, Budget budget)
      throws SelectorException, BudgetExceededException {
    return check(expression, new ArrayList<>(), budget);
  }

  /** {@return the problems of an expression in the order of the text; none if it compiles} */
  public List<ExpressionProblem> problems(String expression) {
    List<ExpressionProblem> problems = new ArrayList<>();
    try {
      CheckedExpression unused = check(expression, problems);
      return List.of();
    } catch (SelectorException e) {
      return problems.isEmpty()
          ? List.of(ExpressionProblem.ofWhole(expression, reason(e)))
          : problems;
    }
  }

  private CheckedExpression check(String expression, List<ExpressionProblem> found)
      throws SelectorException {
    try {
      return check(expression, found, Budget.unlimited());
    } catch (BudgetExceededException e) {
      throw new IllegalStateException("an unlimited budget", e);
    }
  }

  private CheckedExpression check(String expression, List<ExpressionProblem> found, Budget budget)
      throws SelectorException, BudgetExceededException {
    checkLength(expression);
    CelSource source = CelSource.newBuilder(expression).setDescription("<input>").build();
    TimeCheck time = new BudgetCheck(budget);
    try {
      CelAbstractSyntaxTree tree = parse(source, found, budget);
      budget.check();
      Problems problems = new Problems(tree.getSource());
      CheckedExpression checked = Checker.check(environment, tree, problems, time);
      budget.check();
      if (checksLiterals && problems.isEmpty()) {
        LiteralChecks.check(checked, environment.dialect().unicode(), problems, time);
      }
      refuseIfAny(problems, found);
      return checked;
    } catch (BudgetCheck.Over e) {
      throw e.exceeded();
    } catch (TooLargeException e) {
      throw refused(String.valueOf(e.getMessage()));
    } catch (StackOverflowError e) {
      throw refused("the expression is nested too deeply");
    }
  }

  private CelAbstractSyntaxTree parse(
      CelSource source, List<ExpressionProblem> found, Budget budget)
      throws SelectorException, BudgetExceededException {
    String expression = source.getContent().toString();
    RawLiterals literals = RawLiterals.unchanged(expression);
    CelValidationResult parsed = PARSER.parse(source);
    if (parsed.hasError() && parsed.getErrorString().contains(RawLiterals.REFUSAL)) {
      literals = RawLiterals.escaped(expression);
      parsed = PARSER.parse(literals.result(), source.getDescription());
    }
    Problems problems = new Problems(source);
    Optional<CelAbstractSyntaxTree> tree = tree(parsed);
    boolean mayEscape = expression.indexOf('`') >= 0 && !hasEscapedNames;
    if (tree.isEmpty() || mayBeTooDeep(expression) || mayEscape) {
      budget.check();
      SyntaxErrors.in(expression, hasEscapedNames).forEach(problems::addParsed);
    }
    if (tree.isEmpty() && problems.isEmpty()) {
      parsed.getErrors().forEach(problems::addParsed); // which should be among the others
    }
    refuseIfAny(problems, found);
    return withOriginalPlaces(
        tree.orElseThrow(() -> refused("the parser refuses it")), source, literals);
  }

  /** Returns the tree; empty if the parser finds errors, or cannot make one of the expression. */
  private static Optional<CelAbstractSyntaxTree> tree(CelValidationResult parsed) {
    try {
      return parsed.hasError() ? Optional.empty() : Optional.of(parsed.getAst());
    } catch (CelValidationException e) {
      return Optional.empty();
    }
  }

  private static void refuseIfAny(Problems problems, List<ExpressionProblem> found)
      throws SelectorException {
    if (!problems.isEmpty()) {
      found.addAll(problems.list());
      throw new SelectorException("compilation failed: " + problems);
    }
  }

  /** Returns whether an expression that cel-java takes may be nested too deeply for cel-go. */
  private static boolean mayBeTooDeep(String expression) {
    return expression.chars().filter(c -> LEVELS.indexOf(c) >= 0).count() > MAX_LEVELS;
  }

  /** Returns the tree as if the expression had been parsed as it was written. */
  private static CelAbstractSyntaxTree withOriginalPlaces(
      CelAbstractSyntaxTree tree, CelSource source, RawLiterals literals) {
    if (literals.result().contentEquals(source.getContent().toString())) {
      return tree;
    }
    CelSource.Builder original = source.toBuilder();
    tree.getSource()
        .getPositionsMap()
        .forEach((id, offset) -> original.addPositions(id, literals.original(offset)));
    original.addAllMacroCalls(tree.getSource().getMacroCalls());
    return CelAbstractSyntaxTree.newParsedAst(tree.getExpr(), original.build());
  }

  /** Returns the tree of an expression if it can be parsed; it need not pass the checks. */
  public Optional<CelExpr> parsed(String expression) {
    try {
      checkLength(expression);
      return tree(PARSER.parse(expression)).map(CelAbstractSyntaxTree::getExpr);
    } catch (SelectorException | StackOverflowError e) {
      return Optional.empty();
    }
  }

  /** Returns the exception for an expression that is rejected as a whole. */
  private static SelectorException refused(String reason) {
    return new SelectorException(REFUSED + reason);
  }

  /** Why an expression is refused as a whole, without the place. */
  private static String reason(SelectorException e) {
    String message = String.valueOf(e.getMessage());
    return message.startsWith(REFUSED) ? message.substring(REFUSED.length()) : message;
  }

  private static void checkLength(String expression) throws SelectorException {
    int length;
    try {
      length = Utf8.encodedLength(expression);
    } catch (IllegalArgumentException e) {
      throw refused(String.valueOf(e.getMessage()));
    }
    if (length > Limits.EXPRESSION_BYTES) {
      throw refused(
          "the expression has " + length + " bytes, more than " + Limits.EXPRESSION_BYTES);
    }
  }
}
