package io.dra4j.model;

import io.dra4j.internal.Checks;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The name of a device's attribute or capacity: {@code domain/id}, for example {@code
 * resource.kubernetes.io/pcieRoot}. Drivers may leave their own domain out: on a device of the
 * driver {@code gpu.example.com}, {@code model} and {@code gpu.example.com/model} are one name.
 *
 * <p>Two names are equal if their strings are equal.
 *
 * <p>Source: {@code resourceapi.QualifiedName} and {@code lookupAttribute} of Kubernetes' allocator
 * (KEP-4381).
 */
public final class QualifiedName {

  private final String domain;
  private final String id;
  private final String text;

  private QualifiedName(String domain, String id, String text) {
    this.domain = domain;
    this.id = id;
    this.text = text;
  }

  /**
   * {@return the name that a text contains, for example in a constraint}
   *
   * @param text {@code domain/id}, or {@code id} alone, which gets the empty domain and belongs to
   *     no driver; everything after the first slash is the id
   */
  public static QualifiedName of(String text) {
    int slash = Checks.value("text", text).indexOf('/');
    return new QualifiedName(
        slash < 0 ? "" : text.substring(0, slash), text.substring(slash + 1), text);
  }

  /**
   * {@return the name, with its domain, that a driver writes on its own devices}
   *
   * @param driver the name of the driver, the domain of names that are written without one
   * @param text {@code domain/id} or {@code id}
   */
  public static QualifiedName of(String driver, String text) {
    Checks.value("driver", driver);
    return Checks.value("text", text).indexOf('/') < 0
        ? new QualifiedName(driver, text, driver + "/" + text)
        : of(text);
  }

  /** {@return the domain before the slash, like {@code resource.kubernetes.io}; empty if none} */
  public String domain() {
    return domain;
  }

  /** {@return the name in its domain, the part after the slash, for example {@code pcieRoot}} */
  public String id() {
    return id;
  }

  /**
   * {@return the value that a device has under this name, or {@code null} if there is none} If it
   * has the name with and without domain, the former counts, as in constraints of Kubernetes.
   *
   * @param driver the name of the device's driver
   * @param values the attributes or the capacities of the device
   * @param <V> the type of the values
   */
  public <V> @Nullable V in(String driver, Map<String, V> values) {
    Checks.value("driver", driver);
    V value = Checks.value("values", values).get(text);
    return value == null && domain.equals(driver) ? values.get(id) : value;
  }

  /**
   * {@return whether a device has this name with and without domain, so that readers may differ}
   *
   * @param driver the name of the device's driver
   * @param values the attributes or the capacities of the device
   */
  public boolean isTwiceIn(String driver, Map<String, ?> values) {
    Checks.value("driver", driver);
    Checks.value("values", values);
    return domain.equals(driver) && values.containsKey(text) && values.containsKey(id);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof QualifiedName name && text.equals(name.text);
  }

  @Override
  public int hashCode() {
    return text.hashCode();
  }

  /** Returns the name as it is written: {@code domain/id}, or {@code id} without a domain. */
  @Override
  public String toString() {
    return text;
  }
}
