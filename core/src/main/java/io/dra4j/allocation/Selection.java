package io.dra4j.allocation;

import io.dra4j.inventory.Candidate;
import io.dra4j.inventory.NodeSelectorException;
import io.dra4j.inventory.SelectorAnswers;
import io.dra4j.model.BudgetExceededException;
import io.dra4j.model.DeviceClass;
import io.dra4j.model.DeviceSelector;
import io.dra4j.model.Feature;
import io.dra4j.model.SelectorException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which devices of the node a class and the selectors of a request choose, whatever is allocated.
 * Shared by all targets of a search that have both in common; remembers two bits for each device.
 */
final class Selection implements SearchMemory.Part {

  private static final int NO = 1;
  private static final int YES = 2;

  /** A selector fails on the device; only where that ends nothing. */
  private static final int FAILS = 3;

  private static final int ORDINAL_SHIFT = 5; // 32 devices in a word
  private static final int WORD_BYTES = 8;
  private static final int TABLE_BYTES = 64; // about what a reference to a table keeps besides

  private final SearchContext context;
  private final SearchMemory memory;
  private final DeviceClass deviceClass;
  private final List<DeviceSelector> ofRequest;
  private long @Nullable [] answers;
  private @Nullable SelectorAnswers @Nullable [] classTables;
  private @Nullable SelectorAnswers @Nullable [] requestTables;

  /**
   * Makes a selection of which nothing is known yet.
   *
   * @param ofRequest the selectors of the request
   */
  Selection(
      SearchContext context,
      SearchMemory memory,
      DeviceClass deviceClass,
      List<DeviceSelector> ofRequest) {
    this.context = context;
    this.memory = memory;
    this.deviceClass = deviceClass;
    this.ofRequest = ofRequest;
  }

  @Override
  public void forget() {
    answers = null;
    classTables = null;
    requestTables = null;
  }

  /**
   * Whether the device can be chosen as far as selectors and its own node selection go.
   *
   * @param target for whom, which errors name
   * @throws RejectedException if a selector cannot be compiled, or not be evaluated on the device
   * @throws BudgetExceededException if the answer takes longer than the caller waits
   */
  boolean selects(Target target, Candidate candidate)
      throws RejectedException, BudgetExceededException {
    long[] words = answers();
    int word = candidate.ordinal() >>> ORDINAL_SHIFT;
    int known = (int) (words[word] >>> (candidate.ordinal() << 1)) & 3; // the shift is modulo 64
    if (known == 0 || (known == FAILS && target.all)) {
      known = evaluate(target, candidate);
      words[word] |= (long) known << (candidate.ordinal() << 1);
    }
    return known == YES;
  }

  /** Whether a selector fails on the device, which was passed over for that. */
  boolean failed(Candidate candidate) {
    long[] words = answers();
    return ((words[candidate.ordinal() >>> ORDINAL_SHIFT] >>> (candidate.ordinal() << 1)) & 3)
        == FAILS;
  }

  private long[] answers() {
    long[] words = answers;
    if (words == null) {
      words = new long[(context.candidates().size() >>> ORDINAL_SHIFT) + 1];
      answers = words;
      memory.keep(
          this,
          (long) WORD_BYTES * words.length
              + (long) TABLE_BYTES * (deviceClass.selectors().size() + ofRequest.size()));
    }
    return words;
  }

  private int evaluate(Target target, Candidate candidate)
      throws RejectedException, BudgetExceededException {
    if (!candidate.device().bindingConditions().isEmpty()
        && !context.has(Feature.DEVICE_BINDING_AND_STATUS)) {
      return NO;
    }
    boolean nodeFirst = context.mends(Quirk.SELECTORS_ON_OTHER_NODES);
    if (nodeFirst && !isForNode(candidate)) {
      return NO;
    }
    try {
      return matchesClass(target, candidate)
              && matchesRequest(target, candidate)
              && (nodeFirst || isForNode(candidate))
          ? YES
          : NO;
    } catch (RejectedException e) {
      if (!e.isOfOneDevice() || target.all || !context.mends(Quirk.FAILING_SELECTOR_IS_FATAL)) {
        throw e;
      }
      return FAILS;
    }
  }

  private boolean isForNode(Candidate candidate) throws RejectedException, BudgetExceededException {
    try {
      return context.view().reaches(candidate, context.budget());
    } catch (NodeSelectorException e) {
      throw RejectedException.of(e);
    }
  }

  boolean matchesClass(Target target, Candidate candidate)
      throws RejectedException, BudgetExceededException {
    @Nullable SelectorAnswers[] tables = classTables;
    if (tables == null) {
      tables = new SelectorAnswers[deviceClass.selectors().size()];
      classTables = tables;
    }
    return matchesAll(target, deviceClass.selectors(), tables, candidate);
  }

  boolean matchesRequest(Target target, Candidate candidate)
      throws RejectedException, BudgetExceededException {
    @Nullable SelectorAnswers[] tables = requestTables;
    if (tables == null) {
      tables = new SelectorAnswers[ofRequest.size()];
      requestTables = tables;
    }
    return matchesAll(target, ofRequest, tables, candidate);
  }

  private boolean matchesAll(
      Target target,
      List<DeviceSelector> selectors,
      @Nullable SelectorAnswers[] tables,
      Candidate candidate)
      throws RejectedException, BudgetExceededException {
    for (int i = 0; i < tables.length; i++) {
      SelectorAnswers table = tables[i];
      if (table == null) {
        context.budget().check(); // compiling takes longer than a unit
        table = compile(target, selectors, i);
        tables[i] = table;
      }
      context.budget().spend(1);
      try {
        if (!table.matches(candidate, context.budget())) {
          return false;
        }
      } catch (SelectorException e) {
        throw RejectedException.ofOneDevice(
            "%s: selector #%d on device %s: CEL runtime error: %s"
                .formatted(ownerOf(target, selectors), i, candidate.id(), e.getMessage()));
      }
    }
    return true;
  }

  private SelectorAnswers compile(Target target, List<DeviceSelector> selectors, int index)
      throws RejectedException {
    String expression = selectors.get(index).expression();
    if (expression == null) {
      throw new RejectedException(
          RejectionReason.CLAIM, ownerOf(target, selectors) + ": selector #" + index + " is empty");
    }
    try {
      return context.inventory().answersOf(context.compiler().compileSelector(expression));
    } catch (SelectorException e) {
      throw new RejectedException(
          RejectionReason.EXPRESSION,
          "%s: selector #%d: CEL compile error: %s"
              .formatted(ownerOf(target, selectors), index, e.getMessage()));
    }
  }

  /** How messages name whose selectors they are. */
  private String ownerOf(Target target, List<DeviceSelector> selectors) {
    return selectors == deviceClass.selectors()
        ? "class " + deviceClass.metadata().name()
        : target.displayName();
  }
}
