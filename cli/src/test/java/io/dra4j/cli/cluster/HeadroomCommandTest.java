package io.dra4j.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.cli.Cli;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code dra4j headroom}: the number of copies, and the limit. */
class HeadroomCommandTest {

  private static final String TWO = "../examples/two-nodes-scale-out.yaml";

  @Test
  void itCountsWholeJobsAndSaysWhatTheNextOneLacks() {
    Cli cli = Cli.run("headroom", "job/third", TWO, "--add-node", "server-0=3");

    assertThat(cli.code()).isZero();
    assertThat(cli.out())
        .isEqualTo(
            """
            6 more of job default/third fit, each of 2 pods
            the next one lacks a node for default/third-more-7-0: does not fit: 5 nodes:
              fewer than 2 free devices of class gpu.nvidia.com

            NODE              MORE PODS
            server-0-added-1  4
            server-0-added-2  4
            server-0-added-3  4
            """);
  }

  @Test
  void aLimitEndsTheCounting() {
    Cli cli = Cli.run("headroom", "job/third", TWO, "--add-node", "server-0=3", "--limit", "5");

    assertThat(cli.out()).startsWith("at least 5 more of job default/third fit, each of 2 pods\n");
  }

  @Test
  void halfOfAJobIsNone() {
    Cli cli = Cli.run("headroom", "job/first", TWO, "--add-node", "server-0=2", "-o", "json");

    assertThat(cli.code()).isZero();
    assertThat(cli.out()).contains("\"more\":2", "\"podsOfEach\":1", "\"limited\":true");
  }

  @Test
  void aJobHasToBeNamed() {
    assertThat(Cli.run("headroom", TWO).errLines().get(0))
        .isEqualTo("dra4j: expected a job among the FILEs, such as statefulset/NAME or job/NAME");
    assertThat(Cli.run("headroom", "daemonset/mon", TWO).errLines().get(0))
        .isEqualTo(
            "dra4j: daemonset/mon: copies of this kind are not counted; expected a statefulset, job,"
                + " deployment, replicaset, mpijob, jobset, leaderworkerset or pod");
    assertThat(Cli.run("headroom", "podgroup", "pg", TWO).errLines().get(0))
        .startsWith(
            "dra4j: podgroup: copies of this kind are not counted; expected a statefulset,");
    assertThat(Cli.run("headroom", "sts/third", TWO).errLines().get(0))
        .isEqualTo(
            "dra4j: no statefulset default/third in the input; jobs: job/default/first,"
                + " job/default/second, job/default/third");
    assertThat(Cli.run("headroom", "job/third", TWO, "--limit", "0").code()).isEqualTo(2);
  }

  private static final String CLUSTER =
      """
      {apiVersion: resource.k8s.io/v1, kind: DeviceClass, metadata: {name: c},
        spec: {extendedResourceName: example.com/gpu}}
      ---
      {apiVersion: resource.k8s.io/v1, kind: ResourceClaimTemplate, metadata: {name: one},
        spec: {spec: {devices: {requests: [{name: r, exactly: {deviceClassName: c}}]}}}}
      """;

  private static String node(String name, String more) {
    return """
        ---
        {apiVersion: v1, kind: Node, metadata: {name: %1$s, labels: {kubernetes.io/hostname: %1$s}},
          status: {%2$s}}
        ---
        {apiVersion: resource.k8s.io/v1, kind: ResourceSlice, metadata: {name: %1$s},
          spec: {driver: d.io, nodeName: %1$s, devices: [{name: d0}, {name: d1}, {name: d2}],
            pool: {name: %1$s, generation: 1, resourceSliceCount: 1}}}
        """
        .formatted(name, more);
  }

  private static final String POD = "resourceClaims: [{name: g, resourceClaimTemplateName: one}]";

  private static String apart(String label, String value) {
    return """
        affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [
          {topologyKey: kubernetes.io/hostname, labelSelector: {matchLabels: {%s: %s}}}]}}, %s
        """
        .formatted(label, value, POD);
  }

