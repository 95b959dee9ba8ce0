package io.dra4j.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonTreeTest {

  private static final ObjectMapper MAPPER =
      JsonMapper.builder().enable(JsonNodeFeature.WRITE_PROPERTIES_SORTED).build();

  @ParameterizedTest
  @ValueSource(
      strings = {
        "null",
        "{}",
        "[]",
        "{\"b\": {\"d\": 1, \"c\": [true, false, null, {}]}, \"a\": []}",
        "{\"a\": 1, \"b\": 2, \"a\": {\"twice\": 3}}",
        "[0, -1, 2147483648, 9223372036854775807, 9223372036854775808, 18446744073709551615]",
        "[0.1, 1.10, 1e3, -1E-7, 1e999, 123456789.123456789123456789]",
        "[\"\", \"quote \\\" line \\n"
            + " tab \\t unit \\u0001\", \"µ€\", \"\\ud83d\\ude00\", \"\\ud83d\"]",
        "{\"a\": 1} and more",
        "",
      })
  void treesAreThoseOfAnObjectMapper(String text) throws JsonProcessingException {
    JsonNode tree = MAPPER.readTree(text);
    assertThat(JsonTree.text(tree)).isEqualTo(MAPPER.writeValueAsString(tree));
  }
}
