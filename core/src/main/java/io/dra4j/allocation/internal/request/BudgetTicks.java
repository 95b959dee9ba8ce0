package io.dra4j.allocation.internal.request;

import io.dra4j.common.Budget;
import io.dra4j.common.BudgetExceededException;

/** Spends the budget in loops whose rounds are much shorter than a unit of it. */
public final class BudgetTicks {

  private BudgetTicks() {}

  /**
   * Spends one unit after every {@code roundsPerUnit} rounds, so that a shorter loop costs nothing.
   *
   * @param round the number of the round, from 0
   * @param roundsPerUnit a power of 2
   */
  public static void spend(Budget budget, int round, int roundsPerUnit)
      throws BudgetExceededException {
    if ((round & roundsPerUnit - 1) == roundsPerUnit - 1) {
      budget.spend(1);
    }
  }
}
