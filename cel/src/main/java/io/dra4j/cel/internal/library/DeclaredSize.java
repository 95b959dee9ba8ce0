package io.dra4j.cel.internal.library;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The sizes that the API allows for the parts of {@code device}, after {@code newCompiler} and
 * {@code sizeEstimator} in {@code dynamic-resource-allocation/cel/compile.go}.
 */
public final class DeclaredSize {

  private static final DeclaredSize DRIVER = new DeclaredSize(63);
  private static final DeclaredSize FLAG = new DeclaredSize(1);
  private static final DeclaredSize DOMAIN = new DeclaredSize(63);
  private static final DeclaredSize NAME = new DeclaredSize(32);
  // Of a text; a list may have 48 elements.
  private static final DeclaredSize ATTRIBUTE = new DeclaredSize(64);
  private static final DeclaredSize QUANTITY = new DeclaredSize(0);
  private static final DeclaredSize DEVICE =
      new DeclaredSize(
          0,
          null,
          null,
          Map.of(
              "driver",
              DRIVER,
              "allowMultipleAllocations",
              FLAG,
              "attributes",
              mapOf(DOMAIN, mapOf(NAME, ATTRIBUTE)),
              "capacity",
              mapOf(DOMAIN, mapOf(NAME, QUANTITY))));

  private final int max;
  private final @Nullable DeclaredSize keys;
  private final @Nullable DeclaredSize elements;
  private final Map<String, DeclaredSize> fields;

  private DeclaredSize(
      int max,
      @Nullable DeclaredSize keys,
      @Nullable DeclaredSize elements,
      Map<String, DeclaredSize> fields) {
    this.max = max;
    this.keys = keys;
    this.elements = elements;
    this.fields = fields;
  }

  private DeclaredSize(int max) {
    this(max, null, null, Map.of());
  }

  private static DeclaredSize mapOf(DeclaredSize keys, DeclaredSize values) {
    return new DeclaredSize(32, keys, values, Map.of());
  }

  /** Returns the size of the value of a path, or null if it is not known. */
  public static @Nullable Estimate of(FieldPath path) {
    if (path.length() == 0 || !path.get(0).equals("device")) {
      return null;
    }
    DeclaredSize size = DEVICE;
    for (int i = 1; i < path.length() && size != null; i++) {
      String name = path.get(i);
      size =
          switch (name) {
            case "@items", "@values" -> size.elements;
            case "@keys" -> size.keys;
            default -> size.field(name);
          };
    }
    return size == null ? null : new Estimate(0, size.max);
  }

  /** All attributes have the same size. */
  private @Nullable DeclaredSize field(String name) {
    DeclaredSize field = fields.get(name);
    return field == null && elements == ATTRIBUTE ? ATTRIBUTE : field;
  }
}
