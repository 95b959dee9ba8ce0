package io.dra4j.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.allocation.Findings;
import io.dra4j.allocation.Refusal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What {@code dra4j explain} says of what there was no time for, and of names that do not exist.
 */
class ExplainMarksTest {

  @TempDir private Path folder;

  private static ExplainReport report(Findings<String> suggestions) {
    return new ExplainReport(
        List.of(
            new ExplainReport.Pod(
                "default/p",
                "",
                "does not fit",
                List.of(
                    new ExplainReport.Group(
                        "gist",
                        List.of("n"),
                        List.of(new Refusal.ByPolicy("a\nnode n: fits")),
                        new Findings<>(List.of(), false),
                        suggestions,
                        List.of())))),
        List.of());
  }

  @Test
  void whatWasNotLookedForIsSaidInEveryForm() {
    ExplainReport none = report(new Findings<>(List.of(), false));
    assertThat(new ExplainText(none).lines())
        .contains(
            "    cannot be fulfilled together: not looked for: the time was over",
            "    what would help: not looked for: the time was over");
    assertThat(ExplainJson.of(none))
        .contains("\"conflictComplete\":false", "\"suggestionsComplete\":false");
    assertThat(ExplainPage.of(none))
        .contains("Cannot be fulfilled together: not looked for: the time was over")
        .contains("What would help: not looked for: the time was over");
    ExplainReport some = report(new Findings<>(List.of("release it"), false));
    assertThat(new ExplainText(some).lines())
        .contains(
            "      - release it", "    more that would help: not looked for: the time was over");
    assertThat(new ExplainText(report(new Findings<>(List.of(), true))).lines())
        .noneMatch(line -> line.contains("what would help"));
  }

  @Test
  void aReasonIsOneLineWhateverItsNames() {
    assertThat(new ExplainText(report(new Findings<>(List.of(), true))).lines())
        .contains("    a\\u000anode n: fits");
  }

  @Test
  void aConstraintOnARequestThatIsNotThereIsTold() throws Exception {
    Path file =
        Files.writeString(
            folder.resolve("typo.yaml"),
            """
            apiVersion: v1
            kind: Node
            metadata: {name: n0}
            ---
            apiVersion: resource.k8s.io/v1
            kind: DeviceClass
            metadata: {name: gpu}
            ---
            apiVersion: resource.k8s.io/v1
            kind: ResourceSlice
            metadata: {name: s}
            spec:
              driver: gpu.example.com
              nodeName: n0
              pool: {name: n0, generation: 1, resourceSliceCount: 1}
              devices: [{name: a}, {name: b}]
            ---
            apiVersion: resource.k8s.io/v1
            kind: ResourceClaim
            metadata: {name: c, namespace: default}
            spec:
              devices:
                requests: [{name: gpus, exactly: {deviceClassName: gpu, count: 2}}]
                constraints: [{requests: [gpu], matchAttribute: gpu.example.com/x}]
            """);
    for (String command : List.of("explain", "allocate")) {
      Cli run = Cli.run(command, file.toString());
      assertThat(run.err())
          .contains(
              "typo.yaml:18:1: ResourceClaim default/c: spec.devices.constraints[0].requests[0]:"
                  + " expected the name of a request or request/alternative of the claim, found"
                  + " \"gpu\"");
    }
    assertThat(Cli.run("allocate", "--all-nodes", file.toString()).err()).contains("found \"gpu\"");
  }
}
