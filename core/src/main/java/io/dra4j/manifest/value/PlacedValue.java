package io.dra4j.manifest.value;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import io.dra4j.common.PrintableText;
import io.dra4j.manifest.Json;
import io.dra4j.manifest.Manifest.Origin;
import io.dra4j.manifest.ManifestException;
import io.dra4j.manifest.ManifestException.Problem;
import io.dra4j.manifest.ManifestLimits;
import io.dra4j.manifest.SourcePosition;
import io.dra4j.manifest.internal.json.DocumentException;
import io.dra4j.manifest.internal.json.DocumentSink;
import io.dra4j.manifest.internal.json.JsonCursor;
import io.dra4j.manifest.internal.json.JsonDocuments;
import io.dra4j.manifest.internal.json.JsonFaults;
import io.dra4j.manifest.internal.json.JsonText;
import io.dra4j.manifest.internal.json.TextCursor;
import io.dra4j.manifest.internal.yaml.YamlCursor;
import io.dra4j.manifest.internal.yaml.YamlDocuments;
import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A value in a text of its own that is not an object of Kubernetes, such as the parameters of a
 * driver, with the places of its parts in the text. JSON or YAML, with the same rules as manifests.
 *
 * <pre>{@code
 * PlacedValue value = PlacedValue.read("nic.yaml", "interface:\n  mtu: 1\n");
 * value.toJson(); // {"interface":{"mtu":1}}
 * value.problem("/interface/mtu", "is too small"); // nic.yaml:2:3: /interface/mtu: is too small
 * }</pre>
 *
 * <p>Immutable and thread-safe.
 */
public final class PlacedValue {

  /** The place of a part of the value: of the name of a field, or of an element of a list. */
  private record Part(SourcePosition place, Map<String, Part> parts) {}

  private final String name;
  private final String json;
  private final Part whole;

  private PlacedValue(String name, String json, Part whole) {
    this.name = name;
    this.json = json;
    this.whole = whole;
  }

  /**
   * {@return the value that a text contains}
   *
   * @param name the name of the text in messages, for example the name of its file
   * @param text JSON or YAML of one value
   * @throws ManifestException if the text is neither, is empty or has several documents, or, in
   *     YAML, names a field twice
   */
  public static PlacedValue read(String name, String text) throws ManifestException {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(text, "text");
    DocumentException notJson = null;
    if (text.stripLeading().startsWith("{")) {
      try {
        return ofJson(name, text);
      } catch (DocumentException e) {
        notJson = e; // it may still be YAML, which allows braces
      }
    }
    try {
      return ofYaml(name, text);
    } catch (DocumentException e) {
      // If both readings failed, the fault that is later in the text is more useful.
      throw refused(name, notJson != null && !e.isBehind(notJson) ? notJson : e);
    }
  }

  private static ManifestException refused(String name, DocumentException fault) {
    return new ManifestException(
        List.of(new Problem(Origin.ofFile(name), fault.place(), "", "", fault.fault())));
  }

  /** Reads JSON. Duplicate fields stay in the text, for a reader that reports all of them. */
  private static PlacedValue ofJson(String name, String text) throws DocumentException {
    try (JsonParser parser = JsonText.factoryOfFile().createParser(text);
        JsonParser again = JsonText.factoryOfFile().createParser(text)) {
      Documents documents = new Documents(name);
      new JsonDocuments(parser, ManifestLimits.DEFAULT, documents).read();
      documents.one();
      return new PlacedValue(name, text, parts(new JsonCursor(again)));
    } catch (JsonProcessingException e) {
      throw JsonFaults.fault(e);
    } catch (IOException e) { // reading a string cannot fail otherwise
      throw new UncheckedIOException(e);
    }
  }

  private static PlacedValue ofYaml(String name, String text)
      throws DocumentException, ManifestException {
    Documents documents = new Documents(name);
    new YamlDocuments(new StringReader(text), ManifestLimits.DEFAULT, documents).read();
    Json value = documents.one();
    if (!documents.duplicates.isEmpty()) {
      throw new ManifestException(documents.duplicates);
    }
    try {
      return new PlacedValue(
          name, JsonText.writeBounded(value), parts(new YamlCursor(new StringReader(text))));
    } catch (IOException e) { // reading a string cannot fail
      throw new UncheckedIOException(e);
    }
  }

  /** The documents of a text; one is expected. */
  private static final class Documents implements DocumentSink {

    private final String name;
    private final List<Problem> duplicates = new ArrayList<>();
    private final List<Json> items = new ArrayList<>(); // of a list with this name
    private @Nullable Json value;
    private SourcePosition begin = SourcePosition.UNKNOWN;

    Documents(String name) {
      this.name = name;
    }

    @Override
    public void begin(SourcePosition place) {
      begin = place;
    }

    @Override
    public void item(Json.Fields head, int index, Json item, long bytes) {
      items.add(item);
    }

    @Override
    public void document(Json document, long bytes) throws DocumentException {
      if (value != null) {
        throw new DocumentException(begin.line(), begin.column(), "a second value: expected one");
      }
      value = document;
      if (document instanceof Json.Fields fields && !items.isEmpty()) {
        Map<String, Json> all = new LinkedHashMap<>(fields.map());
        all.put("items", new Json.Items(items));
        value = new Json.Fields(all);
      }
    }

    @Override
    public void duplicate(SourcePosition place, String field) {
      duplicates.add(
          new Problem(
              Origin.ofFile(name),
              place,
              "",
              "",
              "duplicate field \"" + PrintableText.abbreviate(field) + '"'));
    }

    Json one() throws DocumentException {
      if (value == null) {
        throw new DocumentException("is empty");
      }
      return value;
    }
  }

  /** {@return the value as JSON: the text itself if it is JSON, otherwise JSON on one line} */
  public String toJson() {
    return json;
  }

  /**
   * {@return a problem of a part of the value, with its place in the text}
   *
   * @param pointer the part, as a JSON pointer (RFC 6901); for a missing part, the nearest part
   *     above it is shown
   * @param message the problem
   */
  public Problem problem(String pointer, String message) {
    Objects.requireNonNull(pointer, "pointer");
    Objects.requireNonNull(message, "message");
    Part part = whole;
    int at = 0;
    while (at < pointer.length()) { // at a slash
      int end = pointer.indexOf('/', at + 1);
      end = end < 0 ? pointer.length() : end;
      String step = pointer.substring(at + 1, end).replace("~1", "/").replace("~0", "~");
      Part next = part.parts.get(step);
      if (next == null) {
        break;
      }
      part = next;
      at = end;
    }
    return new Problem(Origin.ofFile(name), part.place, "", pointer, message);
  }

  private static Part parts(TextCursor cursor) throws IOException, DocumentException {
    cursor.nextDocument();
    return part(cursor, cursor.place());
  }

  /** Returns the parts of the value at the cursor, and moves the cursor past the value. */
  private static Part part(TextCursor cursor, SourcePosition place)
      throws IOException, DocumentException {
    Map<String, Part> parts = new HashMap<>();
    switch (cursor.kind()) {
      case OBJECT -> {
        cursor.enter();
        for (String name = cursor.name(); name != null; name = cursor.name()) {
          SourcePosition ofName = cursor.place();
          cursor.toValue();
          parts.putIfAbsent(name, part(cursor, ofName));
        }
        cursor.leave();
      }
      case LIST -> {
        cursor.enter();
        for (int index = 0; cursor.hasElement(); index++) {
          parts.put(Integer.toString(index), part(cursor, cursor.place()));
        }
        cursor.leave();
      }
      case SCALAR -> cursor.skip();
    }
    return new Part(place, parts);
  }
}
