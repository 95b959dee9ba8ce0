package io.dra4j.kubernetes;

import java.io.IOException;
import java.io.InputStream;

/**
 * One object of a response as JSON, with its identity. It lacks {@code metadata.managedFields},
 * which is as large as the object and not needed.
 *
 * @param namespace its namespace; empty for a cluster-scoped object
 * @param name its name; empty if it states none
 * @param resourceVersion its version; empty if it states none
 * @param isTyped whether it states its API version, which the items of a list do not
 * @param json the object; empty if it is larger than {@link #MAX_BYTES}
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record RawObject(
    String namespace, String name, String resourceVersion, boolean isTyped, byte[] json) {

  /** The largest object in bytes: servers take 1.5 MiB of Protobuf, up to 3 times that in JSON. */
  static final int MAX_BYTES = 8 * 1024 * 1024;

  /** Whether the object is larger than an API server accepts; its JSON is not kept. */
  boolean isTooLarge() {
    return json.length == 0;
  }

  /** Namespace and name, or the name alone. */
  String displayName() {
    return namespace.isEmpty() ? name : namespace + "/" + name;
  }

  /** Reads a response that is a single object. Fails if it cannot be read to its end. */
  static RawObject read(InputStream in) throws IOException {
    return new Reader(new JsonScanner(in)).read();
  }

  /** Reads the objects of a response one after another. */
  static final class Reader {

    private final JsonScanner json;
    private final JsonScanner.Bytes bytes = new JsonScanner.Bytes(MAX_BYTES);
    private final JsonScanner.Bytes none = new JsonScanner.Bytes(0);
    private String namespace = "";
    private String name = "";
    private String version = "";

    Reader(JsonScanner json) {
      this.json = json;
    }

    /** Copies the next object. Fails if there is none, or it cannot be read to its end. */
    RawObject read() throws IOException {
      bytes.clear();
      namespace = "";
      name = "";
      version = "";
      boolean isTyped = false;
      json.take('{', "an object");
      bytes.add('{');
      for (boolean isFirst = true; json.hasNext(isFirst, '}'); isFirst = false) {
        String field = json.field();
        add(isFirst, json.written());
        if (field.equals("metadata") && json.peek() == '{') {
          metadata();
        } else {
          isTyped |= field.equals("apiVersion");
          json.value(bytes);
        }
      }
      bytes.add('}');
      return new RawObject(namespace, name, version, isTyped, bytes.content());
    }

    private void metadata() throws IOException {
      json.take('{', "metadata");
      bytes.add('{');
      boolean isFirstKept = true;
      for (boolean isFirst = true; json.hasNext(isFirst, '}'); isFirst = false) {
        String field = json.field();
        if (field.equals("managedFields")) {
          json.value(none);
          continue;
        }
        add(isFirstKept, json.written());
        isFirstKept = false;
        String text = json.textOrNull(bytes);
        if (text != null) {
          switch (field) {
            case "namespace" -> namespace = text;
            case "name" -> name = text;
            case "resourceVersion" -> version = text;
            default -> {}
          }
        }
      }
      bytes.add('}');
    }

    private void add(boolean isFirst, JsonScanner.Bytes field) {
      if (!isFirst) {
        bytes.add(',');
      }
      bytes.add(field);
      bytes.add(':');
    }
  }
}
