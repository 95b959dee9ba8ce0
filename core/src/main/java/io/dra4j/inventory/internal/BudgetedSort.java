package io.dra4j.inventory.internal;

import io.dra4j.common.Budget;
import io.dra4j.common.BudgetExceededException;
import java.util.Comparator;
import java.util.List;

/** Sorts within a budget: comparing long names with a common prefix takes time. */
final class BudgetedSort {

  private BudgetedSort() {}

  /** Carries the end of the budget out of a sort. */
  private static final class OverException extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private final BudgetExceededException cause;

    OverException(BudgetExceededException cause) {
      super("the budget is used up", cause, false, false);
      this.cause = cause;
    }
  }

  /** Sorts a list stably; its order is undefined if the budget is used up before the end. */
  static <T> void sort(List<T> list, Comparator<? super T> order, Budget budget)
      throws BudgetExceededException {
    try {
      list.sort(
          (a, b) -> {
            try {
              budget.spend(1);
            } catch (BudgetExceededException e) {
              throw new OverException(e);
            }
            return order.compare(a, b);
          });
    } catch (OverException e) {
      throw e.cause;
    }
  }
}
