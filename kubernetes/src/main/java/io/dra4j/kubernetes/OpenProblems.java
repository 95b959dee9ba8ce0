package io.dra4j.kubernetes;

import io.dra4j.kubernetes.PublishProblem.Kind;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The problems of a {@link SlicePublisher} that are not over. A problem that comes again, with the
 * same message or another one, keeps its first time. Thread-safe.
 */
final class OpenProblems {

  private record Key(boolean isBlocking, Kind kind, String pool) {

    /** Of what keeps a pool from being written, one problem is open at a time. */
    static Key of(Kind kind, String pool) {
      return new Key(kind.isBlocking(), kind.isBlocking() ? Kind.UNAVAILABLE : kind, pool);
    }
  }

  private final Map<Key, PublishProblem> open = new LinkedHashMap<>(); // guarded by this

  /** Adds a problem, or renews it; returns it with the time at which it began. */
  synchronized PublishProblem add(Kind kind, String pool, List<String> devices, String message) {
    Key key = Key.of(kind, pool);
    PublishProblem before = open.get(key);
    Instant since = before == null ? Instant.now() : before.since();
    PublishProblem problem = new PublishProblem(kind, pool, devices, message, since);
    open.put(key, problem);
    return problem;
  }

  /** Ends a problem; of a kind that keeps the pool from being written, all of these kinds. */
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
