package io.dra4j.manifest;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.dra4j.model.AllocationConfigSource;
import io.dra4j.model.AllocationResult;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceAllocationConfiguration;
import io.dra4j.model.DeviceClass;
import io.dra4j.model.DeviceClassConfiguration;
import io.dra4j.model.DeviceId;
import io.dra4j.model.DeviceRequestAllocationResult;
import io.dra4j.model.KubernetesObject;
import io.dra4j.model.Node;
import io.dra4j.model.NodeSelector;
import io.dra4j.model.ObjectMeta;
import io.dra4j.model.OpaqueDeviceConfiguration;
import io.dra4j.model.Quantity;
import io.dra4j.model.ResourceClaim;
import io.dra4j.model.ResourceClaimStatus;
import io.dra4j.model.ResourceSlice;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What is written is version v1, reads back equal, and keeps what nobody changed. */
class ManifestWriterTest {

  static List<Path> conformanceCases() throws IOException {
    return Reading.conformanceCases();
  }

  private static AllocationResult allocation() {
    DeviceRequestAllocationResult result =
        DeviceRequestAllocationResult.of("r", new DeviceId("gpu", "pool", "d"))
            .shareId("share-1")
            .consumedCapacity(Map.of("bw", Quantity.parse("1500m")))
            .build();
    DeviceAllocationConfiguration config =
        new DeviceAllocationConfiguration(
            AllocationConfigSource.FROM_CLASS,
            List.of(),
            new OpaqueDeviceConfiguration("gpu", "{\"n\":1.0}"));
    return AllocationResult.builder()
        .result(result)
        .config(List.of(config))
        .nodeSelector(NodeSelector.ofNode("node-1"))
        .build();
  }

  private static String yaml(Manifest manifest) {
    return ManifestWriter.toYaml(List.of(manifest));
  }

  private static Manifest only(String text) throws ManifestException {
    return Reading.manifests(text).get(0);
  }

  @ParameterizedTest
  @MethodSource("conformanceCases")
  void whatIsWrittenReadsBackEqual(Path file) throws ManifestException {
    List<Manifest> manifests = ManifestReader.builder().build().read(file);
    List<KubernetesObject> objects = manifests.stream().map(Manifest::object).toList();
    List<Manifest> bare = objects.stream().map(Manifest::of).toList();
    for (String text :
        List.of(
            ManifestWriter.toYaml(manifests),
            ManifestWriter.toJson(manifests),
            ManifestWriter.toYaml(bare),
            ManifestWriter.toJson(bare))) {
      assertThat(Reading.objects(text)).isEqualTo(objects);
    }
  }

  @Test
  void whatNobodyChangedIsWrittenAsItWasRead() throws ManifestException {
    String items =
        """
        apiVersion: v1
        kind: List
        items:
        - apiVersion: resource.k8s.io/v1
          kind: ResourceSlice
          metadata:
            name: s
            creationTimestamp: null
            resourceVersion: "1234"
          spec:
            futureField:
              deep:
              - 1
              - "3"
              - yes please
            pool:
              resourceSliceCount: 1
              name: p
            driver: d
            devices:
            - capacity:
                memory:
                  value: 1024Mi
              name: a
              bindsToNode: false
              taints: []
            - name: b
              note: |
                two
                lines
            - null
        """;
    assertThat(yaml(only(items))).isEqualTo(items);
  }

  @Test
  void aChangeLeavesUnknownFieldsAndOtherElementsAlone() throws ManifestException {
    Manifest slice =
        only(
            """
            apiVersion: resource.k8s.io/v1
            kind: ResourceSlice
            metadata: {name: s, resourceVersion: "7", labels: {a: b, c: d}}
            spec:
              driver: d
              pool: {name: p, generation: 1, resourceSliceCount: 1}
              nodeName: node-1
              devices:
              - {name: a, unknown: 1, attributes: {x: {int: 1, unknown: 2}}}
              - {name: b, unknown: 3, capacity: {c: {value: 1000m}}}
              - {name: c, unknown: 4}
            """);
    ResourceSlice old = (ResourceSlice) slice.object();
    List<Device> devices = new ArrayList<>(old.devices());
    devices.set(0, Device.named("a").attribute("x", 5).build());
    devices.remove(2);
    devices.add(0, Device.named("new").build());
    ResourceSlice changed =
        old.toBuilder()
            .metadata(ObjectMeta.named("s").toBuilder().label("c", "e").build())
            .perDeviceNodeSelection(true)
            .devices(devices)
            .sharedCounters(List.of())
            .partitionTypeAttribute(null)
            .skipNodeOperations(List.of())
            .build();
    String text = yaml(slice.withObject(changed));
    assertThat(text)
        .isEqualTo(
            """
            apiVersion: v1
            kind: List
            items:
            - apiVersion: resource.k8s.io/v1
              kind: ResourceSlice
              metadata:
                name: s
                resourceVersion: "7"
                labels:
                  c: e
              spec:
                driver: d
                pool:
                  name: p
                  generation: 1
                  resourceSliceCount: 1
                nodeName: node-1
                devices:
                - name: new
                - name: a
                  unknown: 1
                  attributes:
                    x:
                      int: 5
                      unknown: 2
                - name: b
                  unknown: 3
                  capacity:
                    c:
                      value: 1000m
                perDeviceNodeSelection: true
            """);
    assertThat(Reading.objects(text)).containsExactly(changed);
  }

