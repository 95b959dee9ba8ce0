package io.dra4j.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.allocation.explanation.PartialResult;
import io.dra4j.allocation.explanation.Reason;
import io.dra4j.cli.Cli;
import io.dra4j.cli.terminal.Terminal;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Messages of {@code dra4j explain} about facts that it could not determine. */
class ExplainMarksTest {

  @TempDir private Path directory;

  private static ExplainReport report(PartialResult<String> suggestions) {
    return new ExplainReport(
        List.of(
            ExplainReport.Pod.refused(
                "default/p",
                "does not fit",
                List.of(
                    new ExplainReport.Group(
                        "gist",
                        List.of("n"),
                        List.of(new Reason.ByPolicy("a\nnode n: fits")),
                        PartialResult.some(List.of(), "no answer within 5 ms"),
                        suggestions,
                        List.of())),
                List.of())),
        List.of());
  }

  private static List<String> lines(ExplainReport report) {
    StringWriter out = new StringWriter();
    PrintWriter printer = new PrintWriter(out);
    new ExplainText(report)
        .print(new Terminal(InputStream.nullInputStream(), printer, printer, () -> false));
    return out.toString().lines().toList();
  }

  @Test
  void whatIsNotKnownIsSaidInEveryFormWithTheReason() {
    ExplainReport none = report(PartialResult.some(List.of(), "nobody knows"));
    assertThat(lines(none))
        .contains(
            "    cannot be fulfilled together: not known: no answer within 5 ms",
            "    what would help: not known: nobody knows");
    assertThat(ExplainJson.of(none, List.of()))
        .contains(
            "\"conflictComplete\":false,\"conflictGap\":\"no answer within 5 ms\"",
            "\"suggestionsComplete\":false,\"suggestionsGap\":\"nobody knows\"");
    assertThat(ExplainPage.of(none))
        .contains("Cannot be fulfilled together: not known: no answer within 5 ms")
        .contains("What would help: not known: nobody knows");
    ExplainReport some = report(PartialResult.some(List.of("release it"), "nobody knows"));
    assertThat(lines(some))
        .contains("      - release it", "    what else would help: not known: nobody knows");
    assertThat(lines(report(PartialResult.all(List.of()))))
        .noneMatch(line -> line.contains("would help"));
  }

  @Test
  void aPolicyThatCannotTellIsNotCalledALackOfTime() throws Exception {
    Path file =
        Files.writeString(
            directory.resolve("far.yaml"),
            """
            apiVersion: v1
            kind: Node
            metadata: {name: n0}
            ---
            {apiVersion: resource.k8s.io/v1, kind: DeviceClass, metadata: {name: gpu}, spec: {selectors: [{cel: {expression: "device.driver == 'gpu.example.com'"}}]}}
            ---
            {apiVersion: resource.k8s.io/v1, kind: DeviceClass, metadata: {name: nic}, spec: {selectors: [{cel: {expression: "device.driver == 'nic.example.com'"}}]}}
            ---
            apiVersion: resource.k8s.io/v1
            kind: ResourceSlice
            metadata: {name: gpus}
            spec:
              driver: gpu.example.com
              nodeName: n0
              pool: {name: n0, generation: 1, resourceSliceCount: 1}
              devices:
              - {name: gpu-0, attributes: {resource.kubernetes.io/pcieRoot: {string: pci0000:00}}}
              - {name: gpu-1, attributes: {resource.kubernetes.io/pcieRoot: {string: pci0000:10}}}
            ---
            apiVersion: resource.k8s.io/v1
            kind: ResourceSlice
            metadata: {name: nics}
            spec:
              driver: nic.example.com
              nodeName: n0
              pool: {name: n0, generation: 1, resourceSliceCount: 1}
              devices:
              - {name: nic-0, attributes: {resource.kubernetes.io/pcieRoot: {string: pci0000:00}, model: {string: a}}}
              - {name: nic-1, attributes: {resource.kubernetes.io/pcieRoot: {string: pci0000:10}, model: {string: b}}}
              - {name: nic-2, attributes: {resource.kubernetes.io/pcieRoot: {string: pci0000:80}, model: {string: c}}}
              - {name: nic-3, attributes: {resource.kubernetes.io/pcieRoot: {string: pci0000:90}, model: {string: c}}}
            ---
            apiVersion: resource.k8s.io/v1
            kind: ResourceClaim
            metadata: {name: train}
            spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: gpu}}]}}
            status: {allocation: {devices: {results: [{request: gpu, driver: gpu.example.com, pool: n0, device: gpu-0}]}}}
            ---
            apiVersion: resource.k8s.io/v1
            kind: ResourceClaim
            metadata: {name: c}
            spec:
              devices:
                requests:
                - {name: gpus, exactly: {deviceClassName: gpu, count: 2}}
                - {name: nics, exactly: {deviceClassName: nic, count: 2}}
                constraints: [{requests: [nics], matchAttribute: nic.example.com/model}]
                config:
                - opaque:
                    driver: dra4j.io
                    parameters:
                      apiVersion: dra4j.io/v1alpha1
                      kind: Placement
                      alignment: {within: HOST_BRIDGE, mode: Required}
            """);
    Cli run = Cli.wide("explain", file.toString());
    assertThat(run.code()).isEqualTo(1);
    assertThat(run.out())
        .contains(
            "what would help: not known: moves of running pods: none of 3 sets of pods is known to make"
                + " room: claims have preferences for the policy")
        .doesNotContain("time");
  }

  @Test
  void aReasonIsOneLineWhateverItsNames() {
    assertThat(lines(report(PartialResult.all(List.of())))).contains("    a\\u000anode n: fits");
  }

  @Test
  void aConstraintOnARequestThatIsNotThereIsTold() throws Exception {
    Path file =
        Files.writeString(
            directory.resolve("typo.yaml"),
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
              "typo.yaml:24:31: ResourceClaim \"default/c\": spec.devices.constraints[0].requests[0]:"
                  + " expected a request of the claim, found \"gpu\"; did you mean gpus?");
    }
    assertThat(Cli.run("allocate", "--all-nodes", file.toString()).err()).contains("found \"gpu\"");
  }
}
