package io.dra4j.manifest.internal.json;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.dra4j.manifest.Json;
import io.dra4j.manifest.SourcePosition;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Creates one value from the tokens of a JSON parser, within limits on depth and memory. */
public final class JsonComposer {

  /**
   * Receives a field that an object has a second time; reading continues unless this method throws.
   */
  @FunctionalInterface
  public interface Duplicates {
    void add(SourcePosition place, String name) throws DocumentException;
  }

  private final JsonParser parser;
  private final Duplicates duplicates;
  private final int maxDepth;
  private final long maxBytes;
  private int depth;
  private long bytes;

  /** Creates a composer of values at the given depth. */
  JsonComposer(JsonParser parser, Duplicates duplicates, int maxDepth, int depth, long maxBytes) {
    this.parser = parser;
    this.duplicates = duplicates;
    this.maxDepth = maxDepth;
    this.depth = depth;
    this.maxBytes = maxBytes;
  }

  /** The memory that the values composed so far take. */
  long bytes() {
    return bytes;
  }

  /** Reads the value that begins at the current token; its last token is the current one then. */
  Json compose() throws IOException, DocumentException {
    JsonToken token = parser.currentToken();
    if (token == null) {
      throw fault("no value");
    }
    return switch (token) {
      case START_OBJECT -> object();
      case START_ARRAY -> array();
      case VALUE_STRING -> new Json.Text(scalar());
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> new Json.Num(scalar());
      case VALUE_TRUE -> Json.Flag.TRUE;
      case VALUE_FALSE -> Json.Flag.FALSE;
      case VALUE_NULL -> Json.Null.NULL;
      default -> throw fault("unexpected " + token);
    };
  }

  private String scalar() throws IOException, DocumentException {
    String text = parser.getText();
    checkWhole(text);
    count(Footprint.scalar(text));
    return text;
  }

  /** Rejects unpaired surrogates: an escape can express them, but a writer would lose them. */
  private void checkWhole(String text) throws DocumentException {
    String half = JsonFaults.halfCharacter(text);
    if (half != null) {
      throw fault(half);
    }
  }

  private Json object() throws IOException, DocumentException {
    enter();
    count(Footprint.OBJECT);
    Map<String, Json> fields = new LinkedHashMap<>();
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      field(fields);
    }
    depth--;
    return new Json.Fields(fields);
  }

  private void field(Map<String, Json> fields) throws IOException, DocumentException {
    String name = newName(fields);
    parser.nextToken();
    fields.put(name, compose());
  }

  /** The field name that is the current token. */
  String newName(Map<String, Json> fields) throws IOException, DocumentException {
    String name = parser.currentName();
    checkWhole(name);
    if (fields.containsKey(name)) {
      JsonLocation place = parser.currentTokenLocation();
      duplicates.add(new SourcePosition(place.getLineNr(), place.getColumnNr()), name);
    }
    count(Footprint.field(name));
    return name;
  }

  private Json array() throws IOException, DocumentException {
    enter();
    count(Footprint.LIST);
    List<Json> items = new ArrayList<>();
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      count(Footprint.ELEMENT);
      items.add(compose());
    }
    depth--;
    return new Json.Items(items);
  }

  private void enter() throws DocumentException {
    if (++depth > maxDepth) {
      throw fault("nested deeper than " + maxDepth + " levels");
    }
  }

  private void count(long more) throws DocumentException {
    bytes += more;
    if (bytes > maxBytes) {
      throw fault("an object takes more than " + maxBytes + " bytes of memory");
    }
  }

  private DocumentException fault(String message) {
    JsonLocation place = parser.currentTokenLocation();
    return new DocumentException(place.getLineNr(), place.getColumnNr(), message);
  }
}
