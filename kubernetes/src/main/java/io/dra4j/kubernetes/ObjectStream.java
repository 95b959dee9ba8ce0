package io.dra4j.kubernetes;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.InputStream;
import java.util.function.Consumer;

/** Lists and watches of the API server, object by object: no answer is in memory as a whole. */
final class ObjectStream {

  static final JsonFactory JSON =
      new JsonFactoryBuilder().configure(JsonFactory.Feature.INTERN_FIELD_NAMES, false).build();

  private ObjectStream() {}

  /** Takes the objects of an answer. */
  interface Sink {
    void take(RawObject object);
  }

  /**
   * What a page of a list says of the list.
   *
   * @param resourceVersion the version of the list
   * @param next the token of the next page; empty for the last one
   */
  record Page(String resourceVersion, String next) {}

  /**
   * Reads one page of a list.
   *
   * @param next takes the token of the next page, if there is one, as soon as it is read: API
   *     servers write it before the objects
   * @param sink takes the objects
   * @throws IOException if it ends too early or is no list
   */
  static Page list(InputStream in, Consumer<String> next, Sink sink) throws IOException {
    try (JsonParser parser = JSON.createParser(in)) {
      expect(parser.nextToken(), JsonToken.START_OBJECT, "a list");
      String resourceVersion = "";
      String token = "";
      boolean hasItems = false;
      for (String field = parser.nextFieldName(); field != null; field = parser.nextFieldName()) {
        JsonToken value = parser.nextToken();
        if (field.equals("metadata") && value == JsonToken.START_OBJECT) {
          for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
            JsonToken one = parser.nextToken();
            if (name.equals("resourceVersion") && one == JsonToken.VALUE_STRING) {
              resourceVersion = parser.getText();
            } else if (name.equals("continue") && one == JsonToken.VALUE_STRING) {
              token = parser.getText();
              if (!token.isEmpty()) {
                next.accept(token);
              }
            } else {
              parser.skipChildren();
            }
          }
        } else if (field.equals("items") && value == JsonToken.START_ARRAY) {
          hasItems = true;
          while (parser.nextToken() == JsonToken.START_OBJECT) {
            sink.take(RawObject.read(parser));
          }
          expect(parser.currentToken(), JsonToken.END_ARRAY, "the end of the items");
        } else {
          hasItems |= field.equals("items") && value == JsonToken.VALUE_NULL;
          parser.skipChildren();
        }
      }
      expect(parser.currentToken(), JsonToken.END_OBJECT, "the end of the list");
      if (!hasItems) {
        throw new IOException("expected a list, found an object without items");
      }
      return new Page(resourceVersion, token);
    }
  }

  /** Takes the events of a watch. */
  interface Watcher {

    /**
     * An event.
     *
     * @param type {@code ADDED}, {@code MODIFIED}, {@code DELETED}, {@code BOOKMARK} or {@code
     *     ERROR}
     * @param object the object; of an error, its {@code Status}
     * @throws ClusterException ends the watch
     */
    void event(String type, RawObject object) throws ClusterException;
  }

  /**
   * Reads the events of a watch until the server ends it.
   *
   * @throws IOException if it ends within an event, or an event is none
   * @throws ClusterException if the watcher throws it
   */
  static void watch(InputStream in, Watcher watcher) throws IOException, ClusterException {
    try (JsonParser parser = JSON.createParser(in)) {
      while (parser.nextToken() != null) {
        expect(parser.currentToken(), JsonToken.START_OBJECT, "an event of a watch");
        String type = "";
        RawObject object = null;
        for (String field = parser.nextFieldName(); field != null; field = parser.nextFieldName()) {
          JsonToken value = parser.nextToken();
          if (field.equals("type") && value == JsonToken.VALUE_STRING) {
            type = parser.getText();
          } else if (field.equals("object") && value == JsonToken.START_OBJECT) {
            object = RawObject.read(parser);
          } else {
            parser.skipChildren();
          }
        }
        expect(parser.currentToken(), JsonToken.END_OBJECT, "the end of an event");
        if (object == null) {
          throw new IOException("expected an event of a watch, found one without object");
        }
        watcher.event(type, object);
      }
    }
  }

  private static void expect(JsonToken found, JsonToken expected, String what) throws IOException {
    if (found != expected) {
      throw new IOException(
          "expected %s, found %s".formatted(what, found == null ? "the end of the answer" : found));
    }
  }
}
