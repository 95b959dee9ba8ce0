package io.dra4j.manifest;

import static java.nio.charset.StandardCharsets.UTF_16BE;
import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.primitives.Bytes;
import io.dra4j.model.ClusterSnapshot;
import io.dra4j.model.CompositePodGroup;
import io.dra4j.model.KubernetesObject;
import io.dra4j.model.ObjectMeta;
import io.dra4j.model.PodGroup;
import io.dra4j.model.PodResourceClaim;
import io.dra4j.model.Workload;
import io.dra4j.model.WorkloadReference;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** From files to objects: what is taken apart, what is skipped, and what is refused how. */
class ManifestReaderTest {

  private static final String NODE_A =
      "{\"apiVersion\": \"v1\", \"kind\": \"Node\", \"metadata\": {\"name\": \"a\"}}";
  private static final String NODE_B = NODE_A.replace("\"a\"", "\"b\"");

  private static List<String> names(String text) throws ManifestException {
    return Reading.objects(text).stream().map(object -> object.metadata().name()).toList();
  }

  static List<Path> conformanceCases() throws IOException {
    return Reading.conformanceCases();
  }

  @ParameterizedTest
  @MethodSource("conformanceCases")
  void everyConformanceCaseIsRead(Path file) throws ManifestException {
    ClusterSnapshot cluster = Manifests.readSnapshot(file);
    assertThat(cluster.nodes()).isNotEmpty();
    assertThat(cluster.resourceSlices()).isNotEmpty();
    assertThat(cluster.pendingClaims()).isNotEmpty();
  }

  @Test
  void theOlderVersionsReadTheSame() throws ManifestException {
    Path directory = Path.of("src/test/resources/conformance");
    ClusterSnapshot oldest = Manifests.readSnapshot(directory.resolve("api-v1beta1.yaml"));
    assertThat(oldest).isEqualTo(Manifests.readSnapshot(directory.resolve("api-v1beta2.yaml")));
  }

  @Test
  void documentsStreamsAndListsAreTakenApartInOrder() throws ManifestException {
    assertThat(names(NODE_A + "\n---\n# nothing\n---\n" + NODE_B)).containsExactly("a", "b");
    assertThat(names(NODE_A + NODE_B)).containsExactly("a", "b");
    assertThat(names("null " + NODE_A)).containsExactly("a");
    assertThat(
            names(
                "{\"apiVersion\":\"v1\",\"kind\":\"List\",\"items\":[%s,null,%s]}"
                    .formatted(NODE_A, NODE_B)))
        .containsExactly("a", "b");
    assertThat(names("")).isEmpty();
    assertThat(names("# nothing")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{apiVersion: v1, kind: NodeList, items: [%s]}",
        "{apiVersion: v1, items: [%s], kind: NodeList}",
        "{items: [%s], kind: NodeList, apiVersion: v1}",
        "{\"items\": [%s], \"kind\": \"NodeList\", \"apiVersion\": \"v1\"}",
        "{apiVersion: v1, kind: List, items: [{apiVersion: v1, kind: NodeList, items: [%s]}]}"
      })
  void itemsOfATypedListNeedNotSayWhatTheyAre(String list) throws ManifestException {
    String items = NODE_A + ", {\"metadata\": {\"name\": \"c\"}}, " + NODE_B;
    assertThat(names(list.formatted(items))).containsExactly("a", "c", "b");
  }

  @Test
  void anItemThatContradictsItsListIsRefused() {
    assertThat(Reading.problems("{apiVersion: v1, kind: NodeList, items: [{kind: Pod}]}"))
        .containsExactly("f.yaml:1:42: kind: expected Node as in the list, found Pod");
  }

  @Test
  void whatAnObjectIsMayBeSaidInAnyCaseAsInKubernetes() throws ManifestException {
    assertThat(names(NODE_A.replace("kind", "Kind"))).containsExactly("a");
    assertThat(names(NODE_A.replace("metadata", "Metadata"))).containsExactly("");
  }