  @Test
  void theOldestVersionIsWrittenAsV1WithItsUnknownFields() throws ManifestException {
    String text =
        yaml(
            only(
                """
                apiVersion: resource.k8s.io/v1beta1
                kind: ResourceClaim
                metadata: {name: c, finalizers: [keep.example/me]}
                spec:
                  devices:
                    requests:
                    - {name: r, unknown: 1, deviceClassName: gpu, count: 2}
                """));
    assertThat(text)
        .isEqualTo(
            """
            apiVersion: v1
            kind: List
            items:
            - apiVersion: resource.k8s.io/v1
              kind: ResourceClaim
              metadata:
                name: c
                finalizers:
                - keep.example/me
              spec:
                devices:
                  requests:
                  - name: r
                    unknown: 1
                    exactly:
                      deviceClassName: gpu
                      count: 2
            """);
  }

  @Test
  void whatAnObjectIsStandsThereOnce() throws ManifestException {
    String text =
        yaml(
            only(
                """
                Kind: ResourceClaim
                apiVERSION: resource.k8s.io/v1
                apiVersion: v1
                kind: Node
                metadata: {name: gpu-1}
                """));
    assertThat(text)
        .isEqualTo(
            """
            apiVersion: v1
            kind: List
            items:
            - apiVersion: v1
              kind: Node
              metadata:
                name: gpu-1
            """);
  }

  @Test
  void anAllocationComesAndGoes() throws ManifestException {
    Manifest pending =
        only(
            "{apiVersion: resource.k8s.io/v1, kind: ResourceClaim, metadata: {name: c},"
                + " spec: {devices: {}}, status: {}}");
    ResourceClaim claim = (ResourceClaim) pending.object();
    assertThat(yaml(pending)).doesNotContain("status");
    Manifest allocated = pending.withObject(claim.withAllocation(allocation()));
    assertThat(yaml(allocated)).contains("device: d");
    Manifest again = only(ManifestWriter.toJson(List.of(allocated)));
    assertThat(again.object()).isEqualTo(allocated.object());
    ResourceClaim freed =
        new ResourceClaim(claim.metadata(), claim.spec(), ResourceClaimStatus.EMPTY);
    assertThat(yaml(again.withObject(freed))).doesNotContain("status");
  }

  @Test
  void anAllocationIsWrittenAsKubernetesWritesIt() {
    assertThat(ManifestWriter.encode(allocation()).toString())
        .isEqualTo(
            "{\"devices\":{\"results\":[{\"request\":\"r\",\"driver\":\"gpu\",\"pool\":\"pool\","
                + "\"device\":\"d\",\"shareID\":\"share-1\",\"consumedCapacity\":{\"bw\":\"1500m\"}}],"
                + "\"config\":[{\"source\":\"FromClass\",\"opaque\":{\"driver\":\"gpu\","
                + "\"parameters\":{\"n\":1.0}}}]},\"nodeSelector\":{\"nodeSelectorTerms\":[{"
                + "\"matchFields\":[{\"key\":\"metadata.name\",\"operator\":\"In\","
                + "\"values\":[\"node-1\"]}]}]}}");
    AllocationResult nothing = AllocationResult.builder().build();
    assertThat(ManifestWriter.encode(nothing).toString()).isEqualTo("{\"devices\":{}}");
  }

  @Test
  void anObjectWithoutSourceIsWrittenWhole() {
    assertThat(ManifestWriter.encode(Node.named("a")).toString())
        .isEqualTo("{\"apiVersion\":\"v1\",\"kind\":\"Node\",\"metadata\":{\"name\":\"a\"}}");
    assertThat(ManifestWriter.toJson(List.of(Manifest.of(Node.named("a")))))
        .isEqualTo(
            """
            {
              "apiVersion": "v1",
              "kind": "List",
              "items": [
                {
                  "apiVersion": "v1",
                  "kind": "Node",
                  "metadata": {
                    "name": "a"
                  }
                }
              ]
            }
            """);
    assertThat(ManifestWriter.toJson(List.of())).contains("\"items\": []");
  }

  @Test
  void parametersMustBeJson() {
    var config = new DeviceClassConfiguration(new OpaqueDeviceConfiguration("d", "{not json"));
    var broken = DeviceClass.named("c").toBuilder().config(config).build();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> yaml(Manifest.of(broken)))
        .withMessageContaining("{not json");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Manifest.of(broken).withObject(Node.named("a")));
  }

  @Test
  void numbersKeepTheirSpellingInJson() throws Exception {
    String text =
        "{\"apiVersion\":\"v1\",\"kind\":\"Node\",\"metadata\":{\"name\":\"a\"},"
            + "\"unknown\":[1.0,1e3,-0,123456789012345678901234567890,1e99999999999]}";
    List<Manifest> manifests =
        ManifestReader.builder().build().read("f", new ByteArrayInputStream(text.getBytes(UTF_8)));
    assertThat(ManifestWriter.toJson(manifests).replaceAll("\\s", "")).contains(text);
    assertThat(String.valueOf(manifests.get(0).source()))
        .contains("[1.0,1E+3,0,123456789012345678901234567890,1e99999999999]");
  }

  @Test
  void everyExampleFieldSurvivesTwoVersions() throws ManifestException, IOException {
    Path everything = Path.of("src/test/resources/manifest/everything.yaml");
    List<Manifest> manifests = ManifestReader.builder().build().read(everything);
    List<KubernetesObject> objects = manifests.stream().map(Manifest::object).toList();
    assertThat(Reading.objects(ManifestWriter.toYaml(objects.stream().map(Manifest::of).toList())))
        .isEqualTo(objects);
    String inV1Beta2 = Files.readString(everything).replace("k8s.io/v1\n", "k8s.io/v1beta2\n");
    assertThat(Reading.objects(inV1Beta2)).isEqualTo(objects);
  }
}
