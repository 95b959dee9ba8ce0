package io.dra4j.allocation.internal.search;

import io.dra4j.allocation.internal.request.RejectedException;
import io.dra4j.allocation.internal.request.SearchPosition;
import io.dra4j.allocation.internal.search.Search.PlacedDevice;
import io.dra4j.allocation.policy.AllocationPolicy;
import io.dra4j.allocation.policy.AllocationPolicy.Choice;
import io.dra4j.allocation.policy.PolicyContext;
import io.dra4j.allocation.policy.Score;
import io.dra4j.common.BudgetExceededException;
import io.dra4j.inventory.PolicyDevice;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Asks a policy for devices of claims that fit, and lets the rules decide on its proposal. */
public final class PolicyRun {

  private final SearchPlan plan;
  private final SearchPosition position;
  private final SearchPolicyContext context;
  private Search search;
  private boolean asFound = true;

  /**
   * Prepares the context of the policy.
   *
   * @param found a search that has found a solution; its placements are undone
   */
  public PolicyRun(SearchPlan plan, SearchPosition position, Search found) {
    this.plan = plan;
    this.position = position;
    this.search = found;
    this.context = new SearchPolicyContext(plan, found);
  }

  /** {@return the choice of the policy; unless it refused, {@link #search} has the devices} */
  public Choice choose(AllocationPolicy policy) throws RejectedException, BudgetExceededException {
    List<List<PlacedDevice>> found = search.takeBack();
    Choice chosen = policy.choose(context);
    if (chosen instanceof Choice.Devices proposed && !isFirstFit(proposed.devices())) {
      Search proposal = Search.among(plan, position, preference(proposed.devices()));
      if (proposal.run()) {
        search = proposal;
        asFound = false;
        return chosen;
      }
      context.refuseProposal();
      Optional<String> reason = policy.refuses(context, context.firstFit());
      if (reason.isPresent()) {
        return new Choice.Refused(reason.get());
      }
    }
    search.restore(found);
    return chosen;
  }

  /** Returns the search whose devices are the answer. */
  public Search search() {
    return search;
  }

  public Optional<Score> score(AllocationPolicy policy) throws BudgetExceededException {
    return policy.score(
        context, asFound ? context.firstFit() : SearchPolicyContext.devices(plan, search));
  }

  /** Whether a policy proposes the devices that were found anyway, which rules already accepted. */
  private boolean isFirstFit(List<List<PolicyDevice>> devices) {
    List<PolicyContext.Request> requests = context.requests();
    if (devices.size() != requests.size()) {
      return false;
    }
    for (int i = 0; i < devices.size(); i++) {
      List<PolicyDevice> found = requests.get(i).firstFit();
      List<PolicyDevice> proposed = devices.get(i);
      if (proposed.isEmpty() || !requests.get(i).open()) {
        continue; // the found devices stay
      }
      if (proposed.size() != found.size()) {
        return false;
      }
      for (int j = 0; j < found.size(); j++) {
        if (ordinal(proposed.get(j)) != ordinal(found.get(j))) {
          return false;
        }
      }
    }
    return true;
  }

  private static int ordinal(PolicyDevice device) {
    return SearchPolicyContext.nodeDevice(device).ordinal();
  }

  private Search.Preference preference(List<List<PolicyDevice>> devices) {
    List<PolicyContext.Request> requests = context.requests();
    if (devices.size() != requests.size()) {
      throw new IllegalStateException(
          "a policy must return devices for each of %d requests; it returned %d lists"
              .formatted(requests.size(), devices.size()));
    }
    int[][] @Nullable [] ordinals = new int[plan.claims.size()][][];
    int next = 0;
    for (int i = 0; i < ordinals.length; i++) {
      ordinals[i] = new int[plan.claims.get(i).requests().size()][];
      for (int request = 0; request < ordinals[i].length; request++) {
        List<PolicyDevice> chosen = new ArrayList<>(devices.get(next));
        boolean open = requests.get(next++).open() && !chosen.isEmpty();
        if (open) {
          ordinals[i][request] = chosen.stream().mapToInt(PolicyRun::ordinal).sorted().toArray();
        }
      }
    }
    return Search.Preference.only(ordinals, search.selected());
  }
}
