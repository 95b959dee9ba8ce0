package io.dra4j.cel;

import dev.cel.common.values.NullValue;
import dev.cel.common.values.OpaqueValue;
import dev.cel.runtime.RuntimeEquality;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Equality as Kubernetes has it. It differs from cel-java's where quantities, versions and
 * addresses come in: compared with something else than their like or null, they are neither equal
 * nor unequal, and inside lists and maps that counts as equal.
 */
final class Equality {

  private final RuntimeEquality standard;

  Equality(RuntimeEquality standard) {
    this.standard = standard;
  }

  /** Whether two values are equal. */
  boolean areEqual(Object a, Object b) {
    return Boolean.TRUE.equals(compare(a, b));
  }

  /** Whether two values are equal, or nothing if they cannot be compared. */
  @Nullable Boolean compare(Object a, Object b) {
    if (a instanceof List<?> x && b instanceof List<?> y) {
      return compareLists(x, y);
    } else if (a instanceof Map<?, ?> x && b instanceof Map<?, ?> y) {
      return compareMaps(x, y);
    } else if (a instanceof OpaqueValue && !(b instanceof NullValue)) {
      return isComparable(a, b) ? a.equals(b) : null;
    }
    return standard.objectEquals(a, b);
  }

  /** The value of a key, numbers of different types being the same key. */
  Optional<Object> find(Map<?, ?> map, Object key) {
    return standard.findInMap(map, key);
  }

  /** The result of a calculation cannot be on the right: the original looks for another type. */
  private static boolean isComparable(Object a, Object b) {
    return a.getClass() == b.getClass() && !(b instanceof QuantityValue q && q.isCalculated());
  }

  private boolean compareLists(List<?> a, List<?> b) {
    if (a.size() != b.size()) {
      return false;
    }
    Iterator<?> others = b.iterator();
    for (Object element : a) {
      if (Boolean.FALSE.equals(compare(element, others.next()))) {
        return false;
      }
    }
    return true;
  }

  private boolean compareMaps(Map<?, ?> a, Map<?, ?> b) {
    if (a.size() != b.size()) {
      return false;
    }
    for (Map.Entry<?, ?> entry : a.entrySet()) {
      Optional<Object> other = find(b, entry.getKey());
      if (other.isEmpty() || Boolean.FALSE.equals(compare(entry.getValue(), other.get()))) {
        return false;
      }
    }
    return true;
  }
}
