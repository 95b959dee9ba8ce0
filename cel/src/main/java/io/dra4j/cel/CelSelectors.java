package io.dra4j.cel;

import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import com.google.common.util.concurrent.ExecutionError;
import com.google.common.util.concurrent.UncheckedExecutionException;
import io.dra4j.model.CompiledAttribute;
import io.dra4j.model.Device;
import io.dra4j.model.SelectorCompiler;
import io.dra4j.model.SelectorException;
import java.time.Duration;
import java.util.concurrent.ExecutionException;

/**
 * Compiles the CEL expressions of Kubernetes Dynamic Resource Allocation.
 *
 * <p>The language is that of Kubernetes 1.37, in the version that a {@link CelEnvironment} says. An
 * expression may cost 1,000,000 units, counted as Kubernetes counts them, and fails when it has
 * cost more.
 *
 * <p>Remembers the expressions compiled last and the devices seen, so that one object should serve
 * for as long as possible. Several threads that ask for the same expression wait for one
 * compilation. Thread-safe.
 */
public final class CelSelectors implements SelectorCompiler {

  private static final int REMEMBERED_EXPRESSIONS = 1_000;

  private final CelEnvironment environment;
  private final ExpressionChecker checker;
  private final CelEngine engine;
  private final Evaluations evaluations;
  private final Cache<String, CelSelector> selectors = newCache();
  private final Cache<String, CompiledAttribute> attributes = newCache();

  private CelSelectors(CelEnvironment environment, CelEngine engine, EvaluationLimit limit) {
    this.environment = environment;
    this.checker = new ExpressionChecker(environment);
    this.engine = engine;
    this.evaluations = new Evaluations(limit);
  }

  /**
   * Makes a compiler of stored expressions, as the scheduler uses it.
   *
   * @return a compiler
   */
  public static CelSelectors create() {
    return create(CelEnvironment.stored());
  }

  /**
   * Makes a compiler.
   *
   * @param environment which variables and functions expressions may use
   * @return a compiler
   */
  public static CelSelectors create(CelEnvironment environment) {
    return new CelSelectors(
        environment, new NodeEngine(StandardLibrary.create()), EvaluationLimit.STANDARD);
  }

  /**
   * Makes a compiler whose expressions fail when an evaluation takes too long. The time is looked
   * at during loops, once in 100 rounds.
   *
   * @param environment which variables and functions expressions may use
   * @param timeLimit how long one evaluation may take; more than 0
   * @return a compiler
   */
  public static CelSelectors create(CelEnvironment environment, Duration timeLimit) {
    if (timeLimit.isZero() || timeLimit.isNegative()) {
      throw new IllegalArgumentException("time limit: want more than 0, got " + timeLimit);
    }
    return new CelSelectors(
        environment,
        new NodeEngine(StandardLibrary.create()),
        new EvaluationLimit(EvaluationLimit.STANDARD.cost(), timeLimit.toNanos()));
  }

  /**
   * Makes a compiler of stored expressions that leaves their evaluation to the runtime of cel-java.
   * It is slower by orders of magnitude and counts no costs, but limits the rounds of loops. It is
   * there to compare with, and as a way out should the evaluator of this library be wrong.
   *
   * @return a compiler
   */
  public static CelSelectors interpreted() {
    return new CelSelectors(
        CelEnvironment.stored(),
        new CelJavaEngine(StandardLibrary.create()),
        EvaluationLimit.STANDARD);
  }

  /**
   * Prepares a device for many evaluations.
   *
   * @param driver the driver of the device, the domain of its unqualified names
   * @param device the device
   * @return what the selectors of this compiler take for it
   * @throws SelectorException if the device has an attribute without value or with a broken
   *     version, on which every selector fails
   */
  public CelDevice prepare(String driver, Device device) throws SelectorException {
    return new CelDevice(evaluations.view(driver, device));
  }

  /**
   * {@inheritDoc}
   *
   * @throws SelectorException if the expression is longer than 10 KiB, is no CEL, refers to
   *     something that is not there, or gives neither a truth value nor a value whose type is known
   *     only when it is evaluated
   */
  @Override
  public CelSelector compileSelector(String expression) throws SelectorException {
    return cached(selectors, expression, this::newSelector);
  }

  /**
   * {@inheritDoc}
   *
   * @throws SelectorException if the expression is longer than 10 KiB, is no CEL, refers to
   *     something that is not there, or gives neither a truth value, an integer, a string, a
   *     version, a list of these, nor a value whose type is known only when it is evaluated
   */
  @Override
  public CompiledAttribute compileAttribute(String expression) throws SelectorException {
    return cached(attributes, expression, this::newAttribute);
  }

  private CelSelector newSelector(String expression) throws SelectorException {
    CheckedExpression checked = checker.check(expression);
    OutputTypes.checkSelector(checked.resultType(), environment);
    return new CelSelector(
        evaluations, engine.plan(checked), CostEstimator.estimate(checked).max());
  }

  private CompiledAttribute newAttribute(String expression) throws SelectorException {
    CheckedExpression checked = checker.check(expression);
    OutputTypes.checkAttribute(checked.resultType(), environment);
    return new CelAttribute(evaluations, engine.plan(checked));
  }

  @FunctionalInterface
  private interface Compilation<T> {
    T compile(String expression) throws SelectorException;
  }

  /** Failures are not remembered. */
  private static <T> T cached(Cache<String, T> cache, String expression, Compilation<T> compilation)
      throws SelectorException {
    T known = cache.getIfPresent(expression);
    if (known != null) {
      return known;
    }
    try {
      return cache.get(expression, () -> compilation.compile(expression));
    } catch (ExecutionException e) {
      throw e.getCause() instanceof SelectorException cause
          ? cause
          : new SelectorException("compilation failed: " + e.getCause());
    } catch (UncheckedExecutionException | ExecutionError e) {
      throw e.getCause() instanceof StackOverflowError
          ? new SelectorException("compilation failed: the expression is nested too deeply")
          : new SelectorException("compilation failed: " + e.getCause());
    }
  }

  private static <T> Cache<String, T> newCache() {
    return CacheBuilder.newBuilder().maximumSize(REMEMBERED_EXPRESSIONS).build();
  }
}
