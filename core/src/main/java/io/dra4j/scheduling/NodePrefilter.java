package io.dra4j.scheduling;

import io.dra4j.inventory.DeviceInventory;
import io.dra4j.model.Node;
import io.dra4j.model.PodSpec;
import io.dra4j.scheduling.NodeRefusal.Cause;
import java.util.BitSet;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The nodes of a run on which pods may run by their specifications. Remembers those of the last
 * ones, so that the pods of a stateful set or a job ask each node once and not once each. Not
 * thread-safe.
 */
final class NodePrefilter {

  private static final int REMEMBERED = 16;

  /**
   * The nodes for one specification.
   *
   * @param places those on which it lets a pod run, by their places among all; not to be changed
   * @param refused how many of the others there are, by what refuses the pod there
   */
  record Sieved(PodNodeFilters rules, BitSet places, Map<Cause, Integer> refused) {}

  private final List<Node> all;
  private final DeviceInventory inventory;
  private final Map<PodNodeFilters.Key, Sieved> last = new LinkedHashMap<>();
  private @Nullable PodSpec lastSpec;
  private @Nullable Sieved lastSieved;

  /**
   * Makes a sieve for the nodes of one run.
   *
   * @param inventory knows all nodes, also those that the run does not look at
   */
  NodePrefilter(List<Node> all, DeviceInventory inventory) {
    this.all = all;
    this.inventory = inventory;
  }

  List<Node> all() {
    return all;
  }

  Sieved of(PodSpec spec) {
    if (spec.equals(lastSpec) && lastSieved != null) {
      return lastSieved; // of one template
    }
    lastSpec = spec;
    lastSieved = find(spec);
    return lastSieved;
  }

  private Sieved find(PodSpec spec) {
    PodNodeFilters.Key key = PodNodeFilters.Key.of(spec);
    if (key.isBound()) {
      return sieve(new PodNodeFilters(key, inventory.node(key.nodeName()).isPresent()));
    }
    Sieved known = last.get(key);
    if (known == null) {
      known = sieve(new PodNodeFilters(key));
      if (last.size() == REMEMBERED) {
        last.remove(last.keySet().iterator().next());
      }
      last.put(key, known);
    }
    return known;
  }

  private Sieved sieve(PodNodeFilters rules) {
    BitSet places = new BitSet(all.size());
    Map<Cause, Integer> refused = new EnumMap<>(Cause.class);
    for (int i = 0; i < all.size(); i++) {
      Cause cause = rules.refusal(all.get(i));
      if (cause == null) {
        places.set(i);
      } else {
        refused.merge(cause, 1, Integer::sum);
      }
    }
    return new Sieved(rules, places, refused);
  }
}
