package io.dra4j.kubernetes;

import com.fasterxml.jackson.core.JsonParseException;
import java.io.IOException;
import java.io.InputStream;
import java.util.function.Consumer;

/** Reads lists and watches object by object: no response is completely in memory. */
final class ObjectStream {

  private ObjectStream() {}

  /** Takes the objects of a response. */
  interface Sink {
    void take(RawObject object);
  }

  /**
   * The metadata of a page of a list.
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
   * @throws IOException if the response ends too early or is not a list
   */
  static Page list(InputStream in, Consumer<String> next, Sink sink) throws IOException {
    JsonScanner json = new JsonScanner(in);
    JsonScanner.Bytes none = new JsonScanner.Bytes(0);
    json.take('{', "a list");
    Page page = new Page("", "");
    boolean hasItems = false;
    for (boolean isFirst = true; json.hasNext(isFirst, '}'); isFirst = false) {
      String field = json.field();
      int value = json.peek();
      if (field.equals("metadata") && value == '{') {
        page = metadata(json, page, next);
      } else if (field.equals("items") && value == '[') {
        hasItems = true;
        RawObject.Reader objects = new RawObject.Reader(json);
        json.take('[', "items");
        for (boolean isFirstOf = true; json.hasNext(isFirstOf, ']'); isFirstOf = false) {
          sink.take(objects.read());
        }
      } else {
        hasItems |= field.equals("items") && value == 'n';
        json.value(none);
      }
    }
    if (!hasItems) {
      throw new IOException("expected a list, found an object without items");
    }
    return page;
  }

  /** Reads the metadata of a list. Fields that it lacks stay as they are. */
  private static Page metadata(JsonScanner json, Page before, Consumer<String> next)
      throws IOException {
    JsonScanner.Bytes none = new JsonScanner.Bytes(0);
    String resourceVersion = before.resourceVersion();
    String token = before.next();
    json.take('{', "metadata");
    for (boolean isFirst = true; json.hasNext(isFirst, '}'); isFirst = false) {
      String name = json.field();
      boolean isText = json.peek() == '"';
      String text = json.textOrNull(none);
      if (name.equals("resourceVersion") && text != null) {
        resourceVersion = text;
      } else if (name.equals("continue") && isText) {
        if (text == null) {
          throw new IOException("the token of the next page is too long");
        }
        token = text;
        if (!token.isEmpty()) {
          next.accept(token);
        }
      }
    }
    return new Page(resourceVersion, token);
  }

  /** Takes the events of a watch. */
  interface Watcher {

    /**
     * An event.
     *
     * @param type {@code ADDED}, {@code MODIFIED}, {@code DELETED}, {@code BOOKMARK} or {@code
     *     ERROR}
     * @param object the object; for an error, its {@code Status}
     * @throws ClusterException to end the watch
     */
    void event(String type, RawObject object) throws ClusterException;
  }

  /**
   * Reads the events of a watch until the server ends it.
   *
   * @throws IOException if the response ends within an event, or has something that is not an event
   * @throws ClusterException if the watcher throws it
   */
  static void watch(InputStream in, Watcher watcher) throws IOException, ClusterException {
    JsonScanner json = new JsonScanner(in);
    JsonScanner.Bytes none = new JsonScanner.Bytes(0);
    RawObject.Reader objects = new RawObject.Reader(json);
    while (json.peek() >= 0) {
      json.take('{', "an event of a watch");
      String type = "";
      RawObject object = null;
      for (boolean isFirst = true; json.hasNext(isFirst, '}'); isFirst = false) {
        String field = json.field();
        if (field.equals("object")) {
          object = objects.read();
        } else {
          String text = json.textOrNull(none);
          type = field.equals("type") && text != null ? text : type;
        }
      }
      if (object == null) {
        throw new JsonParseException(
            null, "expected an event of a watch, found one without object");
      }
      watcher.event(type, object);
    }
  }
}
