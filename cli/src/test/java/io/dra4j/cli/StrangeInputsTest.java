package io.dra4j.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Inputs that users type and paste by mistake: exit code 2, and a line with the place. */
class StrangeInputsTest {

  private static final String PLACE = "dra4j: standard input:\\d+:\\d+: ";

  @TempDir Path directory;

  /**
   * A strange input.
   *
   * @param line a pattern that the first line on standard error matches
   */
  record Strange(String input, String line, List<String> args) {
    Strange(String input, String line, String... args) {
      this(input, line, List.of(args));
    }

    @Override
    public String toString() {
      return String.join(" ", args) + " <<< " + input.strip();
    }
  }

  private static Strange manifest(String input, String line) {
    return new Strange(input, line, "allocate", "--strict", "-");
  }

  /** Each field of a slice with values of other types. */
  static List<Strange> wrongTypes() {
    String slice =
        "{apiVersion: resource.k8s.io/v1, kind: ResourceSlice, metadata: {name: s}, spec: {%s}}";
    String device = slice.formatted("devices: [{name: d, %s}]");
    List<Strange> all = new ArrayList<>();
    for (String value : List.of("[1]", "{a: b}", "5", "yes")) {
      all.add(
          manifest(
              slice.formatted("driver: " + value), PLACE + ".*spec.driver: expected text, .*"));
      all.add(
          manifest(
              slice.formatted("nodeName: " + value), PLACE + ".*spec.nodeName: expected text.*"));
      all.add(
          manifest(
              device.formatted("nodeName: " + value),
              PLACE + ".*spec.devices\\[0\\].nodeName: expected text.*"));
      all.add(
          manifest(
              device.formatted("attributes: {a: {string: " + value + "}}"),
              PLACE + ".*spec.devices\\[0\\].attributes\\[a\\].string: expected text.*"));
    }
    for (String value : List.of("[1]", "{a: b}", "1.5", "many", "99999999999999999999")) {
      all.add(
          manifest(
              slice.formatted("pool: {name: p, generation: " + value + "}"),
              PLACE + ".*spec.pool.generation: expected an integer of 64 bits.*"));
      all.add(
          manifest(
              device.formatted("attributes: {a: {int: " + value + "}}"),
              PLACE + ".*attributes\\[a\\].int: expected an integer.*"));
    }
    for (String value : List.of("[1]", "{a: b}", "5", "ture")) {
      all.add(
          manifest(
              device.formatted("attributes: {a: {bool: " + value + "}}"),
              PLACE + ".*attributes\\[a\\].bool: expected true or false.*"));
      all.add(
          manifest(
              slice.formatted("allNodes: " + value), PLACE + ".*spec.allNodes: expected true.*"));
      all.add(
          manifest(
              slice.formatted("perDeviceNodeSelection: " + value),
              PLACE + ".*spec.perDeviceNodeSelection: expected true or false.*"));
    }
    for (String value : List.of("[1]", "{a: b}", "10 apples", "1GB", "\"\"", "1e")) {
      all.add(
          manifest(
              device.formatted("capacity: {m: {value: " + value + "}}"),
              PLACE + ".*capacity\\[m\\].value: expected a quantity such as 10Gi.*"));
    }
    for (String value : List.of("5", "text", "{a: b}", "yes")) {
      all.add(
          manifest(
              slice.formatted("devices: " + value), PLACE + ".*spec.devices: expected a list.*"));
      all.add(
          manifest(
              slice.formatted("sharedCounters: " + value),
              PLACE + ".*spec.sharedCounters: expected a list.*"));
    }
    for (String value : List.of("5", "text", "[a]", "yes")) {
      all.add(
          manifest(slice.formatted("pool: " + value), PLACE + ".*spec.pool: expected an object.*"));
      all.add(
          manifest(
              slice.formatted("devices: [" + value + "]"),
              PLACE + ".*spec.devices\\[0\\]: expected an object.*"));
    }
    return all;
  }

