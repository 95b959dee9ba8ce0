package io.dra4j.manifest.validation;

import io.dra4j.model.Device;
import io.dra4j.model.DeviceAttribute;
import io.dra4j.selector.CompiledAttribute;
import io.dra4j.selector.CompiledSelector;
import io.dra4j.selector.SelectorCompiler;
import io.dra4j.selector.SelectorException;
import java.util.OptionalLong;

/** Knows {@code broken} expressions, and that those that go through all of something are dear. */
final class FewExpressions implements SelectorCompiler {

  @Override
  public CompiledSelector compileSelector(String expression) throws SelectorException {
    check(expression);
    return new CompiledSelector() {
      @Override
      public boolean matches(String driver, Device device) {
        return true;
      }

      @Override
      public OptionalLong estimate() {
        return cost(expression);
      }
    };
  }

  @Override
  public CompiledAttribute compileAttribute(String expression) throws SelectorException {
    check(expression);
    return new CompiledAttribute() {
      @Override
      public DeviceAttribute evaluate(String driver, Device device) {
        throw new UnsupportedOperationException();
      }

      @Override
      public OptionalLong estimate() {
        return cost(expression);
      }
    };
  }

  private static OptionalLong cost(String expression) {
    return OptionalLong.of(expression.contains("all(") ? -1 : 500_000);
  }

  private static void check(String expression) throws SelectorException {
    if (expression.equals("broken")) {
      throw new SelectorException("broken");
    }
  }
}
