package io.dra4j.cel;

import dev.cel.common.values.CelByteString;
import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What the keys of maps are to cel-go. */
final class MapKeys {

  private MapKeys() {}

  /** Refuses what cel-go panics on when it is to hash it. */
  static void check(Object key) {
    if (key instanceof CelByteString || key instanceof SemVerValue) {
      throw new EvaluationAborted(
          "internal error: runtime error: hash of unhashable type " + Values.typeName(key));
    }
  }

  /** Whether a key is equal to itself only. */
  static boolean hasIdentity(Object key) {
    return key instanceof List || key instanceof Map || key instanceof java.util.Optional;
  }

  /** A key that is equal to itself only. */
  static final class Identity {

    private final Object key;

    Identity(Object key) {
      this.key = key;
    }
  }

  /** Makes a map of one with {@link Identity} keys. */
  static Map<Object, Object> restored(Map<Object, Object> map) {
    for (Object key : map.keySet()) {
      if (key instanceof Identity) {
        return new EntryMap(
            map.entrySet().stream()
                .map(
                    entry ->
                        Map.entry(
                            entry.getKey() instanceof Identity identity
                                ? identity.key
                                : entry.getKey(),
                            entry.getValue()))
                .toList());
      }
    }
    return Collections.unmodifiableMap(map);
  }

  /** A map some of whose keys are equal to themselves only. */
  private static final class EntryMap extends AbstractMap<Object, Object> {

    private final List<Map.Entry<Object, Object>> entries;

    EntryMap(List<Map.Entry<Object, Object>> entries) {
      this.entries = entries;
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // that is the point
    public @Nullable Object get(@Nullable Object key) {
      for (Map.Entry<Object, Object> entry : entries) {
        Object known = entry.getKey();
        if (known == key || (!hasIdentity(known) && known.equals(key))) {
          return entry.getValue();
        }
      }
      return null;
    }

    @Override
    public boolean containsKey(@Nullable Object key) {
      return get(key) != null;
    }

    @Override
    public Set<Map.Entry<Object, Object>> entrySet() {
      return new AbstractSet<>() {
        @Override
        public Iterator<Map.Entry<Object, Object>> iterator() {
          return entries.iterator();
        }

        @Override
        public int size() {
          return entries.size();
        }
      };
    }
  }
}
