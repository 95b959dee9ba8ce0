package io.dra4j.manifest.internal.yaml;

import io.dra4j.manifest.internal.json.FixedLimits;
import java.io.IOException;
import java.io.Reader;
import java.util.Arrays;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.reader.ReaderException;
import org.yaml.snakeyaml.reader.StreamReader;

/**
 * The characters of a YAML text. SnakeYAML's own reader copies all pending characters for each
 * further kilobyte, so that a long scalar takes quadratic time. This reader moves each character a
 * bounded number of times, and rejects strings longer than {@link FixedLimits#MAX_TEXT}. It also
 * stores the state of a line that {@link TabScanner} needs.
 */
final class YamlReader extends StreamReader {

  private static final int CHUNK = 1 << 13;
  private static final int[] NO_SNIPPET = {};
  private static final int BYTE_ORDER_MARK = 0xFEFF;

  private final Reader text;
  private final char[] chunk = new char[CHUNK];
  private int[] window = new int[2 * CHUNK];
  private int pointer;
  private int end;
  private boolean isAtEnd;

  private int index;
  private int documentIndex;
  private int line;
  private int column;

  /** The last character before the position that is not blank. */
  private int last = '\n';

  /** The quote that opened the scalar at the position; 0 outside of quotes. */
  private int quote;

  private boolean isEscaped;

  /** Whether the token at the position is a block scalar, which a bar or an angle begins. */
  private boolean isBlockScalar;

  /** Characters since {@link #startText}, without comments and blanks between tokens. */
  private int textLength;

  YamlReader(Reader text) {
    super(text);
    this.text = text;
  }

  /** Starts to measure a possible string. */
  void startText() {
    textLength = 0;
    isBlockScalar = false;
  }

  /** Goes past tabs and spaces. */
  void skipBlanks() {
    int blanks = 1;
    while (peek(blanks) == '\t' || peek(blanks) == ' ') {
      blanks++;
    }
    move(blanks);
  }

  /** Whether a key may begin here, so that the column counts. */
  boolean isBeforeKey() {
    return last == '\n' || last == '-' || last == '?';
  }

  @Override
  public Mark getMark() {
    return new Mark("", index, line, column, NO_SNIPPET, 0);
  }

  @Override
  public int peek() {
    return pointer < end || fill(0) ? window[pointer] : 0;
  }

  @Override
  public int peek(int offset) {
    return pointer + offset < end || fill(offset) ? window[pointer + offset] : 0;
  }

  @Override
  public void forward() {
    forward(1);
  }

  @Override
  public void forward(int length) {
    int first = peek();
    if (first == '#' && length > 1) {
      textLength = 0; // a comment: the text before it was not one string
    } else if (first != ' ') {
      countText(length);
    }
    note(length);
    noteQuote(length == 1 ? first : 0);
    move(length);
  }

  @Override
  public String prefix(int length) {
    if (length > 0) {
      fill(length - 1);
    }
    return new String(window, pointer, Math.min(length, end - pointer));
  }

  @Override
  public String prefixForward(int length) {
    String prefix = prefix(length);
    countText(length);
    note(length);
    pointer = Math.min(pointer + length, end);
    index += length;
    documentIndex += length;
    column += length;
    return prefix;
  }

  @Override
  public int getIndex() {
    return index;
  }

  @Override
  public int getDocumentIndex() {
    return documentIndex;
  }

  @Override
  public void resetDocumentIndex() {
    documentIndex = 0;
  }

  @Override
  public int getLine() {
    return line;
  }

  @Override
  public int getColumn() {
    return column;
  }

  private void move(int length) {
    for (int i = 0; i < length && (pointer < end || fill(0)); i++) {
      int character = window[pointer++];
      index++;
      documentIndex++;
      if (isBreak(character) || (character == '\r' && peek() != '\n')) {
        line++;
        column = 0;
        if (quote == 0 && peek() == BYTE_ORDER_MARK && isBeforeToken(peek(1))) {
          pointer++;
          index++;
          documentIndex++;
        }
      } else if (character != BYTE_ORDER_MARK) {
        column++;
      }
    }
  }

  /**
   * Whether a byte order mark at the beginning of a line is before a token. Before the indentation
   * of a line it may be in the middle of a scalar, and in a block scalar it is text.
   */
  private boolean isBeforeToken(int next) {
    boolean isLine = isBreak(next) || next == '\r';
    return next != ' ' && next != '\t' && !(isLine && isBlockScalar);
  }

  /**
   * Tracks quotes, which the scanner reads one character at a time: inside of quotes a byte order
   * mark is text. Elsewhere it may begin a line, as in Kubernetes' YAML reader, since files with a
   * mark are often concatenated.
   */
  private void noteQuote(int character) {
    isBlockScalar |= quote == 0 && (character == '|' || character == '>');
    if (isEscaped) {
      isEscaped = false;
    } else if (quote == '"' && character == '\\') {
      isEscaped = true;
    } else if (quote == 0 && (character == '"' || character == '\'')) {
      quote = character;
    } else if (quote != 0 && character == quote) {
      quote = 0;
    }
  }

  /** Whether a character ends a line in YAML 1.1, except {@code \r}. */
  private static boolean isBreak(int character) {
    return character == '\n' || character == 0x85 || character == 0x2028 || character == 0x2029;
  }

  /** Records the last of the next characters that is not blank. */
  private void note(int length) {
    for (int i = length - 1; i >= 0; i--) {
      int character = peek(i);
      if (character != ' ' && character != '\t') {
        boolean isBreak = character == '\n' || character == '\r' || character == 0x85;
        last = isBreak ? '\n' : character;
        return;
      }
    }
  }

  private void countText(int length) {
    textLength += length;
    if (textLength > FixedLimits.MAX_TEXT) {
      throw tooLong();
    }
  }

  private static YAMLException tooLong() {
    return new YAMLException(
        "a text, a comment or a run of empty lines is longer than "
            + FixedLimits.MAX_TEXT
            + " characters");
  }

  /** Reads until a character at an offset is available; returns whether there is one. */
  private boolean fill(int offset) {
    if (offset > FixedLimits.MAX_TEXT) {
      throw tooLong();
    }
    while (end - pointer <= offset && !isAtEnd) {
      readChunk();
    }
    return end - pointer > offset;
  }

  private void readChunk() {
    makeRoom();
    int read;
    try {
      read = text.read(chunk, 0, CHUNK - 1);
      if (read > 0 && Character.isHighSurrogate(chunk[read - 1])) {
        int low = text.read();
        if (low >= 0) {
          chunk[read++] = (char) low;
        }
      }
    } catch (IOException e) {
      throw new YAMLException(e);
    }
    if (read < 0) {
      isAtEnd = true;
      return;
    }
    for (int i = 0; i < read; ) {
      int character = Character.codePointAt(chunk, i, read);
      if (!isPrintable(character)) {
        throw new ReaderException("", index + end - pointer, character, "not allowed");
      }
      window[end++] = character;
      i += Character.charCount(character);
    }
  }

  /** Moves the remaining characters to the front if as many were read, or doubles the window. */
  private void makeRoom() {
    if (end + CHUNK <= window.length) {
      return;
    }
    if (pointer >= window.length / 2) {
      System.arraycopy(window, pointer, window, 0, end - pointer);
      end -= pointer;
      pointer = 0;
    } else {
      window = Arrays.copyOf(window, 2 * window.length);
    }
  }
}
