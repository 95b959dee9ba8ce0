package io.dra4j.cel;

import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import com.google.common.util.concurrent.ExecutionError;
import com.google.common.util.concurrent.UncheckedExecutionException;
import io.dra4j.cel.internal.check.CheckedExpression;
import io.dra4j.cel.internal.check.ExpressionChecker;
import io.dra4j.cel.internal.check.ExpressionProblem;
import io.dra4j.cel.internal.check.OutputTypes;
import io.dra4j.cel.internal.eval.CelEngine;
import io.dra4j.cel.internal.eval.EvaluationLimit;
import io.dra4j.cel.internal.eval.Evaluations;
import io.dra4j.cel.internal.eval.NodeEngine;
import io.dra4j.cel.internal.explain.SelectorExplainer;
import io.dra4j.cel.internal.library.Dialect;
import io.dra4j.cel.internal.library.StandardLibrary;
import io.dra4j.common.Budget;
import io.dra4j.common.BudgetExceededException;
import io.dra4j.model.Device;
import io.dra4j.model.ResourceSlice;
import io.dra4j.selector.CompiledAttribute;
import io.dra4j.selector.SelectorCompiler;
import io.dra4j.selector.SelectorException;
import io.dra4j.selector.SelectorExplanation;
import io.dra4j.selector.SelectorExplanation.Clause;
import io.dra4j.selector.SelectorExplanation.Verdict;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.function.ToIntFunction;

/**
 * Compiles the CEL expressions of Kubernetes Dynamic Resource Allocation.
 *
 * <p>The language is the language of Kubernetes 1.37, or of 1.38 if a {@link CelEnvironment} sets
 * it. An evaluation may cost 1,000,000 units, counted as in Kubernetes, and fails when it exceeds
 * this limit.
 *
 * <p>A compiler caches recent expressions and devices, so use one object for as long as possible.
 * Several threads that need the same expression wait for one compilation. Thread-safe.
 */
public final class CelSelectors implements SelectorCompiler {

  private static final Duration MAX_TIME = Duration.ofNanos(Long.MAX_VALUE);

  private final CelEnvironment environment;
  private final ExpressionChecker checker;
  private final CelEngine engine;
  private final Evaluations evaluations;
  private final Cache<String, CelSelector> selectors;
  private final Cache<String, CelAttribute> attributes;

  CelSelectors(Builder builder, CelEngine engine) {
    this.environment = builder.environment;
    this.checker = new ExpressionChecker(environment.edition());
    this.engine = engine;
    this.evaluations =
        new Evaluations(
            new EvaluationLimit(builder.maxCost, builder.nanos),
            builder.patternBytes,
            builder.deviceBytes,
            environment.edition().dialect());
    this.selectors = newCache(builder.expressionBytes / 4 * 3, CelSelector::weight);
    this.attributes = newCache(builder.expressionBytes / 4, CelAttribute::weight);
  }

  /** {@return a compiler of stored expressions, as the scheduler uses it} */
  public static CelSelectors create() {
    return create(CelEnvironment.stored());
  }

  /**
   * {@return a compiler}
   *
   * @param environment the variables and functions that expressions may use
   */
  public static CelSelectors create(CelEnvironment environment) {
    return builder().environment(environment).build();
  }

  /**
   * {@return a builder of a compiler of stored expressions} Defaults: the cost limit of Kubernetes,
   * no time limit, caches of 8 MiB for expressions, 4 MiB for regular expressions, 128 MiB for
   * devices.
   */
  public static Builder builder() {
    return new Builder();
  }

  /**
   * {@return the device, prepared for many evaluations by selectors of this compiler}
   *
   * @param driver the driver of the device, the domain of its unqualified names
   * @param device the device
   * @throws SelectorException if an attribute has no value or a bad version: every selector fails
   */
  public CelDevice prepare(String driver, Device device) throws SelectorException {
    return new CelDevice(
        evaluations.view(Arguments.driver(driver), Arguments.device(device)), evaluations);
  }

  /**
   * {@inheritDoc}
   *
   * @throws SelectorException if the expression is longer than 10 KiB, is not valid CEL, refers to
   *     something undeclared, or its type is neither Boolean nor dynamic
   */
  @Override
  public CelSelector compileSelector(String expression) throws SelectorException {
    return unlimited(selectors, expression, this::newSelector);
  }

