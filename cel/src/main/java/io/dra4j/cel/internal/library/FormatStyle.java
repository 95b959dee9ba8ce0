package io.dra4j.cel.internal.library;

import com.google.errorprone.annotations.Immutable;
import io.dra4j.cel.internal.value.EvaluationMeter;

/**
 * The rules by which {@code format} writes values, where they depend on the version of the library
 * of strings. Each method is one verb and fails on values that the verb does not support.
 */
@Immutable
public interface FormatStyle {

  /** The least precision that Go's formats do not read: their numbers have seven digits or so. */
  int TOO_PRECISE = 10_000_010;

  /** The verb {@code %s}; {@code work} notes what is written, which may be long even on failure. */
  String text(Object value, EvaluationMeter work);

  /** The verb {@code %d}. */
  String decimal(Object value);

  /** The verb {@code %f}. */
  String fixed(Object value, int precision);

  /** The verb {@code %e}. */
  String scientific(Object value, int precision);
}
