package io.dra4j.scheduling;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The pods that Jobs lack. */
class JobPodsTest {

  private static final String TEMPLATE =
      """
      {apiVersion: resource.k8s.io/v1, kind: ResourceClaimTemplate, metadata: {name: t},
       spec: {spec: {devices: {requests: [{name: r, exactly: {deviceClassName: c}}]}}}}
      """;

  private static PodQueue queue(String... documents) {
    return PodQueue.of(TestCluster.objects(TEMPLATE + "---\n" + String.join("---\n", documents)));
  }

  /** The names of the missing pods. */
  private static List<String> made(String... documents) {
    return queue(documents).pods().stream()
        .filter(pod -> pod.spec().nodeName().isEmpty())
        .map(PendingPod::localName)
        .toList();
  }

  private static String job(String spec, String status) {
    return """
        {apiVersion: batch/v1, kind: Job, metadata: {name: j}, spec: {%s, template: {spec: {
          resourceClaims: [{name: e, resourceClaimTemplateName: t}]}}}, status: {%s}}
        """
        .formatted(spec, status);
  }

  private static String pod(String name, String metadata, String phase) {
    return """
        {apiVersion: v1, kind: Pod, metadata: {name: %s%s, ownerReferences: [{apiVersion: batch/v1,
          kind: Job, name: j, uid: u, controller: true}]}, spec: {nodeName: n0}, status: {phase: %s}}
        """
        .formatted(name, metadata, phase);
  }

  private static String index(int index) {
    return ", annotations: {batch.kubernetes.io/job-completion-index: '%d'}".formatted(index);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          5 | 5 | failedIndexes: 0-1, succeeded: 1, completedIndexes: '2' | j-3 j-4
          6 | 4 | succeeded: 3, completedIndexes: '0,2,4' | j-1 j-3 j-5
          6 | 2 | succeeded: 3, completedIndexes: '0,2,4' | j-1 j-3
          6 | 6 | succeeded: 5, completedIndexes: 0-4 | j-5
          6 | 6 | completedIndexes: '0-2,x,5-9', failedIndexes: '1,3' | j-4
          3 | 3 | completedIndexes: 0-1, failedIndexes: '2' | ''
          4 | 4 | succeeded: 2 | j-0 j-1
          2000000000 | 2 | failedIndexes: 0-1999999997 | j-1999999998 j-1999999999
          """)
  void anIndexedJobHasPodsOfTheIndexesThatAreLeft(
      int completions, int parallelism, String status, String pods) {
    String spec =
        "completionMode: Indexed, completions: %d, parallelism: %d"
            .formatted(completions, parallelism);
    assertThat(String.join(" ", made(job(spec, status)))).isEqualTo(pods);
  }

  @Test
  void runningAndSucceededPodsKeepTheirIndexes() {
    String job = job("completionMode: Indexed, completions: 6, parallelism: 4", "");
    assertThat(
            made(
                job,
                pod("j-1-abcde", index(1), "Running"),
                pod("j-0-abcde", index(0), "Succeeded"),
                pod("j-2-abcde", index(2), "Failed")))
        .containsExactly("j-2", "j-3", "j-4");
    assertThat(made(job, pod("j-1", "", "Running"))).containsExactly("j-0", "j-2", "j-3");
  }

  @Test
  void podsOfOthersKeepTheirNames() {
    String other = "{apiVersion: v1, kind: Pod, metadata: {name: j-0}, spec: {nodeName: n0}}\n";
    assertThat(made(job("completionMode: Indexed, completions: 1", ""), other))
        .containsExactly("j-0-new");
    assertThat(made(job("completions: 1", ""), other)).containsExactly("j-1");
  }

  @Test
  void thePodsOfAnIndexedJobHaveTheirIndexAsALabel() {
    String job = job("completionMode: Indexed, completions: 2", "completedIndexes: '0'");
    assertThat(queue(job).pods().get(0).labels())
        .containsEntry("batch.kubernetes.io/job-completion-index", "1")
        .containsEntry("job-name", "j");
  }

  @ParameterizedTest
  @CsvSource({"example.com/queue, 0", "kubernetes.io/job-controller, 1"})
  void aJobOfAnotherControllerHasNoPods(String controller, int pods) {
    assertThat(made(job("managedBy: " + controller, ""))).hasSize(pods);
  }
}
