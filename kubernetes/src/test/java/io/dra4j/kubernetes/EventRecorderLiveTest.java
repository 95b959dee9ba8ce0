package io.dra4j.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.dra4j.kubernetes.EventRecorder.EventType;
import io.dra4j.kubernetes.EventRecorder.Subject;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A real API server has the events that were recorded, equal ones as one. */
class EventRecorderLiveTest {

  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final Subject POD = Subject.pod("default", "events-pod", "events-uid");

  private KubernetesClient client;
  private FaultyProxy proxy;
  private KubernetesClient through;
  private EventRecorder recorder;

  @BeforeEach
  void connect() throws Exception {
    assumeTrue(
        "true".equals(System.getenv("DRA4J_TEST_CLUSTER")),
        "no cluster for tests: DRA4J_TEST_CLUSTER is not true (e2e/kube/live)");
    client = new KubernetesClientBuilder().build();
    proxy = new FaultyProxy(client);
    through = proxy.client();
    recorder = EventRecorder.start(through, "events.example.com", "events-node");
  }

  @AfterEach
  void disconnect() {
    if (client != null) {
      recorder.close();
      events().forEach(one -> client.resource(one).delete());
      through.close();
      proxy.close();
      client.close();
    }
  }

  private List<Event> events() {
    return client
        .v1()
        .events()
        .inNamespace("default")
        .withField("involvedObject.uid", "events-uid")
        .list()
        .getItems()
        .stream()
        .sorted(Comparator.comparing(Event::getReason))
        .toList();
  }

  @Test
  void equalEventsAreOneAndRefusalsAreRepeated() throws Exception {
    proxy.refuse("POST", 503, 1);
    for (int i = 0; i < 20; i++) {
      recorder.record(POD, EventType.WARNING, "Failed", "link is down");
      if (i == 10) {
        assertThat(recorder.awaitWritten(LIMIT)).isTrue();
      }
    }
    recorder.record(POD, EventType.NORMAL, "Ready", "x".repeat(2000));
    assertThat(recorder.awaitWritten(LIMIT)).isTrue();
    List<Event> events = events();
    assertThat(events).extracting(Event::getReason).containsExactly("Failed", "Ready");
    assertThat(events).extracting(Event::getCount).containsExactly(20, 1);
    assertThat(events.get(0).getType()).isEqualTo("Warning");
    assertThat(events.get(0).getInvolvedObject().getName()).isEqualTo("events-pod");
    assertThat(events.get(0).getSource().getHost()).isEqualTo("events-node");
    assertThat(events.get(1).getMessage()).hasSize(1024);
    assertThat(proxy.refused()).isEqualTo(1);
  }

  @Test
  void eventThatWasDeletedIsMadeAgain() throws Exception {
    recorder.record(POD, EventType.WARNING, "Failed", "link is down");
    assertThat(recorder.awaitWritten(LIMIT)).isTrue();
    events().forEach(one -> client.resource(one).delete());
    recorder.record(POD, EventType.WARNING, "Failed", "link is down");
    assertThat(recorder.awaitWritten(LIMIT)).isTrue();
    assertThat(events()).extracting(Event::getCount).containsExactly(1);
  }

  @Test
  void eventThatTheServerRefusesHoldsNothingUp() throws Exception {
    recorder.record(new Subject("v1", "Pod", "no-such", "a", "u"), EventType.NORMAL, "Lost", "a");
    recorder.record(POD, EventType.NORMAL, "Ready", "b");
    assertThat(recorder.awaitWritten(LIMIT)).isTrue();
    assertThat(events()).extracting(Event::getReason).containsExactly("Ready");
  }
}