  /**
   * {@inheritDoc} A cached selector is returned at once, independent of the budget.
   *
   * @throws SelectorException as for {@link #compileSelector(String)}
   */
  @Override
  public CelSelector compileSelector(String expression, Budget budget)
      throws SelectorException, BudgetExceededException {
    return cached(
        selectors, Arguments.expression(expression), Arguments.budget(budget), this::newSelector);
  }

  /**
   * {@inheritDoc}
   *
   * <p>The value is a Boolean, an integer, a string, a version, or a list of these.
   *
   * @throws SelectorException if the expression is longer than 10 KiB, is not valid CEL, refers to
   *     something undeclared, or if its type is known and is none of these
   */
  @Override
  public CompiledAttribute compileAttribute(String expression) throws SelectorException {
    return unlimited(attributes, expression, this::newAttribute);
  }

  /**
   * {@inheritDoc} A cached expression is returned at once, independent of the budget.
   *
   * @throws SelectorException as for {@link #compileAttribute(String)}
   */
  @Override
  public CompiledAttribute compileAttribute(String expression, Budget budget)
      throws SelectorException, BudgetExceededException {
    return cached(
        attributes, Arguments.expression(expression), Arguments.budget(budget), this::newAttribute);
  }

  /**
   * Explains the answer of a selector for a device. The selector need not compile.
   *
   * <pre>{@code
   * CelSelectors.create()
   *     .explain("device.attributes['gpu.nvidia.com'].memory > 1", "gpu.nvidia.com", device, budget)
   *     .lines()
   *     .forEach(System.out::println);
   * }</pre>
   *
   * @param expression the selector
   * @param driver the driver of the device, the domain of its unqualified names
   * @param device the device
   * @param budget the time that the caller allows
   * @return the parts of the expression with their answers for the device, and probable mistakes;
   *     an expression that does not compile is a single rejected clause
   * @throws BudgetExceededException if the budget expires before the answer is known
   */
  public SelectorExplanation explain(String expression, String driver, Device device, Budget budget)
      throws BudgetExceededException {
    Arguments.driver(driver);
    Arguments.device(device);
    Arguments.budget(budget);
    try {
      return compileSelector(expression, budget).explain(driver, device, budget);
    } catch (SelectorException e) {
      String error = String.valueOf(e.getMessage());
      return CelSelector.explained(
          Clause.of(expression, Verdict.REFUSED, error),
          () ->
              SelectorExplainer.refused(
                  expression,
                  error,
                  new SelectorExplainer.Interpreter(checker, engine, evaluations),
                  driver,
                  device,
                  budget));
    }
  }

  /**
   * Returns the API server's verdict on a selector.
   *
   * <pre>{@code
   * CelAdmission said = CelSelectors.create().admit("device.attributes['gpu.example.com'].nope(1)");
   * if (said instanceof CelAdmission.Refused refused) {
   *   refused.problems().forEach(System.out::println);
   * }
   * }</pre>
   *
   * @param expression the selector
   * @return accepted, over the cost limit with the costliest part, or rejected with the places of
   *     all problems
   */
  public CelAdmission admit(String expression) {
    CelSelector selector;
    try {
      selector = compileSelector(expression);
    } catch (SelectorException e) {
      List<ExpressionProblem> problems = checker.problems(expression);
      return new CelAdmission.Refused(
          (problems.isEmpty() // a wrong result type, or no program
                  ? List.of(ExpressionProblem.ofWhole(expression, String.valueOf(e.getMessage())))
                  : problems)
              .stream()
                  .map(p -> new CelProblem(p.message(), p.line(), p.column(), p.length()))
                  .toList());
    }
    long cost = selector.maxCost();
    return Long.compareUnsigned(cost, CelSelector.MAX_COST) <= 0
        ? new CelAdmission.Accepted(cost)
        : selector.overLimit();
  }

