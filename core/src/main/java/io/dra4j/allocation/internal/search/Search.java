package io.dra4j.allocation.internal.search;

import io.dra4j.allocation.RejectionReason;
import io.dra4j.allocation.internal.request.Candidates;
import io.dra4j.allocation.internal.request.PlannedRequest;
import io.dra4j.allocation.internal.request.Quirk;
import io.dra4j.allocation.internal.request.RejectedException;
import io.dra4j.allocation.internal.request.SearchPosition;
import io.dra4j.allocation.internal.rule.Placer;
import io.dra4j.allocation.internal.rule.RuleKind.Screen;
import io.dra4j.allocation.internal.search.ClaimPlan.RequestPlan;
import io.dra4j.common.Budget;
import io.dra4j.common.BudgetExceededException;
import io.dra4j.inventory.internal.NodeDevice;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds devices for all requests of all claims: depth first, first solution wins. Claims and
 * requests are tried in their order, alternatives best first, devices in the order of the node's
 * pools. The devices of one request are chosen in ascending order, so that a set of devices is
 * tried once and not in each of its permutations.
 *
 * <p>Uses an explicit stack of choices, because its depth depends on the claims, which are
 * untrusted input.
 *
 * <p>Most searches find a device for every request at once. A search that has failed a few times
 * prepares a {@link Pruning} and starts again; the solution is the same. If the preparation would
 * take longer than the search so far, the search continues for a while and tries it again later.
 */
public final class Search {

  /** The outcome of a step. */
  private enum Step {
    /** The position has changed. */
    MOVED,
    /** All requests have their devices. */
    DONE,
    /** There is no solution from this position on. */
    FAILED,
    /**
     * The claim would get too many devices. Only other alternatives can help, not other devices for
     * earlier requests, so other devices are skipped. Such an alternative always exists: a plan has
     * only claims whose smallest alternatives together are within the limit.
     */
    OVER_LIMIT
  }

  /** A choice that can be undone: an alternative of a request, or a device. */
  private static final class Choice {
    final int claim;
    final int request;
    final int alternative; // -1: this is the choice of the alternative
    final long chosen; // devices of the request that were chosen before
    final int first; // the candidate or alternative that was tried first
    int next; // the candidate or alternative that is tried next
    @Nullable NodeDevice placed;
    boolean alwaysOverLimit = true;
    NogoodStore.@Nullable Key key;

    Choice(int claim, int request, int alternative, long chosen, int next) {
      this.claim = claim;
      this.request = request;
      this.alternative = alternative;
      this.chosen = chosen;
      this.first = next;
      this.next = next;
    }
  }

  /** The devices and alternatives that may be chosen. */
  static final class Preference {
    private final int[][] @Nullable [] ordinals;
    private final int[][] alternatives;
    private final boolean alsoLater;

    /**
     * Creates a preference.
     *
     * @param ordinals the devices by claim and request, in the order in which they are tried; null
     *     for all devices of the node
     * @param alternatives the first alternative by claim and request
     * @param alsoLater whether later alternatives may also be chosen
     */
    private Preference(int[][] @Nullable [] ordinals, int[][] alternatives, boolean alsoLater) {
      this.ordinals = ordinals;
      this.alternatives = alternatives;
      this.alsoLater = alsoLater;
    }

    /** Returns a preference for some devices and exactly these alternatives. */
    static Preference only(int[][] @Nullable [] ordinals, int[][] alternatives) {
      return new Preference(ordinals, alternatives, false);
    }

    int @Nullable [] of(int claim, int request) {
      return ordinals[claim][request];
    }

    int alternative(int claim, int request) {
      return alternatives[claim][request];
    }
  }

  private static final int NO_ALTERNATIVE = -1;

  /** The cost of a step in units of the budget, in addition to the devices that it checks. */
  private static final int STEP_UNITS = 8;

  /** The preparation of a pruning takes as long as this number of failures. */
  private static final int PATIENCE = 6;

  /**
   * The first time limit of the preparation; later ones are as long as the search itself has taken.
   */
  private static final long MIN_NANOS = 50_000_000;

  /**
   * After this number of forward checks without success, some devices are tried without a check.
   */
  private static final int LOOKS_IN_VAIN = 16;

