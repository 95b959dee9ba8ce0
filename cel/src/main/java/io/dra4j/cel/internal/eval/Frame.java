package io.dra4j.cel.internal.eval;

import dev.cel.common.values.CelByteString;
import dev.cel.common.values.OpaqueValue;
import io.dra4j.cel.internal.library.Dialect;
import io.dra4j.cel.internal.text.GoText;
import io.dra4j.cel.internal.text.Patterns;
import io.dra4j.cel.internal.text.Unicode;
import io.dra4j.cel.internal.value.EvalError;
import io.dra4j.cel.internal.value.EvaluationAborted;
import io.dra4j.cel.internal.value.EvaluationMeter;
import io.dra4j.cel.internal.value.Limits;
import io.dra4j.cel.internal.value.MapKeys;
import io.dra4j.cel.internal.value.MemoryCost;
import io.dra4j.cel.internal.value.Values;
import io.dra4j.common.Budget;
import io.dra4j.common.BudgetExceededException;
import java.lang.ref.WeakReference;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The state of one evaluation: its cost, and the values of variables. A frame is used for many
 * evaluations, by one thread at a time.
 *
 * <p>Costs are counted by the rules of {@code interpreter/runtimecost.go} of cel-go.
 */
public final class Frame implements EvaluationMeter {

  /** The number of rounds of loops between checks of the time, as in Kubernetes. */
  private static final int ROUNDS_PER_LOOK = 100;

  /** The cost between checks for long rounds, which have up to about 100,000 characters. */
  private static final long COST_PER_LOOK = 10_000;

  /** The units between checks for calls that take longer than they cost, see {@link #spend}. */
  private static final long UNITS_PER_LOOK = 10_000;

  /** The units for the text of the longest doubles. */
  private static final long UNITS_PER_NUMBER = 100;

  private static final Object[] NO_LOCALS = {};
  private static final long NOTHING = Long.MAX_VALUE; // has grown

  private final WeakReference<Thread> thread = new WeakReference<>(Thread.currentThread());
  private final EvaluationLimit limit;
  private final Patterns patterns;
  private final boolean sparesFailures;
  private final Unicode unicode;
  private final boolean limited; // in its time, for any caller
  private long left; // of the cost
  private long deadline;
  private int rounds;
  private long unlooked; // spent since the last look
  private long leftAtLook;
  private long characters; // of texts that were made, and that may be there still
  private long bytes; // of lists, maps and other values that were made, and may be there still
  private long number; // of what was begun last: loops, and what grows
  private long grown = NOTHING; // the first of what has grown in this round
  private boolean overLimit;
  private Budget budget = Budget.unlimited();
  private boolean timed; // whether the time of this evaluation is limited
  private @Nullable BudgetExceededException exceeded;
  private @Nullable DeviceView device;
  private Map<String, ?> variables = Map.of();
  private @Nullable Object[] locals = NO_LOCALS;
  private long[] numbers = {}; // of the loops, by the places of their accumulators
  private @Nullable EvalError error;

  /**
   * Creates a frame of this thread.
   *
   * @param limit how much each evaluation may use
   * @param patterns the regular expressions in the cache of its compiler
   */
  public Frame(EvaluationLimit limit, Patterns patterns) {
    this(limit, patterns, Dialect.KUBERNETES);
  }

  /**
   * Creates a frame of this thread.
   *
   * @param limit how much each evaluation may use
   * @param patterns the regular expressions in the cache of its compiler
   * @param dialect by whose rules costs are counted
   */
  Frame(EvaluationLimit limit, Patterns patterns, Dialect dialect) {
    this.limit = limit;
    this.patterns = patterns;
    this.sparesFailures = dialect.sparesFailures();
    this.unicode = dialect.unicode();
    this.limited = limit.nanos() != Long.MAX_VALUE;
  }

  /** Returns whether it is that of a thread, or of one that is gone, which is null. */
  boolean isOf(@Nullable Thread other) {
    return thread.refersTo(other);
  }

