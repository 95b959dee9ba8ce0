package io.dra4j.dranet.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.spi.configuration.ConfigurationException;
import io.dra4j.spi.configuration.ConfigurationProblem;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * Configurations with the recorded verdicts of the original's validator: dra4j decides the same,
 * except where the recording gives a reason.
 */
class OriginalVerdictsTest {

  private static final String ACCEPTED = "accepted";

  /** Documents by the headings that they stand under. */
  private static Map<String, List<String>> recorded() throws IOException {
    Map<String, List<String>> sections = new TreeMap<>();
    try (InputStream file =
        OriginalVerdictsTest.class.getResourceAsStream("original-verdicts.txt")) {
      String text = new String(Objects.requireNonNull(file).readAllBytes(), StandardCharsets.UTF_8);
      List<String> section = new ArrayList<>();
      for (String line : text.split("\n", -1)) {
        if (line.startsWith("= ")) {
          section = new ArrayList<>();
          sections.put(line.substring(2), section);
        } else if (!line.isEmpty() && !line.startsWith("#")) {
          section.add(line);
        }
      }
    }
    return sections;
  }

  private static String verdict(String json) {
    try {
      NetworkConfig.parse(json);
      return ACCEPTED;
    } catch (ConfigurationException e) {
      assertThat(e.problems())
          .as(json)
          .isNotEmpty()
          .allSatisfy(one -> assertThat(one.problem()).isNotBlank());
      assertThat(e.problems())
          .extracting(ConfigurationProblem::pointer)
          .as("places in %s", json)
          .doesNotHaveDuplicates();
      return "refused";
    }
  }

  @Test
  void everyDocumentIsDecidedAsTheOriginalDoesOrTheReasonIsWritten() throws IOException {
    List<String> others = new ArrayList<>();
    int alike = 0;
    int better = 0;
    for (Map.Entry<String, List<String>> section : recorded().entrySet()) {
      String heading = section.getKey();
      boolean differs = heading.contains(": ");
      String wanted =
          differs
              ? heading.substring(heading.indexOf(", ") + 2, heading.indexOf(" here"))
              : heading;
      for (String json : section.getValue()) {
        if (!verdict(json).equals(wanted)) {
          others.add(heading + " | " + json);
        } else if (differs) {
          better++;
        } else {
          alike++;
        }
      }
    }

    assertThat(others).isEmpty();
    assertThat(alike).isGreaterThan(600);
    System.out.printf(
        "configurations: %d decided as the original does, %d otherwise with a reason%n",
        alike, better);
  }
}