  @Test
  void otherKindsAreSkippedAndCounted() throws ManifestException {
    String text =
        """
        {apiVersion: v1, kind: Secret, data: 5}
        ---
        {apiVersion: v1, kind: List, items: [{apiVersion: x/v1, kind: Node}, %s]}
        ---
        {apiVersion: example.com/v1, kind: Basket, items: [%s, 5]}
        ---
        {just: something}
        """
            .formatted(NODE_A, NODE_B);
    ManifestFile file =
        ManifestReader.builder()
            .build()
            .readFile("f", new ByteArrayInputStream(text.getBytes(UTF_8)));
    assertThat(file.manifests()).extracting(m -> m.object().metadata().name()).containsExactly("a");
    assertThat(file.skipped())
        .extracting(
            skipped -> skipped.origin() + ": " + skipped.apiVersion() + " " + skipped.kind())
        .containsExactly(
            "f:1:1: v1 Secret", "f:3:38: x/v1 Node", "f:5:1: example.com/v1 Basket", "f:7:1:  ");
  }

  @Test
  void skippedObjectsSayWhetherTheirPodsUseClaims() throws ManifestException {
    String text =
        """
        {apiVersion: apps.kruise.io/v1, kind: CloneSet, metadata: {name: a, namespace: ns}, spec: {template: {spec: {resourceClaims: [{name: c}]}}}}
        ---
        {apiVersion: apps.kruise.io/v1, kind: CloneSet, metadata: {name: b}, spec: {template: {spec: {resourceClaims: []}}}}
        ---
        {apiVersion: argoproj.io/v1, kind: Rollout, metadata: {name: c}, spec: {replicas: 0, template: {spec: {resourceClaims: [{name: c}]}}}}
        ---
        {apiVersion: batch.volcano.sh/v1alpha1, kind: VolcanoJob, spec: {replicatedJobs: [{template: {spec: {template: {spec: {resourceClaims: [{name: c}]}}}}}]}}
        """;
    assertThat(ManifestReader.builder().build().readFile("f", stream(text)).skipped())
        .extracting(skipped -> skipped.displayName() + " " + skipped.usesClaims())
        .containsExactly(
            "CloneSet \"ns/a\" true",
            "CloneSet \"b\" false",
            "Rollout \"c\" false",
            "VolcanoJob \"\" true");
  }

  @Test
  void anInspectorLooksAtWhatIsReadAndRefusesNothing() throws ManifestException {
    String text =
        """
        {apiVersion: v1, kind: List, items: [%s, {apiVersion: v1, kind: Pod}]}
        ---
        {apiVersion: example.com/v1, kind: Basket, items: [%s]}
        """
            .formatted(NODE_A, NODE_B);
    ManifestFile file =
        ManifestReader.builder()
            .inspector(
                (object, found) -> found.add("rule", "metadata", object.displayName(), List.of()))
            .build()
            .readFile("f", stream(text));
    assertThat(file.manifests()).hasSize(2);
    assertThat(file.findings())
        .extracting(finding -> finding.rule() + " " + finding.problem().message())
        .containsExactly("rule Node \"a\"", "rule Pod \"\"");
    assertThat(file.findings())
        .allSatisfy(finding -> assertThat(finding.problem().place().line()).isEqualTo(1));
    assertThat(ManifestReader.builder().build().readFile("f", stream(text)).findings()).isEmpty();
  }

  private static ByteArrayInputStream stream(String text) {
    return new ByteArrayInputStream(text.getBytes(UTF_8));
  }

  @ParameterizedTest
  @ValueSource(strings = {"v1beta1", "v1alpha3", "v1alpha2"})
  void podGroupsOfAllVersionsAreReadAndWrittenInTheirOwn(String version) throws ManifestException {
    String text =
        """
        apiVersion: scheduling.k8s.io/%s
        kind: PodGroup
        metadata: {name: g, namespace: ns}
        spec:
          schedulingPolicy: {gang: {minCount: 3}}
          schedulingConstraints: {topology: [{key: rack}]}
          resourceClaims: [{name: shared, resourceClaimTemplateName: t}]
          priority: 5
        status: {resourceClaimStatuses: [{name: shared, resourceClaimName: g-shared}]}
        """
            .formatted(version);
    Manifest manifest = Reading.manifests(text).get(0);
    assertThat(manifest.object())
        .isEqualTo(
            PodGroup.named("ns", "g")
                .minCount(3)
                .topologyKeys(List.of("rack"))
                .resourceClaims(List.of(new PodResourceClaim("shared", null, "t")))
                .resourceClaimNames(Map.of("shared", "g-shared"))
                .priority(5)
                .build());
    assertThat(ManifestWriter.toYaml(List.of(manifest)))
        .contains("apiVersion: scheduling.k8s.io/" + version, "priority: 5");
  }

