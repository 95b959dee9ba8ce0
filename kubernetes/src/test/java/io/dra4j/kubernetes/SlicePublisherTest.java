package io.dra4j.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.KubernetesClient;
import org.junit.jupiter.api.Test;

class SlicePublisherTest {

  @Test
  void apiServerThatIsAwayIsAProblem() throws Exception {
    FakeApiServer server = new FakeApiServer();
    try (KubernetesClient client = server.client();
        SlicePublisher publisher = SlicePublisher.of(client, "gpu.example.com", "node-1").start()) {
      await(publisher, false);
      server.close();
      await(publisher, true);
      assertThat(publisher.problem()).isPresent();
    }
  }

  private static void await(SlicePublisher publisher, boolean hasProblem) throws Exception {
    for (int i = 0; i < 3_000 && publisher.problem().isPresent() != hasProblem; i++) {
      Thread.sleep(10);
    }
    assertThat(publisher.problem().isPresent()).isEqualTo(hasProblem);
  }
}
