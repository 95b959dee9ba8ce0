package io.dra4j.kubernetes;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records events (core/v1 Event) about objects of a cluster. Equal events of one object share one
 * Event, whose count and last time are updated. A failed write is retried after a pause, at most
 * {@value #ATTEMPTS} times. An event that the API server refuses is logged and dropped.
 *
 * <p>At most {@value #MAX_WAITING} events wait; further events are logged and dropped. Requires
 * permission to {@code create} and {@code patch} {@code events}. The recorder has its own thread.
 * Thread-safe.
 */
public final class EventRecorder implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(EventRecorder.class);
  private static final JsonMapper MAPPER = new JsonMapper();
  private static final int MAX_WAITING = 1000;
  private static final int MAX_KNOWN = 4096;
  private static final int ATTEMPTS = 12; // client-go, tools/record/event.go
  private static final int MAX_MESSAGE = 1024; // core/v1 Event, as the API server validates it
  private static final int MAX_NAME = 253;

  /** The importance of an event. */
  public enum EventType {
    /** Normal operation. */
    NORMAL("Normal"),
    /** A problem that a person should examine. */
    WARNING("Warning");

    private final String text;

    EventType(String text) {
      this.text = text;
    }
  }

  /**
   * The object of an event.
   *
   * @param apiVersion group and version, for example {@code v1}
   * @param kind the kind, for example {@code Pod}
   * @param namespace its namespace; empty for a cluster-scoped object
   * @param name its name
   * @param uid its UID
   */
  public record Subject(String apiVersion, String kind, String namespace, String name, String uid) {

    /**
     * {@return a pod as the subject of events}
     *
     * @param namespace its namespace
     * @param name its name
     * @param uid its UID
     */
    public static Subject pod(String namespace, String name, String uid) {
      return new Subject("v1", "Pod", namespace, name, uid);
    }

    /**
     * {@return a ResourceClaim as the subject of events}
     *
     * @param namespace its namespace
     * @param name its name
     * @param uid its UID
     */
    public static Subject claim(String namespace, String name, String uid) {
      return new Subject("resource.k8s.io/v1", "ResourceClaim", namespace, name, uid);
    }
  }

  private record Key(Subject subject, EventType type, String reason, String message) {}

  /** The count and the times of an event. Guarded by the lock. */
  private static final class Occurrences {
    private final String name;
    private final Instant first;
    private Instant last;
    private int count = 1;
    private int attempts;
    private boolean isCreated;

    Occurrences(String name, Instant first) {
      this.name = name;
      this.first = first;
      this.last = first;
    }
  }

  private final ApiServer server;
  private final String component;
  private final String host;
  private final WriteQueue<Key, Occurrences> queue =
      new WriteQueue<>("dra4j-events", this::attempt);
  private final Object lock = new Object();

  // Guarded by the lock.
  private final Map<Key, Occurrences> known =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Key, Occurrences> eldest) {
          return size() > MAX_KNOWN;
        }
      };

  private EventRecorder(KubernetesClient client, String component, String host) {
    this.server = new ApiServer(client);
    this.component = Objects.requireNonNull(component, "component");
    this.host = Objects.requireNonNull(host, "host");
  }

  /**
   * {@return a new recorder, which is started}
   *
   * @param client the connection, which the caller closes after the recorder
   * @param component the source of the events, for example the name of a driver
   * @param host the node on which the component runs
   */
  public static EventRecorder start(KubernetesClient client, String component, String host) {
    EventRecorder recorder =
        new EventRecorder(Objects.requireNonNull(client, "client"), component, host);
    recorder.queue.start();
    return recorder;
  }

  /**
   * Records an event. It is written in the background.
   *
   * @param subject the object
   * @param type the importance of the event
   * @param reason one word in upper camel case, for example {@code DeviceAttachFailed}
   * @param message a description of the event; at most 1,024 characters are written
   */
  public void record(Subject subject, EventType type, String reason, String message) {
    String bounded = message.substring(0, Math.min(message.length(), MAX_MESSAGE));
    Key key = new Key(subject, type, reason, bounded);
    Instant now = Instant.now().truncatedTo(ChronoUnit.SECONDS);
    synchronized (lock) {
      Occurrences before = known.get(key);
      Occurrences event = before == null ? new Occurrences(name(subject), now) : before;
      if (!queue.offer(key, event, MAX_WAITING)) {
        LOG.atWarn()
            .log(
                "event {} of {} is dropped: too many events wait to be written",
                reason,
                subject.name());
        return;
      }
      if (before == null) {
        known.put(key, event);
      } else {
        event.count++;
        event.last = now;
      }
      event.attempts = 0;
    }
  }

  private static String name(Subject subject) {
    Instant now = Instant.now();
    String suffix = ".%x%08x".formatted(now.getEpochSecond(), System.nanoTime() & 0xffffffffL);
    int length = Math.min(subject.name().length(), MAX_NAME - suffix.length());
    return subject.name().substring(0, length) + suffix;
  }

  /**
   * Waits until no event waits to be written.
   *
   * @param limit the longest wait
   * @return whether all events are written or dropped
   * @throws InterruptedException if the calling thread is interrupted
   */
  public boolean awaitWritten(Duration limit) throws InterruptedException {
    return queue.awaitWritten(limit);
  }

  private WriteQueue.Outcome attempt(Key key, Occurrences event) throws InterruptedException {
    boolean isCreated;
    ObjectNode body;
    synchronized (lock) {
      isCreated = event.isCreated;
      body = isCreated ? repetition(event) : first(key, event);
    }
    ClusterException failure = write(key.subject(), event.name, isCreated, body);
    synchronized (lock) {
      return outcome(key, event, failure);
    }
  }

  private WriteQueue.Outcome outcome(
      Key key, Occurrences event, @Nullable ClusterException failure) {
    if (failure == null || (failure.status() == 409 && !event.isCreated)) { // a response was lost
      event.isCreated = true;
      return WriteQueue.Outcome.DONE;
    } else if (failure.status() == 404 && event.isCreated) { // the server deletes old events
      Occurrences again = new Occurrences(name(key.subject()), event.last);
      known.put(key, again);
      queue.put(key, again);
      return WriteQueue.Outcome.LEFT_OUT;
    } else if (isFinal(failure) || ++event.attempts >= ATTEMPTS) {
      LOG.atWarn().log("an event of {} is dropped: {}", key.subject().name(), failure.getMessage());
      return WriteQueue.Outcome.LEFT_OUT;
    }
    LOG.atDebug().log("an event is not written yet and will be retried: {}", failure.getMessage());
    return WriteQueue.Outcome.FAILED;
  }

  /** Whether the same request would fail again. */
  private static boolean isFinal(ClusterException failure) {
    int status = failure.status();
    return status >= 400 && status < 500 && status != 401 && status != 408 && status != 429;
  }

  private static String namespace(Subject subject) {
    return subject.namespace().isEmpty() ? "default" : subject.namespace();
  }

  private @Nullable ClusterException write(
      Subject subject, String name, boolean isCreated, ObjectNode body)
      throws InterruptedException {
    String path =
        "/api/v1/namespaces/%s/events".formatted(ServedResource.encode(namespace(subject)));
    try {
      if (isCreated) {
        server.write(
            "PATCH",
            path + "/" + ServedResource.encode(name),
            "application/merge-patch+json",
            body.toString());
      } else {
        server.write("POST", path, "application/json", body.toString());
      }
      return null;
    } catch (ClusterException e) {
      return e;
    }
  }

  private static ObjectNode repetition(Occurrences event) {
    return MAPPER
        .createObjectNode()
        .put("count", event.count)
        .put("lastTimestamp", event.last.toString());
  }

  private ObjectNode first(Key key, Occurrences event) {
    Subject subject = key.subject();
    ObjectNode body = repetition(event);
    body.put("apiVersion", "v1").put("kind", "Event");
    body.putObject("metadata").put("namespace", namespace(subject)).put("name", event.name);
    ObjectNode about =
        body.putObject("involvedObject")
            .put("apiVersion", subject.apiVersion())
            .put("kind", subject.kind())
            .put("name", subject.name())
            .put("uid", subject.uid());
    if (!subject.namespace().isEmpty()) {
      about.put("namespace", subject.namespace());
    }
    body.put("type", key.type().text)
        .put("reason", key.reason())
        .put("message", key.message())
        .put("firstTimestamp", event.first.toString())
        .put("reportingComponent", component)
        .put("reportingInstance", host);
    body.putObject("source").put("component", component).put("host", host);
    return body;
  }

  /** Ends the thread. Waiting events are not written. */
  @Override
  public void close() {
    queue.close();
  }
}
