package io.dra4j.cel;

import com.google.common.collect.ImmutableSet;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * What of a device a program reads.
 *
 * @param names the attributes and capacities
 * @param multipleAllocations whether it reads {@code device.allowMultipleAllocations}
 * @param everything whether it may read anything else, for example because it loops over names
 */
record DeviceReads(
    ImmutableSet<AttributeName> names, boolean multipleAllocations, boolean everything) {

  static final DeviceReads EVERYTHING = new DeviceReads(ImmutableSet.of(), true, true);

  /** Collects what a program reads while it is made. */
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
