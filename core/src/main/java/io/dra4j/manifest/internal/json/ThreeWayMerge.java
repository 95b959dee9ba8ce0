package io.dra4j.manifest.internal.json;

import io.dra4j.manifest.Json;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Merges the changes of an object into the document from which it was read. Unchanged parts stay as
 * in the document, with all fields that the record does not have and all spellings that it does not
 * keep. Changed parts are written from the record.
 */
public final class ThreeWayMerge {

  /** The fields that identify an element of a list. */
  private static final Set<String> IDENTITY =
      Set.of(
          "name",
          "uid",
          "type",
          "key",
          "effect",
          "counterSet",
          "request",
          "driver",
          "pool",
          "device",
          "shareID");

  private ThreeWayMerge() {}

  /**
   * {@return the current document, with the changes of the object}
   *
   * @param before the object as it was read, written again
   * @param after the current object, written
   * @param document the document from which it was read
   */
  public static Json merge(Json before, Json after, Json document) {
    if (before.equals(after)) {
      return document;
    }
    if (before instanceof Json.Fields old
        && after instanceof Json.Fields changed
        && document instanceof Json.Fields source) {
      return mergeFields(old, changed, source);
    }
    if (before instanceof Json.Items old
        && after instanceof Json.Items changed
        && document instanceof Json.Items source
        && old.list().size() == source.list().size()) {
      return mergeItems(old.list(), changed.list(), source.list());
    }
    return after;
  }

  private static Json mergeFields(Json.Fields before, Json.Fields after, Json.Fields document) {
    Map<String, Json> merged = new LinkedHashMap<>();
    document
        .map()
        .forEach(
            (name, value) -> {
              Json old = before.get(name);
              Json changed = after.get(name);
              if (changed != null) {
                merged.put(name, old == null ? changed : merge(old, changed, value));
              } else if (old == null) {
                merged.put(name, value); // the record does not have it
              }
            });
    after
        .map()
        .forEach(
            (name, changed) -> {
              // A value that the record had from the start was a default that is not in the
              // document.
              if (document.get(name) == null && !changed.equals(before.get(name))) {
                merged.put(name, changed);
              }
            });
    return new Json.Fields(merged);
  }

  private static Json mergeItems(List<Json> before, List<Json> after, List<Json> document) {
    int[] origins = origins(before, after);
    List<Json> merged = new ArrayList<>(after.size());
    for (int i = 0; i < after.size(); i++) {
      int origin = origins[i];
      merged.add(
          origin < 0
              ? after.get(i)
              : merge(before.get(origin), after.get(i), document.get(origin)));
    }
    return new Json.Items(merged);
  }

  /** The former index of each element: of the equal one, else of one with its identity; or -1. */
  private static int[] origins(List<Json> before, List<Json> after) {
    int[] origins = new int[after.size()];
    Arrays.fill(origins, -1);
    boolean[] taken = new boolean[before.size()];
    Map<Json, Deque<Integer>> equals = new HashMap<>();
    Map<Json, Deque<Integer>> sameIdentity = new HashMap<>();
    for (int i = 0; i < before.size(); i++) {
      equals.computeIfAbsent(before.get(i), value -> new ArrayDeque<>()).add(i);
    }
    for (int i = 0; i < origins.length; i++) {
      take(equals.get(after.get(i)), i, origins, taken);
    }
    for (int i = 0; i < before.size(); i++) {
      Json identity = identity(before.get(i));
      if (identity != null && !taken[i]) {
        sameIdentity.computeIfAbsent(identity, value -> new ArrayDeque<>()).add(i);
      }
    }
    for (int i = 0; i < origins.length; i++) {
      if (origins[i] < 0) {
        Json identity = identity(after.get(i));
        if (identity != null) {
          take(sameIdentity.get(identity), i, origins, taken);
        } else if (after.size() == before.size() && !taken[i]) {
          origins[i] = i;
          taken[i] = true;
        }
      }
    }
    return origins;
  }

  private static void take(
      @Nullable Deque<Integer> candidates, int element, int[] origins, boolean[] taken) {
    if (candidates != null && !candidates.isEmpty()) {
      origins[element] = candidates.remove();
      taken[origins[element]] = true;
    }
  }

  private static @Nullable Json identity(Json element) {
    if (!(element instanceof Json.Fields fields)) {
      return null;
    }
    Map<String, Json> identity = new HashMap<>(fields.map());
    identity.keySet().retainAll(IDENTITY);
    identity.values().removeIf(value -> !(value instanceof Json.Text));
    return identity.isEmpty() ? null : new Json.Fields(identity);
  }
}
