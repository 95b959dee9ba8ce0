package io.dra4j.topology;

import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * The location of a device in the trees of its host.
 *
 * @param root the host bridge above it, for example {@code pci0000:8c}; null if not known
 * @param bridges the PCI bridges between the host bridge and the device, from top to bottom; empty
 *     if there are none or they are not known
 * @param numaNode the number of the NUMA node it is attached to, if known
 */
public record Location(@Nullable String root, List<PciAddress> bridges, OptionalInt numaNode) {

  /** The location of a device of which nothing is known. */
  public static final Location UNKNOWN = new Location(null, List.of(), OptionalInt.empty());

  /**
   * Copies the bridges; an empty root counts as unknown. {@inheritDoc}
   *
   * @throws IllegalArgumentException if the NUMA node is negative
   */
  public Location {
    root = root == null || root.isEmpty() ? null : root;
    bridges = List.copyOf(Objects.requireNonNull(bridges, "bridges"));
    Objects.requireNonNull(numaNode, "numaNode");
    if (numaNode.isPresent() && numaNode.getAsInt() < 0) {
      throw new IllegalArgumentException(
          "numaNode: expected a number of at least 0, found " + numaNode.getAsInt());
    }
  }

  /**
   * {@return this location with another NUMA node}
   *
   * @param node the NUMA node
   */
  public Location withNumaNode(int node) {
    return new Location(root, bridges, OptionalInt.of(node));
  }
}
