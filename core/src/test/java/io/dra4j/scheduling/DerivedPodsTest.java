package io.dra4j.scheduling;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.model.PodSpec;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The pods of MPIJobs, JobSets and LeaderWorkerSets. */
class DerivedPodsTest {

  private static final String TEMPLATE =
      """
      {apiVersion: resource.k8s.io/v1, kind: ResourceClaimTemplate, metadata: {name: t},
       spec: {spec: {devices: {requests: [{name: r, exactly: {deviceClassName: c}}]}}}}
      """;

  private static final String PODS =
      "{metadata: {labels: {app: a}}, spec: {containers: [{name: c, image: i}],"
          + " resourceClaims: [{name: e, resourceClaimTemplateName: t}]}}";

  private static PodQueue queue(String... documents) {
    return PodQueue.of(TestCluster.objects(TEMPLATE + "---\n" + String.join("---\n", documents)));
  }

  private static List<String> names(PodQueue queue) {
    return queue.pods().stream().map(PendingPod::name).toList();
  }

  private static String mpiJob(String spec, String status) {
    return """
        {apiVersion: kubeflow.org/v2beta1, kind: MPIJob, metadata: {name: nccl}, spec: {%s
          mpiReplicaSpecs: {Launcher: {replicas: 1, template: {spec: {containers: [{name: l}]}}},
          Worker: {replicas: 2, template: %s}}}, status: {%s}}
        """
        .formatted(spec, PODS, status);
  }

  private static String pod(String name, String more) {
    return """
        {apiVersion: v1, kind: Pod, metadata: {name: %s},
          spec: {%sresourceClaims: [{name: e, resourceClaimTemplateName: t}]}}
        """
        .formatted(name, more);
  }

  private static String jobSet(String metadata, String spec) {
    return """
        {apiVersion: jobset.x-k8s.io/v1alpha2, kind: JobSet, metadata: {name: train%s}, spec: {%s
          replicatedJobs: [{name: w, replicas: 2, template: {spec: {parallelism: 2, completions: 2,
          template: %s}}}]}}
        """
        .formatted(metadata, spec, PODS);
  }

  private static String groups(String metadata, String leader) {
    return """
        {apiVersion: leaderworkerset.x-k8s.io/v1, kind: LeaderWorkerSet,
          metadata: {name: llm%s}, spec: {replicas: 2, leaderWorkerTemplate: {size: 3, %s
          workerTemplate: %s}}}
        """
        .formatted(metadata, leader, PODS);
  }

  @Test
  void anMpiJobHasItsWorkersAndTheyAreAGang() {
    PodQueue queue = queue(mpiJob("", ""));
    assertThat(names(queue)).containsExactly("default/nccl-worker-0", "default/nccl-worker-1");
    assertThat(queue.pods().get(1).labels())
        .containsEntry("app", "a")
        .containsEntry("training.kubeflow.org/job-name", "nccl")
        .containsEntry("training.kubeflow.org/job-role", "worker")
        .containsEntry("training.kubeflow.org/operator-name", "mpi-operator")
        .containsEntry("training.kubeflow.org/replica-index", "1");
    assertThat(queue.gangs()).extracting(Gang::name).containsExactly("MPIJob default/nccl");
    assertThat(queue.claims().keySet().stream().map(String::valueOf))
        .containsExactly("default/nccl-worker-0-e", "default/nccl-worker-1-e");
  }

