package io.dra4j.model;

/** Refuses parameters for drivers that the API server refuses: such as are no JSON object. */
final class JsonObjects {

  /** As deep as manifests may be, unless somebody sets another limit. */
  private static final int MAX_DEPTH = 100;

  private final String text;
  private int at;

  private JsonObjects(String text) {
    this.text = text;
  }

  /** Parameters that somebody typed; what is read from manifests may be any JSON. */
  static OpaqueDeviceConfiguration configuration(String driver, String json) {
    NoNulls.value("driver", driver);
    if (!isObject(NoNulls.value("json", json))) {
      throw new IllegalArgumentException(
          "json: want a JSON object as parameters for driver " + driver + ", got " + shown(json));
    }
    return new OpaqueDeviceConfiguration(driver, json);
  }

  /** Whether a text is one JSON object (RFC 8259), of at most 100 levels, and nothing else. */
  static boolean isObject(String text) {
    JsonObjects reader = new JsonObjects(text);
    reader.skipSpace();
    return reader.peek() == '{' && reader.skipValue(0) && reader.at == text.length();
  }

  private static String shown(String json) {
    String start = json.length() > 60 ? json.substring(0, 60) + "..." : json;
    return "'" + PrintableText.of(start) + "'";
  }

  /** The next character; 0 at the end, which is no character of JSON. */
  private char peek() {
    return at < text.length() ? text.charAt(at) : 0;
  }

  private boolean take(char wanted) {
    boolean found = peek() == wanted;
    at += found ? 1 : 0;
    return found;
  }

  private void skipSpace() {
    while (peek() == ' ' || peek() == '\t' || peek() == '\n' || peek() == '\r') {
      at++;
    }
  }

  /** Passes over a value and the space after it; false if there is none. */
  private boolean skipValue(int depth) {
    boolean good =
        switch (peek()) {
          case '{' -> depth < MAX_DEPTH && skipMembers('}', depth);
          case '[' -> depth < MAX_DEPTH && skipMembers(']', depth);
          case '"' -> skipText();
          case 't' -> skipWord("true");
          case 'f' -> skipWord("false");
          case 'n' -> skipWord("null");
          default -> skipNumber();
        };
    skipSpace();
    return good;
  }

  private boolean skipMembers(char end, int depth) {
    at++;
    skipSpace();
    if (take(end)) {
      return true;
    }
    do {
      skipSpace();
      if (end == '}' && !skipName()) {
        return false;
      }
      if (!skipValue(depth + 1)) {
        return false;
      }
    } while (take(','));
    return take(end);
  }

  private boolean skipName() {
    if (peek() != '"' || !skipText()) {
      return false;
    }
    skipSpace();
    boolean colon = take(':');
    skipSpace();
    return colon;
  }

  private boolean skipText() {
    at++;
    while (at < text.length()) {
      char c = text.charAt(at++);
      if (c == '"') {
        return true;
      } else if (c < ' ' || (c == '\\' && !skipEscaped())) {
        return false;
      }
    }
    return false;
  }

  private boolean skipEscaped() {
    char c = peek();
    at++;
    if (c != 'u') {
      return c != 0 && "\"\\/bfnrt".indexOf(c) >= 0;
    }
    for (int i = 0; i < 4; i++, at++) {
      char digit = peek();
      if (digit >= 0x80 || Character.digit(digit, 16) < 0) {
        return false;
      }
    }
    return true;
  }

  private boolean skipWord(String word) {
    boolean found = text.startsWith(word, at);
    at += found ? word.length() : 0;
    return found;
  }

  private boolean skipNumber() {
    take('-');
    if (!take('0') && !skipDigits()) {
      return false;
    }
    if (take('.') && !skipDigits()) {
      return false;
    }
    if (take('e') || take('E')) {
      if (!take('+')) {
        take('-');
      }
      return skipDigits();
    }
    return true;
  }

  private boolean skipDigits() {
    int start = at;
    while (peek() >= '0' && peek() <= '9') {
      at++;
    }
    return at > start;
  }
}