  /**
   * {@return the probable mistakes in a valid selector: names that no published device has, a
   * selector that is true on all or on none of the devices, or a selector whose maximum cost is
   * more than 80 % of the limit of the API server; empty if there are none}
   *
   * @param expression the selector
   * @param slices the published slices; without devices, there are no findings about devices
   * @param budget the time that the caller allows
   * @throws SelectorException if it does not compile; {@link #admit} returns place and reason
   * @throws BudgetExceededException if the budget expires before all devices were checked
   */
  public List<CelLint> lint(String expression, Collection<ResourceSlice> slices, Budget budget)
      throws SelectorException, BudgetExceededException {
    Objects.requireNonNull(slices, "slices");
    Arguments.budget(budget);
    CelSelector selector = compileSelector(expression, budget);
    List<CelLint> lints = new ArrayList<>();
    if (Long.compareUnsigned(selector.maxCost(), CelSelector.MAX_COST / 5 * 4) > 0
        && Long.compareUnsigned(selector.maxCost(), CelSelector.MAX_COST) <= 0) {
      lints.add(
          new CelLint(
              CelLint.Kind.NEARLY_OVER_LIMIT,
              "it may cost %s of the %d units that the API server allows"
                  .formatted(Long.toUnsignedString(selector.maxCost()), CelSelector.MAX_COST)));
    }
    int devices = 0;
    int matches = 0;
    int failed = 0;
    for (ResourceSlice slice : slices) {
      for (Device device : slice.devices()) {
        CelEvaluation evaluation = selector.evaluate(slice.driver(), device, budget);
        devices++;
        matches += evaluation.matches() ? 1 : 0;
        failed += evaluation.failed() ? 1 : 0;
      }
    }
    if (devices > 0) {
      selector
          .unpublishedNames(slices, budget)
          .forEach(name -> lints.add(new CelLint(CelLint.Kind.UNKNOWN_NAME, name)));
    }
    if (devices > 0 && matches == devices) {
      lints.add(new CelLint(CelLint.Kind.ALWAYS_TRUE, "it is true on all devices: " + devices));
    } else if (devices > 0 && matches == 0) {
      lints.add(
          new CelLint(
              CelLint.Kind.NEVER_TRUE,
              "it is true on no device: false on %d, an error on %d"
                  .formatted(devices - failed, failed)));
    }
    return List.copyOf(lints);
  }

  private CelSelector newSelector(String expression, Budget budget)
      throws SelectorException, BudgetExceededException {
    CheckedExpression checked = checker.check(expression, budget);
    OutputTypes.checkSelector(checked.resultType(), environment.edition());
    CelEngine.Evaluator evaluator = engine.plan(checked, budget);
    budget.check();
    return new CelSelector(
        expression, evaluator, engine.estimate(checked).max(), checker, engine, evaluations);
  }

  private CelAttribute newAttribute(String expression, Budget budget)
      throws SelectorException, BudgetExceededException {
    CheckedExpression checked = checker.check(expression, budget);
    OutputTypes.checkAttribute(checked.resultType(), environment.edition());
    CelEngine.Evaluator evaluator = engine.plan(checked, budget);
    budget.check();
    return new CelAttribute(expression, evaluations, evaluator, engine.estimate(checked).max());
  }

  @FunctionalInterface
  private interface Compilation<T> {
    T compile(String expression, Budget budget) throws SelectorException, BudgetExceededException;
  }

  private static <T> T unlimited(
      Cache<String, T> cache, String expression, Compilation<T> compilation)
      throws SelectorException {
    try {
      return cached(cache, Arguments.expression(expression), Budget.unlimited(), compilation);
    } catch (BudgetExceededException e) {
      throw new IllegalStateException("an unlimited budget", e);
    }
  }

  /** Returns a cached or new compilation; failures are not cached. */
  private static <T> T cached(
      Cache<String, T> cache, String expression, Budget budget, Compilation<T> compilation)
      throws SelectorException, BudgetExceededException {
    T known = cache.getIfPresent(expression);
    while (known == null) {
      try {
        known = compiled(cache, expression, budget, compilation);
      } catch (BudgetExceededException e) {
        budget.check(); // otherwise another caller compiled it, with a longer budget
      }
    }
    return known;
  }

  private static <T> T compiled(
      Cache<String, T> cache, String expression, Budget budget, Compilation<T> compilation)
      throws SelectorException, BudgetExceededException {
    try {
      return cache.get(expression, () -> compilation.compile(expression, budget));
    } catch (ExecutionException e) {
      if (e.getCause() instanceof BudgetExceededException over) {
        throw over;
      }
      throw e.getCause() instanceof SelectorException cause
          ? cause
          : new SelectorException("compilation failed: " + e.getCause());
    } catch (UncheckedExecutionException | ExecutionError e) {
      throw e.getCause() instanceof StackOverflowError
          ? new SelectorException("compilation failed: the expression is nested too deeply")
          : new SelectorException("compilation failed: " + e.getCause());
    }
  }

