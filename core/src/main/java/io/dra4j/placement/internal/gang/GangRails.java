package io.dra4j.placement.internal.gang;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Assigns bits of 64-bit masks to the rails of servers: each rail gets as many bits as a server has
 * NICs on it. Rails of only one server need no bits, since their NICs have no partner. If 64 bits
 * are not enough for all rails, the servers are divided into parts without a common rail, directly
 * or through others, since a plan on several parts has no use for rails.
 */
public final class GangRails {

  /** The most groups of servers that are planned separately. */
  private static final int MAX_PARTS = 64;

  /**
   * Servers that are planned together.
   *
   * @param servers the servers
   * @param places the first bit of each rail; rails without one have no partner
   */
  public record Part(BitSet servers, Map<Object, Integer> places) {}

  private final List<List<Optional<Object>>> railsByServer;
  private final List<Part> parts = new ArrayList<>();
  private boolean complete = true;

  /**
   * Assigns bits to rails.
   *
   * @param railsByServer the rail of each NIC of each server; none for servers that cannot be used
   */
  public GangRails(List<List<Optional<Object>>> railsByServer) {
    this.railsByServer = railsByServer;
    BitSet all = new BitSet();
    all.set(0, railsByServer.size());
    List<Map.Entry<Object, Integer>> widths = widths(all);
    if (widths.stream().mapToInt(Map.Entry::getValue).sum() <= Long.SIZE) {
      parts.add(new Part(all, places(widths)));
      return;
    }
    List<BitSet> groups = groups(widths);
    for (BitSet group : groups.subList(0, Math.min(groups.size(), MAX_PARTS))) {
      parts.add(new Part(group, places(widths(group))));
    }
    complete &= groups.size() <= MAX_PARTS;
    if (groups.size() > 1) {
      parts.add(new Part(all, Map.of()));
    }
  }

  /**
   * The parts of the servers that are planned together: the best of their plans is the best of all.
   */
  public List<Part> parts() {
    return parts;
  }

  /** Returns whether each rail of several servers has its bits. */
  public boolean areComplete() {
    return complete;
  }

  /** For each rail that several of the servers have: the most NICs of one of them on it. */
  private List<Map.Entry<Object, Integer>> widths(BitSet servers) {
    Map<Object, Integer> widths = new LinkedHashMap<>();
    Map<Object, Integer> users = new HashMap<>();
    for (int server : servers.stream().toArray()) {
      Map<Object, Integer> counts = count(railsByServer.get(server));
      counts.forEach((rail, count) -> widths.merge(rail, count, Math::max));
      counts.keySet().forEach(rail -> users.merge(rail, 1, Integer::sum));
    }
    widths.keySet().removeIf(rail -> users.getOrDefault(rail, 0) < 2);
    List<Map.Entry<Object, Integer>> sorted = new ArrayList<>(widths.entrySet());
    if (sorted.stream().mapToInt(Map.Entry::getValue).sum() > Long.SIZE) {
      // The rails of the most servers first, if there are not enough bits for all.
      sorted.sort(Comparator.comparingInt(rail -> -users.getOrDefault(rail.getKey(), 0)));
    }
    return sorted;
  }

  private Map<Object, Integer> places(List<Map.Entry<Object, Integer>> widths) {
    Map<Object, Integer> places = new HashMap<>();
    int next = 0;
    for (Map.Entry<Object, Integer> rail : widths) {
      if (next + rail.getValue() > Long.SIZE) {
        complete = false;
      } else {
        places.put(rail.getKey(), next);
        next += rail.getValue();
      }
    }
    return places;
  }

  /** Groups of servers that have rails in common, directly or through others. */
  private List<BitSet> groups(List<Map.Entry<Object, Integer>> shared) {
    Map<Object, BitSet> ofRail = new HashMap<>();
    shared.forEach(rail -> ofRail.put(rail.getKey(), new BitSet()));
    for (int server = 0; server < railsByServer.size(); server++) {
      for (Object rail : count(railsByServer.get(server)).keySet()) {
        BitSet users = ofRail.get(rail);
        if (users != null) {
          users.set(server);
        }
      }
    }
    List<BitSet> groups = new ArrayList<>();
    for (Map.Entry<Object, Integer> rail : shared) {
      BitSet merged = new BitSet();
      merged.or(ofRail.getOrDefault(rail.getKey(), new BitSet()));
      for (int i = groups.size() - 1; i >= 0; i--) {
        if (groups.get(i).intersects(merged)) {
          merged.or(groups.remove(i));
        }
      }
      groups.add(merged);
    }
    return groups;
  }

  /** The number of NICs on each rail. */
  public static Map<Object, Integer> count(List<Optional<Object>> railsOfNics) {
    Map<Object, Integer> counts = new LinkedHashMap<>();
    railsOfNics.forEach(known -> known.ifPresent(rail -> counts.merge(rail, 1, Integer::sum)));
    return counts;
  }
}
