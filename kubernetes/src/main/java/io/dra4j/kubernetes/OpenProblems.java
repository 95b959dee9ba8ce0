package io.dra4j.kubernetes;

import io.dra4j.kubernetes.PublishProblem.Kind;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The current problems of a {@link SlicePublisher}. A problem that is reported again keeps its
 * first time, even if its message differs. Thread-safe.
 */
final class OpenProblems {

  private record Key(boolean isBlocking, Kind kind, String pool) {

    /** The key of a problem. All kinds that block the writes of a pool share one key. */
    static Key of(Kind kind, String pool) {
      return new Key(kind.isBlocking(), kind.isBlocking() ? Kind.UNAVAILABLE : kind, pool);
    }
  }

  private final Map<Key, PublishProblem> open = new LinkedHashMap<>(); // guarded by this

  /** Adds or updates a problem. Returns it with the time at which it began. */
  synchronized PublishProblem add(Kind kind, String pool, List<String> devices, String message) {
    Key key = Key.of(kind, pool);
    PublishProblem before = open.get(key);
    Instant since = before == null ? Instant.now() : before.since();
    PublishProblem problem = new PublishProblem(kind, pool, devices, message, since);
    open.put(key, problem);
    return problem;
  }

  /** Ends a problem. For a kind that blocks the writes of a pool, ends all such kinds. */
  synchronized void end(Kind kind, String pool) {
    open.remove(Key.of(kind, pool));
  }

  /** Ends all problems of a pool. */
  synchronized void end(String pool) {
    open.keySet().removeIf(key -> key.pool().equals(pool));
  }

  /** The problems, the oldest one first. */
  synchronized List<PublishProblem> all() {
    return new ArrayList<>(open.values());
  }

  /** The oldest problem that keeps slices from being read or written. */
  synchronized Optional<PublishProblem> blocking() {
    return open.values().stream().filter(one -> one.kind().isBlocking()).findFirst();
  }
}
