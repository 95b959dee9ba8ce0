package io.dra4j.netlink.state;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Which index each link of a state has in a later one: the link itself and those on it, which have
 * others once they are made anew. Links beside those stay where they are, and are known by index
 * and name together, because an index may be given again.
 *
 * @param later the indices that links of the state have later, by those that they had
 * @param unknown why links are not known later, by the indices that they had
 */
record Indices(Map<Integer, Integer> later, Map<Integer, String> unknown)
    implements IntUnaryOperator {

  static Indices of(LinkState before, LinkState now) {
    Indices indices = new Indices(new HashMap<>(), new HashMap<>());
    indices.add(before, now);
    Map<Integer, String> names = names(now);
    names(before)
        .forEach(
            (index, name) -> {
              String found = names.getOrDefault(index, name);
              if (!indices.later.containsKey(index) && !found.equals(name)) {
                indices.unknown.putIfAbsent(
                    index, "link " + index + " was " + name + ", is " + found);
              }
            });
    return indices;
  }

  private void add(LinkState before, @Nullable LinkState now) {
    if (now == null) {
      unknown.put(before.index(), "link " + before.name() + " is not there");
    } else {
      later.put(before.index(), now.index());
    }
    Map<String, LinkState> there = now == null ? Map.of() : now.uppersByIdentity();
    before.uppers().forEach(upper -> add(upper, there.get(upper.identity())));
  }

  /** The links of a state, those on it, and those that their facts name. */
  private static Map<Integer, String> names(LinkState state) {
    Map<Integer, String> names = new HashMap<>(state.others());
    state.uppers().forEach(upper -> names.putAll(names(upper)));
    names.put(state.index(), state.name());
    return names;
  }

  @Override
  public int applyAsInt(int index) {
    return later.getOrDefault(index, index);
  }

  /** Whether all links have the indices that they had. */
  boolean areSame() {
    return later.entrySet().stream().allMatch(one -> one.getKey().equals(one.getValue()));
  }

  /** Why one of the links that an object names is not known; empty if all are. */
  Optional<String> unknownOf(FactKind.Fact<?> fact) {
    return unknown.isEmpty()
        ? Optional.empty()
        : fact.links().stream().filter(unknown::containsKey).findFirst().map(unknown::get);
  }
}
