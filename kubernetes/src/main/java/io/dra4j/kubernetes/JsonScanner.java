package io.dra4j.kubernetes;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.io.JsonEOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Splits streamed JSON into unparsed values; readers check depth and syntax. Not thread-safe. */
final class JsonScanner {

  private static final int BUFFER = 1 << 16;

  /** The longest string that is returned: names, versions and tokens are shorter. */
  private static final int MAX_TEXT = 1 << 16;

  private static final JsonFactory JSON =
      new JsonFactoryBuilder().configure(JsonFactory.Feature.INTERN_FIELD_NAMES, false).build();

  /** Bytes in memory, up to a limit. */
  static final class Bytes {

    private final int limit;
    private byte[] bytes = new byte[64];
    private int size;
    private boolean isFull;

    /** Creates an empty buffer, which keeps no bytes if there are more than {@code limit}. */
    Bytes(int limit) {
      this.limit = limit;
    }

    void add(byte[] more, int offset, int length) {
      isFull |= length > limit - size;
      if (!isFull) {
        if (length > bytes.length - size) {
          bytes = Arrays.copyOf(bytes, Math.max(size + length, Math.min(2 * size, limit)));
        }
        System.arraycopy(more, offset, bytes, size, length);
        size += length;
      }
    }

    void add(Bytes more) {
      isFull |= more.isFull;
      add(more.bytes, 0, more.size);
    }

    void add(char ascii) {
      add(new byte[] {(byte) ascii}, 0, 1);
    }

    void clear() {
      size = 0;
      isFull = false;
    }

    /** The bytes; empty if there were more than the limit. */
    byte[] content() {
      return isFull ? new byte[0] : Arrays.copyOf(bytes, size);
    }
  }

  private final InputStream in;
  private final byte[] buffer = new byte[BUFFER];
  private final Bytes text = new Bytes(RawObject.MAX_BYTES);
  private int at;
  private int end;

  JsonScanner(InputStream in) {
    this.in = in;
  }

  /** Returns the next byte after white space without consuming it; -1 at the end of the stream. */
  int peek() throws IOException {
    do {
      for (; at < end; at++) {
        byte next = buffer[at];
        if (next != ' ' && next != '\n' && next != '\r' && next != '\t') {
          return next & 0xFF;
        }
      }
    } while (fill());
    return -1;
  }

  private boolean fill() throws IOException {
    at = 0;
    end = Math.max(0, in.read(buffer));
    return end > 0;
  }

  /** Consumes the next byte after white space. Fails if it is not {@code expected}. */
  void take(char expected, String what) throws IOException {
    int found = peek();
    if (found != expected) {
      throw found < 0
          ? ended()
          : new JsonParseException(null, "expected %s, found byte %d".formatted(what, found));
    }
    at++;
  }

  /**
   * {@return whether a field or element follows in an object or list whose beginning was consumed}
   *
   * @param isFirst whether no field or element was read yet
   * @param close the byte that ends the object or list; it is consumed
   */
  boolean hasNext(boolean isFirst, char close) throws IOException {
    if (peek() == close) {
      at++;
      return false;
    }
    if (!isFirst) {
      take(',', "a comma or the end of an object or list");
    }
    return true;
  }

  /** {@return the name of a field, consumed with the colon; empty if it is too long to matter} */
  String field() throws IOException {
    String name = text();
    take(':', "a colon after the name of a field");
    return name == null ? "" : name;
  }

  /** Consumes a value, whose bytes {@code copy} takes; null if no string, or too long to matter. */
  @Nullable String textOrNull(Bytes copy) throws IOException {
    if (peek() != '"') {
      value(copy);
      return null;
    }
    String read = text();
    copy.add(text);
    return read;
  }

  private @Nullable String text() throws IOException {
    take('"', "a string");
    text.clear();
    text.add('"');
    boolean hasEscapes = restOfText(text);
    return decoded(hasEscapes);
  }

  /** Copies the rest of a string whose quote was consumed. Returns whether it has escapes. */
  private boolean restOfText(Bytes copy) throws IOException {
    boolean isEscaped = false;
    boolean hasEscapes = false;
    do {
      int from = at;
      int next = from;
      int last = end;
      while (next < last) {
        byte found = buffer[next++];
        if (isEscaped) {
          isEscaped = false;
        } else if (found == '"') {
          copy.add(buffer, from, next - from);
          at = next;
          return hasEscapes;
        } else if (found == '\\') {
          isEscaped = true;
          hasEscapes = true;
        } else if (found >= 0 && found < ' ') {
          throw new JsonParseException(null, "a line ends within a string");
        }
      }
      copy.add(buffer, from, next - from);
    } while (fill());
    throw ended();
  }

  private @Nullable String decoded(boolean hasEscapes) throws IOException {
    if (text.isFull || text.size > MAX_TEXT) {
      return null;
    }
    if (!hasEscapes) {
      return new String(text.bytes, 1, text.size - 2, StandardCharsets.UTF_8);
    }
    try (JsonParser parser = JSON.createParser(text.bytes, 0, text.size)) {
      parser.nextToken();
      return parser.getText();
    }
  }

  /** The string or name that was consumed last, as written. */
  Bytes written() {
    return text;
  }

  /** Consumes a value, whose bytes {@code copy} takes. Fails if the stream ends within it. */
  void value(Bytes copy) throws IOException {
    int first = peek();
    if (first == '"') {
      text();
      copy.add(text);
    } else if (first == '{' || first == '[') {
      nested(copy);
    } else {
      scalar(copy);
    }
  }

  private void nested(Bytes copy) throws IOException {
    int depth = 0;
    do {
      int from = at;
      int next = from;
      while (next < end) {
        byte found = buffer[next++];
        if (found == '"') {
          copy.add(buffer, from, next - from);
          at = next;
          restOfText(copy);
          from = at;
          next = from;
        } else if (found == '{' || found == '[') {
          depth++;
        } else if ((found == '}' || found == ']') && --depth == 0) {
          copy.add(buffer, from, next - from);
          at = next;
          return;
        }
      }
      copy.add(buffer, from, next - from);
    } while (fill());
    throw ended();
  }

  /** Copies a number, a boolean, null, or invalid JSON. */
  private void scalar(Bytes copy) throws IOException {
    boolean isEmpty = true;
    while (true) {
      int from = at;
      while (at < end && !endsScalar(buffer[at])) {
        at++;
      }
      copy.add(buffer, from, at - from);
      isEmpty &= from == at;
      if (at < end) {
        break;
      } else if (!fill()) {
        throw ended();
      }
    }
    if (isEmpty) {
      throw new JsonParseException(null, "expected a value, found byte " + buffer[at]);
    }
  }

  private static boolean endsScalar(byte next) {
    return next == ',' || next == '}' || next == ']' || (next >= 0 && next <= ' ');
  }

  private static IOException ended() {
    return new JsonEOFException(null, JsonToken.NOT_AVAILABLE, "the response ends within a value");
  }
}
