package io.dra4j.allocation;

import io.dra4j.allocation.internal.text.TextFormat;
import io.dra4j.common.PrintableText;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.StringJoiner;

/**
 * How many more of a claim fit, each placed where the allocator would place it, until the next one
 * does not fit. Another order of other claims could leave room for more; this is what a scheduler
 * gets that is given the claim again and again.
 *
 * @param byNode how many fit on each node if nothing is placed on others, in the order of the
 *     inventory; at most the limit that was given
 * @param total how many fit in the cluster: the sum, unless nodes share devices, each of which
 *     counts once
 * @param unfinished the nodes on which something other than a lack of devices or the limit ended
 *     the counting: at least as many fit there as {@code byNode} says. In the order of the
 *     inventory
 * @param stopped what that was on the first of them, or for the total: a fault of the claim, or the
 *     time; empty if nothing did. Where it is there, the total is a lower bound, too
 */
public record Headroom(
    Map<String, Integer> byNode, long total, List<String> unfinished, Optional<String> stopped) {

  /** Copies the collections, keeping their order. {@inheritDoc} */
  public Headroom {
    byNode = Collections.unmodifiableMap(new LinkedHashMap<>(byNode));
    unfinished = List.copyOf(unfinished);
  }

  /** For people: the total, and a line for each node. */
  @Override
  public String toString() {
    StringJoiner lines = new StringJoiner("\n");
    lines.add((stopped.isPresent() ? "at least " : "") + total + " in all");
    Set<String> open = Set.copyOf(unfinished);
    byNode.forEach(
        (node, fit) ->
            lines.add(
                PrintableText.of(node) + ": " + (open.contains(node) ? "at least " : "") + fit));
    stopped.ifPresent(why -> lines.add(TextFormat.line("stopped: " + why, true)));
    return lines.toString();
  }
}
