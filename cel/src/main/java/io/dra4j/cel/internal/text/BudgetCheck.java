package io.dra4j.cel.internal.text;

import io.dra4j.common.Budget;
import io.dra4j.common.BudgetExceededException;
import java.io.Serial;

/**
 * Ends work whose budget has expired, by an {@link Over} that the code that began the work catches.
 */
public final class BudgetCheck implements TimeCheck {

  /** The budget is used up. */
  public static final class Over extends RuntimeException {

    @Serial private static final long serialVersionUID = 1L;

    private final BudgetExceededException exceeded;

    private Over(BudgetExceededException exceeded) {
      super(exceeded.getMessage(), exceeded, false, false);
      this.exceeded = exceeded;
    }

    /** Returns the exception for the caller. */
    public BudgetExceededException exceeded() {
      return exceeded;
    }
  }

  private final Budget budget;

  /** Creates a check of a budget. */
  public BudgetCheck(Budget budget) {
    this.budget = budget;
  }

  @Override
  public void look() {
    try {
      budget.check();
    } catch (BudgetExceededException e) {
      throw new Over(e);
    }
  }
}