  /** Names with one letter too many, too few, or of another version. */
  static List<Strange> unknownFields() {
    String claim =
        "{apiVersion: resource.k8s.io/v1, kind: ResourceClaim, metadata: {name: c}, spec: {%s}}";
    String request = claim.formatted("devices: {requests: [{name: r, %s}]}");
    List<Strange> all = new ArrayList<>();
    for (String name : List.of("device", "Devices", "devcies", "devicess")) {
      all.add(
          manifest(
              claim.formatted(name + ": {}"),
              PLACE + ".*spec." + name + ": unknown field; did you mean devices"));
    }
    for (String name : List.of("request", "Requests", "reqeusts", "constraint", "configs")) {
      all.add(
          manifest(
              claim.formatted("devices: {" + name + ": []}"),
              PLACE + ".*spec.devices." + name + ": unknown field; did you mean .*"));
    }
    for (String name : List.of("exact", "firstAvailabel", "exactlyy")) {
      all.add(
          manifest(
              request.formatted(name + ": {}"),
              PLACE + ".*requests\\[0\\]." + name + ": unknown field; did you mean .*"));
    }
    for (String name :
        List.of("deviceClass", "counts", "selector", "toleration", "allocationmode")) {
      all.add(
          manifest(
              request.formatted("exactly: {" + name + ": x}"),
              PLACE + ".*requests\\[0\\].exactly." + name + ": unknown field; did you mean .*"));
      all.add(
          manifest(
              request.formatted(name + "X: x"),
              PLACE + ".*requests\\[0\\]." + name + "X: unknown field.*"));
    }
    all.add(
        manifest(
            request.formatted("deviceClassName: x"), PLACE + ".*deviceClassName: unknown field.*"));
    return all;
  }

  /** Objects of another kind than they state. */
  static List<Strange> mistakenTypes() {
    List<Strange> all = new ArrayList<>();
    for (String kind :
        List.of(
            "ResourceClaims",
            "resourceclaim",
            "ResouceClaim",
            "ResourceSlices",
            "DeviceClas",
            "Gpu")) {
      for (String version : List.of("v1", "v1beta2")) {
        all.add(
            manifest(
                "{apiVersion: resource.k8s.io/" + version + ", kind: " + kind + "}",
                "dra4j: standard input:1:1: skipped: kind " + kind + " of .* is not known.*"));
      }
    }
    for (String version : List.of("resources.k8s.io/v1", "resource.k8.io/v1", "v1", "v2")) {
      all.add(
          manifest(
              "{apiVersion: " + version + ", kind: ResourceSlice}",
              "dra4j: standard input:1:1: skipped: ResourceSlice of apiVersion .* is not"
                  + " known; known are resource.k8s.io/v1, .*"));
    }
    for (String version : List.of("v1alpha2", "v2", "beta", "v1beta3")) {
      all.add(
          manifest(
              "{apiVersion: resource.k8s.io/"
                  + version
                  + ", kind: ResourceSlice, metadata: {name: s}}",
              PLACE
                  + ".*apiVersion: resource.k8s.io/"
                  + version
                  + " cannot be read; known are .*"));
    }
    for (String object : List.of("5", "[]", "text", "yes", "1.5", "[{}]")) {
      all.add(manifest(object, PLACE + "expected an object with apiVersion and kind, found .*"));
    }
    return all;
  }

  /** Texts that are not YAML or JSON. */
  static List<Strange> brokenTexts() {
    List<Strange> all = new ArrayList<>();
    for (String text :
        List.of(
            "a: b: c",
            "a: [",
            "a: {",
            "a: ]",
            "a: }",
            "{\"a\": 1",
            "{\"a\" 1}",
            "{\"a\": 1,, }",
            "a: 'x",
            "a: \"x",
            "a: *x",
            "x: &x [*x]",
            "a: 1\na: 2",
            "{\"a\": 1, \"a\": 2}",
            "a:\n\t- b",
            "- a\nb: c",
            "%YAML 1.2\n---\na: b",
            "--- a: b",
            "? [a]\n: b",
            "a: @b",
            "a: `b",
            "\u0001",
            "a: \"\\q\"",
            "{a: b}}",
            "[1, 2",
            "a: |x\n b",
            "<<: 5",
            "a: !!int x")) {
      all.add(manifest(text, PLACE + ".*"));
    }
    return all;
  }

  /** Requests for fewer devices than one. */
  static List<Strange> counts() {
    List<Strange> all = new ArrayList<>();
    for (String count : List.of("-1", "-2", "-100", "-9223372036854775808")) {
      String line =
          PLACE
              + "ResourceClaim \"c\": .*\\.count: expected at least 1, found "
              + count
              + " [(]the API server refuses this[)]";
      String header =
          "kind: ResourceClaim, metadata: {name: c}, spec: {devices: {requests: [{name: r, ";
      all.add(
          manifest(
              "{apiVersion: resource.k8s.io/v1, "
                  + header
                  + "exactly: {deviceClassName: x, count: "
                  + count
                  + "}}]}}}",
              line));
      all.add(
          manifest(
              "{apiVersion: resource.k8s.io/v1beta1, "
                  + header
                  + "deviceClassName: x, count: "
                  + count
                  + "}]}}}",
              line));
      all.add(
          manifest(
              "{apiVersion: resource.k8s.io/v1beta2, "
                  + header
                  + "firstAvailable: [{name: a, deviceClassName: x, count: "
                  + count
                  + "}]}]}}}",
              line));
    }
    return all;
  }

