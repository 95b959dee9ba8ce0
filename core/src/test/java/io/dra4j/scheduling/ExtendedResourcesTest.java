package io.dra4j.scheduling;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.model.Container;
import io.dra4j.model.DeviceClass;
import io.dra4j.model.DeviceRequest;
import io.dra4j.model.Pod;
import io.dra4j.model.PodSpec;
import io.dra4j.model.Quantity;
import io.dra4j.model.ResourceClaim;
import io.dra4j.model.ResourceRequirements;
import io.dra4j.scheduling.ExtendedResources.Mapping;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** The special claim of pods that ask for extended resources of device classes. */
class ExtendedResourcesTest {

  private static final String GPU = "nvidia.com/gpu";
  private static final DeviceClass CLASS =
      DeviceClass.named("gpu.nvidia.com", "true").toBuilder().extendedResourceName(GPU).build();

  private static Container container(String name, String resource, long count) {
    return container(name, resource, count, false);
  }

  private static Container container(String name, String resource, long count, boolean sidecar) {
    Map<String, Quantity> amounts =
        Map.of("cpu", Quantity.of(1), "zeta", Quantity.of(1), resource, Quantity.of(count));
    return new Container(name, new ResourceRequirements(Map.of(), amounts), List.of(), sidecar);
  }

  private static List<String> requests(ExtendedResources.SpecialClaim claim) {
    return claim.requests().stream().map(ExtendedResourcesTest::line).toList();
  }

  private static String line(DeviceRequest request) {
    var exactly = Objects.requireNonNull(request.exactly());
    return request.name() + " " + exactly.deviceClassName() + " " + exactly.count();
  }

  @Test
  void eachContainerHasARequest() {
    PodSpec spec =
        PodSpec.builder()
            .containers(
                List.of(
                    container("a", GPU, 4),
                    container("b", "deviceclass.resource.kubernetes.io/gpu.nvidia.com", 1),
                    container("c", "other.io/x", 1)))
            .build();
    ExtendedResources resources = new ExtendedResources(List.of(CLASS));
    assertThat(resources.isAskedBy(spec)).isTrue();
    assertThat(requests(resources.claimOf(spec)))
        .containsExactly(
            "container-0-request-1 gpu.nvidia.com 4", "container-1-request-1 gpu.nvidia.com 1");
    assertThat(resources.claimOf(spec).mappings())
        .contains(new Mapping("a", GPU, "container-0-request-1"));
  }

  @Test
  void initContainersUseTheDevicesOfThoseThatComeLater() {
    PodSpec spec =
        PodSpec.builder()
            .initContainers(
                List.of(
                    container("i", GPU, 3), container("j", GPU, 5), container("s", GPU, 1, true)))
            .containers(List.of(container("a", GPU, 2)))
            .build();
    ExtendedResources.SpecialClaim claim = new ExtendedResources(List.of(CLASS)).claimOf(spec);
    assertThat(requests(claim))
        .containsExactly(
            "container-1-request-1 gpu.nvidia.com 2",
            "container-2-request-1 gpu.nvidia.com 1",
            "container-3-request-1 gpu.nvidia.com 2");
    assertThat(claim.mappings())
        .containsExactly(
            new Mapping("s", GPU, "container-2-request-1"),
            new Mapping("a", GPU, "container-3-request-1"),
            new Mapping("i", GPU, "container-2-request-1"),
            new Mapping("i", GPU, "container-3-request-1"),
            new Mapping("j", GPU, "container-2-request-1"),
            new Mapping("j", GPU, "container-3-request-1"),
            new Mapping("j", GPU, "container-1-request-1"));
  }

  @Test
  void aPodHasOneSpecialClaim() {
    Pod pod =
        Pod.named("default", "p")
            .spec(PodSpec.builder().containers(List.of(container("a", GPU, 4))).build())
            .build();
    PodQueue queue = PodQueue.of(List.of(CLASS, pod));
    assertThat(queue.pods()).hasSize(1);
    ResourceClaim claim = queue.claims().values().iterator().next();
    assertThat(claim.displayName()).isEqualTo("default/p-extended-resources");
    assertThat(claim.metadata().annotations())
        .containsEntry("resource.kubernetes.io/extended-resource-claim", "true");
    assertThat(PodQueue.of(List.of(CLASS, pod, claim)).claims()).hasSize(1);
    assertThat(PodQueue.of(List.of(pod)).pods()).isEmpty();
  }
}