  private static <T> Cache<String, T> newCache(long bytes, ToIntFunction<T> weight) {
    return CacheBuilder.newBuilder()
        .concurrencyLevel(1) // each level of the cache has its own part of the weight
        .maximumWeight(bytes)
        .weigher((String expression, T compiled) -> weight.applyAsInt(compiled))
        .build();
  }

  /** Builds a compiler. Not thread-safe. */
  public static final class Builder {

    private CelEnvironment environment = CelEnvironment.stored();
    private long maxCost = CelSelector.MAX_COST;
    private long nanos = Long.MAX_VALUE;
    private long expressionBytes = 8 << 20;
    private long patternBytes = 4 << 20;
    private long deviceBytes = 128 << 20;

    private Builder() {}

    /**
     * Sets the variables and functions that expressions may use; by default, those of stored
     * expressions.
     *
     * @param environment the environment
     * @return this builder
     */
    public Builder environment(CelEnvironment environment) {
      this.environment = Objects.requireNonNull(environment, "environment");
      return this;
    }

    /**
     * Sets the cost limit of an evaluation; 1,000,000 by default, as in Kubernetes ({@code
     * CELSelectorExpressionMaxCost} of resource.k8s.io).
     *
     * @param units the limit in units of CEL, greater than 0
     * @return this builder
     * @throws IllegalArgumentException if the limit is not greater than 0
     */
    public Builder maxCost(long units) {
      this.maxCost = positive("cost", units);
      return this;
    }

    /**
     * Sets the time limit of an evaluation; none by default. The time is checked during loops, once
     * in 100 rounds, and during calls that take longer than their cost. The budget of the caller of
     * an evaluation ({@link Budget}) applies in addition.
     *
     * @param limit the time after which an evaluation fails, greater than 0
     * @return this builder
     * @throws IllegalArgumentException if the limit is not greater than 0
     */
    public Builder timeLimit(Duration limit) {
      Objects.requireNonNull(limit, "limit");
      if (limit.isZero() || limit.isNegative()) {
        throw new IllegalArgumentException("time limit: expected more than 0, found " + limit);
      }
      this.nanos = limit.compareTo(MAX_TIME) > 0 ? Long.MAX_VALUE : limit.toNanos();
      return this;
    }

    /**
     * Sets the memory for cached expressions, a quarter of which is for derived attributes; 8 MiB
     * by default, enough for about 2,000 selectors of three conditions. A selector takes about
     * 1,000 bytes and, at most, 72 bytes for each character and 256 KiB for its regular
     * expressions.
     *
     * @param bytes the number of bytes, greater than 0
     * @return this builder
     * @throws IllegalArgumentException if the number is not greater than 0
     */
    public Builder expressionBytes(long bytes) {
      this.expressionBytes = positive("bytes of expressions", bytes);
      return this;
    }

    /**
     * Sets the memory for cached regular expressions in addition to those of cached selectors; 4
     * MiB by default.
     *
     * @param bytes the number of bytes, greater than 0
     * @return this builder
     * @throws IllegalArgumentException if the number is not greater than 0
     */
    public Builder patternBytes(long bytes) {
      this.patternBytes = positive("bytes of regular expressions", bytes);
      return this;
    }

    /**
     * Sets the memory for cached facts of devices; 128 MiB by default, which is enough for 100,000
     * devices with 12 attributes. Unreachable devices are removed from the cache.
     *
     * @param bytes the number of bytes, greater than 0
     * @return this builder
     * @throws IllegalArgumentException if the number is not greater than 0
     */
    public Builder deviceBytes(long bytes) {
      this.deviceBytes = positive("bytes of devices", bytes);
      return this;
    }

    /** {@return a compiler with the settings of this builder} */
    public CelSelectors build() {
      Dialect dialect = environment.edition().dialect();
      return new CelSelectors(this, new NodeEngine(StandardLibrary.create(dialect), dialect));
    }

    private static long positive(String what, long value) {
      if (value <= 0) {
        throw new IllegalArgumentException(what + ": expected more than 0, found " + value);
      }
      return value;
    }
  }
}
