package io.dra4j.selector;

import io.dra4j.common.Budget;
import io.dra4j.common.BudgetExceededException;

/**
 * Turns selector expressions into something that can be evaluated. The port through which the
 * allocator uses an expression language; module {@code cel} implements it.
 *
 * <p>Implementations are thread-safe, and so are the selectors they return. Equal expressions may
 * return the same selector.
 */
public interface SelectorCompiler {

  /**
   * Compiles the selector of a request or class.
   *
   * @param expression the expression; its result must be a truth value
   * @return the compiled selector
   * @throws SelectorException if the expression cannot be compiled; the message says where and why
   */
  CompiledSelector compileSelector(String expression) throws SelectorException;

  /**
   * Compiles a selector for a caller that waits so long and no longer. As it is, this looks at the
   * budget once the selector is there; an implementation that takes more than some milliseconds for
   * an expression looks at it in between.
   *
   * @param expression the expression; its result must be a truth value
   * @param budget how long the caller waits
   * @return the compiled selector
   * @throws SelectorException if the expression cannot be compiled; the message says where and why
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
   * @throws SelectorException if the expression cannot be compiled; the message says where and why
   */
  CompiledAttribute compileAttribute(String expression) throws SelectorException;

  /**
   * Compiles the expression of a derived attribute for a caller that waits so long and no longer,
   * as {@link #compileSelector(String, Budget)} does.
   *
   * @param expression the expression; its result must be a scalar or a list of scalars
   * @param budget how long the caller waits
   * @return the compiled expression
   * @throws SelectorException if the expression cannot be compiled; the message says where and why
   * @throws BudgetExceededException if the budget is used up
   */
  default CompiledAttribute compileAttribute(String expression, Budget budget)
      throws SelectorException, BudgetExceededException {
    CompiledAttribute compiled = compileAttribute(expression);
    budget.check();
    return compiled;
  }
}
