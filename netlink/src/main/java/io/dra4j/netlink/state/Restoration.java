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

  /**
   * Returns whether the link has its earlier state.
   *
   * @return whether there are no remaining differences
   */
  public boolean isComplete() {
    return left.isEmpty();
  }

  /**
   * Returns whether there are remaining facts that the kernel accepts only while the link has a
   * carrier. A second restoration with a carrier sets them and the routes through them.
   *
   * @return whether a second restoration makes sense, after {@link LinkStates#awaitCarrier}
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