  @ParameterizedTest
  @ValueSource(strings = {"v1beta1", "v1alpha3"})
  void groupsOfPodGroupsAreReadAndWrittenWithAllOfTheirFields(String version)
      throws ManifestException {
    String text =
        """
        apiVersion: scheduling.k8s.io/%s
        kind: CompositePodGroup
        metadata: {name: all, namespace: ns}
        spec:
          parentCompositePodGroupName: top
          workloadRef: {workloadName: w, templateName: t}
          schedulingPolicy: {gang: {minGroupCount: 2}}
          schedulingConstraints: {topology: [{key: rack}]}
          disruptionMode: {all: {}}
          priority: 5
        """
            .formatted(version);
    Manifest manifest = Reading.manifests(text).get(0);
    assertThat(manifest.object())
        .isEqualTo(
            CompositePodGroup.named("ns", "all")
                .priority(5)
                .minGroupCount(2)
                .topologyKeys(List.of("rack"))
                .parentName("top")
                .workloadRef(new WorkloadReference("w", "t"))
                .build());
    assertThat(ManifestWriter.toYaml(List.of(manifest)))
        .contains("apiVersion: scheduling.k8s.io/" + version, "priority: 5", "disruptionMode:");
  }

  @ParameterizedTest
  @ValueSource(strings = {"v1beta1", "v1alpha3", "v1alpha2"})
  void workloadsAreReadWithTheirTemplates(String version) throws ManifestException {
    String text =
        """
        apiVersion: scheduling.k8s.io/%s
        kind: Workload
        metadata: {name: w, namespace: ns}
        spec:
          compositePodGroupTemplates:
          - name: replicas
            schedulingPolicy: {gang: {minGroupCount: 2}}
            podGroupTemplates:
            - name: workers
              schedulingPolicy: {gang: {minCount: 3}}
              schedulingConstraints: {topology: [{key: rack}]}
              resourceClaims: [{name: shared, resourceClaimTemplateName: t}]
        """
            .formatted(version);
    Manifest manifest = Reading.manifests(text).get(0);
    Workload.PodGroupTemplate workers =
        new Workload.PodGroupTemplate(
            "workers", 3, List.of("rack"), List.of(new PodResourceClaim("shared", null, "t")));
    assertThat(manifest.object())
        .isEqualTo(
            new Workload(
                ObjectMeta.named("ns", "w"),
                List.of(),
                List.of(
                    new Workload.CompositeTemplate(
                        "replicas", 2, List.of(), List.of(workers), List.of()))));
    assertThat(((Workload) manifest.object()).allPodGroupTemplates()).containsExactly(workers);
    assertThat(Reading.manifests(ManifestWriter.toYaml(List.of(manifest))).get(0).object())
        .isEqualTo(manifest.object());
  }

  @Test
  void podGroupsOfOtherVersionsAreRefused() {
    assertThat(
            Reading.problems(
                "{apiVersion: scheduling.k8s.io/v2, kind: PodGroup, metadata: {name: g}}"))
        .singleElement()
        .asString()
        .contains("scheduling.k8s.io/v2 cannot be read; known are scheduling.k8s.io/v1beta1, ");
  }

