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
 * The number of further claims like a given one that fit. Each is placed where the allocator would
 * place it, until the next one does not fit. This is the result of a scheduler that gets the same
 * claim repeatedly; another order of claims could leave room for more.
 *
 * @param byNode the number for each node if nothing is placed on other nodes, in the order of the
 *     inventory; at most the given limit
 * @param total the number for the cluster: the sum of all nodes, but devices that nodes share count
 *     once
 * @param unfinished the nodes on which the count ended for another reason than a lack of devices or
 *     the limit. Their number in {@code byNode} is a lower bound. In the order of the inventory
 * @param stopped the reason on the first of these nodes, or for the total: an error of the claim,
 *     or an expired budget; empty if there was none. If present, the total is also a lower bound
 */
public record Headroom(
    Map<String, Integer> byNode, long total, List<String> unfinished, Optional<String> stopped) {

  /** Copies the collections, keeping their order. {@inheritDoc} */
  public Headroom {
    byNode = Collections.unmodifiableMap(new LinkedHashMap<>(byNode));
    unfinished = List.copyOf(unfinished);
  }

  /** The total, and a line for each node. */
  @Override
  public String toString() {
    StringJoiner lines = new StringJoiner("\n");
    lines.add((stopped.isPresent() ? "at least " : "") + total + " in total");
    Set<String> open = Set.copyOf(unfinished);
    byNode.forEach(
        (node, fit) ->
            lines.add(
                PrintableText.of(node) + ": " + (open.contains(node) ? "at least " : "") + fit));
    stopped.ifPresent(why -> lines.add(TextFormat.line("stopped: " + why, true)));
    return lines.toString();
  }
}
