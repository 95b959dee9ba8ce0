package io.dra4j.manifest.internal.json;

import static java.nio.charset.StandardCharsets.UTF_16BE;
import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.manifest.ManifestException.Problem;
import io.dra4j.manifest.ManifestFinding;
import io.dra4j.manifest.ManifestReader;
import io.dra4j.manifest.SourcePosition;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.Charset;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Places are lines and columns in code points, in JSON as in YAML, and however it is encoded. */
class CodePointColumnsTest {

  /** The problem is the label b, behind characters of one to four bytes. */
  private static final String HEAD =
      "{\"apiVersion\": \"resource.k8s.io/v1\", \"kind\": \"DeviceClass\",\n";

  private static final String LINE =
      "\"metadata\": {\"labels\": {\"a\": \"aé€😀\", \"b\": 1}, \"name\": \"a\"}}";

  @ParameterizedTest
  @ValueSource(strings = {"", "---\n"}) // a document of YAML begins with dashes
  void aFieldBehindLongCharactersHasThatManyCharactersBeforeIt(String start) throws Exception {
    SourcePosition place = placeOf((start + HEAD + LINE).getBytes(UTF_8));
    assertThat(place.line()).isEqualTo(start.isEmpty() ? 2 : 3);
    assertThat(place.column())
        .isEqualTo(LINE.codePointCount(0, LINE.indexOf("\"b")) + 1)
        .isNotEqualTo(LINE.indexOf("\"b") + 1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"UTF-16BE", "UTF-16LE", "UTF-8"})
  void theEncodingDoesNotMatter(String name) throws Exception {
    Charset charset = Charset.forName(name);
    SourcePosition place = placeOf(("\uFEFF" + HEAD + LINE).getBytes(charset));
    assertThat(place).isEqualTo(placeOf((HEAD + LINE).getBytes(UTF_8)));
    assertThat(List.of(UTF_16BE, UTF_16LE, UTF_8)).contains(charset);
  }

  @ParameterizedTest
  @CsvSource({"'\r\n'", "'\r'", "'\n'"})
  void eachEndOfALineCounts(String end) throws Exception {
    SourcePosition place = placeOf((HEAD + LINE).replace("\n", end).getBytes(UTF_8));
    assertThat(place).isEqualTo(placeOf((HEAD + LINE).getBytes(UTF_8)));
  }

  @Test
  void soDoesTextThatBreaksOff() throws Exception {
    String text = HEAD + "\"a\": \"é€😀\", \"b\": ]}";
    assertThat(placeOf(text.getBytes(UTF_8))).isEqualTo(new SourcePosition(2, 18));
  }

  private static SourcePosition placeOf(byte[] text) throws IOException {
    List<ManifestFinding> findings =
        ManifestReader.builder()
            .build()
            .inspect("test", new ByteArrayInputStream(text), (object, found) -> {}, 10)
            .findings();
    assertThat(findings).hasSize(1);
    Problem problem = findings.get(0).problem();
    return problem.place();
  }
}
