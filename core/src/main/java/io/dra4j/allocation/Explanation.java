package io.dra4j.allocation;

import com.google.common.base.Suppliers;
import io.dra4j.model.ResourceClaim;
import java.util.List;
import java.util.function.Supplier;

/**
 * Why claims do not fit on a node, for the person who wrote them. Worked out when it is asked for:
 * a scheduler that merely goes on to the next node does not pay for it.
 */
public final class Explanation {

  private final SearchContext context;
  private final Supplier<List<String>> lines;

  Explanation(SearchContext context, List<ResourceClaim> claims) {
    List<ResourceClaim> copy = List.copyOf(claims);
    this.context = context;
    this.lines = Suppliers.memoize(() -> new Diagnosis(context, copy, invalidPools()).lines());
  }

  /**
   * The reasons, the most telling one first. Each is one sentence about one request, constraint or
   * pool.
   *
   * @return at least one line
   */
  public List<String> lines() {
    return lines.get();
  }

  /**
   * The most telling reason.
   *
   * @return one line
   */
  public String summary() {
    return lines().get(0);
  }

  /**
   * The pools of the node whose slices contradict each other. Where there are any, Kubernetes
   * reports an error of the node rather than a lack of devices.
   *
   * @return {@code driver/pool: reason} for each
   */
  public List<String> invalidPools() {
    return context.pools().pools.stream()
        .filter(pool -> pool.invalidReason != null)
        .map(pool -> pool.id + ": " + pool.invalidReason)
        .toList();
  }

  /** All lines, one below the other. */
  @Override
  public String toString() {
    return String.join("\n", lines());
  }
}
