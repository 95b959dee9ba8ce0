package io.dra4j.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class BuildersTest {

  private static final DeviceId ID = new DeviceId("drv", "pool", "d");
  private static final DeviceTaint TAINT =
      DeviceTaint.of("k", "v", TaintEffect.NO_SCHEDULE).toBuilder().timeAdded("t").build();
  private static final DeviceToleration TOLERATION =
      DeviceToleration.equal("k", "v").toBuilder()
          .effect(TaintEffect.NO_EXECUTE)
          .tolerationSeconds(7L)
          .build();
  private static final ObjectMeta META =
      ObjectMeta.named("ns", "n").toBuilder()
          .uid("u")
          .creationTimestamp("2026-01-30T12:00:00Z")
          .deletionTimestamp("2026-01-31T12:00:00Z")
          .label("l", "1")
          .annotation("a", "2")
          .ownerReferences(List.of(new OwnerReference("batch/v1", "Job", "j", "u", true)))
          .build();
  private static final Device DEVICE =
      Device.named("d")
          .attribute("x", 1)
          .capacity("c", "2")
          .consumesCounters(new DeviceCounterConsumption("s", Map.of(), List.of()))
          .nodeSelection(NodeSelection.ALL_NODES)
          .taint(TAINT)
          .bindsToNode()
          .bindingConditions(List.of("ready"), List.of("broken"))
          .allowMultipleAllocations()
          .nodeAllocatableResources(Map.of("cpu", new NodeAllocatableResource(null, null)))
          .build();
  private static final ExactDeviceRequest REQUEST =
      ExactDeviceRequest.ofClass("gpu")
          .selector("true")
          .count(3)
          .adminAccess()
          .toleration(TOLERATION)
          .capacity("c", "1")
          .derivedAttribute("d/x", "1")
          .build();
  private static final PodAffinityTerm NEAR =
      PodAffinityTerm.of(LabelSelector.of(Map.of("app", "a")), "zone");
  private static final ResourceRequirements RESOURCES =
      new ResourceRequirements(Map.of("cpu", Quantity.of(1)), Map.of());
  private static final PodSpec POD_SPEC =
      PodSpec.builder()
          .nodeName("n")
          .nodeSelector("kubernetes.io/arch", "arm64")
          .resourceClaim("a", "b")
          .resourceClaimTemplate("c", "t")
          .podGroupName("g")
          .requiredPodAffinity(List.of(NEAR))
          .requiredPodAntiAffinity(List.of(NEAR))
          .topologySpread(
              List.of(TopologySpreadConstraint.required(1, "zone", LabelSelector.EVERYTHING)))
          .containers(List.of(Container.of("c", RESOURCES)))
          .initContainers(List.of(Container.of("i", RESOURCES)))
          .overhead(Map.of("cpu", Quantity.of(1)))
          .resources(RESOURCES)
          .hostNetwork(true)
          .toleration(
              Toleration.equal("k", "v").toBuilder()
                  .effect(TaintEffect.NO_EXECUTE)
                  .tolerationSeconds(3L)
                  .build())
          .requiredNodeAffinity(NodeSelector.ofNode("n"))
          .priority(7)
          .build();
  private static final Taint NODE_TAINT =
      Taint.of("k", "v", TaintEffect.NO_SCHEDULE).toBuilder().timeAdded("t").build();
  private static final AllocationResult ALLOCATION =
      AllocationResult.builder()
          .result(
              DeviceRequestAllocationResult.of("r", ID)
                  .adminAccess(true)
                  .tolerations(List.of(TOLERATION))
                  .bindingConditions(List.of("ready"))
                  .bindingFailureConditions(List.of("broken"))
                  .shareId("s")
                  .consumedCapacity(Map.of("c", Quantity.of(1)))
                  .skipNodeOperations(List.of("*"))
                  .build())
          .config(
              List.of(
                  new DeviceAllocationConfiguration(
                      AllocationConfigSource.FROM_CLASS,
                      List.of(),
                      new OpaqueDeviceConfiguration("drv", "{}"))))
          .nodeSelector(NodeSelector.ofNode("n"))
          .allocationTimestamp("t")
          .build();

  /** Records in which no component is empty, so that a builder which forgets one is found. */
  static Stream<Arguments> fullRecords() {
    return Stream.of(
            META,
            DEVICE,
            TAINT,
            TOLERATION,
            REQUEST,
            ALLOCATION,
            ALLOCATION.results().get(0),
            NODE_TAINT,
            POD_SPEC.tolerations().get(0),
            Node.named("n").toBuilder()
                .label("a", "b")
                .declaredFeature("f")
                .taint(NODE_TAINT)
                .unschedulable(true)
                .allocatable(Map.of("cpu", Quantity.of(1)))
                .build(),
            DeviceClass.named("c", "true").toBuilder()
                .config(new DeviceClassConfiguration(new OpaqueDeviceConfiguration("drv", "{}")))
                .extendedResourceName("e/r")
                .build(),
            ResourceSlice.named("s", "drv")
                .pool("p", 2, 3)
                .nodeSelection(NodeSelection.ofNode("n"))
                .perDeviceNodeSelection(true)
                .device(DEVICE)
                .counterSet(new CounterSet("s", Map.of()))
                .partitionTypeAttribute("t")
                .skipNodeOperations(List.of("*"))
                .build(),
            Pod.named("ns", "p")
                .resourceClaim("a", "b")
                .resourceClaimTemplate("c", "t")
                .resourceClaimNames(Map.of("c", "p-c"))
                .nodeAllocatableClaims(
                    List.of(new NodeAllocatableClaimStatus("b", List.of(), Map.of(), Map.of())))
                .resources(
                    new PodResourceStatus(Map.of(), Map.of("cpu", Quantity.of(1)), Map.of(), true))
                .build(),
            POD_SPEC,
            StatefulSet.named("ns", "s")
                .replicas(3)
                .firstOrdinal(2)
                .updateRevision("s-1")
                .templateLabels(Map.of("l", "1"))
                .template(POD_SPEC)
                .build(),
            Job.named("ns", "j")
                .parallelism(4)
                .completions(3)
                .suspended(true)
                .managedBy("kueue.x-k8s.io/multikueue")
                .indexes(new Job.Indexes("0", "1"))
                .succeeded(2)
                .condition(Condition.of("Complete", "True").build())
                .templateLabels(Map.of("l", "1"))
                .template(POD_SPEC)
                .build(),
            Deployment.named("ns", "d")
                .replicas(3)
                .paused(true)
                .templateLabels(Map.of("l", "1"))
                .template(POD_SPEC)
                .build(),
            ReplicaSet.named("ns", "r")
                .replicas(3)
                .templateLabels(Map.of("l", "1"))
                .template(POD_SPEC)
                .build(),
            DaemonSet.named("ns", "d").templateLabels(Map.of("l", "1")).template(POD_SPEC).build(),
            PodGroup.named("ns", "g")
                .priority(3)
                .minCount(2)
                .topologyKeys(List.of("rack"))
                .resourceClaims(List.of(new PodResourceClaim("a", "b", null)))
                .resourceClaimNames(Map.of("c", "g-c"))
                .parentName("all")
                .workloadRef(new WorkloadReference("w", "t"))
                .build(),
            CompositePodGroup.named("ns", "g")
                .minGroupCount(2)
                .topologyKeys(List.of("rack"))
                .parentName("all")
                .priority(4)
                .workloadRef(new WorkloadReference("w", "t"))
                .build(),
            ResourceClaimTemplate.named("ns", "t")
                .claimLabels(Map.of("l", "1"))
                .claimAnnotations(Map.of("a", "2"))
                .spec(ResourceClaim.named("c").request("r", r -> {}).build().spec())
                .build(),
            CapacityRequestPolicy.builder()
                .defaultValue("1Gi")
                .validValues(List.of(Quantity.parse("1Gi"), Quantity.parse("2Gi")))
                .validRange("1Gi", "4Gi", "1Gi")
                .build(),
            AllocatedDeviceStatus.of(ID)
                .shareId("s")
                .conditions(List.of(Condition.of("Ready", "True").build()))
                .data("{}")
                .networkData(new NetworkDeviceData("eth0", List.of(), ""))
                .build(),
            Condition.of("Ready", "True")
                .observedGeneration(3L)
                .lastTransitionTime("t")
                .reason("r")
                .message("m")
                .build(),
            ResourceClaim.named("ns", "c")
                .request(DeviceRequest.exactly("r", REQUEST))
                .constraint(DeviceConstraint.matchAttribute("a"))
                .config(
                    new DeviceClaimConfiguration(
                        List.of(), new OpaqueDeviceConfiguration("drv", "{}")))
                .allocation(ALLOCATION)
                .build())
        .map(Arguments::of);
  }

  @ParameterizedTest
  @MethodSource("fullRecords")
  void aBuilderKeepsEverything(Record object) throws ReflectiveOperationException {
    for (RecordComponent component : object.getClass().getRecordComponents()) {
      Object value = component.getAccessor().invoke(object);
      assertThat(value).as(component.getName()).isNotIn("", null, false, List.of(), Map.of());
    }
    Object builder = object.getClass().getMethod("toBuilder").invoke(object);
    assertThat(builder.getClass().getMethod("build").invoke(builder)).isEqualTo(object);
  }

  @ParameterizedTest
  @MethodSource("fullRecords")
  void everyComponentHasASetter(Record object) {
    List<String> setters =
        Arrays.stream(object.getClass().getDeclaredClasses())
            .filter(type -> type.getSimpleName().equals("Builder"))
            .flatMap(type -> Arrays.stream(type.getMethods()))
            .map(Method::getName)
            .toList();
    Map<String, String> others =
        Map.of("deviceClassName", "deviceClass", "bindingFailureConditions", "bindingConditions");
    for (RecordComponent component : object.getClass().getRecordComponents()) {
      String name = others.getOrDefault(component.getName(), component.getName());
      assertThat(setters).contains(name);
    }
  }

  @Test
  void whatABuilderMadeDoesNotChangeWithIt() {
    Device.Builder builder = Device.named("a").attribute("x", 1).taint(TAINT);
    Device first = builder.build();
    Device second = builder.name("b").attribute("x", 2).attribute("y", 3).taint(TAINT).build();
    assertThat(first.attributes()).isEqualTo(Map.of("x", DeviceAttribute.of(1)));
    assertThat(first.taints()).hasSize(1);
    assertThat(second.name()).isEqualTo("b");
    assertThat(second.attributes().keySet()).containsExactly("x", "y");
    assertThat(second.taints()).hasSize(2);
  }

  // ---- pairs ----

  private static List<String> names(ResourceClaim claim) {
    return claim.spec().requests().stream().map(DeviceRequest::name).toList();
  }

  @Test
  void pairsAreOverAnyAttributeAndNamedFreely() {
    DeviceRequest tpu = DeviceRequest.exactly("tpu", r -> r.deviceClass("tpu"));
    DeviceRequest disk = DeviceRequest.exactly("disk", r -> r.deviceClass("nvme"));
    ResourceClaim claim =
        ResourceClaim.named("c")
            .pairs(1, r -> r.deviceClass("gpu"), r -> r.deviceClass("nic"))
            .pairs(2, StandardAttributes.NUMA_NODE, tpu, disk)
            .pairs(1, r -> r.deviceClass("gpu"), r -> r.deviceClass("nic"))
            .build();
    assertThat(names(claim))
        .containsExactly("gpu-0", "nic-0", "tpu-0", "disk-0", "tpu-1", "disk-1", "gpu-1", "nic-1");
    assertThat(claim.spec().constraints())
        .containsExactly(
            DeviceConstraint.matchAttribute(StandardAttributes.PCIE_ROOT, "gpu-0", "nic-0"),
            DeviceConstraint.matchAttribute(StandardAttributes.NUMA_NODE, "tpu-0", "disk-0"),
            DeviceConstraint.matchAttribute(StandardAttributes.NUMA_NODE, "tpu-1", "disk-1"),
            DeviceConstraint.matchAttribute(StandardAttributes.PCIE_ROOT, "gpu-1", "nic-1"));
  }

  @Test
  void aClaimHoldsSixteenPairs() {
    ResourceClaim.Builder claim = ResourceClaim.named("c").pairs(10, r -> {}, r -> {});
    refuses(
        () -> claim.pairs(7, r -> {}, r -> {}),
        "claim c: expected 1 to 6 pairs, found 7: a claim has at most 32 requests, 20 are there");
    assertThat(names(claim.pairs(6, r -> {}, r -> {}).build())).hasSize(32).doesNotHaveDuplicates();
  }

  // ---- guards ----

  private static void refuses(ThrowingCallable call, String sentence) {
    assertThatIllegalArgumentException().isThrownBy(call).withMessage(sentence);
  }

  @Test
  void whatMakesNoSenseIsRefusedInASentence() {
    DeviceRequest request = DeviceRequest.exactly("r", REQUEST);
    refuses(
        () -> ExactDeviceRequest.ofClass("gpu").count(-1),
        "a request asks for 1 or more devices, not -1");
    refuses(
        () -> ResourceClaim.named("c").request(request).request(request),
        "claim c already has a request r");
    refuses(
        () -> ResourceClaim.named("c").pairs(1, "a", request, request),
        "both requests of a pair are named r");
    refuses(
        () -> ResourceClaim.named("c").pairs(0, "a", request, request.withName("s")),
        "claim c: expected 1 to 16 pairs, found 0: a claim has at most 32 requests, 0 are there");
    refuses(
        () -> ResourceSlice.named("s", "drv").pool("p", -1, 1),
        "pool p: expected a generation of at least 0 and at least 1 slice, found -1 and 1");
  }

  @Test
  @SuppressWarnings("NullAway") // what a caller without static analysis may do
  void nullIsRefusedInASentence() {
    List<Device> withNull = new ArrayList<>();
    withNull.add(DEVICE);
    withNull.add(null);
    nullIn(() -> Device.named(null), "Device.name");
    nullIn(() -> Device.named("d").attribute("x", (String) null), "Device.attributes[x]");
    nullIn(() -> Device.named("d").attribute(null, 1), "Device.attributes[null]");
    nullIn(() -> Device.named("d").capacity("c", (String) null), "Device.capacity[c]");
    nullIn(() -> Device.named("d").taint(null), "Device.taints[0]");
    nullIn(() -> ResourceSlice.onNode("s", "drv", "n", withNull), "ResourceSlice.devices[1]");
    nullIn(() -> DEVICE.withTaints(null), "Device.taints");
    nullIn(() -> ExactDeviceRequest.ofClass(null), "ExactDeviceRequest.deviceClassName");
    nullIn(() -> new Node(null, List.of()), "Node.metadata");
    nullIn(() -> ObjectMeta.named(null), "ObjectMeta.name");
  }

  private static void nullIn(ThrowingCallable call, String sentence) {
    assertThatNullPointerException().isThrownBy(call).withMessage(sentence);
  }

  @Test
  void aJobHasNoNegativeNumbersAndAGangHasAPod() {
    refuses(
        () -> Job.named("ns", "j").parallelism(-1),
        "Job.parallelism: expected 0 or more, found -1");
    refuses(
        () -> Job.named("ns", "j").completions(-2),
        "Job.completions: expected 0 or more, found -2");
    refuses(
        () -> PodGroup.named("ns", "g").minCount(0),
        "PodGroup.minCount: expected 1 or more, found 0");
    refuses(
        () -> CompositePodGroup.named("ns", "g").minGroupCount(0),
        "CompositePodGroup.minGroupCount: expected 1 or more, found 0");
    assertThat(Job.named("ns", "j").parallelism(4).completions(3).build().pods()).isEqualTo(3);
    refuses(
        () -> Job.named("ns", "j").succeeded(-1), "Job.succeeded: expected 0 or more, found -1");
    assertThat(Job.named("ns", "j").suspended(true).build().pods()).isZero();
    assertThat(Job.named("ns", "j").completions(3).succeeded(3).build().pods()).isZero();
    assertThat(PodGroup.named("ns", "g").build().minCount()).isNull();
    assertThat(OwnerReference.controller("batch/v1", "Job", "j").controller()).isTrue();
  }

  @Test
  void controllersHaveNoNegativeNumbers() {
    refuses(
        () -> StatefulSet.named("ns", "s").replicas(-1),
        "StatefulSet.replicas: expected 0 or more, found -1");
    refuses(
        () -> StatefulSet.named("ns", "s").firstOrdinal(-2),
        "StatefulSet.firstOrdinal: expected 0 or more, found -2");
    assertThat(StatefulSet.named("ns", "s").replicas(0).build().replicas()).isZero();
    refuses(
        () -> Deployment.named("ns", "d").replicas(-1),
        "Deployment.replicas: expected 0 or more, found -1");
    refuses(
        () -> ReplicaSet.named("ns", "r").replicas(-1),
        "ReplicaSet.replicas: expected 0 or more, found -1");
  }

  @Test
  void whatABuilderOfPodSpecsStartsWithRunsAnywhere() {
    assertThat(PodSpec.builder().build()).isEqualTo(PodSpec.ANYWHERE);
    assertThat(StatefulSet.named("ns", "s").build().template()).isEqualTo(PodSpec.ANYWHERE);
    assertThat(PodSpec.ANYWHERE.nodeName()).isEmpty();
    assertThat(PodSpec.ANYWHERE.nodeSelector()).isEmpty();
  }

  @Test
  void aRangeNeedsNoEndAndNoSteps() {
    CapacityRequestPolicy policy =
        CapacityRequestPolicy.builder().validRange("1", null, null).build();
    assertThat(policy.validRange())
        .isEqualTo(new CapacityRequestPolicyRange(Quantity.of(1), null, null));
    assertThat(policy.defaultValue()).isNull();
  }

  @Test
  void countersAndWhatDrawsOnThemAreMadeByBuilders() {
    assertThat(CounterSet.named("gpu").counter("slices", 8).counter("memory", "80Gi").build())
        .isEqualTo(
            new CounterSet(
                "gpu", Map.of("slices", Quantity.of(8), "memory", Quantity.parse("80Gi"))));
    assertThat(
            DeviceCounterConsumption.from("gpu")
                .counter("slices", 4)
                .counter("memory", "40Gi")
                .compatibilityGroup("mig")
                .build())
        .isEqualTo(
            new DeviceCounterConsumption(
                "gpu",
                Map.of("slices", Quantity.of(4), "memory", Quantity.parse("40Gi")),
                List.of("mig")));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> CounterSet.named("gpu").counter("memory", "much"));
  }

  @Test
  void aTaintIsTheSameMarkAtAnyTime() {
    DeviceTaint later = TAINT.toBuilder().timeAdded(null).build();

    assertThat(TAINT.isSameMark(later)).isTrue();
    assertThat(TAINT.isSameMark(TAINT.toBuilder().value("w").build())).isFalse();
    assertThat(TAINT.isSameMark(TAINT.toBuilder().effect(TaintEffect.NO_EXECUTE).build()))
        .isFalse();
  }
}
