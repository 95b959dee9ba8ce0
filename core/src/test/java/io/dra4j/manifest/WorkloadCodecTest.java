package io.dra4j.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.model.DaemonSet;
import io.dra4j.model.Deployment;
import io.dra4j.model.Job;
import io.dra4j.model.KubernetesObject;
import io.dra4j.model.Pod;
import io.dra4j.model.PodSpec;
import io.dra4j.model.ReplicaSet;
import io.dra4j.model.StatefulSet;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Pods and the objects that make them, written by the builders and read again. */
class WorkloadCodecTest {

  private static final Map<String, String> LABELS = Map.of("app", "train");

  private static final PodSpec TEMPLATE =
      PodSpec.builder()
          .nodeSelector("zone", "a")
          .resourceClaimTemplate("gpus", "four")
          .priority(3)
          .build();

  static Stream<KubernetesObject> workloads() {
    return Stream.of(
        Pod.named("ns", "p").spec(TEMPLATE).build(),
        StatefulSet.named("ns", "s")
            .replicas(2)
            .firstOrdinal(1)
            .templateLabels(LABELS)
            .template(TEMPLATE)
            .build(),
        Job.named("ns", "j")
            .parallelism(4)
            .completions(8)
            .templateLabels(LABELS)
            .template(TEMPLATE)
            .build(),
        Deployment.named("ns", "d")
            .replicas(2)
            .paused(true)
            .templateLabels(LABELS)
            .template(TEMPLATE)
            .build(),
        ReplicaSet.named("ns", "r").replicas(0).templateLabels(LABELS).template(TEMPLATE).build(),
        DaemonSet.named("ns", "d").templateLabels(LABELS).template(TEMPLATE).build());
  }

  @ParameterizedTest
  @MethodSource("workloads")
  void whatIsWrittenReadsBackEqual(KubernetesObject object) throws ManifestException {
    String text = ManifestWriter.toJson(List.of(Manifest.of(object)));
    assertThat(Reading.objects(text)).containsExactly(object);
  }
}
