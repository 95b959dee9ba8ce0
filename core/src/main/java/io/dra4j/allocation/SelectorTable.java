package io.dra4j.allocation;

import io.dra4j.model.CompiledSelector;
import io.dra4j.model.SelectorException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * What a selector says of each device of the inventory, filled where it is asked for. Two bits per
 * device tell whether it matches, does not match, or makes the selector fail; both are set at once,
 * and threads that fill the same place set the same.
 */
final class SelectorTable {

  private static final int DEVICES_PER_WORD = Long.SIZE / 2;
  private static final long NO = 1;
  private static final long YES = 2;
  private static final long FAILED = 3;

  private static final VarHandle WORDS = MethodHandles.arrayElementVarHandle(long[].class);

  private final AlikeDevices alike;
  private final long[] @Nullable [] bySlice;

  SelectorTable(CompiledSelector selector, int slices) {
    this.alike = new AlikeDevices(selector);
    this.bySlice = new long[slices][];
  }

  /**
   * Returns whether a device matches.
   *
   * @throws SelectorException if the selector fails on it
   */
  boolean matches(Candidate candidate) throws SelectorException {
    long[] words = bySlice[candidate.published.index];
    int shift = 2 * (candidate.position % DEVICES_PER_WORD);
    long known = words == null ? 0 : (words[candidate.position / DEVICES_PER_WORD] >>> shift) & 3;
    if (known == NO || known == YES) {
      return known == YES;
    }
    return ask(candidate, shift);
  }

  private boolean ask(Candidate candidate, int shift) throws SelectorException {
    long answer = FAILED;
    try {
      answer = alike.matches(candidate.id.driver(), candidate.device) ? YES : NO;
      return answer == YES;
    } finally {
      set(words(candidate), candidate.position / DEVICES_PER_WORD, answer << shift);
    }
  }

  private static void set(long[] words, int index, long bits) {
    long before;
    do {
      before = (long) WORDS.getVolatile(words, index);
    } while (!WORDS.compareAndSet(words, index, before, before | bits));
  }

  private long[] words(Candidate candidate) {
    int slice = candidate.published.index;
    synchronized (bySlice) {
      long[] words = bySlice[slice];
      if (words == null) {
        int devices = candidate.published.slice.devices().size();
        words = new long[(devices + DEVICES_PER_WORD - 1) / DEVICES_PER_WORD];
        bySlice[slice] = words;
      }
      return words;
    }
  }
}
