package io.dra4j.kubernetes;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.dra4j.model.Condition;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Objects;

/**
 * Sets conditions of pods. Each request is sent once, and the pod is not read before. Requires
 * permission to {@code patch} {@code pods/status}. Thread-safe.
 */
public final class PodConditionWriter {

  private static final JsonMapper MAPPER = new JsonMapper();

  private final ApiServer server;

  private PodConditionWriter(ApiServer server) {
    this.server = server;
  }

  /**
   * {@return a new writer}
   *
   * @param client the connection, which the caller closes
   */
  public static PodConditionWriter of(KubernetesClient client) {
    return new PodConditionWriter(new ApiServer(Objects.requireNonNull(client, "client")));
  }

  /**
   * Sets a condition in the status of a pod; other conditions stay.
   *
   * @param namespace the namespace of the pod
   * @param name the name of the pod
   * @param uid the UID of the pod; another pod of this name is not changed
   * @param condition the condition; its probe time is now, and its transition time is now unless it
   *     has one
   * @throws ClusterException if the API server refuses the request, or does not respond within 30
   *     s; in that case it may have set the condition
   * @throws InterruptedException if the calling thread is interrupted
   */
  public void write(String namespace, String name, String uid, Condition condition)
      throws ClusterException, InterruptedException {
    String path =
        "/api/v1/namespaces/%s/pods/%s/status"
            .formatted(
                ServedResource.encode(Objects.requireNonNull(namespace, "namespace")),
                ServedResource.encode(Objects.requireNonNull(name, "name")));
    server.write(
        "PATCH",
        path,
        "application/strategic-merge-patch+json",
        body(Objects.requireNonNull(uid, "uid"), Objects.requireNonNull(condition, "condition")));
  }

  private static String body(String uid, Condition condition) {
    String now = Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
    ObjectNode body = MAPPER.createObjectNode();
    body.putObject("metadata").put("uid", uid);
    body.putObject("status")
        .putArray("conditions")
        .addObject()
        .put("type", condition.type())
        .put("status", condition.status())
        .put("lastProbeTime", now)
        .put("lastTransitionTime", Objects.requireNonNullElse(condition.lastTransitionTime(), now))
        .put("reason", condition.reason())
        .put("message", condition.message());
    return body.toString();
  }
}