  /** Sets the caller's budget. {@link #release} drops it: a frame lives as long as its thread. */
  public Frame withBudget(Budget callers) {
    this.budget = callers;
    return this;
  }

  /** Evaluations end without a caller's budget from here on. */
  public void release() {
    this.budget = Budget.unlimited();
  }

  /** Begins an evaluation on a device. */
  public void start(DeviceView view, int localCount) {
    this.device = view;
    start(localCount);
  }

  /** Begins an evaluation with new variables. */
  public void start(Map<String, ?> named, int localCount) {
    this.variables = named;
    start(localCount);
  }

  private void start(int localCount) {
    this.left = limit.cost();
    this.overLimit = false;
    this.characters = 0;
    this.bytes = 0;
    this.number = 0;
    this.grown = NOTHING;
    this.exceeded = null;
    this.timed = limited || !budget.isUnlimited();
    if (timed) {
      this.deadline = limited ? System.nanoTime() + limit.nanos() : 0;
      this.rounds = 0;
      this.leftAtLook = left;
    }
    if (locals.length < localCount) {
      locals = new Object[localCount];
      numbers = new long[localCount];
    }
  }

  /** Forgets the values of variables, so that they can be collected. */
  void clear(int localCount) {
    for (int i = 0; i < localCount; i++) {
      locals[i] = null;
    }
  }

  /** Returns the cost of the evaluation until now. */
  public long cost() {
    return limit.cost() - left;
  }

  /**
   * Reports an evaluation that ended with the budget of its caller.
   *
   * @throws BudgetExceededException if it did; its error means nothing then
   */
  public void checkBudget() throws BudgetExceededException {
    BudgetExceededException end = exceeded;
    if (end != null) {
      throw end;
    }
  }

  /** Returns whether the evaluation ended because it exceeded the cost limit. */
  public boolean isOverLimit() {
    return overLimit;
  }

  DeviceView device() {
    DeviceView known = device;
    if (known == null) {
      throw new EvaluationAborted("no such attribute(s): device");
    }
    return known;
  }

  @Nullable Object variable(String name) {
    return variables.get(name);
  }

  @Nullable Object local(int slot) {
    return locals[slot];
  }

  void setLocal(int slot, @Nullable Object value) {
    locals[slot] = value;
  }

  /** Begins a loop whose accumulator has this place and the next one. */
  void begin(int accumulator) {
    locals[accumulator] = null;
    locals[accumulator + 1] = null;
    numbers[accumulator] = ++number;
  }

  /** Returns the first value of an accumulator, which stays as long as its loop is not over. */
  Object first(Node initial, int accumulator) {
    long before = bytes;
    long charactersBefore = characters;
    Object value = initial.eval(this);
    if (bytes != before || characters != charactersBefore) {
      grown(numbers[accumulator]);
    }
    return value;
  }

  /** Returns the error of the test that came last, if it gave {@link Node#ERROR}. */
  public EvalError error() {
    EvalError known = error;
    if (known == null) {
      throw new IllegalStateException("no error");
    }
    return known;
  }

  /** Notes an error, and returns {@link Node#ERROR}. */
  int fail(EvalError problem) {
    error = problem;
    return Node.ERROR;
  }

  /** Returns whether a value is an error with which its call ends at once, and free of charge. */
  boolean endsWith(Object value) {
    return sparesFailures && value instanceof EvalError;
  }

  /** Returns the value by whose size costs are counted; optionals have size 1 since cel-go 0.32. */
  Object sized(Object value) {
    return sparesFailures && value instanceof Optional ? Optional.empty() : value;
  }

  /**
   * Returns whether a loop over what has no elements ends well: over an empty text, since cel-go
   * 0.30. The size of an optional value counts for costs only.
   */
  boolean isEmptyRange(Object value) {
    return sparesFailures && !(value instanceof Optional) && Values.size(value) == 0;
  }

  /** Returns what a variable has, as another expression sees it. */
  Object read(Object value) {
    return sparesFailures ? value : MapKeys.read(value);
  }

  /** Returns a message whose texts in quotes have the characters that the release knows. */
  String requoted(String message) {
    return GoText.requote(message, unicode);
  }

