package io.dra4j.cel.internal.value;

import com.google.common.collect.Iterators;
import com.google.common.primitives.UnsignedLong;
import dev.cel.common.values.CelByteString;
import io.dra4j.cel.internal.value.JsonContainers.JsonMap;
import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The keys of maps as cel-go treats them. */
public final class MapKeys {

  private MapKeys() {}

  /** Refuses what cel-go panics on when it is to hash it. */
  public static void check(Object key) {
    check(key, "runtime error: hash of unhashable type ");
  }

  private static void check(Object key, String panic) {
    if (key instanceof CelByteString || key instanceof SemVerValue || key instanceof FormatValue) {
      throw new EvaluationAborted("internal error: " + panic + Values.goType(key));
    }
  }

  /**
   * Refuses what cel-go panics on when it looks for it, before the look-up is counted. It hashes
   * nothing to look into a map without entries or one of texts.
   */
  public static void checkLookUp(Map<?, ?> map, Object key) {
    if (!(map instanceof MapValue || map instanceof JsonMap) && !map.isEmpty()) {
      check(key);
    }
  }

  /** Returns the key, or an error if the specification has no such key in a map. */
  public static Object strict(Map<?, ?> map, Object key) {
    if (key instanceof String
        || key instanceof Boolean
        || key instanceof Long
        || key instanceof UnsignedLong) {
      return Equality.hasKey(map, key) ? new EvalError("Failed with repeated key: " + key) : key;
    }
    return key instanceof EvalError
        ? key
        : new EvalError("unsupported key type: " + Values.goType(key));
  }

  /** Another key, if it is one that is equal to itself only. */
  public static Object copy(Object key) {
    if (key instanceof UrlValue value) {
      return new UrlValue(value.url());
    }
    return key instanceof QuantityValue value ? new QuantityValue(value.quantity()) : key;
  }

  /**
   * A value as a variable or another value keeps it. What is read from a device is another key each
   * time it is read, but the same one wherever it comes from there.
   */
  public static Object bound(Object value) {
    if (value instanceof ValueList list) {
      return list.bound();
    }
    return value instanceof MapValue map ? map.bound() : value;
  }

  /** Returns the value of a variable. An optional is a new one each time it is read. */
  public static Object read(Object value) {
    return value instanceof Optional<?> optional && optional.isPresent()
        ? Optional.of(optional.get())
        : value;
  }

  /** Returns whether a key equals itself at most, because it is or has a pointer, or is NaN. */
  private static boolean hasIdentity(Object key) {
    return key instanceof List
        || key instanceof Map
        || key instanceof Optional
        || key instanceof QuantityValue
        || key instanceof UrlValue
        || key instanceof Message
        || isNan(key);
  }

  private static boolean isNan(Object key) {
    return key instanceof Double number && number.isNaN();
  }

  /**
   * A key that is equal to itself only.
   *
   * @param self the value of the key
   */
  private record Identity(Object key, Object self) {

    static Identity of(Object key) {
      Object bound = bound(key);
      if (isNan(key)) {
        return new Identity(key, new Object()); // which is not even equal to itself
      }
      return new Identity(bound, bound instanceof QuantityValue value ? value.self() : bound);
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // that is the point
    public boolean equals(@Nullable Object other) {
      return other instanceof Identity identity
          && (identity.self == self || (self instanceof String && self.equals(identity.self)));
    }

    @Override
    public int hashCode() {
      return self instanceof String ? self.hashCode() : System.identityHashCode(self);
    }
  }

  /**
   * A map with any keys that an expression makes. Keys of each class are a map of their own: keys
   * of one class that have been made to have one hash are found by their order, those of two would
   * be compared one by one.
   */
  public static final class AnyMap extends AbstractMap<Object, Object> {

    private final Map<Object, Object> entries = new LinkedHashMap<>(); // those of the first class
    private @Nullable Class<?> kind;
    private @Nullable Map<Class<?>, Map<Object, Object>> others;
    private boolean identities;

    @Override
    public @Nullable Object put(Object key, Object value) {
      identities |= hasIdentity(key);
      Object stored = stored(key);
      Class<?> type = stored.getClass();
      if (kind == null) {
        kind = type;
      } else if (kind != type) {
        Map<Class<?>, Map<Object, Object>> more = others;
        if (more == null) {
          more = new LinkedHashMap<>();
          others = more;
        }
        return more.computeIfAbsent(type, any -> new LinkedHashMap<>()).put(stored, value);
      }
      return entries.put(stored, value);
    }

    /** Returns the entries with keys of the class of one, if there may be any. */
    private @Nullable Map<Object, Object> like(Object stored) {
      if (stored.getClass() == kind) {
        return entries;
      }
      return others == null ? null : others.get(stored.getClass());
    }

    @Override
    public @Nullable Object get(@Nullable Object key) {
      if (key == null || isEmpty()) {
        return null;
      }
      Object stored = stored(key);
      Map<Object, Object> like = like(stored);
      return like == null ? null : like.get(stored);
    }

    @Override
    public @Nullable Object remove(@Nullable Object key) {
      if (key == null) {
        return null;
      } else if (isEmpty()) { // Go's delete checks the key also here
        check(key, "hash of unhashable type: ");
      }
      Object stored = stored(key);
      Map<Object, Object> like = like(stored);
      return like == null ? null : like.remove(stored);
    }

    @Override
    public boolean containsKey(@Nullable Object key) {
      return get(key) != null;
    }

    @Override
    public boolean isEmpty() {
      return size() == 0;
    }

    @Override
    public int size() {
      int size = entries.size();
      if (others != null) {
        for (Map<Object, Object> more : others.values()) {
          size += more.size();
        }
      }
      return size;
    }

    @Override
    public Set<Map.Entry<Object, Object>> entrySet() {
      if (others == null) {
        return identities ? new Entries(List.of(entries), this) : entries.entrySet();
      }
      List<Map<Object, Object>> all = new ArrayList<>();
      all.add(entries);
      all.addAll(others.values());
      return new Entries(all, this);
    }

    /** The zeros are one key, the first one. */
    private Object stored(Object key) {
      check(key);
      if (hasIdentity(key)) {
        return Identity.of(key);
      } else if (key instanceof Double number && number == 0) {
        Map<Object, Object> like = like(key);
        return like != null && like.containsKey(-number) ? -number : key;
      }
      return key;
    }
  }

  private static final class Entries extends AbstractSet<Map.Entry<Object, Object>> {

    private final List<Map<Object, Object>> parts;
    private final AnyMap map;

    Entries(List<Map<Object, Object>> parts, AnyMap map) {
      this.parts = parts;
      this.map = map;
    }

    @Override
    public Iterator<Map.Entry<Object, Object>> iterator() {
      return Iterators.transform(
          Iterators.concat(
              Iterators.transform(parts.iterator(), part -> part.entrySet().iterator())),
          entry ->
              entry.getKey() instanceof Identity identity
                  ? Map.entry(identity.key(), entry.getValue())
                  : entry);
    }

    @Override
    public int size() {
      return map.size();
    }
  }
}
