package io.dra4j.sysfs.overlay;

import java.util.BitSet;

/** Sets of CPUs and nodes as masks of 32-bit words in hexadecimal, the highest word first. */
final class CpuMask {

  private static final int MAX_BITS = 1 << 16;

  private CpuMask() {}

  /** {@return the numbers in a mask like {@code 00000000,0000ffff} or {@code 0x3}; else none} */
  static BitSet parse(String mask) {
    BitSet bits = new BitSet();
    String[] words = mask.split(",", -1);
    if (words.length > MAX_BITS / 32) {
      return bits;
    }
    int base = 0;
    for (int i = words.length - 1; i >= 0; i--, base += 32) {
      String word = words[i].startsWith("0x") ? words[i].substring(2) : words[i];
      if (word.isEmpty() || word.length() > 8) {
        return new BitSet();
      }
      try {
        long value = Long.parseLong(word, 16);
        for (int bit = 0; bit < 32; bit++) {
          bits.set(base + bit, (value >> bit & 1) != 0);
        }
      } catch (NumberFormatException e) {
        return new BitSet();
      }
    }
    return bits;
  }

  /** Returns a mask in the list format of Linux, for example {@code 0-27,56-83}. */
  static String toList(String mask) {
    BitSet bits = parse(mask);
    StringBuilder list = new StringBuilder();
    for (int from = bits.nextSetBit(0); from >= 0; ) {
      int to = bits.nextClearBit(from);
      list.append(list.isEmpty() ? "" : ",").append(from);
      if (to - from > 1) {
        list.append('-').append(to - 1);
      }
      from = bits.nextSetBit(to);
    }
    return list.toString();
  }

  /** Returns a list as a mask, in words of eight digits as NCCL writes them. */
  static String ofList(String list) {
    BitSet bits = new BitSet();
    for (String range : list.split(",", -1)) {
      String[] ends = range.split("-", -1);
      if (ends[0].isEmpty() || ends[0].length() > 5 || ends[ends.length - 1].length() > 5) {
        continue;
      }
      int from = Integer.parseInt(ends[0]);
      int to = Integer.parseInt(ends[ends.length - 1]);
      if (from <= to && to < MAX_BITS) {
        bits.set(from, to + 1);
      }
    }
    int words = Math.max(1, (bits.length() + 31) / 32);
    StringBuilder mask = new StringBuilder();
    for (int word = words - 1; word >= 0; word--) {
      long value = 0;
      for (int bit = 31; bit >= 0; bit--) {
        value = value << 1 | (bits.get(word * 32 + bit) ? 1 : 0);
      }
      mask.append(mask.isEmpty() ? "" : ",").append(String.format("%08x", value));
    }
    return mask.toString();
  }
}
