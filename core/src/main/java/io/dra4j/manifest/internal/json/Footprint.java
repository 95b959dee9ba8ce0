package io.dra4j.manifest.internal.json;

import io.dra4j.manifest.Json;

/** The memory of values in bytes, rounded up, on a 64-bit JVM with compressed pointers. */
public final class Footprint {

  /** An element of a growing list. */
  public static final int ELEMENT = 8;

  /** A string or number without its characters: the value, the string and the array. */
  static final int SCALAR = 56;

  /** A field without its name and value. */
  public static final int FIELD = 48;

  /** The name of a field without its characters. */
  static final int NAME = 40;

  public static final int OBJECT = 184;
  public static final int LIST = 120;

  /** The length up to which characters count as wide ones without a check. */
  private static final int SHORT = 64;

  private Footprint() {}

  /** The characters of a string: one byte each, or two if one is beyond Latin-1. */
  static long characters(String text) {
    int length = text.length();
    if (length > SHORT) {
      for (int i = 0; i < length; i++) {
        if (text.charAt(i) > 0xFF) {
          return 2L * length;
        }
      }
      return length;
    }
    return 2L * length;
  }

  /** A string that is not shared. */
  public static long text(String text) {
    return NAME + characters(text);
  }

  /** The name of a field and its entry. */
  public static long field(String name) {
    return FIELD + text(name);
  }

  public static long scalar(String text) {
    return SCALAR + characters(text);
  }

  /** A value with its contents. */
  public static long of(Json value) {
    if (value instanceof Json.Text text) {
      return scalar(text.value());
    } else if (value instanceof Json.Num number) {
      return scalar(number.text());
    } else if (value instanceof Json.Fields object) {
      long bytes = OBJECT;
      for (var field : object.map().entrySet()) {
        bytes += field(field.getKey()) + of(field.getValue());
      }
      return bytes;
    } else if (value instanceof Json.Items items) {
      long bytes = LIST;
      for (Json item : items.list()) {
        bytes += ELEMENT + of(item);
      }
      return bytes;
    }
    return 0; // a constant
  }
}
