package io.dra4j.manifest.validation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** docs/validation.md is made of the table of the rules and of the cases of their test. */
class ValidationDocumentTest {

  private static final Path DOCUMENT = Path.of("..", "docs", "validation.md");

  @Test
  void theDocumentIsTheTable() throws IOException {
    String expected = document();
    if (Boolean.getBoolean("dra4j.docs.write")) {
      Files.writeString(DOCUMENT, expected);
    }
    assertThat(DOCUMENT).as("-Ddra4j.docs.write=true writes it anew").hasContent(expected);
  }

  private static String document() throws IOException {
    Map<String, Integer> cases = cases();
    StringBuilder text =
        new StringBuilder(
            """
            # What `dra4j validate` and `ManifestValidator` look for

            Made of the table `ValidationRule`; the last column counts the objects in
            `core/src/test/resources/io/dra4j/manifest/validation/rules.txt` that break the rule, each in
            every version that has its kind. All rules are errors but those said to be warnings. Source:
            the API of Kubernetes 1.37, and the names in its validation where 1.36.3 has them.

            Not refused, as the API server takes it: counters that no set has, negative counters and
            capacities, requests for capacities that no device has, more than 16 tolerations, a
            constraint with both attributes (the first counts). Refused here and taken by 1.36.3, where
            the API says otherwise: names of attributes with two slashes; a step that is negative, and
            `min`, `max` or defaults that only rounding to whole numbers makes fit the step. It depends
            on the cluster and is not looked for: whether a namespace allows `adminAccess`, and what
            must not change.
            """);
    ValidationRule.Group group = null;
    for (ValidationRule rule : ValidationRule.values()) {
      if (rule.group() != group) {
        group = rule.group();
        text.append("\n## ").append(group.title()).append("\n\n");
        text.append("| Rule | Objects | What it says | Source | Cases |\n|---|---|---|---|---|\n");
      }
      boolean isWarning = rule.severity() == ValidationRule.Severity.WARNING;
      text.append(
          "| `%s` | %s | %s%s | %s | %s |\n"
              .formatted(
                  rule.id(),
                  rule.kinds().isEmpty() ? "all" : String.join(", ", rule.kinds()),
                  isWarning ? "Warning: " : "",
                  rule.says().replace("*", "\\*"),
                  rule.source().replace("*", "\\*"),
                  cases.containsKey(rule.id()) ? cases.get(rule.id()) : "texts"));
    }
    return text.toString();
  }

  private static Map<String, Integer> cases() throws IOException {
    Map<String, Integer> cases = new TreeMap<>();
    try (InputStream in = ValidationDocumentTest.class.getResourceAsStream("rules.txt")) {
      new String(in.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> !line.isBlank() && !line.startsWith("#"))
          .forEach(line -> cases.merge(line.substring(0, line.indexOf(' ')), 1, Integer::sum));
    }
    return cases;
  }
}
