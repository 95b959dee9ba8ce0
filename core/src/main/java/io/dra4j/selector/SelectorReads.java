package io.dra4j.selector;

import io.dra4j.internal.Checks;
import java.util.Set;

/**
 * The parts of a device that a selector reads. Devices of one driver that are equal in these parts
 * get the same answer, so that it is enough to evaluate the selector for one of them.
 *
 * @param attributes the attributes, as {@code domain/id}
 * @param capacities the capacities, as {@code domain/id}
 * @param multipleAllocations whether it reads whether a device allows multiple allocations
 * @param everything whether it may read anything else in addition, so that no two devices count as
 *     equal
 */
public record SelectorReads(
    Set<String> attributes,
    Set<String> capacities,
    boolean multipleAllocations,
    boolean everything) {

  private static final SelectorReads EVERYTHING = new SelectorReads(Set.of(), Set.of(), true, true);

  /** Copies the sets. {@inheritDoc} */
  public SelectorReads {
    attributes = Set.copyOf(Checks.value("SelectorReads.attributes", attributes));
    capacities = Set.copyOf(Checks.value("SelectorReads.capacities", capacities));
  }

  /** {@return everything, as the reads of a selector of which nothing is known} */
  public static SelectorReads ofEverything() {
    return EVERYTHING;
  }
}
