package io.dra4j.manifest;

import java.io.Reader;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.reader.StreamReader;
import org.yaml.snakeyaml.scanner.Scanner;
import org.yaml.snakeyaml.scanner.ScannerException;
import org.yaml.snakeyaml.scanner.ScannerImpl;
import org.yaml.snakeyaml.tokens.Token;

/**
 * Splits a YAML text into tokens and takes tabs for spaces where Kubernetes' YAML reader does: in a
 * line, as between {@code key:} and its value, and between brackets, but not in indentation.
 * SnakeYAML's scanner takes them nowhere; it stops before the tab, so that it can be led past it.
 */
final class TabScanner implements Scanner {

  private final LineReader reader;
  private final Scanner scanner;
  private int flowLevel;
  private int refusedAt = -1;

  TabScanner(Reader text, LoaderOptions options) {
    reader = new LineReader(text);
    scanner = new ScannerImpl(reader, options);
  }

  StreamReader reader() {
    return reader;
  }

  @Override
  public boolean checkToken(Token.ID... choices) {
    while (true) {
      try {
        return scanner.checkToken(choices);
      } catch (ScannerException e) {
        skipTab(e);
      }
    }
  }

  @Override
  public Token peekToken() {
    while (true) {
      try {
        return scanner.peekToken();
      } catch (ScannerException e) {
        skipTab(e);
      }
    }
  }

  @Override
  public Token getToken() {
    Token token = scanner.getToken();
    switch (token.getTokenId()) {
      case FlowMappingStart, FlowSequenceStart -> flowLevel++;
      case FlowMappingEnd, FlowSequenceEnd -> flowLevel--;
      default -> {}
    }
    return token;
  }

  @Override
  public void resetDocumentIndex() {
    scanner.resetDocumentIndex();
  }

  private void skipTab(ScannerException e) {
    boolean isStoppedAtTab =
        reader.peek() == '\t'
            && e.getProblemMark() != null
            && e.getProblemMark().getIndex() == reader.getIndex();
    if (!isStoppedAtTab) {
      throw e;
    }
    if (flowLevel > 0 || !reader.isBeforeKey()) {
      reader.skipBlanks();
    } else if (refusedAt != reader.getIndex()) {
      refusedAt = reader.getIndex(); // a brace may be among the tokens that nobody took yet
    } else {
      throw e;
    }
  }

  /** Remembers the last character before the position that is not blank. */
  private static final class LineReader extends StreamReader {

    private int last = '\n';

    LineReader(Reader text) {
      super(text);
    }

    void skipBlanks() {
      int blanks = 1;
      while (peek(blanks) == '\t' || peek(blanks) == ' ') {
        blanks++;
      }
      super.forward(blanks);
    }

    /** Whether a key may begin here, so that the column counts. */
    boolean isBeforeKey() {
      return last == '\n' || last == '-' || last == '?';
    }

    @Override
    public void forward(int length) {
      for (int i = length - 1; i >= 0; i--) {
        if (note(peek(i))) {
          break;
        }
      }
      super.forward(length);
    }

    @Override
    public String prefixForward(int length) {
      String text = super.prefixForward(length);
      for (int i = text.length() - 1; i >= 0; i--) {
        if (note(text.charAt(i))) {
          break;
        }
      }
      return text;
    }

    /** Notes a character unless it is blank. */
    private boolean note(int character) {
      boolean isBreak = character == '\n' || character == '\r' || character == 0x85;
      boolean isBlank = character == ' ' || character == '\t';
      if (!isBlank) {
        last = isBreak ? '\n' : character;
      }
      return !isBlank;
    }
  }
}
