package io.dra4j.allocation;

import io.dra4j.model.Budget;
import io.dra4j.model.BudgetExceededException;
import io.dra4j.model.CompiledSelector;
import io.dra4j.model.SelectorException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * What a selector says of each device of the inventory, filled where it is asked for. Two bits per
 * device tell whether it matches, does not match, or makes the selector fail; both are set at once,
 * and threads that fill the same place set the same.
 */
final class SelectorTable {

  private static final int WORD_BITS = 5; // of a place, which counts 32 devices per word
  private static final long NO = 1;
  private static final long YES = 2;
  private static final long FAILED = 3;

  private static final VarHandle WORDS = MethodHandles.arrayElementVarHandle(long[].class);

  private final AlikeDevices alike;
  private final long[] words;

  SelectorTable(CompiledSelector selector, int devices) {
    this.alike = new AlikeDevices(selector);
    this.words = new long[(devices >>> WORD_BITS) + 1];
  }

  /**
   * Returns whether a device matches.
   *
   * @throws SelectorException if the selector fails on it
   * @throws BudgetExceededException if the answer takes longer than the caller waits
   */
  boolean matches(Candidate candidate, Budget budget)
      throws SelectorException, BudgetExceededException {
    int place = candidate.place;
    long known = (words[place >>> WORD_BITS] >>> (place << 1)) & 3; // the shift is modulo 64
    return (known == NO || known == YES) ? known == YES : ask(candidate, budget);
  }

  private boolean ask(Candidate candidate, Budget budget)
      throws SelectorException, BudgetExceededException {
    try {
      boolean answer = alike.matches(candidate.id.driver(), candidate.device, budget);
      note(candidate.place, answer ? YES : NO);
      return answer;
    } catch (SelectorException e) {
      note(candidate.place, FAILED);
      throw e;
    }
  }

  private void note(int place, long answer) {
    WORDS.getAndBitwiseOr(words, place >>> WORD_BITS, answer << (place << 1));
  }
}
