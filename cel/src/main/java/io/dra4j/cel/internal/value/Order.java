package io.dra4j.cel.internal.value;

import dev.cel.common.values.CelByteString;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Compares many values as {@link Values#compare} does. cel-java returns the bytes of a value only
 * as a copy. The bytes of the last two values are kept here, so that comparing one value with many
 * others does not copy it each time. For one thread, and one call.
 */
public final class Order {

  private static final byte[] NOTHING = {};

  private @Nullable CelByteString recent;
  private byte[] recentBytes = NOTHING;
  private @Nullable CelByteString older;
  private byte[] olderBytes = NOTHING;

  /** Returns −1, 0 or 1, or that values have no order, as {@link Values#compare} does. */
  @SuppressWarnings("ReferenceEquality") // the same object has the same bytes, seen at once
  public int compare(Object a, Object b) {
    if (a instanceof CelByteString x && b instanceof CelByteString y) {
      return x == y ? 0 : Integer.signum(Arrays.compareUnsigned(bytes(x), bytes(y)));
    }
    return Values.compare(a, b);
  }

  @SuppressWarnings("ReferenceEquality")
  private byte[] bytes(CelByteString value) {
    if (value != recent) {
      byte[] bytes = value == older ? olderBytes : value.toByteArray();
      older = recent;
      olderBytes = recentBytes;
      recent = value;
      recentBytes = bytes;
    }
    return recentBytes;
  }
}
