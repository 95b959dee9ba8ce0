package io.dra4j.manifest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dra4j.model.AllocationMode;
import io.dra4j.model.ClusterSnapshot;
import io.dra4j.model.DeviceAttribute;
import io.dra4j.model.DeviceRequest;
import io.dra4j.model.ExactDeviceRequest;
import io.dra4j.model.KubernetesObject;
import io.dra4j.model.ResourceClaim;
import io.dra4j.model.ResourceSlice;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ManifestReaderTest {

  private static List<Manifest> read(String text) throws ManifestException {
    return read(text, ManifestLimits.DEFAULT);
  }

  private static List<Manifest> read(String text, ManifestLimits limits) throws ManifestException {
    return ManifestReader.create()
        .withLimits(limits)
        .read("f.yaml", new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
  }

  private static List<String> problems(String text) {
    return problems(text, ManifestLimits.DEFAULT);
  }

  private static List<String> problems(String text, ManifestLimits limits) {
    try {
      read(text, limits);
      return List.of();
    } catch (ManifestException e) {
      return e.problems().stream().map(Object::toString).toList();
    }
  }

  private static ResourceClaim claim(String text) throws ManifestException {
    return (ResourceClaim) read(text).get(0).object();
  }

  private static String modeAndCount(DeviceRequest request) {
    return exactly(request).allocationMode().value() + " " + exactly(request).count();
  }

  private static ExactDeviceRequest exactly(DeviceRequest request) {
    return Objects.requireNonNull(request.exactly());
  }

  static List<Path> conformanceCases() throws IOException {
    try (Stream<Path> files = Files.list(Path.of("src/test/resources/conformance"))) {
      return files.filter(file -> file.toString().endsWith(".yaml")).sorted().toList();
    }
  }

  @ParameterizedTest
  @MethodSource("conformanceCases")
  void everyConformanceCaseIsRead(Path file) throws ManifestException {
    ClusterSnapshot cluster = Manifests.readSnapshot(file);
    assertThat(cluster.nodes()).isNotEmpty();
    assertThat(cluster.resourceSlices()).isNotEmpty();
    assertThat(cluster.pendingClaims()).isNotEmpty();
  }

  @ParameterizedTest
  @MethodSource("conformanceCases")
  void whatIsWrittenReadsBackEqual(Path file) throws ManifestException {
    List<Manifest> manifests = ManifestReader.create().read(file);
    List<KubernetesObject> objects = manifests.stream().map(Manifest::object).toList();
    List<Manifest> bare = objects.stream().map(Manifest::of).toList();
    for (String text :
        List.of(
            ManifestWriter.toYaml(manifests),
            ManifestWriter.toJson(manifests),
            ManifestWriter.toYaml(bare),
            ManifestWriter.toJson(bare))) {
      assertThat(read(text).stream().map(Manifest::object)).isEqualTo(objects);
    }
  }

  @Test
  void theSameClaimReadsTheSameInEveryVersion() throws ManifestException {
    String requests =
        """
        {"name": "c"}, "spec": {"devices": {"requests": [{"name": "r", %s}]}}}""";
    String fields = "\"deviceClassName\": \"gpu\", \"count\": 2";
    String v1 =
        "{\"apiVersion\": \"resource.k8s.io/v1\", \"kind\": \"ResourceClaim\", \"metadata\": "
            + requests.formatted("\"exactly\": {" + fields + "}");
    String v1beta1 =
        v1.replace("/v1\"", "/v1beta1\"").replace("\"exactly\": {" + fields + "}", fields);
    assertThat(claim(v1beta1)).isEqualTo(claim(v1));
    assertThat(claim(v1.replace("/v1\"", "/v1beta2\""))).isEqualTo(claim(v1));
  }

  @Test
  void theOldestVersionWrapsDevicesAndHasPlainNodeFields() throws ManifestException {
    ResourceSlice slice =
        (ResourceSlice)
            read("""
                apiVersion: resource.k8s.io/v1beta1
                kind: ResourceSlice
                metadata: {name: s}
                spec:
                  driver: d
                  nodeName: ""
                  allNodes: false
                  pool: {name: p, generation: 1, resourceSliceCount: 1}
                  devices:
                  - name: a
                    basic: {attributes: {x: {int: 1}}}
                  - name: b
                """)
                .get(0)
                .object();
    assertThat(slice.nodeSelection().nodeName()).isNull();
    assertThat(slice.nodeSelection().allNodes()).isNull();
    assertThat(slice.devices()).extracting(device -> device.name()).containsExactly("a", "b");
    assertThat(slice.devices().get(0).attributes()).containsEntry("x", DeviceAttribute.of(1));
  }

  @Test
  void defaultsAreThoseOfTheApiServer() throws ManifestException {
    ResourceClaim claim =
        claim(
            """
            apiVersion: resource.k8s.io/v1
            kind: ResourceClaim
            metadata: {name: c}
            spec: {devices: {requests: [
              {name: a, exactly: {deviceClassName: x, tolerations: [{key: k}]}},
              {name: b, exactly: {deviceClassName: x, allocationMode: All}},
              {name: c, exactly: {deviceClassName: x, allocationMode: Odd}}]}}
            """);
    assertThat(claim.spec().requests())
        .extracting(ManifestReaderTest::modeAndCount)
        .containsExactly("ExactCount 1", "All 0", "Odd 0");
    assertThat(exactly(claim.spec().requests().get(0)).tolerations().get(0).operator())
        .hasToString("Equal");
    assertThat(AllocationMode.ALL).hasToString("All");
  }

  @Test
  void anAttributeWithoutValueAndOneWithSeveralAreBothRead() throws ManifestException {
    ResourceSlice slice =
        (ResourceSlice)
            read("""
                apiVersion: resource.k8s.io/v1
                kind: ResourceSlice
                metadata: {name: s}
                spec: {devices: [{name: d, attributes: {none: {}, two: {string: x, int: 1}}}]}
                """)
                .get(0)
                .object();
    assertThat(slice.devices().get(0).attributes())
        .containsEntry("none", new DeviceAttribute.NoValue())
        .containsEntry("two", DeviceAttribute.of(1));
  }

  @Test
  void listsAndSeveralDocumentsAndJsonStreamsAreTakenApart() throws ManifestException {
    String typed =
        """
        apiVersion: v1
        kind: NodeList
        items:
        - metadata: {name: a}
        - metadata: {name: b}
        ---
        # nothing
        ---
        apiVersion: v1
        kind: Node
        metadata: {name: c}
        """;
    assertThat(read(typed))
        .extracting(m -> m.object().metadata().name())
        .containsExactly("a", "b", "c");
    String stream =
        """
        {"items": [{"apiVersion": "v1", "kind": "Node", "metadata": {"name": "a"}},
          {"apiVersion": "v1", "kind": "Secret"}], "kind": "List", "apiVersion": "v1"}
        {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "b"}}
        """;
    assertThat(read(stream))
        .extracting(m -> m.object().metadata().name())
        .containsExactly("a", "b");
  }

  @Test
  void aliasesAndMergeKeysAreResolved() throws ManifestException {
    String text =
        """
        apiVersion: v1
        kind: Node
        metadata:
          name: node
          labels: &base {a: x, b: w}
          annotations: {<<: *base, b: z}
        """;
    assertThat(read(text).get(0).object().metadata().annotations())
        .containsEntry("a", "x")
        .containsEntry("b", "z");
  }

  @Test
  void anAliasBombIsRefused() {
    StringBuilder bomb = new StringBuilder("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
    for (int i = 1; i < 12; i++) {
      bomb.append("a%d: &a%d [".formatted(i, i))
          .append(("*a" + (i - 1) + ",").repeat(10))
          .append("]\n");
    }
    assertThat(problems(bomb.toString()))
        .singleElement()
        .asString()
        .startsWith("f.yaml: document 1: line ")
        .endsWith("aliases stand for more than 1000000 values");
    assertThat(problems("a: &a [*a]")).singleElement().asString().contains("around itself");
  }

  @Test
  void deepNestingIsRefusedAndNoStackOverflow() {
    assertThat(problems("[".repeat(100_000))).singleElement().asString().contains("nest");
    assertThat(problems("a: " + "[".repeat(5_000)))
        .singleElement()
        .asString()
        .contains("nested more");
    assertThat(problems("{\"a\":".repeat(5_000))).singleElement().asString().contains("f.yaml");
  }

  @Test
  void duplicateKeysAreRefused() {
    assertThat(problems("kind: Node\nkind: Pod\n"))
        .containsExactly("f.yaml: document 1: line 2, column 1: the key \"kind\" is there twice");
    assertThat(problems("{\"kind\": 1, \"kind\": 2}"))
        .singleElement()
        .asString()
        .contains("uplicate");
  }

  @Test
  void malformedTextIsOneLineWithItsPlace() {
    assertThat(problems("a: b: c"))
        .singleElement()
        .asString()
        .startsWith("f.yaml: document 1: line 1, column 5");
    assertThat(problems("a: [1, 2"))
        .singleElement()
        .asString()
        .startsWith("f.yaml: document 1: line ");
    assertThat(problems("just text"))
        .containsExactly(
            "f.yaml: document 1: expected an object with apiVersion and kind, found something else");
    assertThat(problems("{\"a\": ]}")).singleElement().asString().contains("line 1");
  }

  @Test
  void aWrongTypeNamesObjectAndPathAndWhatWasFound() {
    String text =
        """
        apiVersion: resource.k8s.io/v1
        kind: ResourceSlice
        metadata: {name: s}
        spec:
          driver: 7
          pool: {name: p, generation: one, resourceSliceCount: 1.5}
          devices:
          - name: d
            attributes: {"x/y": {string: 5}}
            capacity: {m: {value: 3 apples}}
        """;
    assertThat(problems(text))
        .containsExactlyInAnyOrder(
            "f.yaml: document 1: ResourceSlice s: spec.driver: expected text, found number 7",
            "f.yaml: document 1: ResourceSlice s: spec.pool.generation: expected an integer, found"
                + " text \"one\"",
            "f.yaml: document 1: ResourceSlice s: spec.pool.resourceSliceCount: expected an integer"
                + " of 64 bits, found number 1.5",
            "f.yaml: document 1: ResourceSlice s: spec.devices[0].attributes[x/y].string: expected"
                + " text, found number 5",
            "f.yaml: document 1: ResourceSlice s: spec.devices[0].capacity[m].value: expected a"
                + " quantity such as 4, 500m or 1Gi, found text \"3 apples\"");
  }

  @Test
  void manyProblemsAreCutShort() {
    String text =
        "apiVersion: v1\nkind: Node\nmetadata: {name: node, labels: {"
            + String.join(
                ", ", Stream.iterate(0, i -> i + 1).limit(50).map(i -> "k" + i + ": 1").toList())
            + "}}";
    assertThat(problems(text)).hasSize(21).last().asString().endsWith("and 30 more problems");
  }

  @Test
  void controlCharactersCannotReachATerminal() {
    assertThat(problems("apiVersion: v1\nkind: Node\nmetadata: {name: \"\\e[31m\", labels: 5}"))
        .singleElement()
        .asString()
        .contains("\\u001b[31m")
        .doesNotContain("\u001b");
  }

  @Test
  void aVersionThatIsNotKnownIsRefused() {
    assertThat(
            problems(
                "apiVersion: resource.k8s.io/v1alpha3\nkind: ResourceClaim\nmetadata: {name: c}"))
        .singleElement()
        .asString()
        .contains("resource.k8s.io/v1alpha3 cannot be read; known are");
  }

  @Test
  void filesThatAreTooLargeMissingOrDirectoriesAreProblems(@TempDir Path directory)
      throws IOException {
    Path file = Files.writeString(directory.resolve("big.yaml"), "#".repeat(100));
    ManifestReader reader = ManifestReader.create().withLimits(new ManifestLimits(99, 10, 10));
    assertThatThrownBy(() -> reader.read(file))
        .hasMessageContaining("larger than the limit of 99 bytes");
    assertThatThrownBy(() -> reader.read("in", new ByteArrayInputStream(new byte[100])))
        .hasMessageContaining("larger than the limit of 99 bytes");
    assertThatThrownBy(() -> reader.read(directory)).hasMessageContaining("is a directory");
    Path missing = directory.resolve("missing.yaml");
    Path good = Files.writeString(directory.resolve("good.yaml"), "kind: X");
    assertThatThrownBy(() -> Manifests.readSnapshot(good, missing))
        .isInstanceOf(ManifestException.class)
        .hasMessage(missing + ": no such file");
    assertThatThrownBy(
            () ->
                reader.read(
                    "in", new ByteArrayInputStream(new byte[] {(byte) 0xff, (byte) 0xfe, 65})))
        .hasMessageContaining("UTF-8");
  }

  @Test
  void theSameObjectTwiceIsRefusedWithBothPlaces() throws ManifestException {
    String twice =
        """
        apiVersion: resource.k8s.io/v1
        kind: ResourceClaim
        metadata: {name: c}
        ---
        apiVersion: resource.k8s.io/v1beta1
        kind: ResourceClaim
        metadata: {name: c, namespace: default}
        """;
    List<Manifest> manifests = read(twice);
    assertThatThrownBy(() -> Manifests.snapshotOf(manifests))
        .hasMessage(
            "f.yaml: document 2: ResourceClaim default/c: the same object is also in f.yaml:"
                + " document 1");
  }
}
