package io.dra4j.inventory.internal;

import java.util.function.ToIntFunction;

/** Where each of some parts begins when their devices are numbered through. Immutable. */
final class Offsets {

  private final int[] firsts; // of each part, and the number of all devices behind the last

  private Offsets(int[] firsts) {
    this.firsts = firsts;
  }

  /** The offsets of parts in their order, each with its number of devices. */
  static <T> Offsets of(T[] parts, ToIntFunction<T> size) {
    int[] firsts = new int[parts.length + 1];
    for (int i = 0; i < parts.length; i++) {
      firsts[i + 1] = firsts[i] + size.applyAsInt(parts[i]);
    }
    return new Offsets(firsts);
  }

  /** How many devices all parts have. */
  int size() {
    return firsts[firsts.length - 1];
  }

  /** How many devices there are before a part; with the number of parts, all of them. */
  int first(int part) {
    return firsts[part];
  }

  /** The part with a device: the last one that does not begin behind it, as empty ones do not. */
  int partOf(int device) {
    int low = 0;
    int high = firsts.length - 2;
    while (low < high) {
      int middle = (low + high + 1) >>> 1;
      if (firsts[middle] <= device) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return low;
  }
}
