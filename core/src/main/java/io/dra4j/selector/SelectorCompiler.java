package io.dra4j.selector;

import io.dra4j.common.Budget;
import io.dra4j.common.BudgetExceededException;

/**
 * Compiles selector expressions. The allocator uses an expression language only through this
 * interface; module {@code cel} implements it.
 *
 * <p>Implementations are thread-safe, and so are the selectors they return. Equal expressions may
 * return the same selector.
 */
public interface SelectorCompiler {

  /**
   * Compiles the selector of a request or class.
   *
   * @param expression the expression; its result must be a Boolean
   * @return the compiled selector
   * @throws SelectorException if the expression cannot be compiled; the message has the position
   *     and the reason
   */
  CompiledSelector compileSelector(String expression) throws SelectorException;

  /**
   * Compiles the selector of a request or class, within a budget. The default checks the budget
   * once the selector is compiled. An implementation that can take more than some milliseconds for
   * an expression also checks it in between.
   *
   * @param expression the expression; its result must be a Boolean
   * @param budget the limit of the caller
   * @return the compiled selector
   * @throws SelectorException if the expression cannot be compiled; the message has the position
   *     and the reason
   * @throws BudgetExceededException if the budget is used up
   */
  default CompiledSelector compileSelector(String expression, Budget budget)
      throws SelectorException, BudgetExceededException {
    CompiledSelector compiled = compileSelector(expression);
    budget.check();
    return compiled;
  }

  /**
   * Compiles the expression of a derived attribute.
   *
   * @param expression the expression; its result must be a scalar or a list of scalars
   * @return the compiled expression
   * @throws SelectorException if the expression cannot be compiled; the message has the position
   *     and the reason
   */
  CompiledAttribute compileAttribute(String expression) throws SelectorException;

  /**
   * Compiles the expression of a derived attribute within a budget, which is checked as by {@link
   * #compileSelector(String, Budget)}.
   *
   * @param expression the expression; its result must be a scalar or a list of scalars
   * @param budget the limit of the caller
   * @return the compiled expression
   * @throws SelectorException if the expression cannot be compiled; the message has the position
   *     and the reason
   * @throws BudgetExceededException if the budget is used up
   */
  default CompiledAttribute compileAttribute(String expression, Budget budget)
      throws SelectorException, BudgetExceededException {
    CompiledAttribute compiled = compileAttribute(expression);
    budget.check();
    return compiled;
  }
}
