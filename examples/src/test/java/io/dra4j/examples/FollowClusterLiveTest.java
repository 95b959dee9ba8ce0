package io.dra4j.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.dra4j.model.ResourceClaim;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The example sees a class and devices come and go in a real cluster. */
class FollowClusterLiveTest {

  private static final String NODE =
      """
      apiVersion: v1
      kind: Node
      metadata: {name: follow-1}
      """;

  private static final String CLASS =
      """
      apiVersion: resource.k8s.io/v1
      kind: DeviceClass
      metadata: {name: follow}
      spec: {selectors: [{cel: {expression: 'device.driver == "follow.example.com"'}}]}
      """;

  private static final String SLICE =
      """
      apiVersion: resource.k8s.io/v1
      kind: ResourceSlice
      metadata: {name: follow}
      spec:
        driver: follow.example.com
        nodeName: follow-1
        pool: {name: follow-1, generation: 1, resourceSliceCount: 1}
        devices: [{name: d}]
      """;

  @Test
  void saysWhereTheClaimFits() throws Exception {
    assumeTrue(
        "true".equals(System.getenv("DRA4J_TEST_CLUSTER")),
        "no cluster for tests: DRA4J_TEST_CLUSTER is not true (e2e/kube/live)");
    LinkedBlockingQueue<String> answers = new LinkedBlockingQueue<>();
    ResourceClaim claim =
        ResourceClaim.named("wanted").request("r", one -> one.deviceClass("follow")).build();
    Thread follower =
        new Thread(
            () -> {
              try {
                FollowCluster.follow(claim, answers::add);
              } catch (Exception e) {
                answers.add(e.toString());
              }
            });
    try (KubernetesClient client = new KubernetesClientBuilder().build()) {
      follower.start();
      await(answers, "fits on no node");
      client.resource(NODE).create();
      client.resource(CLASS).create();
      client.resource(SLICE).create();
      await(answers, "fits on follow-1");
      client.resource(SLICE).delete();
      await(answers, "fits on no node");
      client.resource(CLASS).delete();
      client.resource(NODE).delete();
    } finally {
      follower.interrupt();
      follower.join(TimeUnit.SECONDS.toMillis(30));
    }
    assertThat(follower.isAlive()).isFalse();
  }

  private static void await(LinkedBlockingQueue<String> answers, String wanted)
      throws InterruptedException {
    String answer;
    do {
      answer = answers.poll(60, TimeUnit.SECONDS);
      assertThat(answer).isNotNull();
    } while (!answer.equals(wanted));
  }
}
