package io.dra4j.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.model.AllocationConfigSource;
import io.dra4j.model.AllocationResult;
import io.dra4j.model.DeviceAllocationConfiguration;
import io.dra4j.model.DeviceRequestAllocationResult;
import io.dra4j.model.NodeSelector;
import io.dra4j.model.OpaqueDeviceConfiguration;
import io.dra4j.model.Quantity;
import io.dra4j.model.ResourceClaim;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class ManifestWriterTest {

  private static final String CLAIM =
      """
      apiVersion: resource.k8s.io/v1beta1
      kind: ResourceClaim
      metadata:
        name: c
        finalizers: [keep.example/me]
      spec:
        futureField: {deep: [1, 2.50, "3"]}
        devices:
          requests:
          - name: r
            deviceClassName: gpu
            count: 2
            newInSomeVersion: yes
      """;

  private static Manifest read(String text) throws ManifestException {
    return ManifestReader.create()
        .read("f", new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)))
        .get(0);
  }

  private static AllocationResult allocation() {
    DeviceRequestAllocationResult result =
        new DeviceRequestAllocationResult(
            "r",
            "gpu",
            "pool",
            "d",
            null,
            List.of(),
            List.of(),
            List.of(),
            "share-1",
            Map.of("bw", Quantity.parse("1500m")),
            List.of());
    DeviceAllocationConfiguration config =
        new DeviceAllocationConfiguration(
            AllocationConfigSource.FROM_CLASS,
            List.of(),
            new OpaqueDeviceConfiguration("gpu", "{\"n\":1.0}"));
    return new AllocationResult(List.of(result), List.of(config), NodeSelector.ofNode("n"), null);
  }

  @Test
  void unknownFieldsSurviveAChange() throws ManifestException {
    Manifest claim = read(CLAIM);
    ResourceClaim allocated = ((ResourceClaim) claim.object()).withAllocation(allocation());
    Manifest written = read(ManifestWriter.toJson(List.of(claim.withObject(allocated))));
    assertThat(written.object()).isEqualTo(allocated);
    assertThat(JsonText.write(Objects.requireNonNull(written.source())))
        .contains("\"finalizers\":[\"keep.example/me\"]")
        .contains("\"futureField\":{\"deep\":[1,2.5,\"3\"]}")
        .contains("\"apiVersion\":\"resource.k8s.io/v1\"");
  }

  @Test
  void whatWasTakenAwayIsGone() throws ManifestException {
    Manifest claim =
        read(
            """
            apiVersion: resource.k8s.io/v1
            kind: ResourceClaim
            metadata: {name: c, labels: {a: b}}
            spec: {devices: {requests: []}}
            status: {allocation: {devices: {}}}
            """);
    ResourceClaim before = (ResourceClaim) claim.object();
    ResourceClaim after =
        new ResourceClaim(
            before.metadata(), before.spec(), io.dra4j.model.ResourceClaimStatus.EMPTY);
    assertThat(ManifestWriter.toJson(List.of(claim.withObject(after))))
        .doesNotContain("status")
        .contains("\"a\" : \"b\"");
  }

  @Test
  void anAllocationIsWrittenAsKubernetesWritesIt() {
    assertThat(JsonText.write(ManifestWriter.encode(allocation())))
        .isEqualTo(
            "{\"devices\":{\"results\":[{\"request\":\"r\",\"driver\":\"gpu\",\"pool\":\"pool\","
                + "\"device\":\"d\",\"shareID\":\"share-1\",\"consumedCapacity\":{\"bw\":\"1500m\"}}],"
                + "\"config\":[{\"source\":\"FromClass\",\"opaque\":{\"driver\":\"gpu\","
                + "\"parameters\":{\"n\":1.0}}}]},\"nodeSelector\":{\"nodeSelectorTerms\":[{"
                + "\"matchFields\":[{\"key\":\"metadata.name\",\"operator\":\"In\","
                + "\"values\":[\"n\"]}]}]}}");
    assertThat(
            JsonText.write(
                ManifestWriter.encode(new AllocationResult(List.of(), List.of(), null, null))))
        .isEqualTo("{\"devices\":{}}");
  }

  @Test
  void textThatLooksLikeSomethingElseStaysText() throws ManifestException {
    Manifest claim =
        read(
            "apiVersion: v1\nkind: Node\nmetadata: {name: '017', labels: {a: 'yes', b: '1e3', c: '~',"
                + " d: 'n', e: '0x1f', f: '12:30', g: '', h: '2026-01-01', i: '1_0', j: '.5', k: 'on'}}");
    assertThat(read(ManifestWriter.toYaml(List.of(Manifest.of(claim.object())))).object())
        .isEqualTo(claim.object());
  }
}
