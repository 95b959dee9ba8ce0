package io.dra4j.cel;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A message in protobuf's text format, read without its descriptor: as much of the format as the
 * tests of the CEL specification use.
 *
 * @param fields the fields in order; a repeated field is there once per value
 */
record TextProto(List<Field> fields) {

  private static final int MOST_NESTED = 100;

  TextProto {
    fields = List.copyOf(fields);
  }

  /**
   * A field with one value.
   *
   * @param name its name; in brackets for an extension or the type of an Any
   * @param value a message, the bytes of a string, or the text of a number or name
   */
  record Field(String name, Object value) {}

  static TextProto parse(String text) throws IOException {
    return new Reader(text).message("", 0);
  }

  boolean has(String name) {
    return fields.stream().anyMatch(field -> field.name().equals(name));
  }

  List<TextProto> messages(String name) {
    return fields.stream()
        .filter(field -> field.name().equals(name))
        .map(field -> (TextProto) field.value())
        .toList();
  }

  Optional<TextProto> message(String name) {
    return messages(name).stream().findFirst();
  }

  byte[] bytes(String name) {
    return (byte[]) value(name).orElse(new byte[0]);
  }

  String string(String name) {
    return new String(bytes(name), StandardCharsets.UTF_8);
  }

  /** The number or name as it is written, or nothing. */
  String word(String name) {
    return (String) value(name).orElse("");
  }

  private Optional<Object> value(String name) {
    return fields.stream().filter(field -> field.name().equals(name)).map(Field::value).findFirst();
  }

  private static final class Reader {

    private final String text;
    private int position;

    Reader(String text) {
      this.text = text;
    }

    TextProto message(String end, int depth) throws IOException {
      if (depth > MOST_NESTED) {
        throw problem("nested too deeply");
      }
      List<Field> fields = new ArrayList<>();
      skipSpace();
      while (!at(end)) {
        String name = name();
        skipSpace();
        if (at(":")) {
          position++;
          skipSpace();
        }
        if (at("[")) {
          position++;
          skipSpace();
          while (!at("]")) {
            fields.add(new Field(name, value(depth)));
            skipSeparator();
          }
          position++;
        } else {
          fields.add(new Field(name, value(depth)));
        }
        skipSeparator();
      }
      position += end.length();
      return new TextProto(fields);
    }

    private Object value(int depth) throws IOException {
      if (at("{")) {
        position++;
        return message("}", depth + 1);
      }
      if (at("<")) {
        position++;
        return message(">", depth + 1);
      }
      if (at("\"") || at("'")) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        while (at("\"") || at("'")) {
          string(bytes);
          skipSpace();
        }
        return bytes.toByteArray();
      }
      return word();
    }

    private String name() throws IOException {
      if (!at("[")) {
        return word();
      }
      int start = position;
      position = text.indexOf(']', start) + 1;
      if (position == 0) {
        throw problem("] is missing");
      }
      return text.substring(start, position);
    }

    private String word() throws IOException {
      int start = position;
      while (position < text.length()
          && (Character.isLetterOrDigit(text.charAt(position))
              || "_-+.".indexOf(text.charAt(position)) >= 0)) {
        position++;
      }
      if (position == start) {
        throw problem("expected a name or a number");
      }
      return text.substring(start, position);
    }

    private void string(ByteArrayOutputStream bytes) throws IOException {
      char quote = text.charAt(position++);
      while (position < text.length() && text.charAt(position) != quote) {
        int c = text.codePointAt(position);
        position += Character.charCount(c);
        if (c == '\\') {
          escape(bytes);
        } else {
          bytes.writeBytes(Character.toString(c).getBytes(StandardCharsets.UTF_8));
        }
      }
      if (position >= text.length()) {
        throw problem("a string does not end");
      }
      position++;
    }

    private void escape(ByteArrayOutputStream bytes) throws IOException {
      char c = position < text.length() ? text.charAt(position) : ' ';
      position++;
      switch (c) {
        case 'a' -> bytes.write(7);
        case 'b' -> bytes.write('\b');
        case 'f' -> bytes.write('\f');
        case 'n' -> bytes.write('\n');
        case 'r' -> bytes.write('\r');
        case 't' -> bytes.write('\t');
        case 'v' -> bytes.write(11);
        case '\\', '\'', '"', '?' -> bytes.write(c);
        case 'x' -> bytes.write(digits(2, 16));
        case 'u' ->
            bytes.writeBytes(Character.toString(digits(4, 16)).getBytes(StandardCharsets.UTF_8));
        case 'U' ->
            bytes.writeBytes(Character.toString(digits(8, 16)).getBytes(StandardCharsets.UTF_8));
        default -> {
          position--;
          bytes.write(digits(3, 8));
        }
      }
    }

    private int digits(int most, int base) throws IOException {
      int start = position;
      while (position < start + most
          && position < text.length()
          && Character.digit(text.charAt(position), base) >= 0) {
        position++;
      }
      if (position == start) {
        throw problem("an unknown escape");
      }
      return Integer.parseInt(text.substring(start, position), base);
    }

    /** Whether the token comes next; without a token, whether nothing comes. */
    private boolean at(String token) {
      return token.isEmpty() ? position >= text.length() : text.startsWith(token, position);
    }

    private void skipSeparator() {
      skipSpace();
      if (position < text.length() && ",;".indexOf(text.charAt(position)) >= 0) {
        position++;
        skipSpace();
      }
    }

    private void skipSpace() {
      while (position < text.length()) {
        char c = text.charAt(position);
        if (c == '#') {
          int end = text.indexOf('\n', position);
          position = end < 0 ? text.length() : end;
        } else if (Character.isWhitespace(c)) {
          position++;
        } else {
          return;
        }
      }
    }

    private IOException problem(String what) {
      long line = text.substring(0, Math.min(position, text.length())).lines().count();
      return new IOException("line " + line + ": " + what);
    }
  }
}