  /** The maximum number of times that the number of unchecked devices is doubled. */
  private static final int MAX_DOUBLINGS = 10;

  private static final long NO_LIMIT = Long.MAX_VALUE;

  /** After this number of further failures, a search stores positions without a solution. */
  private static final int PATIENCE_WITH_BOUNDS = 12;

  private final SearchPlan plan;
  private final Budget budget;
  private final SearchPosition position;
  private final Candidates candidates;
  private final List<Choice> choices;
  private final int[][] selected; // by claim and request, the current alternative
  private final List<List<PlacedDevice>> results = new ArrayList<>();
  private final @Nullable Preference preference;
  private long steps;
  private long cuts;
  private long maxSteps = NO_LIMIT;
  private long failures;
  private long patience;
  private final long began = System.nanoTime();
  private long notBefore = began; // the time of the next attempt to prepare a pruning
  private int looksInVain;
  private int unlooked; // devices to try before the next forward check
  private @Nullable Pruning pruning;

  // The position: the next device to find.
  private int claim;
  private int request;
  private int alternative = NO_ALTERNATIVE;
  private long chosen;
  private int start;

  /** Creates a search that tries everything, and reports its progress to {@code position}. */
  static Search unpruned(SearchPlan plan, SearchPosition position) {
    return new Search(plan, position, NO_LIMIT, null);
  }

  /**
   * Creates a search that tries everything until it has failed a few times, and then only parts
   * that may contain the first solution.
   *
   * @param position receives the progress of the search
   */
  public static Search of(SearchPlan plan, SearchPosition position) {
    boolean many = plan.targets.size() > Pruning.MAX_TARGETS; // their first failure comes late
    return new Search(plan, position, many ? 0 : PATIENCE, null);
  }

  /**
   * {@return a search for the alternatives after one that was refused; null if there is no other
   * alternative, or if several requests have alternatives}
   *
   * @param position receives the progress of the search
   * @param refused the alternatives by claim and request
   */
  static @Nullable public Search afterAlternative(
      SearchPlan plan, SearchPosition position, int[][] refused) {
    int[][] next = new int[refused.length][];
    int[][][] anyDevice = new int[refused.length][][];
    int choices = 0;
    for (int i = 0; i < refused.length; i++) {
      List<RequestPlan> requests = plan.claims.get(i).requests();
      next[i] = refused[i].clone();
      anyDevice[i] = new int[requests.size()][];
      for (int request = 0; request < next[i].length; request++) {
        if (requests.get(request).hasChoice()) {
          choices++;
          next[i][request]++; // the only request with alternatives
          if (next[i][request] >= requests.get(request).alternatives().size()) {
            return null;
          }
        }
      }
    }
    return choices == 1
        ? new Search(plan, position, PATIENCE, new Preference(anyDevice, next, true))
        : null;
  }

  /**
   * Creates a search among fewer devices, which tries all of them.
   *
   * @param position receives the progress of the search
   * @param preference the devices and alternatives that may be chosen
   */
  static Search among(SearchPlan plan, SearchPosition position, Preference preference) {
    return new Search(plan, position, NO_LIMIT, preference);
  }

  /** Creates a search that updates its position, and prunes after {@code patience} failures. */
  Search(SearchPlan plan, SearchPosition position, long patience) {
    this(plan, position, patience, null);
  }

  private Search(
      SearchPlan plan, SearchPosition position, long patience, @Nullable Preference preference) {
    this.patience = patience;
    this.preference = preference;
    this.plan = plan;
    this.budget = plan.context.budget();
    this.position = position;
    this.candidates = plan.context.candidates();
    this.choices = new ArrayList<>(plan.targets.size());
    this.selected = new int[plan.claims.size()][];
    for (int i = 0; i < selected.length; i++) {
      selected[i] = new int[plan.claims.get(i).requests().size()];
      results.add(new ArrayList<>(selected[i].length)); // usually one device for each
    }
  }

  /** Limits the number of steps; the search then ends undecided. */
  Search atMost(long limit) {
    this.maxSteps = limit;
    return this;
  }

