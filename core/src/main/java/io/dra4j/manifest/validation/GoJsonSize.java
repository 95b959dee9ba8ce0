package io.dra4j.manifest.validation;

import io.dra4j.manifest.Json;
import java.util.Map;

/** The size in bytes of a value as JSON from Go's encoding/json, as kubectl sends it. */
final class GoJsonSize {

  private GoJsonSize() {}

  static long of(Json value) {
    if (value instanceof Json.Text text) {
      return of(text.value());
    } else if (value instanceof Json.Num number) {
      return number.text().length();
    } else if (value instanceof Json.Flag flag) {
      return flag == Json.Flag.TRUE ? 4 : 5;
    } else if (value instanceof Json.Fields object) {
      long bytes = 1 + (long) Math.max(1, object.map().size());
      for (Map.Entry<String, Json> field : object.map().entrySet()) {
        bytes += of(field.getKey()) + 1 + of(field.getValue());
      }
      return bytes;
    } else if (value instanceof Json.Items items) {
      long bytes = 1 + (long) Math.max(1, items.list().size());
      for (Json item : items.list()) {
        bytes += of(item);
      }
      return bytes;
    }
    return 4; // null
  }

  private static long of(String text) {
    long bytes = 2;
    for (int i = 0; i < text.length(); i++) {
      bytes += of(text.charAt(i));
    }
    return bytes;
  }

  private static int of(char character) {
    return switch (character) {
      case '"', '\\', '\n', '\r', '\t', '\b', '\f' -> 2;
      case '<', '>', '&', '\u2028', '\u2029' -> 6;
      default -> {
        if (character < 0x20) {
          yield 6;
        } else if (character < 0x80) {
          yield 1;
        } else if (character < 0x800 || Character.isSurrogate(character)) {
          yield 2;
        }
        yield 3;
      }
    };
  }
}
