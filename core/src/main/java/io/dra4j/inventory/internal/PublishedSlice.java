package io.dra4j.inventory.internal;

import io.dra4j.inventory.PoolId;
import io.dra4j.model.Device;
import io.dra4j.model.ResourceSlice;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A slice of the inventory, with the taints of the rules and with what is remembered about its
 * devices. Belongs to no node: all that see the slice share it.
 */
public final class PublishedSlice {

  /** When the slice first came: the order in which the reference would read the slices. */
  public final long sequence;

  final PoolId poolId;
  public final ResourceSlice published; // as the driver wrote it
  public final ResourceSlice slice; // with the taints of the rules behind the driver's own
  final boolean usesCompatibilityGroups;

  /** Another slice of the same name, which only a snapshot put together of several dumps has. */
  final @Nullable PublishedSlice twin;

  final SliceCache memory;
  final DeviceFlags peculiarities;

  PublishedSlice(
      long sequence,
      PoolId poolId,
      ResourceSlice published,
      DeviceTaintRules rules,
      @Nullable PublishedSlice twin) {
    this(
        sequence,
        poolId,
        published,
        rules.tainted(published),
        anyCompatibilityGroups(published),
        twin,
        new SliceCache());
  }

  private PublishedSlice(
      long sequence,
      PoolId poolId,
      ResourceSlice published,
      ResourceSlice slice,
      boolean usesCompatibilityGroups,
      @Nullable PublishedSlice twin,
      SliceCache memory) {
    this.sequence = sequence;
    this.poolId = poolId;
    this.published = published;
    this.slice = slice;
    this.usesCompatibilityGroups = usesCompatibilityGroups;
    this.twin = twin;
    this.memory = memory;
    this.peculiarities = new DeviceFlags(published.devices());
  }

  /** The slice under other taint rules: itself, if they make no difference. */
  PublishedSlice withRules(DeviceTaintRules rules) {
    List<PublishedSlice> twins = new ArrayList<>(1);
    for (PublishedSlice each = this; each != null; each = each.twin) {
      twins.add(each);
    }
    PublishedSlice changed = null;
    for (int i = twins.size() - 1; i >= 0; i--) {
      changed = twins.get(i).withRules(rules, changed);
    }
    return changed == null ? this : changed;
  }

  private PublishedSlice withRules(DeviceTaintRules rules, @Nullable PublishedSlice newTwin) {
    ResourceSlice tainted = rules.tainted(published);
    if (newTwin == twin && tainted.equals(slice)) {
      return this;
    }
    // Expressions cannot read taints, so what they said of the devices still holds.
    return new PublishedSlice(
        sequence, poolId, published, tainted, usesCompatibilityGroups, newTwin, memory);
  }

  /** The place of a slice that came at the same time, or where one belongs, as binary search. */
  static int find(PublishedSlice[] slices, PublishedSlice slice) {
    return Arrays.binarySearch(slices, slice, Comparator.comparingLong(s -> s.sequence));
  }

  /** The slices with one besides. */
  static PublishedSlice[] with(PublishedSlice[] slices, PublishedSlice slice) {
    int place = -find(slices, slice) - 1;
    PublishedSlice[] more = Arrays.copyOf(slices, slices.length + 1);
    System.arraycopy(slices, place, more, place + 1, slices.length - place);
    more[place] = slice;
    return more;
  }

  /** The slices with others in the places of those that came at the same times. */
  static PublishedSlice[] withAll(PublishedSlice[] slices, List<PublishedSlice> others) {
    PublishedSlice[] changed = slices.clone();
    for (PublishedSlice other : others) {
      int place = find(slices, other);
      if (place >= 0) {
        changed[place] = other;
      }
    }
    return changed;
  }

  /** The slices without the one that came at the same time. */
  static PublishedSlice[] without(PublishedSlice[] slices, PublishedSlice slice) {
    int place = find(slices, slice);
    if (place < 0) {
      return slices;
    }
    PublishedSlice[] left = Arrays.copyOf(slices, slices.length - 1);
    System.arraycopy(slices, place + 1, left, place, left.length - place);
    return left;
  }

  /** Whether another slice is of the same pool and names the same node, or none. */
  boolean isWhere(ResourceSlice other) {
    return poolId.driver().equals(other.driver())
        && poolId.name().equals(other.pool().name())
        && Objects.equals(published.nodeSelection().nodeName(), other.nodeSelection().nodeName());
  }

  /** Whether both slices name one node, or none. */
  boolean namesSameNode(PublishedSlice other) {
    return Objects.equals(
        published.nodeSelection().nodeName(), other.published.nodeSelection().nodeName());
  }

  /** Whether the slice names the node that it is about. */
  public boolean namesNode() {
    String node = published.nodeSelection().nodeName();
    return node != null && !node.isEmpty();
  }

  boolean hasCounters() {
    return !published.sharedCounters().isEmpty();
  }

  boolean perDeviceNodeSelection() {
    return Boolean.TRUE.equals(published.perDeviceNodeSelection());
  }

  int size() {
    return published.devices().size();
  }

  private static boolean anyCompatibilityGroups(ResourceSlice slice) {
    for (Device device : slice.devices()) {
      if (!device.consumesCounters().isEmpty()
          && device.consumesCounters().stream().anyMatch(c -> !c.compatibilityGroups().isEmpty())) {
        return true;
      }
    }
    return false;
  }
}
