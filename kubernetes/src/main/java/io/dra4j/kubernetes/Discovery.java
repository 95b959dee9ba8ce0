package io.dra4j.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What an API server says of its groups and versions, asked once for all resources of a group that
 * begin together. What is older than {@value #SECONDS} s is asked anew. Thread-safe.
 */
final class Discovery implements ServedResource.Documents {

  private static final int SECONDS = 5;

  private record Known(Optional<JsonNode> document, long time) {}

  private final ApiServer server;
  private final Map<String, Known> documents = new HashMap<>();

  Discovery(ApiServer server) {
    this.server = server;
  }

  /** Waits while another thread asks the same; a failure is not kept. */
  @Override
  public synchronized @Nullable JsonNode document(String path)
      throws ClusterException, InterruptedException {
    Known known = documents.get(path);
    if (known == null || System.nanoTime() - known.time() > Duration.ofSeconds(SECONDS).toNanos()) {
      known = new Known(Optional.ofNullable(server.document(path)), System.nanoTime());
      documents.put(path, known);
    }
    return known.document().orElse(null);
  }
}
