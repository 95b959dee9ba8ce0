package io.dra4j.netlink.state;

import java.util.List;
import java.util.stream.Collectors;

/**
 * The outcome of restoring a link.
 *
 * @param restored the number of facts that were changed back to their earlier values
 * @param left the remaining differences, including later additions, which stay; empty if there are
 *     none
 */
public record Restoration(int restored, List<Difference> left) {

  /** Copies the list. {@inheritDoc} */
  public Restoration {
    left = List.copyOf(left);
  }

  /** {@return whether the link has its earlier state: there are no remaining differences} */
  public boolean isComplete() {
    return left.isEmpty();
  }

  /**
   * {@return whether a second restoration, after {@link LinkStates#awaitCarrier}, would set
   * remaining facts that the kernel accepts only with a carrier, and the routes through them}
   */
  public boolean waitsForCarrier() {
    return left.stream().anyMatch(Difference::waitsForCarrier);
  }

  /** Returns the outcome for people, with a line for each remaining difference. */
  @Override
  public String toString() {
    return restored
        + " facts restored, "
        + left.size()
        + " left"
        + left.stream().map(one -> "\n" + one).collect(Collectors.joining());
  }
}
