package io.dra4j.cel.internal.eval;

import com.google.common.collect.ImmutableSet;
import io.dra4j.selector.SelectorReads;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The facts of a device that a program reads.
 *
 * @param names the attributes and capacities
 * @param multipleAllocations whether it reads {@code device.allowMultipleAllocations}
 * @param everything whether it may read anything else, for example because it loops over names
 */
public record DeviceReads(
    ImmutableSet<AttributeName> names, boolean multipleAllocations, boolean everything) {

  /** The reads of an expression that may read anything. */
  public static final DeviceReads EVERYTHING = new DeviceReads(ImmutableSet.of(), true, true);

  /** Returns the reads as the type of the allocator. */
  public SelectorReads toSelectorReads() {
    return everything
        ? SelectorReads.ofEverything()
        : new SelectorReads(
            qualified(AttributeName.Kind.ATTRIBUTE),
            qualified(AttributeName.Kind.CAPACITY),
            multipleAllocations,
            false);
  }

  private Set<String> qualified(AttributeName.Kind kind) {
    return names.stream()
        .filter(name -> name.kind() == kind)
        .map(name -> name.domain() + "/" + name.id())
        .collect(Collectors.toSet());
  }

  /** Collects the reads of a program while it is planned. */
  static final class Collector {

    private final Set<AttributeName> names = new LinkedHashSet<>();
    private boolean multipleAllocations;
    private boolean everything;

    void add(AttributeName name) {
      names.add(name);
    }

    void addMultipleAllocations() {
      multipleAllocations = true;
    }

    void addEverything() {
      everything = true;
    }

    DeviceReads build() {
      return new DeviceReads(ImmutableSet.copyOf(names), multipleAllocations, everything);
    }
  }
}
