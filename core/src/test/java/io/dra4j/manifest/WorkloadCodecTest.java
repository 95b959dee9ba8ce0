package io.dra4j.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.model.CompositePodGroup;
import io.dra4j.model.Condition;
import io.dra4j.model.Container;
import io.dra4j.model.ContainerPort;
import io.dra4j.model.DaemonSet;
import io.dra4j.model.Deployment;
import io.dra4j.model.Job;
import io.dra4j.model.JobSet;
import io.dra4j.model.KubernetesObject;
import io.dra4j.model.LabelSelector;
import io.dra4j.model.LeaderWorkerSet;
import io.dra4j.model.MPIJob;
import io.dra4j.model.Node;
import io.dra4j.model.NodeAllocatableClaimStatus;
import io.dra4j.model.NodeAllocatableResource;
import io.dra4j.model.NodeSelectorOperator;
import io.dra4j.model.NodeSelectorRequirement;
import io.dra4j.model.ObjectMeta;
import io.dra4j.model.Pod;
import io.dra4j.model.PodAffinityTerm;
import io.dra4j.model.PodGroup;
import io.dra4j.model.PodResourceClaim;
import io.dra4j.model.PodResourceStatus;
import io.dra4j.model.PodResourceStatus.ContainerResources;
import io.dra4j.model.PodSpec;
import io.dra4j.model.PodTemplate;
import io.dra4j.model.Quantity;
import io.dra4j.model.ReplicaSet;
import io.dra4j.model.ResourceQuota;
import io.dra4j.model.ResourceRequirements;
import io.dra4j.model.ResourceRequirements.ClaimReference;
import io.dra4j.model.StatefulSet;
import io.dra4j.model.TopologySpreadConstraint;
import io.dra4j.model.Workload;
import io.dra4j.model.WorkloadReference;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Pods and the objects that make them, written by the builders and read again. */
class WorkloadCodecTest {

  private static final Map<String, String> LABELS = Map.of("app", "train");

  private static final LabelSelector SELECTOR =
      new LabelSelector(
          LABELS,
          List.of(new NodeSelectorRequirement("tier", NodeSelectorOperator.IN, List.of("a", "b"))));

  private static final ResourceRequirements RESOURCES =
      new ResourceRequirements(
          Map.of("cpu", Quantity.parse("500m")), Map.of("memory", Quantity.parse("1Gi")));

  private static final PodSpec TEMPLATE =
      PodSpec.builder()
          .nodeSelector("zone", "a")
          .resourceClaimTemplate("gpus", "four")
          .priority(3)
          .requiredPodAffinity(
              List.of(
                  new PodAffinityTerm(
                      SELECTOR,
                      List.of("ns"),
                      LabelSelector.EVERYTHING,
                      "rack",
                      List.of("a"),
                      List.of("b"))))
          .requiredPodAntiAffinity(List.of(PodAffinityTerm.of(SELECTOR, "host")))
          .topologySpread(
              List.of(
                  new TopologySpreadConstraint(
                      2, "zone", true, SELECTOR, 3, true, true, List.of("c")),
                  new TopologySpreadConstraint(
                      1, "host", false, null, null, false, false, List.of())))
          .containers(
              List.of(
                  new Container(
                      "c",
                      new ResourceRequirements(
                          RESOURCES.requests(),
                          RESOURCES.limits(),
                          List.of(
                              new ClaimReference("gpus", ""), new ClaimReference("gpus", "one"))),
                      List.of(new ContainerPort(80, 8080, "::", "UDP")),
                      false)))
          .initContainers(List.of(new Container("i", ResourceRequirements.NONE, List.of(), true)))
          .overhead(Map.of("cpu", Quantity.parse("100m")))
          .resources(RESOURCES)
          .hostNetwork(true)
          .build();

  private static final PodTemplate PODS = new PodTemplate(LABELS, TEMPLATE);

  private static Condition condition(String type) {
    return Condition.of(type, "True").build();
  }

