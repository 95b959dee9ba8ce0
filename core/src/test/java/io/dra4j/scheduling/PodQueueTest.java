package io.dra4j.scheduling;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.model.AllocationResult;
import io.dra4j.model.ClaimKey;
import io.dra4j.model.Job;
import io.dra4j.model.KubernetesObject;
import io.dra4j.model.ObjectMeta;
import io.dra4j.model.OwnerReference;
import io.dra4j.model.Pod;
import io.dra4j.model.PodGroup;
import io.dra4j.model.PodPhase;
import io.dra4j.model.PodResourceClaim;
import io.dra4j.model.PodSpec;
import io.dra4j.model.ResourceClaim;
import io.dra4j.model.ResourceClaimConsumerReference;
import io.dra4j.model.ResourceClaimSpec;
import io.dra4j.model.ResourceClaimStatus;
import io.dra4j.model.ResourceClaimTemplate;
import io.dra4j.model.StatefulSet;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PodQueueTest {

  private static final ResourceClaimTemplate TEMPLATE =
      new ResourceClaimTemplate(
          ObjectMeta.named("t"), Map.of(), Map.of(), ResourceClaim.named("x").build().spec());

  private static PodSpec uses(PodResourceClaim... claims) {
    return new PodSpec("", Map.of(), List.of(claims));
  }

  private static PodResourceClaim fromTemplate(String entry) {
    return new PodResourceClaim(entry, null, "t");
  }

  private static PodResourceClaim existing(String claim) {
    return new PodResourceClaim("e", claim, null);
  }

  private static Pod pod(String name, String phase, PodResourceClaim... claims) {
    ObjectMeta metadata = new ObjectMeta(name, null, "uid-" + name, Map.of(), Map.of());
    return new Pod(metadata, uses(claims), Map.of(), new PodPhase(phase));
  }

  private static ResourceClaim allocated(String name, String... reservedForPods) {
    AllocationResult allocation = new AllocationResult(List.of(), List.of(), null, null);
    return new ResourceClaim(
        ObjectMeta.named(name),
        new ResourceClaimSpec(List.of(), List.of(), List.of()),
        new ResourceClaimStatus(
            allocation,
            Arrays.stream(reservedForPods)
                .map(pod -> new ResourceClaimConsumerReference("", "pods", pod, "uid-" + pod))
                .toList(),
            List.of()));
  }

  private static ResourceClaim claim(PodQueue queue, String name) {
    return Objects.requireNonNull(queue.claims().get(new ClaimKey("default", name)));
  }

  private static List<String> names(PodQueue queue) {
    return queue.pods().stream().map(PodToPlace::name).toList();
  }

  @Test
  void podsAndUnusedClaimsComeInTheOrderOfTheObjects() {
    PodQueue queue =
        PodQueue.of(
            List.of(
                ResourceClaim.named("alone").build(),
                pod("a", "", existing("shared")),
                ResourceClaim.named("shared").build(),
                pod("b", "Pending", existing("shared"), fromTemplate("own")),
                pod("c", "Running"),
                TEMPLATE));
    assertThat(names(queue)).containsExactly("default/alone", "default/a", "default/b");
    assertThat(queue.pods().get(2).claims())
        .containsExactly(new ClaimKey("default", "shared"), new ClaimKey("default", "b-own"));
    assertThat(queue.isMade(new ClaimKey("default", "b-own"))).isTrue();
    assertThat(queue.problems()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"Succeeded", "Failed"})
  void nobodyWaitsForTheClaimsOfAPodThatHasEnded(String phase) {
    PodQueue queue =
        PodQueue.of(
            List.of(
                TEMPLATE,
                pod("done", phase, existing("pending"), fromTemplate("own")),
                ResourceClaim.named("pending").build(),
                ResourceClaim.named("done-own").build()));
    assertThat(names(queue)).isEmpty();
    assertThat(queue.claims()).hasSize(2);
  }

  @ParameterizedTest
  @ValueSource(strings = {"Succeeded", "Failed"})
  void aPodThatHasEndedReservesNothingAndTheLastReservationTakesTheAllocationAlong(String phase) {
    PodQueue queue =
        PodQueue.of(
            List.of(
                pod("done", phase, existing("only")),
                pod("alive", "Running", existing("both")),
                allocated("only", "done"),
                allocated("both", "done", "alive"),
                allocated("elsewhere", "unknown"),
                allocated("nobody")));
    assertThat(claim(queue, "only").status()).isEqualTo(ResourceClaimStatus.EMPTY);
    assertThat(claim(queue, "both").allocation()).isNotNull();
    assertThat(claim(queue, "both").status().reservedFor())
        .extracting(ResourceClaimConsumerReference::name)
        .containsExactly("alive");
    assertThat(claim(queue, "elsewhere").allocation()).isNotNull();
    assertThat(claim(queue, "nobody").allocation()).isNotNull();
  }

  @Test
  void aClaimMadeForAPodThatHasEndedIsFreeEvenWithoutReservation() {
    PodQueue queue =
        PodQueue.of(List.of(pod("done", "Failed", fromTemplate("own")), allocated("done-own")));
    assertThat(claim(queue, "done-own").allocation()).isNull();
  }

  @Test
  void aFreedClaimIsPlacedAgainForAnotherPod() {
    PodQueue queue =
        PodQueue.of(
            List.of(
                pod("done", "Succeeded", existing("c")),
                pod("next", "Pending", existing("c")),
                allocated("c", "done")));
    assertThat(names(queue)).containsExactly("default/next");
    assertThat(claim(queue, "c").allocation()).isNull();
  }

  @Test
  void aStatefulSetAndItsPodsInOneDumpArePlacedOnce() {
    StatefulSet set = new StatefulSet(ObjectMeta.named("web"), 4, 0, uses(fromTemplate("own")));
    Pod first =
        new Pod(
            ObjectMeta.named("web-0"),
            uses(fromTemplate("own")),
            Map.of("own", "web-0-own-x7k2p"),
            PodPhase.RUNNING);
    PodQueue queue =
        PodQueue.of(
            List.of(
                TEMPLATE,
                set,
                allocated("web-0-own-x7k2p", "web-0"),
                first,
                pod("web-1", "Failed", fromTemplate("own")),
                new Pod(
                    ObjectMeta.named("elsewhere", "web-2"), uses(), Map.of(), PodPhase.RUNNING)));
    assertThat(names(queue))
        .containsExactly("default/web-1", "default/web-2", "default/web-3", "default/web-0");
    assertThat(queue.claims().keySet())
        .extracting(ClaimKey::name)
        .containsExactlyInAnyOrder("web-0-own-x7k2p", "web-1-own", "web-2-own", "web-3-own");
  }

  @Test
  void problemsAndReplicasAreLimitedInNumber() {
    List<KubernetesObject> objects = new ArrayList<>();
    for (int i = 0; i < 1000; i++) {
      objects.add(pod("p" + i, "", existing("missing")));
      objects.add(new StatefulSet(ObjectMeta.named("s" + i), 60_000, 0, uses(existing("there"))));
    }
    objects.add(ResourceClaim.named("there").build());
    PodQueue queue = PodQueue.of(objects);
    assertThat(queue.pods()).hasSize(60_000);
    assertThat(queue.problems())
        .hasSize(201)
        .contains("pod default/p0: spec.resourceClaims[e]: no ResourceClaim default/missing")
        .contains(
            "StatefulSet s1: spec.replicas: 60000 pods use 60000 claims; at most 100000 are placed"
                + " here of all sets together")
        .endsWith("and 1799 more problems of pods");
  }

  @Test
  void replicasAreCountedByTheirClaims() {
    PodResourceClaim[] entries =
        IntStream.range(0, 100)
            .mapToObj(i -> fromTemplate("e" + i))
            .toArray(PodResourceClaim[]::new);
    PodQueue queue =
        PodQueue.of(
            List.of(
                TEMPLATE,
                new StatefulSet(ObjectMeta.named("many"), 1_001, 0, uses(entries)),
                new StatefulSet(ObjectMeta.named("most"), Integer.MAX_VALUE, 0, uses(entries)),
                new StatefulSet(ObjectMeta.named("few"), 1_000, 0, uses(entries))));
    assertThat(queue.pods()).hasSize(1_000);
    assertThat(queue.claims()).hasSize(100_000);
    assertThat(queue.problems())
        .hasSize(2)
        .first()
        .isEqualTo(
            "StatefulSet many: spec.replicas: 1001 pods use 100100 claims; at most 100000 are"
                + " placed here of all sets together");
  }

  @Test
  void aStatefulSetWithoutClaimsMayBeOfAnySize() {
    PodQueue queue =
        PodQueue.of(List.of(new StatefulSet(ObjectMeta.named("web"), 200_000, 0, uses())));
    assertThat(queue.pods()).isEmpty();
    assertThat(queue.problems()).isEmpty();
  }

  @Test
  void podsOfAJobArePlacedWithThoseThatItHas() {
    Job job =
        new Job(ObjectMeta.named("j"), 4, 3, false, Map.of("app", "j"), uses(fromTemplate("own")));
    ObjectMeta owned =
        ObjectMeta.named("default", "j-x").toBuilder()
            .ownerReferences(List.of(new OwnerReference("batch/v1", "Job", "j", "u", true)))
            .build();
    PodQueue queue =
        PodQueue.of(
            List.of(
                TEMPLATE,
                job,
                new Pod(owned, uses(fromTemplate("own")), Map.of(), PodPhase.UNSET)));

    assertThat(queue.gangs()).hasSize(1);
    assertThat(queue.gangs().get(0).name()).isEqualTo("Job default/j");
    assertThat(queue.gangs().get(0).pods())
        .extracting(PodToPlace::name)
        .containsExactly("default/j-0", "default/j-1", "default/j-x");
  }

  /** Status entries are about claims made from templates ({@code resourceclaim.Name}). */
  @ParameterizedTest
  @ValueSource(strings = {"other", ""})
  void aClaimThatAPodNamesIsUsedAsItIsWhateverTheStatusSays(String inStatus) {
    Pod pod =
        new Pod(
            ObjectMeta.named("p"), uses(existing("real")), Map.of("e", inStatus), PodPhase.UNSET);
    PodQueue queue = PodQueue.of(List.of(ResourceClaim.named("real").build(), pod));
    assertThat(queue.pods())
        .singleElement()
        .satisfies(
            one -> assertThat(one.claims()).containsExactly(new ClaimKey("default", "real")));
    assertThat(queue.problems()).isEmpty();
  }

  @Test
  void podsOfAGroupShareItsClaims() {
    PodResourceClaim entry = fromTemplate("own");
    PodSpec spec = new PodSpec("", Map.of(), List.of(entry), "g");
    PodGroup group =
        new PodGroup(ObjectMeta.named("g"), 1, List.of("rack"), List.of(entry), Map.of());
    PodQueue queue =
        PodQueue.of(
            List.of(
                TEMPLATE,
                group,
                new Pod(ObjectMeta.named("p0"), spec, Map.of(), PodPhase.UNSET),
                new Pod(ObjectMeta.named("p1"), spec, Map.of(), PodPhase.UNSET)));

    assertThat(queue.claims()).hasSize(1);
    assertThat(queue.pods().get(0).claims()).isEqualTo(queue.pods().get(1).claims());
    assertThat(queue.gangs()).hasSize(1);
    assertThat(queue.gangs().get(0).minCount()).isEqualTo(1);
    assertThat(queue.gangs().get(0).topologyKeys()).containsExactly("rack");
  }
}