  /** Command lines. */
  static List<Strange> usage() {
    List<Strange> all = new ArrayList<>();
    for (String command : List.of("alocate", "Topology", "--nope", "-x", "explian", "")) {
      all.add(new Strange("", "dra4j: Un.*", command));
    }
    for (String command : List.of("allocate", "topology", "discover", "rdma")) {
      all.add(new Strange("", "dra4j: .*--output.*", command, "-", "-o", "xml"));
      all.add(new Strange("", "dra4j: .*'--bogus'.*", command, "-", "--bogus"));
      all.add(new Strange("", "dra4j: .*--output.*", command, "-o"));
    }
    for (String command : List.of("topology", "discover", "rdma")) {
      all.add(
          new Strange("", "dra4j: --root: /nowhere does not exist", command, "--root", "/nowhere"));
      all.add(
          new Strange(
              "", "dra4j: --root: /dev/null is not a directory", command, "--root", "/dev/null"));
      all.add(new Strange("", "dra4j: .*--root.*", command, "--root"));
      all.add(new Strange("", "dra4j: .*--root.*is not a file name.*", command, "--root", "a\0b"));
    }
    for (String time : List.of("1", "s", "1x", "-1s", "1s1", "")) {
      all.add(
          new Strange(
              "", "dra4j: .*--timeout.*not a duration.*", "allocate", "-", "--timeout", time));
    }
    for (String size : List.of("1MiX", "-1", "many", "0", "1.5Gi")) {
      all.add(
          new Strange(
              "",
              "dra4j: .*--max-file-size.*not a size.*",
              "allocate",
              "-",
              "--max-file-size",
              size));
    }
    for (String file : List.of("/nowhere.yaml", "/", "/dev/null/x")) {
      all.add(new Strange("", "dra4j: " + file + ": .*", "allocate", file));
      all.add(new Strange("", "dra4j: " + file + ": .*", "topology", "--slices", file));
      all.add(
          new Strange("", "dra4j: " + file + ": .*", "topology", "--no-host", "--nccl-xml", file));
      all.add(
          new Strange("", "dra4j: " + file + ": .*", "topology", "--no-host", "--hwloc-xml", file));
      all.add(new Strange("", "dra4j: " + file + ": .*", "topology", "--nvidia-smi", file));
    }
    return all;
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource({"wrongTypes", "unknownFields", "mistakenTypes", "brokenTexts", "counts", "usage"})
  void oneLineSaysWhatIsWrongAndWhere(Strange strange) {
    Cli cli = Cli.runWith(strange.input, strange.args.toArray(String[]::new));

    assertThat(cli.code()).as(cli.err() + cli.out()).isEqualTo(2);
    assertThat(cli.out()).isEmpty();
    assertThat(cli.errLines().get(0)).matches(strange.line);
    assertThat(cli.err()).doesNotContain("internal error", "Exception", "java.", "picocli");
  }

  static List<Strange> overlays() {
    List<Strange> all = new ArrayList<>();
    for (String option : List.of("--nccl-xml", "--hwloc-xml", "--nvidia-smi")) {
      for (String text :
          List.of(
              "",
              "junk",
              "<a/>",
              "<system",
              "<topology><",
              "<system></topology>",
              "{}",
              "\u0000",
              "&x;")) {
        all.add(new Strange(text, "dra4j: .*strange:\\d+(:\\d+)?: .*", "topology", option));
      }
    }
    return all;
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("overlays")
  void whatIsNoTopologyFileIsNamed(Strange strange) throws IOException {
    Path file = Files.writeString(directory.resolve("strange"), strange.input);

    Cli cli = Cli.run(strange.args.get(0), strange.args.get(1), file.toString());

    assertThat(cli.code()).as(cli.err()).isEqualTo(2);
    assertThat(cli.out()).isEmpty();
    assertThat(cli.errLines()).singleElement().asString().matches(strange.line);
  }
}
