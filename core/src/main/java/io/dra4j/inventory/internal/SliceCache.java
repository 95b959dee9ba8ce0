package io.dra4j.inventory.internal;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * The cached results of expressions for the devices of one slice. It belongs to the slice, and is
 * dropped with it or when a {@link BoundedCache} is full.
 */
final class SliceCache implements BoundedCache.Part {

  /** A pair in the table, of which a third is free, and the object header of the results. */
  private static final int BYTES_OF_ENTRY = 40;

  private static final int MIN_LENGTH = 8; // of the table, for three expressions

  private static final VarHandle ELEMENTS = MethodHandles.arrayElementVarHandle(Object[].class);

  /**
   * A hash table with open addressing: each expression, by identity, is followed by its results,
   * which are bits or one value for each device. Grows with the number of expressions, which the
   * {@link BoundedCache} bounds. Read without a lock.
   */
  private volatile @Nullable Object @Nullable [] table;

  private int expressions; // in the table; changed under the lock

  /** Two bits per device, 32 devices in a word. */
  long[] bits(Object expression, int devices, BoundedCache memory) {
    Object known = find(table, expression);
    return known == null
        ? (long[]) add(expression, new long[Bits.words(devices)], devices / 4, memory)
        : (long[]) known;
  }

  /** One object per device, null until it is known. */
  @Nullable Object[] values(Object expression, int devices, BoundedCache memory) {
    Object known = find(table, expression);
    return known == null
        ? (Object[]) add(expression, new Object[devices], 100L * devices, memory)
        : (Object[]) known;
  }

  private static @Nullable Object find(@Nullable Object @Nullable [] table, Object expression) {
    if (table == null) {
      return null;
    }
    int place = placeOf(expression, table.length);
    for (Object key = ELEMENTS.getAcquire(table, place);
        key != null;
        key = ELEMENTS.getAcquire(table, place)) {
      if (key == expression) {
        return table[place + 1];
      }
      place = place + 2 & table.length - 1;
    }
    return null;
  }

  private static int placeOf(Object expression, int length) {
    int hash = System.identityHashCode(expression);
    return (hash ^ hash >>> 16) << 1 & length - 1;
  }

  /** Returns the results that another thread has added meanwhile, or the given ones. */
  private Object add(Object expression, Object answer, long bytes, BoundedCache memory) {
    synchronized (this) {
      @Nullable Object[] known = table;
      Object earlier = find(known, expression);
      if (earlier != null) {
        return earlier;
      }
      if (known == null || 3 * (expressions + 1) > known.length) {
        known = larger(known);
        table = known;
      }
      put(known, expression, answer);
      expressions++;
    }
    memory.grown(this, BYTES_OF_ENTRY + bytes); // which may clear this cache
    return answer;
  }

  private static @Nullable Object[] larger(@Nullable Object @Nullable [] known) {
    if (known == null) {
      return new Object[MIN_LENGTH];
    }
    @Nullable Object[] larger = new Object[2 * known.length];
    for (int i = 0; i < known.length; i += 2) {
      if (known[i] != null && known[i + 1] != null) {
        put(larger, known[i], known[i + 1]);
      }
    }
    return larger;
  }

  /** Writes the expression last, because other threads read without a lock. */
  private static void put(@Nullable Object[] table, Object expression, Object answer) {
    int place = placeOf(expression, table.length);
    while (table[place] != null) {
      place = place + 2 & table.length - 1;
    }
    table[place + 1] = answer;
    ELEMENTS.setRelease(table, place, expression);
  }

  @Override
  public synchronized void forget() {
    table = null;
    expressions = 0;
  }

  /** Truth values of devices. Threads may set them at the same time, to the same value. */
  static final class Bits {

    private static final int DEVICES_PER_WORD_LOG = 5;
    static final long NO = 1;
    static final long YES = 2;

    private static final VarHandle WORDS = MethodHandles.arrayElementVarHandle(long[].class);

    private Bits() {}

    static int words(int devices) {
      return (devices >>> DEVICES_PER_WORD_LOG) + 1;
    }

    static long get(long[] words, int device) {
      return (words[device >>> DEVICES_PER_WORD_LOG] >>> (device << 1)) & 3; // modulo 64
    }

    static void set(long[] words, int device, long answer) {
      WORDS.getAndBitwiseOr(words, device >>> DEVICES_PER_WORD_LOG, answer << (device << 1));
    }
  }
}
