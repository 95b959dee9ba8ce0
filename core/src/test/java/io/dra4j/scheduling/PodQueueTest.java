package io.dra4j.scheduling;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.model.AllocationResult;
import io.dra4j.model.ClaimKey;
import io.dra4j.model.Condition;
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
import org.junit.jupiter.params.provider.CsvSource;
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
    return queue.pods().stream().map(PendingPod::name).toList();
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
    assertThat(claim(queue, "elsewhere").allocation()).as("its pod no longer exists").isNull();
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
      objects.add(new StatefulSet(ObjectMeta.named("s" + i), 60_000, 0, uses(fromTemplate("own"))));
    }
    objects.add(TEMPLATE);
    PodQueue queue = PodQueue.of(objects);
    assertThat(queue.pods()).hasSize(60_000);
    assertThat(queue.problems())
        .hasSize(201)
        .contains("pod default/p0: spec.resourceClaims[e]: no ResourceClaim default/missing")
        .contains(
            "StatefulSet default/s1: spec.replicas: 60000 pods use 60000 claims; at most 100000"
                + " of all sets together are placed here; use a smaller number, or fewer objects"
                + " at a time")
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
            "StatefulSet default/many: spec.replicas: 1001 pods use 100100 claims; at most 100000"
                + " of all sets together are placed here; use a smaller number, or fewer objects"
                + " at a time");
  }

  @Test
  void aStatefulSetWithoutClaimsMayBeOfAnySize() {
    PodQueue queue =
        PodQueue.of(List.of(new StatefulSet(ObjectMeta.named("web"), 200_000, 0, uses())));
    assertThat(queue.pods()).isEmpty();
    assertThat(queue.problems()).isEmpty();
  }

  /** Pods without claims that are there lower what a group needs, and each of them once. */
  @ParameterizedTest
  @CsvSource({"1, 0, 4", "2, 0, 3", "2, 1, 3", "4, 0, 1", "2147483647, 0, 1", "0, 0, 4"})
  void podsOfAStatefulSetWithoutClaimsCountOnce(int replicas, int firstOrdinal, int needed) {
    PodSpec spec = uses().toBuilder().podGroupName("g").build();
    PodSpec worker = uses(fromTemplate("own")).toBuilder().podGroupName("g").build();
    List<KubernetesObject> objects = new ArrayList<>(List.of(TEMPLATE));
    objects.add(PodGroup.named("default", "g").minCount(5).build());
    objects.add(new StatefulSet(ObjectMeta.named("db"), replicas, firstOrdinal, spec));
    for (String name : List.of("db-" + firstOrdinal, "db-x", "db-007")) {
      PodSpec own = name.equals("db-" + firstOrdinal) ? spec : uses();
      objects.add(new Pod(ObjectMeta.named(name), own, Map.of(), PodPhase.RUNNING));
    }
    objects.add(new Pod(ObjectMeta.named("w"), worker, Map.of(), PodPhase.UNSET));
    assertThat(PodQueue.of(objects).gangs())
        .singleElement()
        .satisfies(gang -> assertThat(gang.minCount()).isEqualTo(needed));
  }

  @Test
  void podsOfAJobArePlacedWithThoseThatItHas() {
    Job job =
        Job.named("default", "j")
            .parallelism(4)
            .completions(3)
            .template(uses(fromTemplate("own")))
            .build();
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
        .extracting(PendingPod::name)
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
    PodSpec spec = uses(entry).toBuilder().podGroupName("g").build();
    PodGroup group =
        PodGroup.named("default", "g")
            .minCount(1)
            .topologyKeys(List.of("rack"))
            .resourceClaims(List.of(entry))
            .build();
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

  private static int podsOf(Job.Builder job, Pod... pods) {
    List<KubernetesObject> objects = new ArrayList<>(List.of(pods));
    objects.add(TEMPLATE);
    objects.add(job.parallelism(2).template(uses(fromTemplate("own"))).build());
    return PodQueue.of(objects).pods().size();
  }

  private static Pod controlledBy(String apiVersion, String uid) {
    OwnerReference owner = new OwnerReference(apiVersion, "Job", "j", uid, true);
    Pod pod = pod("other", "Running", existing("c"));
    ObjectMeta metadata = pod.metadata().toBuilder().ownerReferences(List.of(owner)).build();
    return pod.toBuilder().metadata(metadata).build();
  }

  /** {@code metav1.IsControlledBy}. */
  @ParameterizedTest
  @CsvSource({
    "batch/v1, J2, 1",
    "batch/v1, '', 1",
    "'', J2, 1",
    "batch/v1, J1, 2",
    "batch.volcano.sh/v1alpha1, '', 2"
  })
  void aPodOfAnotherJobOfTheNameIsNotTheJobs(String apiVersion, String uid, int made) {
    Job job =
        Job.named("default", "j")
            .metadata(ObjectMeta.named("default", "j").toBuilder().uid("J2").build())
            .parallelism(2)
            .template(uses(fromTemplate("own")))
            .build();
    PodQueue queue =
        PodQueue.of(
            List.of(
                controlledBy(apiVersion, uid), job, TEMPLATE, ResourceClaim.named("c").build()));
    assertThat(queue.pods()).hasSize(1 + made);
    assertThat(queue.gangs().get(0).pods()).hasSize(2);
  }

  @Test
  void whatIsBeingDeletedMakesNoPods() {
    ObjectMeta going =
        ObjectMeta.named("default", "j").toBuilder()
            .deletionTimestamp("2026-01-31T12:00:00Z")
            .build();
    PodSpec template = uses(fromTemplate("own"));
    Job job = Job.named("default", "j").metadata(going).template(template).build();
    PodQueue queue = PodQueue.of(List.of(TEMPLATE, job, new StatefulSet(going, 3, 0, template)));
    assertThat(queue.pods()).isEmpty();
    assertThat(queue.claims()).isEmpty();
  }

  /** {@code manageJob} in pkg/controller/job. */
  @Test
  void aJobMakesAsManyPodsAsItsStatusLeaves() {
    Pod done =
        pod("j-0", "Succeeded").toBuilder()
            .metadata(
                ObjectMeta.named("default", "j-0").toBuilder()
                    .ownerReferences(List.of(OwnerReference.controller("batch/v1", "Job", "j")))
                    .build())
            .build();
    Job.Builder job = Job.named("default", "j").completions(3);
    assertThat(podsOf(job)).isEqualTo(2);
    assertThat(podsOf(job, done)).isEqualTo(2);
    assertThat(podsOf(job.succeeded(2))).isEqualTo(1);
    assertThat(podsOf(job.succeeded(2), done)).isEqualTo(1);
    assertThat(podsOf(job.succeeded(3))).isZero();
    assertThat(podsOf(Job.named("default", "j").succeeded(1))).isZero();
  }

  @ParameterizedTest
  @CsvSource({
    "Complete, True, 0",
    "Failed, True, 0",
    "SuccessCriteriaMet, True, 0",
    "FailureTarget, True, 0",
    "Failed, False, 2",
    "Suspended, True, 2"
  })
  void aJobThatIsFinishedMakesNoPods(String type, String status, int pods) {
    Job.Builder job = Job.named("default", "j").completions(3);
    assertThat(podsOf(job.condition(Condition.of(type, status).build()))).isEqualTo(pods);
  }

  private static Pod withStatus(String name, String uid, String claim) {
    return Pod.named("default", name)
        .metadata(ObjectMeta.named("default", name).toBuilder().uid(uid).build())
        .spec(uses(fromTemplate("g")))
        .resourceClaimNames(Map.of("g", claim))
        .build();
  }

  private static ResourceClaim ownedBy(String name, String kind, String owner, String uid) {
    ObjectMeta metadata =
        ObjectMeta.named("default", name).toBuilder()
            .ownerReferences(List.of(new OwnerReference("v1", kind, owner, uid, true)))
            .build();
    return ResourceClaim.named("x").build().toBuilder().metadata(metadata).build();
  }

  @Test
  void aClaimThatTheStatusNamesAndNobodyHasIsMadeAndNoted() {
    PodQueue queue = PodQueue.of(List.of(TEMPLATE, withStatus("r", "1", "r-g-abc")));
    assertThat(names(queue)).containsExactly("default/r");
    assertThat(queue.isMade(new ClaimKey("default", "r-g-abc"))).isTrue();
    assertThat(queue.notes())
        .containsExactly(
            "pod default/r: status.resourceClaimStatuses[g]: no ResourceClaim default/r-g-abc in"
                + " the input: it is treated as a new claim from the template");
    assertThat(PodQueue.of(List.of(withStatus("r", "1", "r-g-abc"))).problems())
        .containsExactly(
            "pod default/r: spec.resourceClaims[g]: no ResourceClaim default/r-g-abc, as its status"
                + " says, and no ResourceClaimTemplate default/t");
  }

  /** The controller has made the claim and has not written the status of the pod yet. */
  @ParameterizedTest
  @CsvSource({
    "Pod, r, u, g, u, r-g-abc",
    "Pod, r, '', g, u, r-g-abc", // as people write claims
    "Pod, r, '', g, '', r-g-abc",
    "Pod, r, u, g, '', r-g-abc", // of a pod as people write it
    "Pod, r, old, g, u, r-g", // of an earlier pod of the name
    "Pod, other, u, g, u, r-g",
    "Job, r, u, g, u, r-g",
    "Pod, r, u, h, u, r-g", // for another entry
  })
  void aClaimThatThePodOwnsIsUsedBeforeItsStatusNamesIt(
      String kind, String owner, String ownerUid, String entry, String podUid, String used) {
    ResourceClaim owned = ownedBy("r-g-abc", kind, owner, ownerUid);
    owned =
        owned.toBuilder()
            .metadata(
                owned.metadata().toBuilder()
                    .annotations(Map.of("resource.kubernetes.io/pod-claim-name", entry))
                    .build())
            .build();
    Pod pod =
        Pod.named("default", "r")
            .metadata(ObjectMeta.named("default", "r").toBuilder().uid(podUid).build())
            .spec(uses(fromTemplate("g")))
            .build();

    PodQueue queue = PodQueue.of(List.of(TEMPLATE, owned, pod));

    assertThat(queue.problems()).isEmpty();
    assertThat(queue.pods())
        .filteredOn(next -> next.name().equals("default/r"))
        .singleElement()
        .satisfies(
            next -> assertThat(next.claims()).containsExactly(new ClaimKey("default", used)));
  }

  /** KEP-5729: the controller has made the claim of a group, whose status does not name it yet. */
  @ParameterizedTest
  @CsvSource({
    "PodGroup, podgroup, team, u, g, u, team-g-abc",
    "PodGroup, podgroup, team, '', g, u, team-g-abc", // as people write claims
    "PodGroup, podgroup, team, u, g, '', team-g-abc", // of a group as people write it
    "PodGroup, podgroup, team, old, g, u, team-g", // of an earlier group of the name
    "PodGroup, podgroup, other, u, g, u, team-g",
    "PodGroup, podgroup, team, u, h, u, team-g", // for another entry
    "PodGroup, pod, team, u, g, u, team-g", // the annotation of claims of pods
    "Pod, pod, team, u, g, u, team-g", // of a pod that has the group's name
  })
  void aClaimThatTheGroupOwnsIsUsedBeforeItsStatusNamesIt(
      String kind,
      String annotation,
      String owner,
      String ownerUid,
      String entry,
      String groupUid,
      String used) {
    ResourceClaim owned = ownedBy("team-g-abc", kind, owner, ownerUid);
    owned =
        owned.toBuilder()
            .metadata(
                owned.metadata().toBuilder()
                    .annotations(
                        Map.of("resource.kubernetes.io/" + annotation + "-claim-name", entry))
                    .build())
            .build();
    PodGroup group =
        PodGroup.named("default", "team")
            .metadata(ObjectMeta.named("default", "team").toBuilder().uid(groupUid).build())
            .resourceClaims(List.of(fromTemplate("g")))
            .build();
    Pod pod =
        Pod.named("default", "r")
            .spec(uses(fromTemplate("g")).toBuilder().podGroupName("team").build())
            .build();

    PodQueue queue = PodQueue.of(List.of(TEMPLATE, owned, group, pod));

    assertThat(queue.problems()).isEmpty();
    assertThat(queue.pods())
        .filteredOn(next -> next.name().equals("default/r"))
        .singleElement()
        .satisfies(
            next -> assertThat(next.claims()).containsExactly(new ClaimKey("default", used)));
  }

  /** {@code resourceclaim.IsForPod}. */
  @Test
  void aClaimThatWasMadeForAnotherPodIsNotThePods() {
    PodQueue queue =
        PodQueue.of(
            List.of(
                TEMPLATE,
                withStatus("r", "new", "r-g-abc"),
                ownedBy("r-g-abc", "Pod", "r", "old")));
    assertThat(queue.pods()).isEmpty();
    assertThat(queue.problems())
        .containsExactly(
            "pod default/r: spec.resourceClaims[g]: ResourceClaim default/r-g-abc is not the pod's:"
                + " it was created for Pod r of UID old");
  }

  @ParameterizedTest
  @CsvSource({"'', old, of UID old", "'', '', ''", "new, '', ''"})
  void withoutUidsTheNameOfTheOwnerCounts(String pod, String owner, String told) {
    PodQueue queue =
        PodQueue.of(
            List.of(
                TEMPLATE,
                withStatus("r", pod, "r-g-abc"),
                ownedBy("r-g-abc", "Pod", "another", owner)));
    assertThat(queue.pods()).isEmpty();
    assertThat(queue.problems())
        .containsExactly(
            ("pod default/r: spec.resourceClaims[g]: ResourceClaim default/r-g-abc is not the"
                    + " pod's: it was created for Pod another "
                    + told)
                .strip());
  }

  @ParameterizedTest
  @CsvSource({"new, Pod, new", "new, Pod, ''", "'', Pod, old", "new, PodGroup, other"})
  void aClaimWhoseOwnerMayBeThePodIsThePods(String pod, String kind, String owner) {
    Pod one = withStatus("r", pod, "r-g-abc");
    one =
        one.toBuilder()
            .spec(one.spec().toBuilder().podGroupName(kind.equals("PodGroup") ? "r" : null).build())
            .build();
    PodQueue queue = PodQueue.of(List.of(TEMPLATE, one, ownedBy("r-g-abc", kind, "r", owner)));
    assertThat(names(queue)).containsExactly("default/r");
    assertThat(queue.problems()).isEmpty();
  }

  /** {@code metav1.IsControlledBy}. */
  @Test
  void aClaimOfNobodyThatAStatusNamesIsNotThePods() {
    OwnerReference owner = new OwnerReference("v1", "Pod", "r", "new", false);
    ObjectMeta owned =
        ObjectMeta.named("default", "r-g").toBuilder().ownerReferences(List.of(owner)).build();
    ResourceClaim claim = ResourceClaim.named("r-g").build();
    for (ResourceClaim each : List.of(claim, claim.toBuilder().metadata(owned).build())) {
      PodQueue queue = PodQueue.of(List.of(TEMPLATE, withStatus("r", "new", "r-g"), each));
      assertThat(queue.pods()).isEmpty();
      assertThat(queue.problems())
          .containsExactly(
              "pod default/r: spec.resourceClaims[g]: ResourceClaim default/r-g is not the pod's:"
                  + " it has no controller as its owner");
    }
    Pod byName = withStatus("r", "new", "r-g").toBuilder().resourceClaimNames(Map.of()).build();
    for (Pod pod :
        List.of(byName, withStatus("r", "", "r-g"), bound(withStatus("r", "new", "r-g")))) {
      assertThat(names(PodQueue.of(List.of(TEMPLATE, pod, claim)))).containsExactly("default/r");
    }
  }

  @ParameterizedTest
  @CsvSource({"ug, g-own, 0", "'', g-own, 1", "ug, '', 1"})
  void aClaimOfNobodyThatTheStatusOfAGroupNamesIsNotItsPods(String uid, String named, int pods) {
    PodResourceClaim entry = fromTemplate("own");
    PodGroup group =
        PodGroup.named("default", "g")
            .metadata(ObjectMeta.named("default", "g").toBuilder().uid(uid).build())
            .minCount(1)
            .resourceClaims(List.of(entry))
            .resourceClaimNames(named.isEmpty() ? Map.of() : Map.of("own", named))
            .build();
    PodSpec spec = uses(entry).toBuilder().podGroupName("g").build();
    Pod pod = new Pod(ObjectMeta.named("p"), spec, Map.of(), PodPhase.UNSET);
    ResourceClaim claim = ResourceClaim.named("g-own").build();
    PodQueue queue = PodQueue.of(List.of(TEMPLATE, group, pod, claim));
    assertThat(queue.problems()).hasSize(1 - pods);
    assertThat(names(queue).stream().filter("default/p"::equals)).hasSize(pods);
  }

  private static Pod bound(Pod pod) {
    return pod.toBuilder().spec(pod.spec().toBuilder().nodeName("n").build()).build();
  }

  private static List<Pod> pods(int count, PodResourceClaim... claims) {
    return IntStream.range(0, count).mapToObj(i -> pod("p" + i, "", claims)).toList();
  }

  /** The pods for which the claim has no room. */
  private static List<String> refused(PodQueue queue) {
    return queue.pods().stream()
        .filter(pod -> queue.fullClaim(pod) != null)
        .map(PendingPod::name)
        .toList();
  }

  @Test
  void aClaimIsForPodsOnNodesAndThenForTheFirst256OfTheQueue() {
    List<KubernetesObject> objects = new ArrayList<>(List.of(ResourceClaim.named("c").build()));
    objects.addAll(pods(255, existing("c")));
    objects.add(ofPriority("low", -1));
    objects.add(ofPriority("high", 1));
    assertThat(refused(PodQueue.of(objects))).containsExactly("default/low");
    objects.add(bound(ofPriority("bound", -2)));
    PodQueue queue = PodQueue.of(objects);
    assertThat(refused(queue)).containsExactly("default/p254", "default/low");
    assertThat(names(queue)).hasSize(258);
    assertThat(queue.problems()).isEmpty();
  }

  @Test
  void podsForWhichAClaimIsReservedCountOnce() {
    String[] names = pods(256).stream().map(pod -> pod.metadata().name()).toArray(String[]::new);
    Pod first = pod("p0", "", existing("c"));
    Pod withoutUid = new Pod(ObjectMeta.named("p1"), first.spec(), Map.of(), PodPhase.UNSET);
    Pod other =
        withoutUid.toBuilder().metadata(first.metadata().toBuilder().uid("x").build()).build();
    PodQueue queue =
        PodQueue.of(
            List.of(allocated("c", names), pod("a", "", existing("c")), first, withoutUid, other),
            claim -> true,
            pods(256));
    assertThat(names(queue)).containsExactly("default/a", "default/p0", "default/p1", "default/p0");
    assertThat(refused(queue)).containsExactly("default/a", "default/p0");
  }

  @Test
  void aPodThatIsLeftOutForOneClaimTakesNoneOfAnother() {
    List<KubernetesObject> objects = new ArrayList<>(pods(256, existing("c")));
    PodResourceClaim second = new PodResourceClaim("second", "d", null);
    objects.add(pod("both", "", second, existing("c")));
    for (int i = 0; i < 256; i++) {
      objects.add(pod("d" + i, "", second));
    }
    objects.addAll(List.of(ResourceClaim.named("c").build(), ResourceClaim.named("d").build()));
    PodQueue queue = PodQueue.of(objects);
    assertThat(refused(queue)).containsExactly("default/both");
    assertThat(queue.pods()).hasSize(513);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "g-own"})
  void aClaimOfAGroupIsReservedForTheGroup(String inStatus) {
    Map<String, String> status = inStatus.isEmpty() ? Map.of() : Map.of("own", inStatus);
    PodResourceClaim entry = fromTemplate("own");
    PodSpec spec = uses(entry).toBuilder().podGroupName("g").build();
    List<KubernetesObject> objects = new ArrayList<>(List.of(TEMPLATE));
    objects.add(
        PodGroup.named("default", "g").minCount(300).resourceClaims(List.of(entry)).build());
    pods(300)
        .forEach(pod -> objects.add(pod.toBuilder().spec(spec).resourceClaimNames(status).build()));
    PodQueue queue = PodQueue.of(objects);
    assertThat(queue.problems()).isEmpty();
    assertThat(queue.pods()).hasSize(300);
  }

  @Test
  void podsForWhichAClaimHasNoRoomStayInTheirGang() {
    List<KubernetesObject> objects = new ArrayList<>(List.of(ResourceClaim.named("c").build()));
    objects.add(Job.named("default", "j").parallelism(300).template(uses(existing("c"))).build());
    PodSpec late = uses(existing("c")).toBuilder().podGroupName("g").priority(-1).build();
    objects.add(PodGroup.named("default", "g").minCount(1).build());
    objects.add(new Pod(ObjectMeta.named("late"), late, Map.of(), PodPhase.UNSET));
    PodQueue queue = PodQueue.of(objects);
    assertThat(refused(queue)).hasSize(45).contains("default/j-299", "default/late");
    assertThat(queue.gangs())
        .extracting(Gang::name)
        .containsExactly("Job default/j", "PodGroup default/g");
    assertThat(queue.gangs().get(0).minCount()).isEqualTo(300);
  }

  @Test
  void podsOnNodesKeepTheirClaimsWhoeverTheirOwnerIs() {
    Pod bound = bound(withStatus("r", "new", "r-g-abc"));
    ResourceClaim claim = ownedBy("r-g-abc", "Pod", "r", "old");
    assertThat(names(PodQueue.of(List.of(TEMPLATE, bound, claim)))).containsExactly("default/r");
  }

  @Test
  void aClaimThatIsBeingDeletedIsForNobody() {
    ResourceClaim going = ResourceClaim.named("going").build();
    ObjectMeta metadata =
        going.metadata().toBuilder().deletionTimestamp("2026-01-31T12:00:00Z").build();
    going = going.toBuilder().metadata(metadata).build();
    PodQueue queue = PodQueue.of(List.of(going, pod("p", "", existing("going"))));
    assertThat(queue.pods()).isEmpty();
    assertThat(queue.problems())
        .containsExactly(
            "pod default/p: spec.resourceClaims[e]: ResourceClaim default/going is being deleted");
    PodQueue unused = PodQueue.of(List.of(going));
    assertThat(unused.pods()).isEmpty();
    assertThat(unused.problems()).isEmpty(); // a dump may catch it
    assertThat(unused.notes())
        .containsExactly("ResourceClaim default/going: is being deleted, and not placed");
  }

  private static Pod ofPriority(String name, int priority) {
    Pod pod = pod(name, "", existing("c"));
    return pod.toBuilder().spec(pod.spec().toBuilder().priority(priority).build()).build();
  }

  /** {@code PrioritySort} of kube-scheduler. */
  @Test
  void podsOfHigherPriorityComeFirstAndOthersInTheOrderOfTheObjects() {
    PodQueue queue =
        PodQueue.of(
            List.of(
                ResourceClaim.named("c").build(),
                ofPriority("least", -1),
                ResourceClaim.named("unused").build(),
                ofPriority("a", 0),
                ofPriority("most", Integer.MAX_VALUE),
                ofPriority("b", 0),
                ofPriority("last", Integer.MIN_VALUE),
                ofPriority("more", 5)));
    assertThat(names(queue))
        .containsExactly(
            "default/most",
            "default/more",
            "default/unused",
            "default/a",
            "default/b",
            "default/least",
            "default/last");
  }

  @Test
  void gangsComeInTheOrderOfTheirFirstPods() {
    PodSpec spec = uses(existing("c"));
    PodQueue queue =
        PodQueue.of(
            List.of(
                ResourceClaim.named("c").build(),
                new StatefulSet(ObjectMeta.named("low"), 2, 0, spec),
                new StatefulSet(
                    ObjectMeta.named("high"), 2, 0, spec.toBuilder().priority(1).build())));
    assertThat(queue.gangs())
        .extracting(Gang::name)
        .containsExactly("StatefulSet default/high", "StatefulSet default/low");
  }

  @Test
  void aPodGroupThatIsNotThereIsNotedOnce() {
    PodSpec spec = uses(existing("c")).toBuilder().podGroupName("pgy").build();
    PodQueue queue =
        PodQueue.of(
            List.of(
                ResourceClaim.named("c").build(),
                PodGroup.named("default", "pgx").minCount(1).build(),
                Pod.named("default", "a").spec(spec).build(),
                Pod.named("default", "b").spec(spec).build()));
    assertThat(queue.notes())
        .containsExactly(
            "pod default/a: spec.schedulingGroup.podGroupName: no PodGroup default/pgy in the"
                + " input: its minCount and claims are unknown; did you mean pgx?");
    assertThat(queue.gangs()).extracting(Gang::name).containsExactly("PodGroup default/pgy");
  }

  @Test
  void whatATemplateOfPodsLacksIsToldOnceWithWhatMayBeMeant() {
    PodSpec spec = uses(new PodResourceClaim("g", null, "t"));
    ObjectMeta ofTeam = ObjectMeta.named("team", "sts");
    assertThat(PodQueue.of(List.of(TEMPLATE, new StatefulSet(ofTeam, 9, 0, spec))).problems())
        .containsExactly(
            "StatefulSet team/sts: spec.template.spec.resourceClaims[g]: no ResourceClaimTemplate"
                + " team/t; there is default/t");
    Job job = Job.named("default", "j").parallelism(3).template(uses(existing("gpus"))).build();
    assertThat(PodQueue.of(List.of(ResourceClaim.named("gpu").build(), job)).problems())
        .containsExactly(
            "Job default/j: spec.template.spec.resourceClaims[e]: no ResourceClaim default/gpus;"
                + " did you mean gpu?");
  }

  @Test
  void theOtherClaimsOfAPodWithAProblemAreNotPlacedByThemselves() {
    PodQueue queue =
        PodQueue.of(
            List.of(
                ResourceClaim.named("there").build(),
                pod("p", "", existing("missing"), new PodResourceClaim("f", "there", null))));
    assertThat(queue.pods()).isEmpty();
    assertThat(queue.problems()).hasSize(1);
  }

  @Test
  void aClaimThatIsThereTwiceIsPlacedOnce() {
    ResourceClaim claim = ResourceClaim.named("x").build();

    PodQueue queue = PodQueue.of(List.of(claim, claim));

    assertThat(queue.pods()).extracting(PendingPod::name).containsExactly("default/x");
    assertThat(queue.claims()).hasSize(1);
  }
}
