package io.dra4j.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dra4j.manifest.Manifest;
import io.dra4j.manifest.ManifestReader;
import io.dra4j.model.JobSet;
import io.dra4j.model.StatefulSet;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a file of a live cluster has of the workloads that the API server serves. */
class ClusterCaptureTest {

  private static final String SECRET = "hunter2";

  /** A template of pods with what a scheduler looks at, and what is no concern of it. */
  private static final String TEMPLATE =
      """
      {"metadata":{"labels":{"app":"a"},"annotations":{"example.com/note":"%1$s"}},
       "spec":{"nodeSelector":{"zone":"a"},"volumes":[{"name":"v","hostPath":{"path":"/%1$s"}}],
        "initContainers":[{"name":"side","restartPolicy":"Always","args":["%1$s"]}],
        "containers":[{"name":"main","command":["%1$s"],"env":[{"name":"P","value":"%1$s"}],
         "livenessProbe":{"exec":{"command":["%1$s"]}},"resources":{"limits":{"cpu":"1"}},
         "ports":[{"containerPort":80,"hostPort":80}]}]}}"""
          .formatted(SECRET);

  private FakeApiServer server;
  private KubernetesClient client;

  @BeforeEach
  void start() throws Exception {
    server = new FakeApiServer();
    client = server.client();
  }

  @AfterEach
  void stop() {
    client.close();
    server.close();
  }

  private static String capture(ClusterCapture capture) throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    capture.write(out);
    return out.toString(StandardCharsets.UTF_8);
  }

  private static List<Manifest> read(String text) throws Exception {
    return ManifestReader.builder()
        .build()
        .read("cluster", new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
  }

  @Test
  void workloadsHaveWhatPodsAreMadeOfAndNoMore() throws Exception {
    server.servesAlso("apps/v1", "deployments", "replicasets", "statefulsets", "daemonsets");
    server.put(
        "statefulsets",
        "set",
        ",\"spec\":{\"replicas\":3,\"volumeClaimTemplates\":[{\"metadata\":{\"name\":\"%s\"}}],"
                .formatted(SECRET)
            + "\"template\":"
            + TEMPLATE
            + "}");
    String text = capture(ClusterCapture.of(client));
    assertThat(text).doesNotContain(SECRET).contains(ClusterCapture.LEFT_OUT);
    List<Manifest> objects = read(text);
    assertThat(objects)
        .singleElement()
        .satisfies(one -> assertThat(one.apiVersion()).isEqualTo("apps/v1"));
    StatefulSet set = (StatefulSet) objects.get(0).object();
    assertThat(set.replicas()).isEqualTo(3);
    assertThat(set.templateLabels()).containsEntry("app", "a");
    assertThat(set.template().nodeSelector()).containsEntry("zone", "a");
    assertThat(set.template().initContainers()).singleElement().matches(one -> one.isSidecar());
    assertThat(set.template().containers().get(0).ports())
        .singleElement()
        .satisfies(port -> assertThat(port.hostPort()).isEqualTo(80));
    assertThat(set.template().containers().get(0).resources().limits()).containsKey("cpu");
  }

  @Test
  void templatesWithinTemplatesAreTheSame() throws Exception {
    server.servesAlso("jobset.x-k8s.io/v1alpha2", "jobsets");
    server.put(
        "jobsets",
        "set",
        """
        ,"spec":{"replicatedJobs":[{"name":"w","replicas":2,"template":{"metadata":{"annotations":
         {"alpha.jobset.sigs.k8s.io/exclusive-topology":"rack","example.com/note":"%s"}},
         "spec":{"parallelism":2,"template":%s}}}]}"""
            .formatted(SECRET, TEMPLATE));
    String text = capture(ClusterCapture.of(client));
    assertThat(text).doesNotContain(SECRET);
    JobSet set = (JobSet) read(text).get(0).object();
    assertThat(set.replicatedJobs().get(0).template().metadata().annotations())
        .containsOnlyKeys("alpha.jobset.sigs.k8s.io/exclusive-topology");
  }

  /** Without a 404 for each of them, and without an error. */
  @Test
  void workloadsThatAreNotServedAreLeftOut() throws Exception {
    server.servesAlso("apps/v1", "deployments");
    assertThat(ClusterCapture.of(client).write(new ByteArrayOutputStream()).notServed())
        .contains(
            ClusterResource.STATEFUL_SETS,
            ClusterResource.MPI_JOBS,
            ClusterResource.POD_GROUPS,
            ClusterResource.COMPOSITE_POD_GROUPS)
        .doesNotContain(ClusterResource.DEPLOYMENTS, ClusterResource.PODS);
    assertThat(server.requestsOf("deployments", "")).hasSize(1);
    assertThat(server.requestsOf("statefulsets", "")).isEmpty();
    assertThat(server.requestsOf("mpijobs", "")).isEmpty();
    assertThat(server.requests.stream().filter("/apis/apps/v1"::equals)).hasSize(1);
  }

  @Test
  void groupsAreReadWithTheGroupsAboveThem() throws Exception {
    server.servesAlso("scheduling.k8s.io/v1beta1", "podgroups", "compositepodgroups");
    server.put("podgroups", "g", ",\"spec\":{\"parentCompositePodGroupName\":\"all\"}");
    server.put("compositepodgroups", "all", ",\"spec\":{\"schedulingPolicy\":{\"basic\":{}}}");
    assertThat(read(capture(ClusterCapture.of(client))))
        .extracting(one -> one.object().getClass().getSimpleName())
        .containsExactly("PodGroup", "CompositePodGroup");
    assertThat(AccessRules.reader("r"))
        .contains(
            "- apiGroups: [\"scheduling.k8s.io\"]\n  resources: [podgroups, compositepodgroups]");
  }

  /** The pods that a workload has are known before it, so that they are not made twice. */
  @Test
  void podsAreReadBeforeTheirWorkloads() throws Exception {
    server.servesAlso("batch/v1", "jobs");
    ClusterCapture.of(client).write(new ByteArrayOutputStream());
    List<String> lists = server.requests.stream().filter(one -> one.contains("?limit")).toList();
    assertThat(lists)
        .containsSubsequence("/api/v1/pods?limit=500", "/apis/batch/v1/jobs?limit=500");
  }

  @Test
  void workloadThatMayNotBeListedIsNamed() {
    server.servesAlso("batch/v1", "jobs");
    server.fail("jobs", 403);
    assertThatThrownBy(() -> ClusterCapture.of(client).write(new ByteArrayOutputStream()))
        .isInstanceOf(ClusterException.class)
        .hasMessageContaining("/apis/batch/v1/jobs")
        .hasMessageContaining("access is denied (403)");
  }

  @Test
  void captureWithoutWorkloadsAsksForNone() throws Exception {
    server.servesAlso("batch/v1", "jobs");
    server.fail("jobs", 403);
    server.put("nodes", "n", "");
    assertThat(read(capture(ClusterCapture.of(client).withoutWorkloads()))).hasSize(1);
    assertThat(server.requests).noneMatch(path -> path.contains("/apis/batch/"));
  }

  @Test
  void rightsAreThoseOfWhatIsRead() {
    assertThat(AccessRules.reader("r"))
        .contains(
            """
            - apiGroups: ["apps"]
              resources: [deployments, replicasets, statefulsets, daemonsets]
              verbs: [list]
            """,
            """
            - apiGroups: [""]
              resources: [nodes, pods, resourcequotas]
              verbs: [list, watch]
            """,
            "resources: [mpijobs]",
            "resources: [jobsets]",
            "resources: [leaderworkersets]");
  }
}
