package io.dra4j.kubernetes;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.ByteArrayOutputStream;
import java.io.IOException;

/**
 * One object of an answer as JSON, with what identifies it. {@code metadata.managedFields}, which
 * is as large as the object and says nothing of it, is left out.
 *
 * @param namespace its namespace; empty for an object of the cluster
 * @param name its name; empty if it states none
 * @param resourceVersion its version; empty if it states none
 * @param isTyped whether it states its API version, which the items of a list do not
 * @param json the object; empty if it is larger than {@link #MAX_BYTES}
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record RawObject(
    String namespace, String name, String resourceVersion, boolean isTyped, byte[] json) {

  /**
   * So many bytes an object has at most. The API server takes 1.5 MiB as Protobuf, which is up to
   * three times as much in JSON.
   */
  static final int MAX_BYTES = 8 * 1024 * 1024;

  /** Whether the object is larger than an API server takes; its JSON is not kept. */
  boolean isTooLarge() {
    return json.length == 0;
  }

  /** Namespace and name, or the name alone. */
  String displayName() {
    return namespace.isEmpty() ? name : namespace + "/" + name;
  }

  /**
   * Copies the object at which a parser stands.
   *
   * @param parser stands at the start of the object; stands at its end afterwards
   * @throws IOException if it cannot be read to its end
   */
  static RawObject read(JsonParser parser) throws IOException {
    Bounded bytes = new Bounded();
    String namespace = "";
    String name = "";
    String version = "";
    boolean isTyped = false;
    try (JsonGenerator json = ObjectStream.JSON.createGenerator(bytes)) {
      json.copyCurrentEventExact(parser);
      int depth = 1;
      boolean inMetadata = false;
      while (depth > 0) {
        JsonToken token = parser.nextToken();
        if (token == null) {
          throw new IOException("the answer ends within an object");
        }
        if (token.isStructStart()) {
          depth++;
          inMetadata |= depth == 2 && "metadata".equals(fieldOf(parser));
        } else if (token.isStructEnd()) {
          depth--;
          inMetadata &= depth >= 2;
        } else if (depth == 1) {
          isTyped |= token == JsonToken.FIELD_NAME && parser.currentName().equals("apiVersion");
        } else if (inMetadata && depth == 2) {
          if (token == JsonToken.FIELD_NAME && parser.currentName().equals("managedFields")) {
            parser.nextToken();
            parser.skipChildren();
            continue;
          } else if (token == JsonToken.VALUE_STRING) {
            switch (parser.currentName()) {
              case "namespace" -> namespace = parser.getText();
              case "name" -> name = parser.getText();
              case "resourceVersion" -> version = parser.getText();
              default -> {}
            }
          }
        }
        json.copyCurrentEventExact(parser);
      }
    }
    return new RawObject(namespace, name, version, isTyped, bytes.content());
  }

  /** The name of the field whose value has just begun. */
  private static String fieldOf(JsonParser parser) {
    String name = parser.getParsingContext().getParent().getCurrentName();
    return name == null ? "" : name;
  }

  /** Bytes in memory, not more than an object may have. */
  private static final class Bounded extends ByteArrayOutputStream {

    private boolean isFull;

    Bounded() {
      super(4096);
    }

    byte[] content() {
      return isFull ? new byte[0] : toByteArray();
    }

    @Override
    public synchronized void write(byte[] bytes, int offset, int length) {
      isFull |= length > MAX_BYTES - size();
      if (!isFull) {
        super.write(bytes, offset, length);
      }
    }
  }
}
