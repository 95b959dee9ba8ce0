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
 * line, as between {@code key:} and its value, but not in its indentation. SnakeYAML's scanner
 * takes them nowhere; it stops before the tab, so that it can be led past it.
 */
final class TabScanner implements Scanner {

  private final LineReader reader;
  private final Scanner scanner;

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
    return scanner.getToken();
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
    if (!isStoppedAtTab || reader.isBeforeKey()) {
      throw e;
    }
    reader.forward();
  }

  /** Remembers the last character before the position that is not blank. */
  private static final class LineReader extends StreamReader {

    private int last = '\n';

    LineReader(Reader text) {
      super(text);
    }

    /** Whether a key may begin here, so that the column counts. */
    boolean isBeforeKey() {
      return last == '\n' || last == '-' || last == '?';
    }

    @Override
    public void forward(int length) {
      for (int i = 0; i < length; i++) {
        note(peek(i));
      }
      super.forward(length);
    }

    @Override
    public String prefixForward(int length) {
      String text = super.prefixForward(length);
      text.codePoints().forEach(this::note);
      return text;
    }

    private void note(int character) {
      if (character == '\n' || character == '\r' || character == 0x85) {
        last = '\n';
      } else if (character != ' ' && character != '\t') {
        last = character;
      }
    }
  }
}