  @Test
  void aLauncherWithClaimsIsPlacedAsTheJobThatItIs() {
    String job = mpiJob("runLauncherAsWorker: true, ", "");
    PodQueue queue = queue(job.replace("{spec: {containers: [{name: l}]}}", PODS));
    assertThat(names(queue))
        .containsExactlyInAnyOrder(
            "default/nccl-worker-0", "default/nccl-worker-1", "default/nccl-launcher-0");
    assertThat(queue.pods().get(0).labels())
        .containsEntry("training.kubeflow.org/replica-index", "1");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "runPolicy: {suspend: true}, | ",
        " | conditions: [{type: Succeeded, status: 'True'}]",
        " | conditions: [{type: Failed, status: 'True'}]"
      })
  void anMpiJobThatIsSuspendedOrHasEndedMakesNoPods(String fields) {
    String[] parts = fields.split("\\|", -1);
    assertThat(names(queue(mpiJob(parts[0], parts[1])))).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"kueue.x-k8s.io/multikueue, 0, 0", "'', 2, 4"})
  void objectsOfOtherControllersHaveNoPods(String controller, int ofMpiJob, int ofJobSet) {
    String managedBy = "managedBy: '%s'".formatted(controller);
    assertThat(names(queue(mpiJob("runPolicy: {" + managedBy + "},", "")))).hasSize(ofMpiJob);
    assertThat(names(queue(jobSet("", managedBy + ",")))).hasSize(ofJobSet);
    assertThat(
            names(
                queue(
                    mpiJob("runPolicy: {managedBy: kubeflow.org/mpi-operator},", ""),
                    jobSet("", "managedBy: jobset.sigs.k8s.io/jobset-controller,"))))
        .hasSize(6);
  }

  /** It is the rank 0 of the job; whether it is given as a Job or a pod makes no difference. */
  @Test
  void aLauncherThatWorksIsOfTheGangOfItsWorkers() {
    String job = mpiJob("runLauncherAsWorker: true, ", "");
    job = job.replace("{spec: {containers: [{name: l}]}}", PODS);
    PodQueue queue = queue(job);
    assertThat(queue.gangs())
        .singleElement()
        .satisfies(gang -> assertThat(gang.name()).isEqualTo("MPIJob default/nccl"))
        .satisfies(gang -> assertThat(gang.pods()).hasSize(3));
    String launcher =
        "{apiVersion: batch/v1, kind: Job, metadata: {name: nccl-launcher}, spec: {template: %s}}\n"
            .formatted(PODS);
    assertThat(queue(job, launcher).gangs())
        .singleElement()
        .satisfies(gang -> assertThat(gang.pods()).hasSize(3));
    String pod =
        pod("nccl-launcher-x", "")
            .replace(
                "name: nccl-launcher-x",
                "name: nccl-launcher-x, ownerReferences: [{apiVersion: batch/v1, kind: Job, name:"
                    + " nccl-launcher, uid: u, controller: true}]");
    assertThat(queue(job, launcher, pod).gangs())
        .singleElement()
        .satisfies(gang -> assertThat(gang.pods()).hasSize(3));
    assertThat(queue(job.replace("runLauncherAsWorker: true, ", "")).gangs()).hasSize(2);
  }

  private static String partOf(PendingPod pod) {
    return pod.labels().getOrDefault("leaderworkerset.sigs.k8s.io/subgroup-index", "none");
  }

  @ParameterizedTest
  @CsvSource({
    "4, 'subGroupSize: 2', 0 0 1 1",
    "5, 'subGroupSize: 2', 0 0 0 1 1",
    "5, 'subGroupSize: 2, subGroupPolicyType: LeaderExcluded', none 0 0 1 1",
    "2, 'subGroupSize: 1', 0 0"
  })
  void groupsHaveParts(int size, String policy, String parts) {
    String set =
        groups("", "subGroupPolicy: {%s},".formatted(policy))
            .replace("size: 3", "size: " + size)
            .replace("replicas: 2", "replicas: 1");
    assertThat(queue(set).pods().stream().map(DerivedPodsTest::partOf))
        .containsExactly(parts.split(" "));
  }

  @Test
  void eachPartOfAnExclusiveGroupHasADomainForItself() {
    String annotations =
        ", annotations: {leaderworkerset.sigs.k8s.io/subgroup-exclusive-topology: rack%s}";
    String parts = "subGroupPolicy: {subGroupSize: 2},";
    String set = groups(annotations.formatted(""), parts).replace("size: 3", "size: 4");
    PodQueue queue = queue(set);
    PodSpec first = queue.pods().get(0).spec();
    assertThat(first.requiredPodAffinity())
        .singleElement()
        .satisfies(
            term -> {
              assertThat(term.topologyKey()).isEqualTo("rack");
              assertThat(term.labelSelector()).isNotNull();
              assertThat(
                      queue.pods().stream()
                          .filter(pod -> term.labelSelector().matches(pod.labels()))
                          .map(PendingPod::localName))
                  .containsExactly("llm-0", "llm-0-1");
            });
    assertThat(first.requiredPodAntiAffinity())
        .singleElement()
        .satisfies(
            term -> {
              assertThat(term.labelSelector()).isNotNull();
              assertThat(
                      queue.pods().stream()
                          .filter(pod -> term.labelSelector().matches(pod.labels())))
                  .hasSize(6);
            });
    // Terms with that key are added once, those of the whole group first.
    String both = annotations.formatted(", leaderworkerset.sigs.k8s.io/exclusive-topology: rack");
    assertThat(queue(groups(both, parts)).pods().get(0).spec().requiredPodAffinity())
        .singleElement()
        .satisfies(
            term ->
                assertThat(term.labelSelector())
                    .asString()
                    .contains("leaderworkerset.sigs.k8s.io/group-key"));
  }

  @Test
  void podsThatExistAreNotMadeTwice() {
    assertThat(names(queue(pod("nccl-worker-0", ""), mpiJob("", ""))))
        .containsExactly("default/nccl-worker-0", "default/nccl-worker-1");
    assertThat(names(queue(pod("llm-0-1", ""), groups("", ""))))
        .containsExactlyInAnyOrder(
            "default/llm-0-1",
            "default/llm-0",
            "default/llm-0-2",
            "default/llm-1",
            "default/llm-1-1",
            "default/llm-1-2");
  }

  @Test
  void aJobSetHasItsJobs() {
    PodQueue queue = queue(jobSet("", ""));
    assertThat(names(queue))
        .containsExactly(
            "default/train-w-0-0",
            "default/train-w-0-1",
            "default/train-w-1-0",
            "default/train-w-1-1");
    assertThat(queue.gangs())
        .extracting(Gang::name)
        .containsExactly("Job default/train-w-0", "Job default/train-w-1");
    assertThat(queue.pods().get(2).labels())
        .containsEntry("job-name", "train-w-1")
        .containsEntry("jobset.sigs.k8s.io/jobset-name", "train")
        .containsEntry("jobset.sigs.k8s.io/replicatedjob-name", "w")
        .containsEntry("jobset.sigs.k8s.io/job-index", "1")
        .containsEntry("jobset.sigs.k8s.io/job-global-index", "1")
        .containsEntry("jobset.sigs.k8s.io/global-replicas", "2");
    assertThat(names(queue(jobSet("", "suspend: true,")))).isEmpty();
  }

  @Test
  void jobsOfAJobSetThatExistMakeTheirPods() {
    String job =
        """
        {apiVersion: batch/v1, kind: Job, metadata: {name: train-w-0}, spec: {parallelism: 1,
          completions: 1, template: %s}}
        """
            .formatted(PODS);
    assertThat(names(queue(job, jobSet("", ""))))
        .containsExactly("default/train-w-0-0", "default/train-w-1-0", "default/train-w-1-1");
  }

  @Test
  void eachJobOfAnExclusiveJobSetHasADomainForItself() {
    String exclusive = ", annotations: {alpha.jobset.sigs.k8s.io/exclusive-topology: rack}";
    PodQueue queue = queue(jobSet(exclusive, ""));
    assertThat(queue.pods().get(0).spec().requiredPodAffinity())
        .singleElement()
        .satisfies(
            term -> {
              assertThat(term.topologyKey()).isEqualTo("rack");
              assertThat(term.labelSelector()).isNotNull();
              assertThat(term.labelSelector().matches(queue.pods().get(1).labels())).isTrue();
              assertThat(term.labelSelector().matches(queue.pods().get(2).labels())).isFalse();
            });
    assertThat(queue.pods().get(0).spec().requiredPodAntiAffinity())
        .singleElement()
        .satisfies(
            term -> {
              assertThat(term.labelSelector()).isNotNull();
              assertThat(term.labelSelector().matches(queue.pods().get(1).labels())).isFalse();
              assertThat(term.labelSelector().matches(queue.pods().get(2).labels())).isTrue();
            });
  }

  @Test
  void theGroupsOfALeaderWorkerSetAreGangs() {
    PodQueue queue = queue(groups("", ""));
    assertThat(names(queue))
        .containsExactly(
            "default/llm-0",
            "default/llm-0-1",
            "default/llm-0-2",
            "default/llm-1",
            "default/llm-1-1",
            "default/llm-1-2");
    assertThat(queue.gangs())
        .extracting(Gang::name)
        .containsExactly(
            "group 0 of LeaderWorkerSet default/llm", "group 1 of LeaderWorkerSet default/llm");
    assertThat(queue.pods().get(4).labels())
        .containsEntry("leaderworkerset.sigs.k8s.io/name", "llm")
        .containsEntry("leaderworkerset.sigs.k8s.io/group-index", "1")
        .containsEntry("leaderworkerset.sigs.k8s.io/worker-index", "1");
    String leader = "leaderTemplate: {spec: {containers: [{name: l}]}},";
    assertThat(names(queue(groups("", leader))))
        .containsExactly(
            "default/llm-0-1", "default/llm-0-2", "default/llm-1-1", "default/llm-1-2");
  }

  private static String claims(int number) {
    StringBuilder claims = new StringBuilder();
    for (int i = 0; i < number; i++) {
      claims.append("{name: e%d, resourceClaimTemplateName: t}, ".formatted(i));
    }
    return "resourceClaims: [" + claims;
  }

  /** Each of these objects is within its own limit; the claims of the pods are counted. */
  @Test
  void claimsOfAllObjectsTogetherHaveALimit() {
    String first = mpiJob("", "").replace("replicas: 2", "replicas: 10000");
    String second = groups("", "").replace("replicas: 2", "replicas: 3000");
    String full =
        "; at most 100000 of all sets together are placed here; use a smaller number, or fewer"
            + " objects at a time";
    PodQueue queue =
        queue(
            first.replace("resourceClaims: [", claims(8)),
            second.replace("resourceClaims: [", claims(1)),
            mpiJob("", "").replace("nccl", "small"));
    assertThat(queue.pods()).hasSize(10_002); // 90,000 claims, and two of the last job
    assertThat(queue.problems())
        .containsExactly(
            "LeaderWorkerSet default/llm: spec.replicas: 9000 pods use 18000 claims" + full);
    PodQueue workers =
        queue(
            second.replace("resourceClaims: [", claims(9)),
            first.replace("resourceClaims: [", claims(1)));
    assertThat(names(workers)).hasSize(9_000).allMatch(name -> name.startsWith("default/llm-"));
    assertThat(workers.problems())
        .containsExactly(
            "MPIJob default/nccl: spec.mpiReplicaSpecs[Worker]: 10000 pods use 20000 claims"
                + full);
  }

  @Test
  void podsOfAGroupThatAStatefulSetMakesAreCountedOnce() {
    String set =
        """
        {apiVersion: apps/v1, kind: StatefulSet, metadata: {name: llm}, spec: {replicas: 9000,
          template: %s}}
        """
            .formatted(PODS);
    String leaders =
        groups("", "").replace("replicas: 2", "replicas: 9000").replace("size: 3", "size: 1");
    PodQueue queue =
        queue(
            set.replace("resourceClaims: [", claims(9)),
            leaders.replace("resourceClaims: [", claims(9)));
    assertThat(queue.pods()).hasSize(9_000);
    assertThat(queue.problems()).isEmpty();
  }

  @Test
  void tooManyPodsOfOneObjectAreAProblem() {
    PodQueue queue = queue(mpiJob("", "").replace("replicas: 2", "replicas: 2000000000"));
    assertThat(names(queue)).isEmpty();
    assertThat(queue.problems())
        .containsExactly(
            "MPIJob default/nccl: spec.mpiReplicaSpecs[Worker]: 2000000000 pods and jobs; at most"
                + " 10000 of one object are placed here; use a smaller number");
  }
}
