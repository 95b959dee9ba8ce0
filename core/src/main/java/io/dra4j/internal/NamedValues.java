package io.dra4j.internal;

import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.BinaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * An immutable map from names to values, in the order of its creation. The names are stored apart
 * from the values: devices of one kind share their {@link Names}, so that each of a million devices
 * needs one reference for each value.
 *
 * <p>For 2 to {@link #MAX_SIZE} names. A look-up compares at most that many names, even if their
 * hashes are equal.
 *
 * @param <V> the type of the values
 */
public final class NamedValues<V> extends AbstractMap<String, V> {

  /** Twice the number of names that the API server allows for a device. */
  static final int MAX_SIZE = 64;

  /** The names of a map in its order, with an index of their positions. Immutable. */
  static final class Names {

    private final String[] inOrder;
    private final byte[] places; // 1 and the index of a name, by hash, then the next free place

    private Names(String[] inOrder) {
      this.inOrder = inOrder;
      this.places = new byte[4 * Integer.highestOneBit(inOrder.length)];
      for (int i = 0; i < inOrder.length; i++) {
        int place = first(inOrder[i]);
        while (places[place] != 0) {
          place = next(place);
        }
        places[place] = (byte) (i + 1);
      }
    }

    private int first(String name) {
      int hash = name.hashCode();
      return (hash ^ hash >>> 15) & places.length - 1;
    }

    private int next(int place) {
      return place + 1 & places.length - 1;
    }

    private int indexOf(String name) {
      for (int place = first(name); places[place] != 0; place = next(place)) {
        int index = places[place] - 1;
        if (inOrder[index].equals(name)) {
          return index;
        }
      }
      return -1;
    }
  }

  private final Names names;
  private final V[] values;

  private NamedValues(Names names, V[] values) {
    this.names = names;
    this.values = values;
  }

  /** Copies a map that has no nulls. */
  @SuppressWarnings("unchecked") // the array stays here
  static <V> NamedValues<V> copyOf(Map<String, V> map) {
    String[] names = new String[map.size()];
    V[] values = (V[]) new Object[names.length];
    int i = 0;
    for (Map.Entry<String, V> entry : map.entrySet()) {
      names[i] = entry.getKey();
      values[i++] = entry.getValue();
    }
    return new NamedValues<>(new Names(names), values);
  }

  /**
   * Returns the object that holds the names. Maps that share their names return the same object, so
   * it can be compared by identity.
   */
  public Object names() {
    return names;
  }

  /**
   * {@return the known map if everything is the same, else this map with the names and values of
   * the known map where they are the same, to save memory; null if the names differ}
   *
   * @param sameOf returns the first value if the second cannot be distinguished, else the second
   */
  public @Nullable NamedValues<V> sharedWith(NamedValues<V> known, BinaryOperator<V> sameOf) {
    if (names != known.names && !Arrays.equals(names.inOrder, known.names.inOrder)) {
      return null;
    }
    V[] shared = values;
    boolean isKnown = true;
    for (int i = 0; i < values.length; i++) {
      V same = sameOf.apply(known.values[i], values[i]);
      isKnown &= same == known.values[i];
      if (same != values[i]) {
        shared = shared == values ? values.clone() : shared;
        shared[i] = same;
      }
    }
    if (isKnown) {
      return known;
    }
    return shared == values && names == known.names ? this : new NamedValues<>(known.names, shared);
  }

  @Override
  public int size() {
    return values.length;
  }

  @Override
  public @Nullable V get(@Nullable Object key) {
    int index = key instanceof String name ? names.indexOf(name) : -1;
    return index < 0 ? null : values[index];
  }

  @Override
  public boolean containsKey(@Nullable Object key) {
    return get(key) != null;
  }

  @Override
  public Collection<V> values() {
    return Collections.unmodifiableList(Arrays.asList(values));
  }

  @Override
  public void forEach(BiConsumer<? super String, ? super V> action) {
    for (int i = 0; i < values.length; i++) {
      action.accept(names.inOrder[i], values[i]);
    }
  }

  @Override
  public Set<Map.Entry<String, V>> entrySet() {
    return new Entries<>(this);
  }

  private static final class Entries<V> extends AbstractSet<Map.Entry<String, V>> {

    private final NamedValues<V> map;

    Entries(NamedValues<V> map) {
      this.map = map;
    }

    @Override
    public int size() {
      return map.size();
    }

    @Override
    public boolean contains(@Nullable Object object) {
      return object instanceof Map.Entry<?, ?> entry
          && entry.getValue() != null
          && entry.getValue().equals(map.get(entry.getKey()));
    }

    @Override
    public Iterator<Map.Entry<String, V>> iterator() {
      return new Iterator<>() {
        private int next;

        @Override
        public boolean hasNext() {
          return next < map.values.length;
        }

        @Override
        public Map.Entry<String, V> next() {
          if (!hasNext()) {
            throw new NoSuchElementException();
          }
          Map.Entry<String, V> entry = Map.entry(map.names.inOrder[next], map.values[next]);
          next++;
          return entry;
        }
      };
    }
  }
}
