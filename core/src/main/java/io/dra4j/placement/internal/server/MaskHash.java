package io.dra4j.placement.internal.server;

/** Spreads bit masks of devices over the slots of a cache whose size is a power of 2. */
public final class MaskHash {

  private static final long GOLDEN = 0x9e3779b97f4a7c15L;

  private MaskHash() {}

  /** The slot of four masks. */
  public static int slot(int slots, long a, long b, long c, long d) {
    return slot(slots, mixed(a, b, c, d));
  }

  /** The slot of four masks and a number. */
  public static int slot(int slots, long a, long b, long c, long d, long number) {
    return slot(slots, mixed(a, b, c, d) * GOLDEN + number);
  }

  private static long mixed(long a, long b, long c, long d) {
    long mixed = a * GOLDEN + b;
    mixed = mixed * 0xbf58476d1ce4e5b9L + c;
    return mixed * 0x94d049bb133111ebL + d;
  }

  private static int slot(int slots, long mixed) {
    return (int) ((mixed ^ mixed >>> 29) >>> 7) & slots - 1;
  }
}
