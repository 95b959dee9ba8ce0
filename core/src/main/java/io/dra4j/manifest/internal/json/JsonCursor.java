package io.dra4j.manifest.internal.json;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.dra4j.manifest.SourcePosition;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A cursor in a stream of JSON values. */
public final class JsonCursor implements TextCursor {

  private final JsonParser parser;

  /** A cursor before the first token of a parser. */
  public JsonCursor(JsonParser parser) {
    this.parser = parser;
  }

  @Override
  public boolean nextDocument() throws IOException {
    if (parser.currentToken() == null) {
      parser.nextToken();
    }
    return parser.currentToken() != null;
  }

  @Override
  public Kind kind() {
    JsonToken token = parser.currentToken();
    return token == JsonToken.START_OBJECT
        ? Kind.OBJECT
        : token == JsonToken.START_ARRAY ? Kind.LIST : Kind.SCALAR;
  }

  @Override
  public SourcePosition place() {
    JsonLocation at = parser.currentTokenLocation();
    return new SourcePosition(at.getLineNr(), at.getColumnNr());
  }

  @Override
  public void skip() throws IOException {
    parser.skipChildren();
    parser.nextToken();
  }

  @Override
  public void enter() throws IOException {
    parser.nextToken();
  }

  @Override
  public @Nullable String name() throws IOException {
    return parser.currentToken() == JsonToken.FIELD_NAME ? parser.currentName() : null;
  }

  @Override
  public void toValue() throws IOException {
    parser.nextToken();
  }

  @Override
  public boolean hasElement() {
    return parser.currentToken() != JsonToken.END_ARRAY && parser.currentToken() != null;
  }

  @Override
  public void leave() throws IOException {
    parser.nextToken();
  }
}