  /** Returns whether failures are spared, see {@link Dialect}. */
  boolean sparesFailures() {
    return sparesFailures;
  }

  /** Counts steps that cost 1 each. The first one above the limit is the last one. */
  void charge(int steps) {
    left -= steps;
    if (left < 0) {
      left = -1;
      throw stop();
    }
  }

  /** Counts one step. */
  void charge(long amount) {
    left -= amount;
    if (left < 0 || amount < 0) {
      throw stop();
    }
  }

  /** Subtracts the cost of a step. As in cel-go, 0 − 1 is over the limit. */
  void refund(int steps) {
    left += steps;
    if (left > limit.cost()) {
      throw stop();
    }
  }

  @Override
  public Object made(Object result) {
    if (result instanceof String text) {
      made(text.length());
    } else if (result instanceof CelByteString made) {
      made(made.size());
    } else if (result instanceof OpaqueValue opaque) {
      takes(MemoryCost.bytes(opaque));
    }
    return result;
  }

  private void made(int length) {
    characters += length;
    Limits.checkTexts(characters);
  }

  @Override
  public void takes(long more) {
    bytes += more;
    Limits.checkRoom(bytes);
  }

  private EvaluationAborted stop() {
    overLimit = true;
    return new EvaluationAborted("operation cancelled: actual cost limit exceeded");
  }

  @Override
  public long begun() {
    return ++number;
  }

  @Override
  public void grown(long since) {
    grown = Math.min(grown, since);
  }

  long bytes() {
    return bytes;
  }

  long characters() {
    return characters;
  }

  /** Returns the number of what was begun last. */
  long number() {
    return number;
  }

  /** Begins a round of a loop; returns what has grown before. Most rounds write nothing here. */
  long beginRound() {
    long before = grown;
    if (before != NOTHING) {
      grown = NOTHING;
    }
    return before;
  }

  /**
   * Ends a round of a loop, and looks at the time. What was made in it is not there any more, if it
   * neither is its result nor became a part of something older.
   *
   * @param bytesBefore {@link #bytes} before the round, and so on
   * @param keepsNothing whether the result is nothing that was made
   */
  void endRound(
      long bytesBefore,
      long charactersBefore,
      long grownBefore,
      long numberBefore,
      boolean keepsNothing) {
    if ((bytes != bytesBefore || characters != charactersBefore)
        && keepsNothing
        && grown > numberBefore) {
      bytes = bytesBefore;
      characters = charactersBefore;
    }
    if (grownBefore < grown) {
      grown = grownBefore;
    }
    if (timed && (++rounds % ROUNDS_PER_LOOK == 0 || leftAtLook - left > COST_PER_LOOK)) {
      leftAtLook = left;
      checkTime();
    }
  }

  /** Returns the regular expressions that its compiler remembers. */
  Patterns patterns() {
    return patterns;
  }

  @Override
  public void look() {
    if (timed) {
      checkTime();
    }
  }

  /** {@inheritDoc} Looks at the time every millisecond or so. */
  @Override
  public void spend(long units) {
    if (timed) {
      unlooked += units;
      if (unlooked >= UNITS_PER_LOOK) {
        unlooked = 0;
        checkTime();
      }
    }
  }

  @Override
  public void spendOn(Object value) {
    if (timed) {
      spend(1 + MemoryCost.units(value));
    }
  }

  /** Notes that a function is called with a value, which may take longer than to look at it. */
  void spendOnCall(Object argument) {
    if (timed) {
      spend(argument instanceof Double ? UNITS_PER_NUMBER : 1 + MemoryCost.units(argument));
    }
  }

  /** Ends the evaluation if its time or the budget of its caller is over. */
  void checkTime() {
    if (limited && System.nanoTime() - deadline > 0) {
      throw EvaluationAborted.interrupted("deadline exceeded");
    }
    try {
      budget.check();
    } catch (BudgetExceededException e) {
      exceeded = e;
      throw EvaluationAborted.interrupted(e.reason());
    }
  }
}
