package io.dra4j.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The groups and versions of an API server. Resources of one group that start together share one
 * request. A document older than {@value #SECONDS} s is requested again. Thread-safe.
 */
final class Discovery implements ServedResource.Documents {

  private static final int SECONDS = 5;

  private record Known(Optional<JsonNode> document, long time) {}

  private final ApiServer server;
  private final Map<String, Known> documents = new HashMap<>();

  Discovery(ApiServer server) {
    this.server = server;
  }

  /** Waits while another thread requests the same document. Failures are not cached. */
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
