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
 * The nodes of a run that the specifications of pods allow. Caches the results of the last
 * specifications, so that each node is checked once for all pods of a stateful set or a job. Not
 * thread-safe.
 */
final class NodePrefilter {

  private static final int REMEMBERED = 16;

  /**
   * The nodes for one specification.
   *
   * @param places the positions of the allowed nodes among all nodes; must not be changed
   * @param refused the number of the other nodes by cause
   */
  record Sieved(PodNodeFilters rules, BitSet places, Map<Cause, Integer> refused) {}

  private final List<Node> all;
  private final DeviceInventory inventory;
  private final Map<PodNodeFilters.Key, Sieved> last = new LinkedHashMap<>();
  private @Nullable PodSpec lastSpec;
  private @Nullable Sieved lastSieved;

  /** Creates a filter for the nodes of one run; {@code inventory} also has the other nodes. */
  NodePrefilter(List<Node> all, DeviceInventory inventory) {
    this.all = all;
    this.inventory = inventory;
  }

  List<Node> all() {
    return all;
  }

  Sieved of(PodSpec spec) {
    if (spec.equals(lastSpec) && lastSieved != null) {
      return lastSieved; // the same template as before
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