  static Stream<KubernetesObject> workloads() {
    return Stream.of(
        Node.named("n").toBuilder().allocatable(Map.of("pods", Quantity.of(110))).build(),
        Pod.named("ns", "p").spec(TEMPLATE).build(),
        Pod.named("ns", "p")
            .nodeAllocatableClaims(
                List.of(
                    new NodeAllocatableClaimStatus(
                        "four",
                        List.of("c", "i"),
                        Map.of("cpu", Quantity.parse("1500m")),
                        Map.of(
                            "memory",
                            new NodeAllocatableResource.Overhead(Quantity.parse("1Gi"), null),
                            "hugepages-2Mi",
                            new NodeAllocatableResource.Overhead(null, Quantity.parse("2Mi")))),
                    new NodeAllocatableClaimStatus("other", List.of(), Map.of(), Map.of())))
            .build(),
        Pod.named("ns", "resized")
            .spec(TEMPLATE)
            .resources(
                new PodResourceStatus(
                    Map.of(
                        "c",
                        new ContainerResources(
                            Map.of("cpu", Quantity.of(1)), Map.of("cpu", Quantity.of(2))),
                        "sidecar",
                        new ContainerResources(Map.of(), Map.of("memory", Quantity.of(3)))),
                    Map.of("cpu", Quantity.of(4)),
                    Map.of("cpu", Quantity.of(5)),
                    true))
            .build(),
        new ResourceQuota(
            ObjectMeta.named("ns", "q"),
            Map.of("count/resourceclaims.resource.k8s.io", Quantity.parse("1k")),
            List.of("BestEffort", "PriorityClass"),
            Map.of("count/resourceclaims.resource.k8s.io", Quantity.of(3))),
        StatefulSet.named("ns", "s")
            .replicas(2)
            .firstOrdinal(1)
            .updateRevision("s-1")
            .templateLabels(LABELS)
            .template(TEMPLATE)
            .build(),
        Job.named("ns", "j")
            .parallelism(4)
            .completions(8)
            .templateLabels(LABELS)
            .template(TEMPLATE)
            .managedBy("example.com/queue")
            .indexes(new Job.Indexes("0,2-4", "1"))
            .build(),
        Job.named("ns", "i").indexes(Job.Indexes.NONE).template(TEMPLATE).build(),
        Deployment.named("ns", "d")
            .replicas(2)
            .paused(true)
            .templateLabels(LABELS)
            .template(TEMPLATE)
            .build(),
        ReplicaSet.named("ns", "r").replicas(0).templateLabels(LABELS).template(TEMPLATE).build(),
        DaemonSet.named("ns", "d").templateLabels(LABELS).template(TEMPLATE).build(),
        new MPIJob(
            ObjectMeta.named("ns", "m"),
            PODS,
            2,
            PODS,
            true,
            true,
            "a/b",
            List.of(condition("Failed"))),
        new MPIJob(ObjectMeta.named("ns", "m"), PODS, 0, null, false, false, "", List.of()),
        new JobSet(
            ObjectMeta.named("ns", "j"),
            List.of(
                new JobSet.ReplicatedJob(
                    "workers", 3, Job.named("ns", "").parallelism(2).template(TEMPLATE).build())),
            true,
            "a/b",
            List.of(condition("Completed"))),
        new LeaderWorkerSet(ObjectMeta.named("ns", "l"), 2, 4, PODS, PODS, null),
        new LeaderWorkerSet(
            ObjectMeta.named("ns", "l"), 2, 4, null, PODS, new LeaderWorkerSet.SubGroups(2, false)),
        new LeaderWorkerSet(
            ObjectMeta.named("ns", "l"), 2, 5, PODS, PODS, new LeaderWorkerSet.SubGroups(2, true)),
        PodGroup.named("ns", "g")
            .priority(3)
            .minCount(2)
            .topologyKeys(List.of("rack"))
            .parentName("all")
            .workloadRef(new WorkloadReference("w", "t"))
            .build(),
        PodGroup.named("ns", "g").build(),
        CompositePodGroup.named("ns", "all")
            .minGroupCount(2)
            .topologyKeys(List.of("zone"))
            .parentName("top")
            .workloadRef(new WorkloadReference("w", "t"))
            .build(),
        CompositePodGroup.named("ns", "top").priority(-1).build(),
        new Workload(
            ObjectMeta.named("ns", "w"),
            List.of(new Workload.PodGroupTemplate("t", null, List.of(), List.of())),
            List.of()),
        new Workload(
            ObjectMeta.named("ns", "w"),
            List.of(),
            List.of(
                new Workload.CompositeTemplate(
                    "outer",
                    null,
                    List.of("zone"),
                    List.of(),
                    List.of(
                        new Workload.CompositeTemplate(
                            "inner",
                            2,
                            List.of(),
                            List.of(
                                new Workload.PodGroupTemplate(
                                    "t",
                                    3,
                                    List.of("rack"),
                                    List.of(new PodResourceClaim("c", null, "template")))),
                            List.of()))))));
  }

  @ParameterizedTest
  @MethodSource("workloads")
  void whatIsWrittenReadsBackEqual(KubernetesObject object) throws ManifestException {
    String text = ManifestWriter.toJson(List.of(Manifest.of(object)));
    assertThat(Reading.objects(text)).containsExactly(object);
  }
}
