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

/** A slice with the taints of rules and with cached facts about its devices; its nodes share it. */
public final class PublishedSlice {

  /** The number of the event that first added the slice; the reference reads in this order. */
  public final long sequence;

  final PoolId poolId;
  public final ResourceSlice published; // as the driver wrote it
  public final ResourceSlice slice; // with the taints of the rules after the driver's own
  final boolean usesCompatibilityGroups;

  /** Another slice with the same name; only a snapshot combined from several dumps has one. */
  final @Nullable PublishedSlice twin;

  final SliceCache memory;
  final DeviceFlags peculiarities;

  PublishedSlice(
      long sequence,
      PoolId poolId,
      ResourceSlice published,
      DeviceTaintRules rules,
      @Nullable PublishedSlice twin) {
    this.sequence = sequence;
    this.poolId = poolId;
    this.published = published;
    this.slice = rules.tainted(published);
    this.usesCompatibilityGroups = anyCompatibilityGroups(published);
    this.twin = twin;
    this.memory = new SliceCache();
    this.peculiarities = new DeviceFlags(published.devices());
  }

  private PublishedSlice(
      PublishedSlice other, ResourceSlice tainted, @Nullable PublishedSlice twin) {
    this.sequence = other.sequence;
    this.poolId = other.poolId;
    this.published = other.published;
    this.slice = tainted;
    this.usesCompatibilityGroups = other.usesCompatibilityGroups;
    this.twin = twin;
    this.memory = other.memory;
    this.peculiarities = other.peculiarities;
  }

  /** The slice with other taint rules applied; this slice if they make no difference. */
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
    // Expressions cannot read taints, so their cached results stay valid.
    return new PublishedSlice(this, tainted, newTwin);
  }

  /** The index of the slice with the same sequence, or its insertion point as in binary search. */
  static int find(PublishedSlice[] slices, PublishedSlice slice) {
    return Arrays.binarySearch(slices, slice, Comparator.comparingLong(s -> s.sequence));
  }

  /** The slices and one more. */
  static PublishedSlice[] with(PublishedSlice[] slices, PublishedSlice slice) {
    int place = -find(slices, slice) - 1;
    PublishedSlice[] more = Arrays.copyOf(slices, slices.length + 1);
    System.arraycopy(slices, place, more, place + 1, slices.length - place);
    more[place] = slice;
    return more;
  }

  /** The slices, where others replace the slices with the same sequence numbers. */
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

  /** The slices without the slice with the same sequence number. */
  static PublishedSlice[] without(PublishedSlice[] slices, PublishedSlice slice) {
    int place = find(slices, slice);
    if (place < 0) {
      return slices;
    }
    PublishedSlice[] left = Arrays.copyOf(slices, slices.length - 1);
    System.arraycopy(slices, place + 1, left, place, left.length - place);
    return left;
  }

  /**
   * Whether another slice has the same pool and the same node name, or no node name like this one.
   */
  boolean isWhere(ResourceSlice other) {
    return poolId.driver().equals(other.driver())
        && poolId.name().equals(other.pool().name())
        && Objects.equals(published.nodeSelection().nodeName(), other.nodeSelection().nodeName());
  }

  /** Whether both slices name the same node, or both name none. */
  boolean namesSameNode(PublishedSlice other) {
    return Objects.equals(
        published.nodeSelection().nodeName(), other.published.nodeSelection().nodeName());
  }

  /** Returns whether the slice names the node that it applies to. */
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
