package io.dra4j.manifest;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;

/** JSON as text: strict, with numbers kept as they are written. */
final class JsonText {

  private static final ObjectMapper MAPPER =
      JsonMapper.builder()
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .build();
  private static final ObjectReader READER = MAPPER.reader();

  private JsonText() {}

  /** A parser for a stream of values. */
  static JsonParser parser(byte[] text, ManifestLimits limits) throws IOException {
    JsonFactory factory =
        JsonFactory.builder()
            .streamReadConstraints(
                StreamReadConstraints.builder().maxNestingDepth(limits.maxDepth()).build())
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();
    JsonParser parser = factory.createParser(text);
    parser.setCodec(MAPPER);
    return parser;
  }

  /** The value that a parser stands at. */
  static JsonNode value(JsonParser parser) throws IOException {
    return READER.readTree(parser);
  }

  /** One value from text that was written here. */
  static JsonNode read(String json) {
    try {
      return READER.readTree(json);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("no JSON value: " + e.getOriginalMessage(), e);
    }
  }

  static String write(JsonNode json) {
    try {
      return MAPPER.writeValueAsString(json);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a tree that cannot be written", e);
    }
  }

  static String writePretty(JsonNode json) {
    return json.toPrettyString() + "\n";
  }
}
