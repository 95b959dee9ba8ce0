package io.dra4j.runtime;

import io.dra4j.runtime.internal.call.KeyedLocks;
import io.dra4j.spi.DriverException.Kind;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Runs calls on threads of the runtime while this process has the store. Calls for the same claim
 * and driver, sandbox or attachment run one after another. The locks of a claim are acquired in the
 * order of the drivers' names, before any other lock. Thread-safe.
 */
final class ClaimLocks {

  private final CallRunner runner;
  private final Duration patience;
  private final KeyedLocks locks = new KeyedLocks();
  private volatile @Nullable String standby;

  /** Creates the locks of a runtime; {@code patience} is how long a call waits for a lock. */
  ClaimLocks(CallRunner runner, Duration patience) {
    this.runner = runner;
    this.patience = patience;
  }

  /** Refuses calls for as long as another process has the store; null accepts calls again. */
  void standBy(@Nullable String why) {
    standby = why;
  }

  void checkNotStandingBy(String claim) throws ClaimException {
    String why = standby;
    if (why != null) {
      throw new ClaimException(claim, null, Kind.UNAVAILABLE, why, null);
    }
  }

  /** Runs a call on a thread of the runtime, with the locks of a claim for some drivers. */
  <T> T ofClaim(
      String uid, String claim, Set<String> drivers, Deadline deadline, CallRunner.Call<T> call)
      throws ClaimException {
    return runner.run(
        claim,
        deadline,
        () -> {
          checkNotStandingBy(claim);
          return ofClaim(uid, claim, drivers.stream().sorted().toList(), deadline, call);
        });
  }

  private <T> T ofClaim(
      String uid, String claim, List<String> drivers, Deadline deadline, CallRunner.Call<T> call)
      throws ClaimException {
    if (drivers.isEmpty()) {
      return call.run();
    }
    List<String> others = drivers.subList(1, drivers.size());
    return with(
        "claim " + uid + " " + drivers.get(0),
        claim,
        deadline,
        () -> ofClaim(uid, claim, others, deadline, call));
  }

  /** Runs a call with the lock of a key, so that calls for the key do not overlap. */
  <T> T with(String key, String claim, Deadline deadline, CallRunner.Call<T> call)
      throws ClaimException {
    try (KeyedLocks.Held lock = locks.take(key, deadline.forUndoing(patience))) {
      if (lock == null) {
        throw new ClaimException(
            claim, null, Kind.UNAVAILABLE, "another call for it has not ended in time", null);
      }
      return call.run();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ClaimException(claim, null, Kind.FAILED, "interrupted", e);
    }
  }
}
