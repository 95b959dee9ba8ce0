package io.dra4j.allocation.internal.explain;

import io.dra4j.allocation.explanation.Reason;
import io.dra4j.allocation.explanation.Suggestion;
import io.dra4j.allocation.internal.text.TextFormat;
import io.dra4j.inventory.DeviceInventory;
import io.dra4j.inventory.InventoryEvent.ClaimRemoved;
import io.dra4j.model.ClaimKey;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/** Proposes that claims release their devices: one claim if that is enough, else several. */
public final class ReleaseAdvisor implements BuiltInAdvisor {

  /** The maximum number of holders that are tried one by one. */
  private static final int MAX_HOLDERS = 32;

  private static final int MAX_NAMED = 4;

  @Override
  public List<Suggestion> suggest(AdvisorRun problem) {
    SortedSet<ClaimKey> holders = new TreeSet<>();
    for (Reason refusal : problem.reasons()) {
      if (problem.isOver()) {
        return List.of();
      }
      refusal.refused().forEach(device -> holders.addAll(device.holders()));
    }
    holders.removeAll(problem.allocatedAlready());
    if (holders.isEmpty() || !fitsWithout(holders, problem)) {
      return List.of();
    }
    List<Suggestion> one = new ArrayList<>();
    for (ClaimKey holder : holders.stream().limit(MAX_HOLDERS).toList()) {
      if (problem.isOver()) {
        return one;
      }
      one.add(release(List.of(holder), problem));
    }
    if (holders.size() > 1 && holders.size() <= MAX_HOLDERS) {
      one.add(release(needed(holders, problem), problem));
    }
    return one;
  }

  /** A minimal set of holders that must release their devices. */
  private static List<ClaimKey> needed(SortedSet<ClaimKey> holders, AdvisorRun problem) {
    List<ClaimKey> needed = new ArrayList<>(holders);
    for (ClaimKey holder : holders) {
      needed.remove(holder);
      if (needed.isEmpty() || !fitsWithout(needed, problem)) {
        needed.add(holder);
      }
    }
    return needed;
  }

  private static boolean fitsWithout(Collection<ClaimKey> holders, AdvisorRun problem) {
    return problem.fits(without(holders, problem), problem.claims());
  }

  private static DeviceInventory without(Collection<ClaimKey> holders, AdvisorRun problem) {
    return problem.inventory().apply(holders.stream().map(ClaimRemoved::new).toList());
  }

  private static Suggestion release(List<ClaimKey> holders, AdvisorRun problem) {
    return new Suggestion(
        "release the devices of claim%s %s"
            .formatted(
                holders.size() == 1 ? "" : "s",
                TextFormat.list(holders.stream().map(ClaimKey::toString).toList(), MAX_NAMED)),
        without(holders, problem),
        problem.claims());
  }
}
