package io.dra4j.netlink.state;

import java.util.List;

/**
 * What came of restoring a link.
 *
 * @param restored how many facts were not as they had been, and are again
 * @param left what is not as it was, and rules of which nobody can tell whether they are the
 *     link's; empty if all is
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

  /** For people: a line for each fact that is left. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder().append(restored).append(" facts restored, ");
    text.append(left.size()).append(" left");
    left.forEach(one -> text.append('\n').append(one));
    return text.toString();
  }
}
