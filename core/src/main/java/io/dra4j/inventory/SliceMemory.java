package io.dra4j.inventory;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * What expressions said of the devices of one slice. It goes where the slice goes, and is forgotten
 * with it or when a {@link BoundedMemory} is full.
 */
final class SliceMemory implements BoundedMemory.Part {

  /** Of this many expressions; what the others said is forgotten, the oldest first. */
  private static final int MAX_EXPRESSIONS = 16;

  private static final int BYTES_OF_ENTRY = 80;

  private volatile @Nullable Answers newest;

  /** What one expression said, filled where it is asked for: bits, or a value for each device. */
  private static final class Answers {
    final Object expression;
    final Object said;
    @Nullable Answers older;

    Answers(Object expression, Object said, @Nullable Answers older) {
      this.expression = expression;
      this.said = said;
      this.older = older;
    }
  }

  /** Two bits per device, for 32 devices a word. */
  long[] bits(Object expression, int devices, BoundedMemory memory) {
    Object known = find(expression);
    if (known == null) {
      known = new long[(devices >>> Bits.DEVICES_PER_WORD_LOG) + 1];
      add(expression, known, BYTES_OF_ENTRY + devices / 4, memory);
    }
    return (long[]) known;
  }

  /** One object per device, null while it is not known. */
  @Nullable Object[] values(Object expression, int devices, BoundedMemory memory) {
    Object known = find(expression);
    if (known == null) {
      known = new Object[devices];
      add(expression, known, BYTES_OF_ENTRY + 100L * devices, memory);
    }
    return (Object[]) known;
  }

  private @Nullable Object find(Object expression) {
    for (Answers answers = newest; answers != null; answers = answers.older) {
      if (answers.expression == expression) {
        return answers.said;
      }
    }
    return null;
  }

  /** Two threads may add at a time; then one of both is asked again. */
  private void add(Object expression, Object said, long bytes, BoundedMemory memory) {
    Answers added = new Answers(expression, said, newest);
    Answers last = added;
    for (int i = 1; i < MAX_EXPRESSIONS && last != null; i++) {
      last = last.older;
    }
    if (last != null) {
      last.older = null;
    }
    newest = added;
    memory.grown(this, bytes);
  }

  @Override
  public void forget() {
    newest = null;
  }

  /** Truth values of devices that threads may set at the same time, to the same. */
  static final class Bits {

    static final int DEVICES_PER_WORD_LOG = 5;
    static final long NO = 1;
    static final long YES = 2;

    private static final VarHandle WORDS = MethodHandles.arrayElementVarHandle(long[].class);

    private Bits() {}

    static long get(long[] words, int device) {
      return (words[device >>> DEVICES_PER_WORD_LOG] >>> (device << 1)) & 3; // modulo 64
    }

    static void set(long[] words, int device, long answer) {
      WORDS.getAndBitwiseOr(words, device >>> DEVICES_PER_WORD_LOG, answer << (device << 1));
    }
  }
}
