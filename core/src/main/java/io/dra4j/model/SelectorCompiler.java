package io.dra4j.model;

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
   * Compiles the expression of a derived attribute.
   *
   * @param expression the expression; its result must be a scalar or a list of scalars
   * @return the compiled expression
   * @throws SelectorException if the expression cannot be compiled; the message says where and why
   */
  CompiledAttribute compileAttribute(String expression) throws SelectorException;
}
