package io.dra4j.manifest.validation;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.manifest.validation.ValidationCases.Case;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** docs/validation.md is made of the table of the rules and of the cases of their test. */
class ValidationDocumentTest {

  private static final Path DIFFERENCES = Path.of("..", "e2e", "kube", "differences.txt");
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
    Map<String, Long> broken = count(ValidationCases.breaking());
    Map<String, Long> kept = count(ValidationCases.keeping());
    List<String> differences = Files.readAllLines(DIFFERENCES);
    StringBuilder text =
        new StringBuilder(
            """
            # What `dra4j validate` and `ManifestValidator` look for

            Made of the table `ValidationRule`. The last columns are its tests: how many objects of
            `core/src/test/resources/io/dra4j/manifest/validation/rules.txt` break the rule, and how many
            of `kept.txt` beside it just keep it, in all versions that have the kind together. The rules
            without such objects are about texts or several objects (`ValidationRuleTest` has them). All rules are errors
            but those said to be warnings. Source: the API of Kubernetes 1.37, and the names in its
            validation where 1.36.3 has them.

            All these objects, and others with random changes, are also given to a real API server, of
            Kubernetes 1.36.3 (`e2e/kube/check`, a stage of `.ci/run`): it refuses and takes the same ones, for
            the same fields, but for what `e2e/kube/differences.txt` lists. The last column says so: *yes*,
            *no* for a rule that is about fields of 1.37, and *in part* where it takes some of what 1.37
            refuses. Of pods and jobs dra4j knows what they say of claims alone: they are not changed at random.

            Not refused, as the API server takes it: counters that no set has, negative counters and
            capacities, requests for capacities that no device has, more than 16 tolerations, a
            constraint with both attributes (the first counts). What must not change depends on the cluster and is
            not looked for; whether a namespace allows `adminAccess` is, where the files have the namespace.
            """);
    ValidationRule.Group group = null;
    for (ValidationRule rule : ValidationRule.values()) {
      if (rule.group() != group) {
        group = rule.group();
        text.append("\n## ").append(group.title()).append("\n\n");
        text.append(
            """
            | Rule | Objects | What it says | Source | Broken | Kept | 1.36.3 |
            |---|---|---|---|---|---|---|
            """);
      }
      boolean isWarning = rule.severity() == ValidationRule.Severity.WARNING;
      text.append(
          "| `%s` | %s | %s%s | %s | %s | %s | %s |\n"
              .formatted(
                  rule.id(),
                  rule.kinds().isEmpty() ? "all" : String.join(", ", rule.kinds()),
                  isWarning ? "Warning: " : "",
                  rule.says().replace("*", "\\*"),
                  rule.source().replace("*", "\\*"),
                  count(broken, rule),
                  count(kept, rule),
                  server(differences, rule)));
    }
    return text.toString();
  }

  private static Map<String, Long> count(List<Case> cases) {
    return cases.stream().collect(Collectors.groupingBy(Case::rule, Collectors.counting()));
  }

  private static String count(Map<String, Long> cases, ValidationRule rule) {
    return cases.containsKey(rule.id()) ? cases.get(rule.id()).toString() : "texts";
  }

  /** Whether an API server of Kubernetes 1.36.3 has the rule. */
  private static String server(List<String> differences, ValidationRule rule) {
    if (rule.severity() == ValidationRule.Severity.WARNING) {
      return "";
    }
    if (differences.stream().anyMatch(line -> line.startsWith("rule " + rule.id() + ":"))) {
      return "no";
    }
    return differences.stream().anyMatch(line -> line.matches("taken " + rule.id() + "[: ].*"))
        ? "in part"
        : "yes";
  }
}
