package io.dra4j.allocation.internal.search;

import io.dra4j.allocation.internal.request.RejectedException;
import io.dra4j.allocation.internal.request.SearchPosition;
import io.dra4j.allocation.internal.search.Search.PlacedDevice;
import io.dra4j.allocation.policy.AllocationPolicy;
import io.dra4j.allocation.policy.AllocationPolicy.Choice;
import io.dra4j.allocation.policy.PolicyContext;
import io.dra4j.allocation.policy.Score;
import io.dra4j.common.BudgetExceededException;
import io.dra4j.inventory.internal.NodeDevice;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Asks a policy about claims that fit, and lets the rules decide on what it proposes. */
public final class PolicyRun {

  private final SearchPlan plan;
  private final SearchPosition position;
  private final PolicyContext question;
  private Search search;
  private boolean asFound = true;

  /**
   * Prepares the question.
   *
   * @param found a search that has found a solution; it is taken back
   */
  public PolicyRun(SearchPlan plan, SearchPosition position, Search found) {
    this.plan = plan;
    this.position = position;
    this.search = found;
    this.question = new PolicyContext(plan, found);
  }

  /**
   * Lets the policy choose.
   *
   * @return what it chose; {@link #search} has the devices, unless it refused
   */
  public Choice choose(AllocationPolicy policy) throws RejectedException, BudgetExceededException {
    List<List<PlacedDevice>> found = search.takeBack();
    Choice chosen = policy.choose(question);
    if (chosen instanceof Choice.Devices other && !isFirstFit(other.devices())) {
      Search proposal = Search.among(plan, position, preference(other.devices()));
      if (proposal.run()) {
        search = proposal;
        asFound = false;
        return chosen;
      }
      question.refuseProposal();
      Optional<String> reason = policy.refuses(question, question.firstFit());
      if (reason.isPresent()) {
        return new Choice.Refused(reason.get());
      }
    }
    search.restore(found);
    return chosen;
  }

  /** The search whose devices are the answer. */
  public Search search() {
    return search;
  }

  public Optional<Score> score(AllocationPolicy policy) throws BudgetExceededException {
    return policy.score(
        question, asFound ? question.firstFit() : PolicyContext.devices(plan, search));
  }

  /** Whether a policy wants what was found anyway, so that the rules have decided already. */
  private boolean isFirstFit(List<List<NodeDevice>> devices) {
    List<PolicyContext.Request> requests = question.requests();
    if (devices.size() != requests.size()) {
      return false;
    }
    for (int i = 0; i < devices.size(); i++) {
      List<NodeDevice> found = requests.get(i).firstFit();
      List<NodeDevice> wanted = devices.get(i);
      if (wanted.isEmpty() || !requests.get(i).open()) {
        continue; // what was found stays
      }
      if (wanted.size() != found.size()) {
        return false;
      }
      for (int j = 0; j < found.size(); j++) {
        if (wanted.get(j).ordinal() != found.get(j).ordinal()) {
          return false;
        }
      }
    }
    return true;
  }

  private Search.Preference preference(List<List<NodeDevice>> devices) {
    List<PolicyContext.Request> requests = question.requests();
    if (devices.size() != requests.size()) {
      throw new IllegalStateException(
          "a policy has to give devices for each of %d requests, got %d lists"
              .formatted(requests.size(), devices.size()));
    }
    int[][] @Nullable [] ordinals = new int[plan.claims.size()][][];
    int next = 0;
    for (int i = 0; i < ordinals.length; i++) {
      ordinals[i] = new int[plan.claims.get(i).requests().size()][];
      for (int request = 0; request < ordinals[i].length; request++) {
        List<NodeDevice> chosen = new ArrayList<>(devices.get(next));
        boolean open = requests.get(next++).open() && !chosen.isEmpty();
        if (open) {
          ordinals[i][request] = chosen.stream().mapToInt(NodeDevice::ordinal).sorted().toArray();
        }
      }
    }
    return Search.Preference.only(ordinals, search.selected());
  }
}
