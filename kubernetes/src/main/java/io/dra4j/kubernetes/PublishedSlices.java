package io.dra4j.kubernetes;

import io.dra4j.inventory.InventoryEvent;
import io.dra4j.kubernetes.ResourceFollower.Change;
import io.dra4j.model.ResourceSlice;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The slices of a {@link SlicePublisher} on the server, from watches and from the responses to its
 * writes. A response may arrive before or after the watch events of this change and of later ones;
 * the newest state wins. Not thread-safe.
 */
final class PublishedSlices {

  /**
   * A published slice.
   *
   * @param resourceVersion its version on the server
   * @param isSeen whether a watch has reported it; otherwise it is the response to a write
   */
  record Published(ResourceSlice slice, String resourceVersion, boolean isSeen) {}

  private final Map<String, Published> slices = new LinkedHashMap<>();
  private @Nullable String writing; // the slice whose response is awaited
  private boolean isOvertaken; // a watch has reported a change of it

  List<Published> all() {
    return List.copyOf(slices.values());
  }

  /**
   * Applies the changes of a watch, which covers the slices that {@code isWatched} accepts and has
   * reached {@code resourceVersion}.
   */
  void apply(List<Change> changes, Predicate<ResourceSlice> isWatched, String resourceVersion) {
    for (Change change : changes) {
      isOvertaken |= change.name().equals(writing);
      Published known = slices.get(change.name());
      if (known != null && isOlder(change.resourceVersion(), known.resourceVersion())) {
        continue; // the response to a write came before the watch
      }
      if (change.event() instanceof InventoryEvent.SlicePut put) {
        slices.put(change.name(), new Published(put.slice(), change.resourceVersion(), true));
      } else {
        slices.remove(change.name());
      }
    }
    // A watch that is past the version of a response will not report that version any more.
    slices
        .values()
        .removeIf(
            one ->
                !one.isSeen()
                    && isWatched.test(one.slice())
                    && isOlder(one.resourceVersion(), resourceVersion));
  }

  /** Begins a write of a slice, which ends with its response or a failure. */
  void beginWrite(String name) {
    writing = name;
    isOvertaken = false;
  }

  /** Ends a failed write. */
  void endWrite() {
    writing = null;
  }

  /** Applies the response to the write, unless a watch has reported a change of the slice since. */
  void endWrite(ResourceSlice slice, String resourceVersion) {
    if (!isOvertaken) {
      slices.put(slice.metadata().name(), new Published(slice, resourceVersion, false));
    }
    endWrite();
  }

  /** Removes a deleted slice. */
  void remove(String name) {
    slices.remove(name);
  }

  /** Compares versions as numbers (KEP-5504); a version that is not a number counts as newer. */
  private static boolean isOlder(String version, String than) {
    return version.matches("[0-9]{1,18}")
        && than.matches("[0-9]{1,18}")
        && Long.parseLong(version) < Long.parseLong(than);
  }
}