  /**
   * Runs the search.
   *
   * @return whether there is a solution; {@link #results} has it
   * @throws RejectedException if the input has an error
   * @throws BudgetExceededException if the budget is used up
   */
  public boolean run() throws RejectedException, BudgetExceededException {
    if (patience == 0 && !prune()) {
      return false;
    }
    for (; ; ) {
      Step step = advance();
      if (step == Step.DONE) {
        return true;
      }
      while (step != Step.MOVED) {
        if (choices.isEmpty()) {
          return false;
        }
        if (++failures >= patience && System.nanoTime() - notBefore >= 0) {
          if (!prune()) {
            return false;
          }
          break;
        }
        step = retry(choices.get(choices.size() - 1), step);
      }
    }
  }

  /** Starts again with a pruning, if there is one; returns false if there is no solution. */
  private boolean prune() throws RejectedException, BudgetExceededException {
    for (int i = choices.size() - 1; i >= 0; i--) {
      takeBack(choices.get(i));
    }
    choices.clear();
    moveTo(0, 0, NO_ALTERNATIVE, 0, 0);
    steps = 0;
    failures = 0;
    long from = System.nanoTime();
    boolean wantsTooMuch;
    try {
      wantsTooMuch = Pruning.wantsTooMuch(plan, Math.max(MIN_NANOS, from - began));
      pruning = Pruning.of(plan, Math.max(MIN_NANOS, from - began));
    } catch (Pruning.TooLongException e) {
      long now = System.nanoTime();
      notBefore = now + 2 * (now - from); // the search may be faster without a pruning
      patience = Math.max(patience, PATIENCE);
      return true;
    }
    patience = NO_LIMIT;
    if (pruning == null) {
      return !wantsTooMuch;
    }
    if (!pruning.mayFit(0, 0, null, 0, 0) || pruning.lacksDevices(plan)) {
      cuts++;
      return false;
    }
    pruning.compare();
    return true;
  }

  /** Returns the number of visited positions, counted as in the reference. */
  public long steps() {
    return steps;
  }

  /** Returns the number of positions at which a bound excluded all solutions. */
  public long cuts() {
    return cuts;
  }

  /** Returns the devices of each claim, in the order in which they were chosen. */
  public List<List<PlacedDevice>> results() {
    return results;
  }

  /** Returns the chosen target of a request: the request itself, or the chosen alternative. */
  public PlannedRequest target(int claimIndex, int requestIndex) {
    RequestPlan planned = plan.claims.get(claimIndex).requests().get(requestIndex);
    return planned
        .alternatives()
        .get(planned.prioritized() ? selected[claimIndex][requestIndex] : 0);
  }

  /** Returns the chosen target of each request of a claim. */
  public List<PlannedRequest> chosen(int claimIndex) {
    int requests = plan.claims.get(claimIndex).requests().size();
    List<PlannedRequest> all = new ArrayList<>(requests);
    for (int i = 0; i < requests; i++) {
      all.add(target(claimIndex, i));
    }
    return all;
  }

  /** Returns the alternative of each request, by claim. */
  public int[][] selected() {
    return selected;
  }

  /**
   * Undoes all placements, so that the rules are as before; returns the former {@link #results}.
   *
   * @throws BudgetExceededException if the budget is used up; the rules cannot be used afterwards
   */
  List<List<PlacedDevice>> takeBack() throws BudgetExceededException {
    List<List<PlacedDevice>> found = new ArrayList<>();
    results.forEach(devices -> found.add(List.copyOf(devices)));
    for (int i = choices.size() - 1; i >= 0; i--) {
      Choice choice = choices.get(i);
      NodeDevice placed = choice.placed;
      if (placed != null) {
        plan.claims.get(choice.claim).placer().undo(targetOf(choice), placed);
      }
    }
    choices.clear();
    results.forEach(List::clear);
    return found;
  }

  /** Restores the same results, without placing them. */
  void restore(List<List<PlacedDevice>> found) {
    for (int i = 0; i < found.size(); i++) {
      results.get(i).addAll(found.get(i));
    }
  }

