package io.dra4j.placement.internal.server;

import io.dra4j.topology.PathType;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** The bandwidth of a pair by the class of its path, in MB/s. Immutable. */
public final class PathRates {

  private static final List<PathType> TYPES = List.of(PathType.values());

  private final long[] byNumber;

  private PathRates(long[] byNumber) {
    this.byNumber = byNumber;
  }

  public static PathRates of(ToLongFunction<PathType> rate) {
    return new PathRates(TYPES.stream().mapToLong(rate).toArray());
  }

  public long of(PathType type) {
    return byNumber[number(type)];
  }

  /** A number for a type, for tables. */
  public static byte number(PathType type) {
    return (byte) TYPES.indexOf(type);
  }

  /** The type with a number. */
  static PathType type(byte number) {
    return TYPES.get(number);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof PathRates rates && Arrays.equals(byNumber, rates.byNumber);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(byNumber);
  }
}
