package io.dra4j.netlink;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * A cache of texts that occur repeatedly in messages, such as kinds of links. It has a fixed number
 * of places, in which newer texts replace older ones. Not thread-safe.
 */
public final class TextCache {

  /** Longer texts are not kept. */
  static final int MAX_LENGTH = 32;

  private static final int PLACES = 256; // a power of two

  private final @Nullable String[] texts = new String[PLACES];

  /** Creates an empty cache. */
  public TextCache() {}

  String text(ByteBuffer buffer, int at, int length) {
    int hash = length;
    for (int i = 0; i < length; i++) {
      hash = 31 * hash + buffer.get(at + i);
    }
    int place = (hash ^ (hash >>> 8) ^ (hash >>> 16)) & (PLACES - 1);
    String known = texts[place];
    if (known != null && same(known, buffer, at, length)) {
      return known;
    }
    byte[] bytes = new byte[length];
    buffer.get(at, bytes);
    String text = new String(bytes, StandardCharsets.UTF_8);
    texts[place] = text;
    return text;
  }

  /** {@return whether the bytes are the known text; always false for text beyond ASCII} */
  private static boolean same(String known, ByteBuffer buffer, int at, int length) {
    if (known.length() != length) {
      return false;
    }
    for (int i = 0; i < length; i++) {
      byte next = buffer.get(at + i);
      if (next < 0 || known.charAt(i) != next) {
        return false;
      }
    }
    return true;
  }
}
