package io.dra4j.manifest.internal.json;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import io.dra4j.manifest.Json;
import io.dra4j.manifest.ManifestLimits;
import io.dra4j.manifest.SourcePosition;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Splits a stream of JSON values into documents. */
public final class JsonDocuments {

  private final JsonParser parser;
  private final ManifestLimits limits;
  private final DocumentSink sink;

  public JsonDocuments(JsonParser parser, ManifestLimits limits, DocumentSink sink) {
    this.parser = parser;
    this.limits = limits;
    this.sink = sink;
  }

  /**
   * Reads to the end.
   *
   * @throws JsonProcessingException if the text is not JSON
   * @throws DocumentException if it is, but passes a limit or names a field twice
   */
  public void read() throws IOException, DocumentException {
    for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
      sink.begin(place());
      if (token == JsonToken.START_OBJECT) {
        object();
      } else {
        JsonComposer composer = composer(0);
        sink.document(composer.compose(), composer.bytes());
      }
    }
  }

  private void object() throws IOException, DocumentException {
    Map<String, Json> fields = new LinkedHashMap<>();
    Json.Fields document = new Json.Fields(fields); // grows with the map
    JsonComposer composer = composer(1);
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String name = composer.newName(fields);
      JsonToken token = parser.nextToken();
      if (token == JsonToken.START_ARRAY
          && name.equals("items")
          && DocumentSink.mayBeList(document)) {
        items(document);
        fields.put(name, new Json.Items(List.of()));
      } else {
        fields.put(name, composer.compose());
      }
    }
    sink.document(document, composer.bytes());
  }

  private void items(Json.Fields head) throws IOException, DocumentException {
    for (int index = 0; parser.nextToken() != JsonToken.END_ARRAY; index++) {
      sink.begin(place());
      JsonComposer composer = composer(2);
      Json item = composer.compose();
      sink.item(head, index, item, composer.bytes());
    }
  }

  private SourcePosition place() {
    JsonLocation place = parser.currentTokenLocation();
    return new SourcePosition(place.getLineNr(), place.getColumnNr());
  }

  private JsonComposer composer(int depth) {
    return new JsonComposer(
        parser, sink::duplicate, limits.maxDepth(), depth, FixedLimits.MAX_OBJECT_BYTES);
  }
}
