package io.dra4j.inventory.internal;

import java.util.function.ToIntFunction;

/** The number of each part's first device, if devices are numbered across parts. Immutable. */
final class Offsets {

  private final int[] firsts; // of each part, followed by the number of all devices

  private Offsets(int[] firsts) {
    this.firsts = firsts;
  }

  /** Creates the offsets of parts in their order, each with its number of devices. */
  static <T> Offsets of(T[] parts, ToIntFunction<T> size) {
    int[] firsts = new int[parts.length + 1];
    for (int i = 0; i < parts.length; i++) {
      firsts[i + 1] = firsts[i] + size.applyAsInt(parts[i]);
    }
    return new Offsets(firsts);
  }

  /** The number of devices of all parts. */
  int size() {
    return firsts[firsts.length - 1];
  }

  /** The number of devices before a part; for the number of parts, the number of all devices. */
  int first(int part) {
    return firsts[part];
  }

  /** The part with a device: the last one that does not begin after it, which skips empty parts. */
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
