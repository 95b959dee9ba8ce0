package io.dra4j.manifest.internal.yaml;

import java.io.Reader;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.scanner.Scanner;
import org.yaml.snakeyaml.scanner.ScannerException;
import org.yaml.snakeyaml.scanner.ScannerImpl;
import org.yaml.snakeyaml.tokens.Token;

/**
 * Splits a YAML text into tokens, and accepts tabs as spaces like Kubernetes' YAML reader: within a
 * line, such as between {@code key:} and its value, and between brackets, but not in indentation.
 * SnakeYAML's scanner does not accept tabs; it stops before the tab, so that this class can skip
 * it.
 */
final class TabScanner implements Scanner {

  /** The most tabs; each costs an exception, and no real file has so many. */
  private static final int MAX_TABS = 100_000;

  /** The most directives. Kubernetes accepts none, and the name of each would be kept. */
  private static final int MAX_DIRECTIVES = 100;

  /** SnakeYAML's message if no token has begun; half a token must not be skipped with a tab. */
  private static final String BETWEEN_TOKENS = "while scanning for the next token";

  private final YamlReader reader;
  private final Scanner scanner;
  private int flowLevel;
  private int refusedAt = -1;
  private int tabs;
  private int directives;

  TabScanner(Reader text, LoaderOptions options) {
    reader = new YamlReader(text);
    scanner = new ScannerImpl(reader, options);
  }

  YamlReader reader() {
    return reader;
  }

  @Override
  public boolean checkToken(Token.ID... choices) {
    reader.startText();
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
    reader.startText();
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
      case Directive -> {
        if (++directives > MAX_DIRECTIVES) {
          throw new YAMLException("more than " + MAX_DIRECTIVES + " directives");
        }
      }
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
            && BETWEEN_TOKENS.equals(e.getContext())
            && e.getProblemMark() != null
            && e.getProblemMark().getIndex() == reader.getIndex();
    if (!isStoppedAtTab) {
      throw e;
    }
    if (++tabs > MAX_TABS) {
      throw new YAMLException("more than " + MAX_TABS + " tabs between values");
    }
    if (flowLevel > 0 || !reader.isBeforeKey()) {
      reader.skipBlanks();
    } else if (refusedAt != reader.getIndex()) {
      refusedAt = reader.getIndex(); // a brace may be among the tokens that were not read yet
    } else {
      throw e;
    }
  }
}
