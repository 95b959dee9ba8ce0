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
   * {@return the compiled selector of a request or class}
   *
   * @param expression the expression; its result must be a Boolean
   * @throws SelectorException with position and reason, if the expression cannot be compiled
   */
  CompiledSelector compileSelector(String expression) throws SelectorException;

  /**
   * {@return the selector of a request or class, compiled within a budget} The default checks the
   * budget once the selector is compiled. An implementation that can take more than some
   * milliseconds for an expression also checks it in between.
   *
   * @param expression the expression; its result must be a Boolean
   * @param budget the limit of the caller
   * @throws SelectorException with position and reason, if the expression cannot be compiled
   * @throws BudgetExceededException if the budget is used up
   */
  default CompiledSelector compileSelector(String expression, Budget budget)
      throws SelectorException, BudgetExceededException {
    CompiledSelector compiled = compileSelector(expression);
    budget.check();
    return compiled;
  }

  /**
   * {@return the compiled expression of a derived attribute}
   *
   * @param expression the expression; its result must be a scalar or a list of scalars
   * @throws SelectorException with position and reason, if the expression cannot be compiled
   */
  CompiledAttribute compileAttribute(String expression) throws SelectorException;

  /**
   * {@return the expression of a derived attribute, compiled within a budget, which is checked as
   * by {@link #compileSelector(String, Budget)}}
   *
   * @param expression the expression; its result must be a scalar or a list of scalars
   * @param budget the limit of the caller
   * @throws SelectorException with position and reason, if the expression cannot be compiled
   * @throws BudgetExceededException if the budget is used up
   */
  default CompiledAttribute compileAttribute(String expression, Budget budget)
      throws SelectorException, BudgetExceededException {
    CompiledAttribute compiled = compileAttribute(expression);
    budget.check();
    return compiled;
  }
}
