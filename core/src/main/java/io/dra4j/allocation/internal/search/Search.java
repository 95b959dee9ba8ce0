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
 * requests come in their order, alternatives best first, devices in the order of the node's pools;
 * the devices of one request are chosen in ascending order, so that a set of devices is tried once
 * and not in each of its permutations.
 *
 * <p>The stack of choices is kept by hand: its depth is that of the claims, which come from
 * outside.
 *
 * <p>Most searches find a device for everything at once. One that has failed a few times asks
 * {@link Pruning} what it need not try, and begins again; the solution is the same. Where that
 * would take longer than the search has taken, it goes on for a while and asks again.
 */
public final class Search {

  /** The outcome of a step. */
  private enum Step {
    /** The position has moved on. */
    MOVED,
    /** There is a device for everything. */
    DONE,
    /** No solution from here on. */
    FAILED,
    /**
     * The claim would get too many devices. Other devices for its earlier requests cannot help,
     * only other alternatives can, so this skips the former. Ends at such an alternative at the
     * latest: a plan has only claims whose smallest alternatives are within the limit together.
     */
    OVER_LIMIT
  }

  /** A choice that can be taken back: an alternative of a request, or a device. */
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

  /** What may be chosen. */
  static final class Preference {
    private final int[][] @Nullable [] ordinals;
    private final int[][] alternatives;
    private final boolean alsoLater;

    /**
     * Makes a preference.
     *
     * @param ordinals the devices by claim and request, in the order in which they are tried; null
     *     for all devices of the node
     * @param alternatives the first alternative by claim and request
     * @param alsoLater whether later alternatives may be chosen, too
     */
    private Preference(int[][] @Nullable [] ordinals, int[][] alternatives, boolean alsoLater) {
      this.ordinals = ordinals;
      this.alternatives = alternatives;
      this.alsoLater = alsoLater;
    }

    /** Some devices for these alternatives and no others, whose order no policy may change. */
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

  /** What a step costs of the budget, besides the devices that it looks at. */
  private static final int STEP_UNITS = 8;

  /** Making out what need not be tried takes as long as so many failures. */
  private static final int PATIENCE = 6;

  /** What it may take at first; then as long as the search itself has taken. */
  private static final long MIN_NANOS = 50_000_000;

  /** After so many looks ahead that refused nothing, some devices are tried without. */
  private static final int LOOKS_IN_VAIN = 16;

  /** Twice as many after each further look in vain, so often at most. */
  private static final int MAX_DOUBLINGS = 10;

  private static final long NO_LIMIT = Long.MAX_VALUE;

  /** After so many more, a search remembers from where it found nothing. */
  private static final int PATIENCE_WITH_BOUNDS = 12;

  private final SearchPlan plan;
  private final Budget budget;
  private final SearchPosition position;
  private final Candidates candidates;
  private final List<Choice> choices;
  private final int[][] selected; // by claim and request, the alternative on trial
  private final List<List<PlacedDevice>> results = new ArrayList<>();
  private final @Nullable Preference preference;
  private long steps;
  private long cuts;
  private long maxSteps = NO_LIMIT;
  private long failures;
  private long patience;
  private final long began = System.nanoTime();
  private long notBefore = began; // when it is asked again what need not be tried
  private int looksInVain;
  private int unlooked; // devices to try before the next look ahead
  private @Nullable Pruning pruning;

  // The position: the next device to find.
  private int claim;
  private int request;
  private int alternative = NO_ALTERNATIVE;
  private long chosen;
  private int start;

  /**
   * Makes a search that tries everything.
   *
   * @param position receives how far the search has come
   */
  static Search unpruned(SearchPlan plan, SearchPosition position) {
    return new Search(plan, position, NO_LIMIT, null);
  }

  /**
   * Makes a search that tries everything until it has failed a few times, and then only what may
   * hold the first solution.
   *
   * @param position receives how far the search has come
   */
  public static Search of(SearchPlan plan, SearchPosition position) {
    boolean many = plan.targets.size() > Pruning.MAX_TARGETS; // whose first failure comes late
    return new Search(plan, position, many ? 0 : PATIENCE, null);
  }

  /**
   * Makes a search for what comes after an alternative that was refused.
   *
   * @param position receives how far the search has come
   * @param refused the alternatives by claim and request
   * @return the search; null where there is no other alternative, or several requests have some
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
          next[i][request]++; // which is the only one
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
   * Makes a search among fewer devices, which tries all of them.
   *
   * @param position receives how far the search has come
   * @param preference what may be chosen
   */
  static Search among(SearchPlan plan, SearchPosition position, Preference preference) {
    return new Search(plan, position, NO_LIMIT, preference);
  }

  /**
   * Makes a search.
   *
   * @param position receives how far the search has come
   * @param patience how often it may fail before it asks what it need not try
   */
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
      results.add(new ArrayList<>(selected[i].length)); // a device for each, as a rule
    }
  }

  /** Ends the search, undecided, after so many steps. */
  Search atMost(long limit) {
    this.maxSteps = limit;
    return this;
  }

  /**
   * Searches.
   *
   * @return whether there is a solution; {@link #results} has it
   * @throws RejectedException if the input is at fault
   * @throws BudgetExceededException if the caller waits no longer for the answer
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

  /**
   * Begins again, with what need not be tried if there is such.
   *
   * @return false if nothing has to be tried at all
   */
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
      notBefore = now + 2 * (now - from); // the search may be faster without
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

  /** How many positions were looked at; the reference counts the same. */
  public long steps() {
    return steps;
  }

  /** How often a bound said that there is nothing from a position on. */
  public long cuts() {
    return cuts;
  }

  /** The devices of each claim, in the order in which they were chosen. */
  public List<List<PlacedDevice>> results() {
    return results;
  }

  /** What was chosen for a request: the request itself, or the alternative that was picked. */
  public PlannedRequest target(int claimIndex, int requestIndex) {
    RequestPlan planned = plan.claims.get(claimIndex).requests().get(requestIndex);
    return planned
        .alternatives()
        .get(planned.prioritized() ? selected[claimIndex][requestIndex] : 0);
  }

  /** What was chosen for each request of a claim. */
  public List<PlannedRequest> chosen(int claimIndex) {
    int requests = plan.claims.get(claimIndex).requests().size();
    List<PlannedRequest> all = new ArrayList<>(requests);
    for (int i = 0; i < requests; i++) {
      all.add(target(claimIndex, i));
    }
    return all;
  }

  /** The alternative of each request, by claim. */
  public int[][] selected() {
    return selected;
  }

  /**
   * Takes all devices back, so that the rules are as before the search.
   *
   * @return what {@link #results} had
   * @throws BudgetExceededException if that takes longer than the caller waits; the rules are of no
   *     use then
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

  /** Has the same results again, without placing them. */
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

  /** Takes a choice back and makes the next one in its place, if that can help. */
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

  /** Takes the last choice away, of which nothing is placed. */
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

  /** In mode All the next member is the only device to try. */
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

  /** Finds the next device from which on there may be a solution. */
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
   * Looks ahead, which takes as long as many steps: as long as that refuses nothing, more and more
   * devices are tried without.
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
   * @param target what it is for
   * @param candidate the device
   */
  public record PlacedDevice(PlannedRequest target, NodeDevice candidate) {}
}
