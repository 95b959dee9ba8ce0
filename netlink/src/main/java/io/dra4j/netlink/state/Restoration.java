package io.dra4j.netlink.state;

import java.util.List;
import java.util.stream.Collectors;

/**
 * The outcome of restoring a link.
 *
 * @param restored how many facts were not as they had been, and are again
 * @param left what is not as it was, of which what has come since stays; empty if all is
 */
public record Restoration(int restored, List<Difference> left) {

  /** Copies the list. {@inheritDoc} */
  public Restoration {
    left = List.copyOf(left);
  }

  /**
   * Whether the link is as it was.
   *
   * @return whether nothing is left
   */
  public boolean isComplete() {
    return left.isEmpty();
  }

  /**
   * Says whether something is left that the kernel takes only while the link has a carrier:
   * restoring it again then sets that and what goes through it.
   *
   * @return whether a second restoration makes sense, behind {@link LinkStates#awaitCarrier}
   */
  public boolean waitsForCarrier() {
    return left.stream().anyMatch(Difference::waitsForCarrier);
  }

  /** For people: a line for each fact that is left. */
  @Override
  public String toString() {
    return restored
        + " facts restored, "
        + left.size()
        + " left"
        + left.stream().map(one -> "\n" + one).collect(Collectors.joining());
  }
}
