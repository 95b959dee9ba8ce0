package io.dra4j.allocation;

import io.dra4j.allocation.ClaimPlan.RequestPlan;
import io.dra4j.allocation.RuleKind.Screen;
import io.dra4j.inventory.Candidate;
import io.dra4j.model.Budget;
import io.dra4j.model.BudgetExceededException;
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
 */
final class Search {

  /** What became of a step. */
  private enum Step {
    /** The position has moved on. */
    MOVED,
    /** There is a device for everything. */
    DONE,
    /** No solution from here on. */
    FAILED,
    /**
     * The claim would get too many devices. Other devices for its earlier requests cannot help,
     * only other alternatives can, so this skips the former.
     */
    OVER_LIMIT
  }

  /** A choice that can be taken back: an alternative of a request, or a device. */
  private static final class Choice {
    final int claim;
    final int request;
    final int alternative; // -1: this is the choice of the alternative
    final long chosen; // devices of the request that were chosen before
    int next; // the candidate or alternative that is tried next
    @Nullable Candidate placed;
    boolean alwaysOverLimit = true;

    Choice(int claim, int request, int alternative, long chosen, int next) {
      this.claim = claim;
      this.request = request;
      this.alternative = alternative;
      this.chosen = chosen;
      this.next = next;
    }
  }

  private static final int NO_ALTERNATIVE = -1;

  /** What a step costs of the budget, besides the devices that it looks at. */
  private static final int STEP_UNITS = 8;

  private final SearchPlan plan;
  private final Budget budget;
  private final Position position;
  private final Candidates candidates;
  private final List<Choice> choices = new ArrayList<>();
  private final int[][] selected; // by claim and request, the alternative on trial
  private final List<List<PlacedDevice>> results = new ArrayList<>();
  private long steps;

  // The position: the next device to find.
  private int claim;
  private int request;
  private int alternative = NO_ALTERNATIVE;
  private long chosen;
  private int start;

  /**
   * Makes a search.
   *
   * @param position told how far the search has come
   */
  Search(SearchPlan plan, Position position) {
    this.plan = plan;
    this.budget = plan.context.budget();
    this.position = position;
    this.candidates = plan.context.candidates();
    this.selected = new int[plan.claims.size()][];
    for (int i = 0; i < selected.length; i++) {
      selected[i] = new int[plan.claims.get(i).requests().size()];
      results.add(new ArrayList<>());
    }
  }

  /**
   * Searches.
   *
   * @return whether there is a solution; {@link #results} has it
   * @throws RejectedException if the input is at fault
   * @throws BudgetExceededException if the caller waits no longer for the answer
   */
  boolean run() throws RejectedException, BudgetExceededException {
    for (; ; ) {
      Step step = advance();
      if (step == Step.DONE) {
        return true;
      }
      int failedIn = claim;
      while (step != Step.MOVED) {
        if (choices.isEmpty()) {
          if (step == Step.OVER_LIMIT && failedIn == 0) {
            throw new RejectedException(
                RejectionReason.CLAIM, "a claim cannot hold more than 32 devices");
          }
          return false;
        }
        Choice choice = choices.get(choices.size() - 1);
        if (choice.claim != failedIn) {
          // An earlier claim may leave this one a smaller alternative.
          step = Step.FAILED;
          failedIn = choice.claim;
        }
        step = retry(choice, step);
      }
    }
  }

  /** How many positions were looked at; the reference counts the same. */
  long steps() {
    return steps;
  }

  /** The devices of each claim, in the order in which they were chosen. */
  List<List<PlacedDevice>> results() {
    return results;
  }

  /** What was chosen for a request: the request itself, or the alternative that was picked. */
  Target target(int claimIndex, int requestIndex) {
    RequestPlan planned = plan.claims.get(claimIndex).requests().get(requestIndex);
    return planned
        .alternatives()
        .get(planned.prioritized() ? selected[claimIndex][requestIndex] : 0);
  }

