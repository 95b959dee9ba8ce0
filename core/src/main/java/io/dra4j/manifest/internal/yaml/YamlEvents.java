package io.dra4j.manifest.internal.yaml;

import io.dra4j.manifest.internal.json.DocumentException;
import java.io.Reader;
import java.nio.charset.CharacterCodingException;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.events.Event;
import org.yaml.snakeyaml.parser.Parser;
import org.yaml.snakeyaml.parser.ParserImpl;
import org.yaml.snakeyaml.reader.ReaderException;

/** The events of a YAML text, one after another, with faults that name their place. */
public final class YamlEvents {

  private final YamlReader reader;
  private final Parser parser;
  private Event current;

  YamlEvents(Reader text) throws DocumentException {
    LoaderOptions options = new LoaderOptions();
    options.setCodePointLimit(Integer.MAX_VALUE); // the size of the file is limited before
    TabScanner scanner = new TabScanner(text, options);
    reader = scanner.reader();
    parser = new ParserImpl(scanner);
    current = next();
  }

  Event current() {
    return current;
  }

  boolean is(Event.ID id) {
    return current.is(id);
  }

  /** Goes to the next event and returns the current one. */
  Event advance() throws DocumentException {
    Event left = current;
    current = next();
    return left;
  }

  DocumentException fault(Event event, String message) {
    return faultAt(event.getStartMark(), message);
  }

  private Event next() throws DocumentException {
    try {
      return parser.getEvent();
    } catch (MarkedYAMLException e) {
      Mark mark = e.getProblemMark() != null ? e.getProblemMark() : e.getContextMark();
      throw faultAt(mark, e.getProblem() != null ? e.getProblem() : "not YAML");
    } catch (ReaderException e) {
      String character = String.format("U+%04X", e.getCodePoint());
      throw faultHere("character " + character + Utf8Check.NOT_YAML);
    } catch (YAMLException e) {
      if (e.getCause() instanceof CharacterCodingException) {
        throw faultHere(Utf8Check.NOT_UTF8);
      }
      throw faultHere(e.getMessage() == null ? "not YAML" : e.getMessage());
    } catch (IllegalArgumentException e) { // of numbers in escapes, such as \UFFFFFFFF
      throw faultHere("an escape that is no character");
    }
  }

  private DocumentException faultHere(String message) {
    return faultAt(null, message);
  }

  private DocumentException faultAt(@Nullable Mark mark, String message) {
    int line = mark == null ? reader.getLine() : mark.getLine();
    int column = mark == null ? reader.getColumn() : mark.getColumn();
    return new DocumentException(line + 1, column + 1, message);
  }
}
