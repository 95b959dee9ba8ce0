package io.dra4j.cel;

import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import dev.cel.runtime.Program;
import io.dra4j.model.CompiledAttribute;
import io.dra4j.model.CompiledSelector;
import io.dra4j.model.Device;
import io.dra4j.model.SelectorCompiler;
import io.dra4j.model.SelectorException;
import java.util.Optional;

/**
 * Compiles the CEL expressions of Kubernetes Dynamic Resource Allocation.
 *
 * <p>The language is the one in which the scheduler of Kubernetes 1.37 reads stored objects, with
 * all fields of {@code device}. Missing are the libraries for URLs and named formats, and {@code
 * format} on strings. The API server accepts the same for new objects when the features for list
 * attributes and consumable capacity are on. It also refuses what it estimates to be too costly,
 * and the scheduler stops evaluations that become so; here instead the rounds of loops and the size
 * of values are limited.
 *
 * <p>Remembers the expressions compiled last and the devices seen, so that one object should serve
 * for as long as possible. Thread-safe.
 */
public final class CelSelectors implements SelectorCompiler {

  private static final int REMEMBERED_EXPRESSIONS = 1_000;

  private final CelEngine engine = new CelEngine();
  private final Cache<String, CompiledSelector> selectors = newCache();
  private final Cache<String, CompiledAttribute> attributes = newCache();
  // Weak keys are compared by identity; the values do not refer to them.
  private final Cache<Device, DeviceValue> devices = CacheBuilder.newBuilder().weakKeys().build();

  private CelSelectors() {}

  /**
   * Makes a compiler. That takes some hundred milliseconds for the first one.
   *
   * @return a compiler
   */
  public static CelSelectors create() {
    return new CelSelectors();
  }

  /**
   * {@inheritDoc}
   *
   * @throws SelectorException if the expression is longer than 10 KiB, is no CEL, refers to
   *     something that is not there, or gives neither a truth value nor a value whose type is known
   *     only when it is evaluated
   */
  @Override
  public CompiledSelector compileSelector(String expression) throws SelectorException {
    CompiledSelector selector = selectors.getIfPresent(expression);
    if (selector == null) {
      Program program = engine.compile(expression, ResultTypes::checkSelector);
      selector = (driver, device) -> ResultTypes.toBoolean(evaluate(program, driver, device));
      selectors.put(expression, selector);
    }
    return selector;
  }

  /**
   * {@inheritDoc}
   *
   * @throws SelectorException if the expression is longer than 10 KiB, is no CEL, refers to
   *     something that is not there, or gives neither a truth value, an integer, a string, a
   *     version, a list of these, nor a value whose type is known only when it is evaluated
   */
  @Override
  public CompiledAttribute compileAttribute(String expression) throws SelectorException {
    CompiledAttribute attribute = attributes.getIfPresent(expression);
    if (attribute == null) {
      Program program = engine.compile(expression, ResultTypes::checkAttribute);
      attribute = (driver, device) -> ResultTypes.toAttribute(evaluate(program, driver, device));
      attributes.put(expression, attribute);
    }
    return attribute;
  }

  private Object evaluate(Program program, String driver, Device device) throws SelectorException {
    DeviceValue value = devices.getIfPresent(device);
    if (value == null || !value.driver().equals(driver)) {
      value = DeviceValue.of(driver, device);
      devices.put(device, value);
    }
    return CelEngine.evaluate(program, Optional.of(value));
  }

  private static <T> Cache<String, T> newCache() {
    return CacheBuilder.newBuilder().maximumSize(REMEMBERED_EXPRESSIONS).build();
  }
}
