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
 * The slices that a {@link SlicePublisher} knows to be on the server, by watches and by the answers
 * to its writes. An answer may come before or after the watch brings the same change, and later
 * ones: the newest knowledge stays. Not thread-safe.
 */
final class PublishedSlices {

  /**
   * A published slice.
   *
   * @param resourceVersion its version on the server
   * @param isSeen whether a watch has brought it; otherwise it is the answer to a write
   */
  record Published(ResourceSlice slice, String resourceVersion, boolean isSeen) {}

  private final Map<String, Published> slices = new LinkedHashMap<>();
  private @Nullable String writing; // the slice whose answer is awaited
  private boolean isOvertaken; // a watch has brought a change of it

  List<Published> all() {
    return List.copyOf(slices.values());
  }

  /**
   * Takes the changes that a watch has brought.
   *
   * @param isWatched whether a slice is one of those that the watch is about
   * @param resourceVersion how far the watch has come
   */
  void apply(List<Change> changes, Predicate<ResourceSlice> isWatched, String resourceVersion) {
    for (Change change : changes) {
      isOvertaken |= change.name().equals(writing);
      Published known = slices.get(change.name());
      if (known != null && isOlder(change.resourceVersion(), known.resourceVersion())) {
        continue; // the answer to a write came before the watch
      }
      if (change.event() instanceof InventoryEvent.SlicePut put) {
        slices.put(change.name(), new Published(put.slice(), change.resourceVersion(), true));
      } else {
        slices.remove(change.name());
      }
    }
    // A watch that is past the version of an answer, and has not brought it, never will.
    slices
        .values()
        .removeIf(
            one ->
                !one.isSeen()
                    && isWatched.test(one.slice())
                    && isOlder(one.resourceVersion(), resourceVersion));
  }

  /** A slice is written from now on, until its answer is taken or the write fails. */
  void beginWrite(String name) {
    writing = name;
    isOvertaken = false;
  }

  /** The write failed. */
  void endWrite() {
    writing = null;
  }

  /** Takes the answer to the write, unless a watch has brought a change of the slice meanwhile. */
  void endWrite(ResourceSlice slice, String resourceVersion) {
    if (!isOvertaken) {
      slices.put(slice.metadata().name(), new Published(slice, resourceVersion, false));
    }
    endWrite();
  }

  /** The slice was deleted. */
  void remove(String name) {
    slices.remove(name);
  }

  /** Versions grow, and can be compared as numbers (KEP-5504); others are taken as newer. */
  private static boolean isOlder(String version, String than) {
    return version.matches("[0-9]{1,18}")
        && than.matches("[0-9]{1,18}")
        && Long.parseLong(version) < Long.parseLong(than);
  }
}