  private static Cli headroom(String job, String... documents) {
    return Cli.runWith(CLUSTER + String.join("", documents), "headroom", job, "-");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "mpijob/j | {apiVersion: kubeflow.org/v2beta1, kind: MPIJob, metadata: {name: j}, spec:"
            + " {mpiReplicaSpecs: {Launcher: {template: {spec: {}}}, Worker: {replicas: 2,"
            + " template: {spec: {APART}}}}}} | training.kubeflow.org/job-name",
        "jobset/j | {apiVersion: jobset.x-k8s.io/v1alpha2, kind: JobSet, metadata: {name: j},"
            + " spec: {replicatedJobs: [{name: w, replicas: 1, template: {spec: {parallelism: 2,"
            + " completions: 2, template: {spec: {APART}}}}}]}} | jobset.sigs.k8s.io/jobset-name",
        "lws/j | {apiVersion: leaderworkerset.x-k8s.io/v1, kind: LeaderWorkerSet, metadata: {name:"
            + " j}, spec: {replicas: 1, leaderWorkerTemplate: {size: 2, workerTemplate: {spec:"
            + " {APART}}}}} | leaderworkerset.sigs.k8s.io/name"
      })
  void jobsOfOtherControllersAreCounted(String name, String manifest, String label) {
    String job = "---\n" + manifest.replace("APART", apart(label, "j").trim()) + "\n";
    // each has a pod on each node, and a copy excludes its own pods alone
    Cli cli = headroom(name, node("a", ""), node("b", ""), job);
    assertThat(cli.code()).as(cli.err()).isZero();
    assertThat(cli.out()).startsWith("2 more of ").contains("each of 2 pods");
  }

  @Test
  void podsOnNodesAndEarlierCopiesCount() {
    String job =
        "---\n{apiVersion: batch/v1, kind: Job, metadata: {name: j}, spec: {template: {metadata:"
            + " {labels: {app: x}}, spec: {%s}}}}\n";
    String running =
        "---\n{apiVersion: v1, kind: Pod, metadata: {name: r, labels: {app: x}}, spec: {nodeName:"
            + " a}}\n";
    String[] nodes = {node("a", ""), node("b", ""), node("c", ""), node("d", "")};
    String all = String.join("", nodes);
    // the job itself takes b
    assertThat(headroom("job/j", all, running, job.formatted(apart("app", "x"))).out())
        .startsWith("2 more of ");
    String small = node("a", "allocatable: {cpu: '2', pods: '9'}");
    String cpu =
        "containers: [{name: c, resources: {requests: {cpu: '1'}, claims: [{name: g}]}}], " + POD;
    assertThat(headroom("job/j", small, job.formatted(cpu)).out()).startsWith("1 more of ");
  }

  @Test
  void extendedResourcesOfClassesCount() {
    String job =
        "---\n{apiVersion: batch/v1, kind: Job, metadata: {name: j}, spec: {template: {spec:"
            + " {containers: [{name: c, resources: {limits: {example.com/gpu: '1'}}}]}}}}\n";
    assertThat(headroom("job/j", node("a", ""), job).out()).startsWith("2 more of ");
  }

  /** A job that requests no devices fits any number of times, so there is nothing to count. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "job/j | {apiVersion: batch/v1, kind: Job, metadata: {name: j}, spec: {template: %s}} | {}",
        "sts/s | {apiVersion: apps/v1, kind: StatefulSet, metadata: {name: s}, spec: {template: %s}}"
            + " | {devices: {}}",
        "deploy/d | {apiVersion: apps/v1, kind: Deployment, metadata: {name: d}, spec: {template:"
            + " %s}} | {devices: {requests: []}}",
        "job/k | {apiVersion: batch/v1, kind: Job, metadata: {name: k}, spec: {template: {spec:"
            + " {containers: [{name: c}]}}}} | {}"
      })
  void aJobThatRequestsNoDevicesIsRefused(String name, String manifest, String spec) {
    String template =
        """
        ---
        {apiVersion: resource.k8s.io/v1, kind: ResourceClaimTemplate, metadata: {name: none},
          spec: {spec: %s}}
        ---
        """
            .formatted(spec);
    String pod =
        "{spec: {containers: [{name: c}],"
            + " resourceClaims: [{name: g, resourceClaimTemplateName: none}]}}";

    Cli cli =
        Cli.runWith(
            CLUSTER + node("a", "") + template + manifest.formatted(pod), "headroom", name, "-");

    assertThat(cli.code()).isEqualTo(2);
    assertThat(cli.out()).isEmpty();
    assertThat(cli.err())
        .contains(
            "expected pods with claims that request devices, found none: any number of copies fits");
  }
}
