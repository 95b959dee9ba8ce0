package io.dra4j.cel.internal.value;

import dev.cel.common.values.CelByteString;
import dev.cel.common.values.OpaqueValue;

/** The work of a pass over values and their memory, without values inside lists and maps. */
public final class MemoryCost {

  /** Bytes of a list or map without elements. */
  public static final int CONTAINER = 160;

  /** Bytes of an element of a list, which is there already. */
  public static final int ELEMENT = 8;

  /** Bytes of an entry of a map, of which key and value are there already. */
  public static final int ENTRY = 56;

  /** Bytes of a text without its characters. */
  public static final int TEXT = 56;

  /** Bytes of a quantity without its digits. */
  private static final int QUANTITY = 136;

  /** Bytes of digits, of up to 10,240, that one unit of {@link EvaluationMeter#spend} covers. */
  private static final double DIGIT_BYTES_PER_UNIT = 2.5;

  /** Of a version, for each character: each second one may be an identifier. */
  private static final int VERSION_BYTES = 32;

  private MemoryCost() {}

  /** Returns how many bytes a list of so many elements takes, which are there already. */
  public static long ofList(int elements) {
    return CONTAINER + (long) ELEMENT * elements;
  }

  /** Returns how many bytes a map of so many entries takes, whose keys and values are there. */
  public static long ofMap(int entries) {
    return CONTAINER + (long) ENTRY * entries;
  }

  /** Returns how long it takes to go through a value, in units of {@link EvaluationMeter#spend}. */
  public static long units(Object value) {
    if (value instanceof String text) {
      return text.length() / EvaluationMeter.CHARACTERS_PER_UNIT;
    } else if (value instanceof CelByteString bytes) {
      return bytes.size() / EvaluationMeter.CHARACTERS_PER_UNIT;
    } else if (value instanceof OpaqueValue) {
      if (value instanceof UrlValue url) {
        return url.url().length() / (EvaluationMeter.CHARACTERS_PER_UNIT / 8);
      } else if (value instanceof SemVerValue version) {
        return version.version().toString().length() / (EvaluationMeter.CHARACTERS_PER_UNIT / 8);
      } else if (value instanceof QuantityValue quantity) {
        return (long) (quantity.quantity().digitBytes() / DIGIT_BYTES_PER_UNIT);
      }
    }
    return 0;
  }

  /** Returns how many bytes a value of Kubernetes takes that a function has made. */
  public static long bytes(OpaqueValue value) {
    if (value instanceof UrlValue url) {
      return CONTAINER + 2L * url.url().length();
    } else if (value instanceof SemVerValue version) {
      return CONTAINER + (long) VERSION_BYTES * version.version().toString().length();
    }
    int digits = value instanceof QuantityValue quantity ? quantity.quantity().digitBytes() : 0;
    return digits == 0 ? 0 : QUANTITY + digits;
  }

  /** Returns how many bytes a list of texts takes that a function has made. */
  public static long ofTexts(Iterable<String> texts) {
    long bytes = CONTAINER;
    for (String text : texts) {
      bytes += TEXT + 2L * text.length();
    }
    return bytes;
  }
}