  private Step advance() throws RejectedException, BudgetExceededException {
    steps++;
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
      return choose(new Choice(claim, request, NO_ALTERNATIVE, 0, 0));
    }
    Target target = planned.alternatives().get(Math.max(alternative, 0));
    position.at("while it searched at", target);
    if (target.all && target.count() == 0) {
      return Step.FAILED;
    }
    if (chosen >= target.count()) {
      moveTo(claim, request + 1, NO_ALTERNATIVE, 0, 0);
      return Step.MOVED;
    }
    if (target.count() - chosen > SearchPlan.MAX_RESULTS - results.get(claim).size()) {
      return Step.OVER_LIMIT;
    }
    return choose(new Choice(claim, request, Math.max(alternative, 0), chosen, start));
  }

  private Step choose(Choice choice) throws RejectedException, BudgetExceededException {
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
    Candidate placed = choice.placed;
    Target target = targetOf(choice);
    if (placed != null) {
      List<PlacedDevice> devices = results.get(choice.claim);
      devices.remove(devices.size() - 1);
      plan.claims.get(choice.claim).placement().undo(target, placed);
      choice.placed = null;
    }
    if (target.all || failure == Step.OVER_LIMIT) {
      choices.remove(choices.size() - 1);
      return failure;
    }
    return nextDevice(choice);
  }

  private Step nextAlternative(Choice choice) {
    List<Target> alternatives =
        plan.claims.get(choice.claim).requests().get(choice.request).alternatives();
    if (choice.next == alternatives.size()) {
      choices.remove(choices.size() - 1);
      return choice.alwaysOverLimit ? Step.OVER_LIMIT : Step.FAILED;
    }
    selected[choice.claim][choice.request] = choice.next;
    moveTo(choice.claim, choice.request, choice.next++, 0, 0);
    return Step.MOVED;
  }

  private Step nextDevice(Choice choice) throws RejectedException, BudgetExceededException {
    Target target = targetOf(choice);
    Placement placement = plan.claims.get(choice.claim).placement();
    boolean found = target.all ? placeMember(choice, target, placement) : find(choice, target);
    if (!found) {
      choices.remove(choices.size() - 1);
      return Step.FAILED;
    }
    moveTo(choice.claim, choice.request, choice.alternative, choice.chosen + 1, choice.next);
    return Step.MOVED;
  }

  /** In mode All the next member is the only device to try. */
  private boolean placeMember(Choice choice, Target target, Placement placement)
      throws RejectedException, BudgetExceededException {
    Candidate member = target.member(choice.chosen);
    if (placement.tryPlace(target, member) != null) {
      if (placement.wasRefusedByConstraint() && !plan.context.mends(Quirk.ALL_AND_A_CONSTRAINT)) {
        throw new RejectedException(
            RejectionReason.CONSTRAINT,
            "%s: cannot add device %s because a claim constraint would not be satisfied"
                .formatted(target.displayName(), member.id()));
      }
      return false;
    }
    placed(choice, target, member);
    return true;
  }

  private boolean find(Choice choice, Target target)
      throws RejectedException, BudgetExceededException {
    Placement placement = plan.claims.get(choice.claim).placement();
    for (int i = choice.next; i < candidates.size(); i++) {
      Candidate candidate = candidates.get(i);
      budget.spend(1);
      if (candidate.pool().usable()
          && placement.check(Screen.BEFORE_SELECTORS, target, candidate) == null
          && target.selects(candidate)
          && placement.check(Screen.AFTER_SELECTORS, target, candidate) == null
          && placement.tryPlace(target, candidate) == null) {
        choice.next = i + 1;
        placed(choice, target, candidate);
        return true;
      }
    }
    return false;
  }

  private void placed(Choice choice, Target target, Candidate candidate) {
    choice.placed = candidate;
    results.get(choice.claim).add(new PlacedDevice(target, candidate));
  }

  private Target targetOf(Choice choice) {
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
  record PlacedDevice(Target target, Candidate candidate) {}
}