  private Step advance() throws RejectedException, BudgetExceededException {
    if (steps++ >= maxSteps) {
      throw new BudgetExceededException("no answer within " + maxSteps + " steps");
    }
    budget.spend(STEP_UNITS);
    if (claim == plan.claims.size()) {
      return Step.DONE;
    }
    List<RequestPlan> requests = plan.claims.get(claim).requests();
    if (request == requests.size()) {
      moveTo(claim + 1, 0, NO_ALTERNATIVE, 0, 0);
      return Step.MOVED;
    }
    RequestPlan planned = requests.get(request);
    if (planned.prioritized() && alternative == NO_ALTERNATIVE) {
      int first = preference == null ? 0 : preference.alternative(claim, request);
      return choose(new Choice(claim, request, NO_ALTERNATIVE, 0, first));
    }
    PlannedRequest target = planned.alternatives().get(Math.max(alternative, 0));
    position.at("while it searched at", target);
    if (target.all && target.count() == 0) {
      return Step.FAILED;
    }
    if (chosen >= target.count()) {
      moveTo(claim, request + 1, NO_ALTERNATIVE, 0, 0);
      return Step.MOVED;
    }
    if (target.count() - chosen > PlannedRequest.MAX_RESULTS - results.get(claim).size()) {
      return Step.OVER_LIMIT;
    }
    return choose(new Choice(claim, request, Math.max(alternative, 0), chosen, start));
  }

  private Step choose(Choice choice) throws RejectedException, BudgetExceededException {
    if (pruning != null && failures > PATIENCE_WITH_BOUNDS) {
      choice.key =
          pruning.keyOf(
              choice.claim, choice.request, choice.alternative, choice.chosen, choice.next);
      if (choice.key != null && pruning.isDeadEnd(choice.key)) {
        cuts++;
        return Step.FAILED;
      }
    }
    choices.add(choice);
    return choice.alternative == NO_ALTERNATIVE ? nextAlternative(choice) : nextDevice(choice);
  }

  /** Undoes a choice and replaces it by the next one, if that can help. */
  private Step retry(Choice choice, Step failure)
      throws RejectedException, BudgetExceededException {
    if (choice.alternative == NO_ALTERNATIVE) {
      choice.alwaysOverLimit &= failure == Step.OVER_LIMIT;
      return nextAlternative(choice);
    }
    takeBack(choice);
    if (targetOf(choice).all || failure == Step.OVER_LIMIT) {
      return giveUp(choice, failure);
    }
    return nextDevice(choice);
  }

  private void takeBack(Choice choice) throws BudgetExceededException {
    NodeDevice placed = choice.placed;
    if (placed != null) {
      List<PlacedDevice> devices = results.get(choice.claim);
      devices.remove(devices.size() - 1);
      PlannedRequest target = targetOf(choice);
      if (pruning != null) {
        pruning.undone(target, placed.ordinal(), choice.chosen);
      }
      plan.claims.get(choice.claim).placer().undo(target, placed);
      choice.placed = null;
    }
  }

  /** Removes the last choice, which has no placements. */
  private Step giveUp(Choice choice, Step failure) {
    if (pruning != null && choice.key != null) {
      pruning.remember(choice.key);
    }
    choices.remove(choices.size() - 1);
    return failure;
  }

  private Step nextAlternative(Choice choice) throws BudgetExceededException {
    List<PlannedRequest> alternatives =
        plan.claims.get(choice.claim).requests().get(choice.request).alternatives();
    while (pruning != null
        && choice.next < alternatives.size()
        && !pruning.mayFit(choice.claim, choice.request, alternatives.get(choice.next), 0, 0)) {
      choice.alwaysOverLimit = false;
      choice.next++;
      cuts++;
    }
    boolean noLater = preference != null && !preference.alsoLater && choice.next > choice.first;
    if (choice.next == alternatives.size() || noLater) {
      return giveUp(choice, choice.alwaysOverLimit ? Step.OVER_LIMIT : Step.FAILED);
    }
    selected[choice.claim][choice.request] = choice.next;
    moveTo(choice.claim, choice.request, choice.next++, 0, 0);
    return Step.MOVED;
  }

  private Step nextDevice(Choice choice) throws RejectedException, BudgetExceededException {
    PlannedRequest target = targetOf(choice);
    Placer placer = plan.claims.get(choice.claim).placer();
    boolean found;
    if (target.all) {
      found = placeMember(choice, target, placer);
    } else {
      found = pruning == null ? find(choice, target) : find(choice, target, pruning);
    }
    if (!found) {
      return giveUp(choice, Step.FAILED);
    }
    moveTo(choice.claim, choice.request, choice.alternative, choice.chosen + 1, choice.next);
    return Step.MOVED;
  }