  @Test
  void aVersionThatDraNeverHadIsRefused() {
    assertThat(
            Reading.problems(
                "{apiVersion: resource.k8s.io/v1alpha3, kind: ResourceClaim, metadata: {name: c}}"))
        .containsExactly(
            "f.yaml:1:1: ResourceClaim \"c\": apiVersion: resource.k8s.io/v1alpha3 cannot"
                + " be read; known are resource.k8s.io/v1, resource.k8s.io/v1beta2,"
                + " resource.k8s.io/v1beta1");
    assertThat(
            Reading.problems(
                "{apiVersion: resource.k8s.io/v1alpha3, kind: DeviceTaintRule, metadata: {}}"))
        .isEmpty();
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "5|f.yaml:1:1: expected an object with apiVersion and kind, found number 5",
        "[]|f.yaml:1:1: expected an object with apiVersion and kind, found a list",
        "just text|f.yaml:1:1: expected an object with apiVersion and kind, found text"
            + " \"just text\"",
        "{apiVersion: 5, kind: Node}|f.yaml:1:1: apiVersion: expected text, found number 5",
        "{apiVersion: v1, kind: []}|f.yaml:1:1: kind: expected text, found a list",
        "{apiVersion: v1, kind: List, items: {}}|f.yaml:1:1: List: items: expected a list,"
            + " found an object",
        "{apiVersion: v1, kind: List, items: [5]}|f.yaml:1:38: expected an object"
            + " with apiVersion and kind, found number 5",
        "{apiVersion: v1, items: [{}], kind: Node}|f.yaml:1:1: Node: items: not a field of"
            + " this kind",
        "a: b: c|f.yaml:1:5: mapping values are not allowed here",
        "{\"a\": [1}|f.yaml:1:9: Unexpected close marker '}': expected ']'",
        "{\"a\": 1|f.yaml:1:8: Unexpected end-of-input: expected close" + " marker for Object",
        "{\"a\": 1, \"a\": 2}|f.yaml:1:10: duplicate field \"a\"",
        "{a: 1, a: 2}|f.yaml:1:8: duplicate field \"a\"",
      })
  void whatIsNoObjectIsOneLine(String text, String problem) {
    assertThat(Reading.problems(text)).containsExactly(problem);
  }

  @Test
  void aWrongTypeNamesObjectPathAndWhatWasFound() {
    String text =
        """
        apiVersion: resource.k8s.io/v1
        kind: ResourceSlice
        metadata: {name: s, labels: {a: yes}, generation: 1.5, creationTimestamp: now}
        spec:
          driver: 7
          pool: {name: p, generation: one, resourceSliceCount: 99999999999999999999}
          allNodes: "true"
          nodeSelector: {nodeSelectorTerms: [{matchExpressions: {}}]}
          devices:
          - name: d
            attributes: {"x/y": {string: 5}, z: {ints: [1, "2"]}}
            capacity: {m: {value: 3 apples}}
          - 5
          taints: ignored
        """;
    String slice = "f.yaml:1:1: ResourceSlice \"s\": ";
    assertThat(Reading.problems(text))
        .containsExactlyInAnyOrder(
            slice
                + "metadata.labels[a]: expected text, found true; YAML reads y, yes, on and true as"
                + " this: quote the text",
            slice + "metadata.generation: expected an integer of 64 bits, found number 1.5",
            slice
                + "metadata.creationTimestamp: expected a time such as 2026-01-31T12:00:00Z, found"
                + " text \"now\"",
            slice + "spec.driver: expected text, found number 7",
            slice + "spec.pool.generation: expected an integer of 64 bits, found text \"one\"",
            slice
                + "spec.pool.resourceSliceCount: expected an integer of 64 bits, found a"
                + " number of more than 64 bits",
            slice + "spec.allNodes: expected true or false, found text \"true\"",
            slice
                + "spec.nodeSelector.nodeSelectorTerms[0].matchExpressions: expected a list, found"
                + " an object",
            slice + "spec.devices[0].attributes[x/y].string: expected text, found number 5",
            slice
                + "spec.devices[0].attributes[z].ints[1]: expected an integer of 64 bits, found"
                + " text \"2\"",
            slice
                + "spec.devices[0].capacity[m].value: expected a quantity such as 10Gi, found text"
                + " \"3 apples\"",
            slice + "spec.devices[1]: expected an object, found number 5");
  }

  @Test
  void manyProblemsAreCutShort() {
    String labels =
        IntStream.range(0, 50).mapToObj(i -> "k" + i + ": 1").collect(Collectors.joining(", "));
    String node = "{apiVersion: v1, kind: Node, metadata: {labels: {%s}}}\n".formatted(labels);
    assertThat(Reading.problems(node)).hasSize(21).last().isEqualTo("f.yaml: and 30 more problems");
    assertThat(Reading.problems((node + "---\n").repeat(100)))
        .hasSize(201)
        .last()
        .isEqualTo("f.yaml: and 4800 more problems");
  }

  @Test
  void textOfTheInputCannotSteerATerminal() {
    assertThat(
            Reading.problems(
                "{apiVersion: v1, kind: Node, metadata: {name: \"\\e[31m\\u202e\", labels: 5}}"))
        .containsExactly(
            "f.yaml:1:1: Node \"\\u001b[31m\\u202e\": metadata.labels: expected an object,"
                + " found number 5");
    String longName = "x".repeat(1_000);
    assertThat(
            Reading.problems(
                "{apiVersion: v1, kind: Node, metadata: {name: %s, labels: 5}}"
                    .formatted(longName)))
        .singleElement()
        .asString()
        .hasSizeLessThan(150);
  }

  static List<Charset> charsets() {
    return List.of(UTF_8, UTF_16LE, UTF_16BE);
  }

  @ParameterizedTest
  @MethodSource("charsets")
  void aByteOrderMarkSaysHowTheTextIsEncoded(Charset charset) throws ManifestException {
    for (String text : List.of(NODE_A, "\n  " + NODE_A, "apiVersion: v1\nkind: Node\n")) {
      byte[] bytes = ("\ufeff" + text).getBytes(charset);
      assertThat(ManifestReader.builder().build().read("f", new ByteArrayInputStream(bytes)))
          .hasSize(1);
    }
  }

  @Test
  void bytesThatAreNoTextAreRefused() {
    byte[] broken = {(byte) 0xC3, 0x28};
    for (String start : List.of("a: ", "{\"a\": \"")) {
      assertThat(
              Reading.problems(Bytes.concat(start.getBytes(UTF_8), broken), ManifestLimits.DEFAULT))
          .singleElement()
          .asString()
          .startsWith("f.yaml:1:")
          .contains("UTF-8");
    }
    assertThat(Reading.problems("a: \u0001")).singleElement().asString().contains("U+0001");
  }

  @Test
  void limitsHold() {
    ManifestLimits limits = new ManifestLimits(100, 5, 10);
    assertThat(Reading.problems("a: [[[[x]]]]", limits)).isEmpty();
    for (String tooDeep : List.of("a: [[[[[x]]]]]", "{\"a\": [[[[[1]]]]]}")) {
      assertThat(Reading.problems(tooDeep, limits))
          .singleElement()
          .asString()
          .endsWith("nested deeper than 5 levels");
    }
    assertThat(Reading.problems("#".repeat(100), limits)).isEmpty();
    assertThat(Reading.problems("#".repeat(101), limits))
        .containsExactly("f.yaml: is larger than the limit of 100 bytes");
    for (String objects : List.of("{}\n", "---\n{}\n")) {
      assertThat(Reading.problems(objects.repeat(1_000_001)))
          .singleElement()
          .asString()
          .contains("the objects of this file take too much memory for its size");
    }
    assertThatThrownBy(() -> new ManifestLimits(0, 1, 1))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new ManifestLimits(1, 501, 1))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"[", "{\"a\":", "{a: ", "- "})
  void deepNestingNeverOverflowsTheStack(String open) {
    assertThat(Reading.problems(open.repeat(100_000)))
        .singleElement()
        .asString()
        .startsWith("f.yaml:1:");
  }

  @Test
  void aBraceDoesNotMakeAFileJson() throws ManifestException {
    assertThat(names("{apiVersion: v1, kind: Node, metadata: {name: a}} # YAML"))
        .containsExactly("a");
    assertThat(names(NODE_A + "\n---\n" + NODE_B)).containsExactly("a", "b");
    assertThat(Reading.problems(NODE_A + "\n---\na: b: c\n"))
        .containsExactly("f.yaml:3:5: mapping values are not allowed here");
    assertThat(Reading.problems("{\"a\":\n {\"b\" 1}}"))
        .singleElement()
        .asString()
        .startsWith("f.yaml:2:");
  }

  @Test
  void filesThatAreTooLargeMissingOrDirectoriesAreOneLineEach(@TempDir Path directory)
      throws IOException {
    Path big = Files.writeString(directory.resolve("big.yaml"), "#".repeat(101));
    ManifestReader reader =
        ManifestReader.builder().limits(new ManifestLimits(100, 10, 10)).build();
    assertThatThrownBy(() -> reader.read(big))
        .hasMessage(big + ": is larger than the limit of 100 bytes");
    assertThatThrownBy(() -> reader.read(directory)).hasMessage(directory + ": is a directory");
    Path missing = directory.resolve("missing\u001b.yaml");
    Path good = Files.writeString(directory.resolve("good.yaml"), NODE_A);
    Path broken = Files.writeString(directory.resolve("broken.yaml"), "5");
    assertThatThrownBy(() -> Manifests.readSnapshot(good, missing, broken))
        .isInstanceOf(ManifestException.class)
        .hasMessage(
            missing.toString().replace("\u001b", "\\u001b")
                + ": no such file\n"
                + broken
                + ":1:1: expected an object with apiVersion and kind, found number 5");
  }

  @Test
  void theSameObjectTwiceIsRefusedWithBothPlaces(@TempDir Path directory) throws Exception {
    String claim = "apiVersion: resource.k8s.io/%s\nkind: ResourceClaim\nmetadata: {%s}\n";
    Path first = Files.writeString(directory.resolve("1"), claim.formatted("v1", "name: c"));
    Path second =
        Files.writeString(
            directory.resolve("2"),
            claim.formatted("v1", "name: c, namespace: other")
                + "---\n"
                + claim.formatted("v1beta1", "name: c, namespace: default"));
    assertThatThrownBy(() -> Manifests.readSnapshot(first, second))
        .hasMessage(
            "%s:5:1: ResourceClaim \"default/c\": the same object is also in %s:1:1"
                .formatted(second, first));
    Path nameless =
        Files.writeString(
            directory.resolve("3"),
            claim.formatted("v1", "generateName: c-")
                + "---\n"
                + claim.formatted("v1", "generateName: c-"));
    assertThat(Manifests.readSnapshot(nameless).resourceClaims()).hasSize(2);
  }

  @Test
  void equalTextsOfDifferentObjectsAreOneInstance() throws ManifestException {
    String node = "{apiVersion: v1, kind: Node, metadata: {labels: {zone: east}}}";
    List<KubernetesObject> nodes = Reading.objects(node + "\n---\n" + node);
    assertThat(nodes.get(0).metadata().labels().get("zone"))
        .isSameAs(nodes.get(1).metadata().labels().get("zone"));
  }

  @Test
  void sourcesAreKeptUnlessNobodyWantsThem() throws ManifestException {
    byte[] text = NODE_A.getBytes(UTF_8);
    ManifestReader reader = ManifestReader.builder().build();
    assertThat(reader.read("f", new ByteArrayInputStream(text)).get(0).source())
        .hasToString(NODE_A.replace(" ", ""));
    assertThat(
            ManifestReader.builder()
                .withoutSources()
                .build()
                .read("f", new ByteArrayInputStream(text))
                .get(0)
                .source())
        .isNull();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "Disk gone"})
  @SuppressWarnings("InputStreamSlowMultibyteRead")
  void aStreamThatCannotBeReadIsToldWithOrWithoutAReason(String reason) {
    InputStream broken =
        new InputStream() {
          @Override
          public int read() throws IOException {
            throw new IOException(reason);
          }
        };
    assertThatThrownBy(() -> ManifestReader.builder().build().read("f.yaml", broken))
        .isInstanceOf(ManifestException.class)
        .hasMessageContaining(reason.isEmpty() ? "cannot be read" : "disk gone");
  }
}
