package io.dra4j.allocation;

import io.dra4j.model.Feature;
import java.util.ArrayList;
import java.util.List;

/** Finds what "all devices" means for a request in mode All. */
final class AllDevices {

  private AllDevices() {}

  /**
   * Every device of the node that the target selects and that is big enough when nobody uses it.
   * Devices in use belong to them, so that a request for all fails while one is in use.
   *
   * @throws RejectedException if some pool of the node is not usable: nobody can tell then what all
   *     devices are
   */
  static Candidate[] of(Target target, SearchContext context) throws RejectedException {
    List<Candidate> members = new ArrayList<>();
    int next = 0;
    Candidate[] candidates = context.pools().candidates;
    for (Pool pool : context.pools().pools) {
      if (!pool.usable()) {
        throw new RejectedException(
            "%s: asks for all devices, but resource pool %s is currently %s"
                .formatted(
                    target.displayName(), pool.id, pool.incomplete ? "being updated" : "invalid"));
      }
      for (; next < candidates.length && candidates[next].pool == pool; next++) {
        Candidate candidate = candidates[next];
        if (target.selects(candidate) && isBigEnough(target, candidate, context)) {
          members.add(candidate);
        }
      }
    }
    return members.toArray(new Candidate[0]);
  }

  private static boolean isBigEnough(Target target, Candidate candidate, SearchContext context)
      throws RejectedException {
    return !context.has(Feature.CONSUMABLE_CAPACITY) || target.consumptionOf(candidate) != null;
  }
}