  /** In mode All, the next member is the only device to try. */
  private boolean placeMember(Choice choice, PlannedRequest target, Placer placer)
      throws RejectedException, BudgetExceededException {
    NodeDevice member = target.member(choice.chosen);
    if (placer.tryPlace(target, member) != null) {
      if (placer.wasRefusedByConstraint() && !plan.context.fixes(Quirk.ALL_AND_A_CONSTRAINT)) {
        throw new RejectedException(
            RejectionReason.CONSTRAINT,
            "%s: cannot add device %s because a claim constraint would not be satisfied"
                .formatted(target.displayName(), member.id()));
      }
      return false;
    }
    if (pruning != null) {
      pruning.placed(target, member.ordinal(), choice.chosen);
    }
    placed(choice, target, member);
    return true;
  }

  private boolean find(Choice choice, PlannedRequest target)
      throws RejectedException, BudgetExceededException {
    Placer placer = plan.claims.get(choice.claim).placer();
    int[] some = preference == null ? null : preference.of(choice.claim, choice.request);
    int end = some == null ? candidates.size() : some.length;
    for (int i = choice.next; i < end; i++) {
      int ordinal = some == null ? i : some[i];
      budget.spend(1);
      if (target.selection.isKnownNotToSelect(ordinal)) {
        continue;
      }
      NodeDevice candidate = candidates.get(ordinal);
      if (placer.check(Screen.BEFORE_SELECTORS, target, candidate) == null
          && target.selects(candidate)
          && placer.check(Screen.AFTER_SELECTORS, target, candidate) == null
          && placer.tryPlace(target, candidate) == null) {
        choice.next = i + 1;
        placed(choice, target, candidate);
        return true;
      }
    }
    return false;
  }

  /** Finds the next device after which there may be a solution. */
  private boolean find(Choice choice, PlannedRequest target, Pruning bounds)
      throws RejectedException, BudgetExceededException {
    Placer placer = plan.claims.get(choice.claim).placer();
    int i = choice.next - 1;
    while ((i = bounds.next(target, choice.chosen, choice.first, i + 1)) >= 0) {
      NodeDevice candidate = candidates.get(i);
      budget.spend(1);
      if (placer.tryPlace(target, candidate) != null) {
        continue;
      }
      bounds.placed(target, i, choice.chosen);
      if (mayFit(choice, target, i + 1, bounds)) {
        choice.next = i + 1;
        placed(choice, target, candidate);
        return true;
      }
      bounds.undone(target, i, choice.chosen);
      placer.undo(target, candidate);
    }
    return false;
  }

  /**
   * Runs a forward check, which takes as long as many steps. While the checks have no success, more
   * and more devices are tried without a check.
   */
  private boolean mayFit(Choice choice, PlannedRequest target, int from, Pruning bounds)
      throws BudgetExceededException {
    if (unlooked > 0) {
      unlooked--;
      return true;
    }
    if (!bounds.mayFit(choice.claim, choice.request, target, choice.chosen + 1, from)) {
      cuts++;
      looksInVain = 0;
      return false;
    }
    if (++looksInVain > LOOKS_IN_VAIN) {
      unlooked = 1 << Math.min(MAX_DOUBLINGS, looksInVain - LOOKS_IN_VAIN);
    }
    return true;
  }

  private void placed(Choice choice, PlannedRequest target, NodeDevice candidate) {
    choice.placed = candidate;
    results.get(choice.claim).add(new PlacedDevice(target, candidate));
  }

  private PlannedRequest targetOf(Choice choice) {
    return plan.claims
        .get(choice.claim)
        .requests()
        .get(choice.request)
        .alternatives()
        .get(choice.alternative);
  }

  private void moveTo(int toClaim, int toRequest, int toAlternative, long nowChosen, int from) {
    claim = toClaim;
    request = toRequest;
    alternative = toAlternative;
    chosen = nowChosen;
    start = from;
  }

  /**
   * A device that a claim gets.
   *
   * @param target the target of the device
   * @param candidate the device
   */
  public record PlacedDevice(PlannedRequest target, NodeDevice candidate) {}
}
