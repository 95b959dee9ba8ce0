package io.dra4j.node;

import io.dra4j.runtime.ClaimService;
import io.dra4j.runtime.StoredClaim;
import io.dra4j.spi.Sandbox;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks for claims that are prepared but not attached after 3 s. If the sandbox of a claim is
 * known, attaching is retried. Otherwise the network of the sandbox may not be set up yet. If the
 * container runtime has reconnected since the claim was prepared, the event of the sandbox may have
 * been missed, so the runtime is asked for all sandboxes. That requires a new connection, which may
 * miss other events, so without such a reason it is done only once a minute. The pause between
 * other attempts doubles up to a minute.
 */
final class AttachWatchdog {

  private static final Logger LOG = LoggerFactory.getLogger(AttachWatchdog.class);
  private static final Duration PATIENCE = Duration.ofSeconds(3);
  private static final Duration MAX_PAUSE = Duration.ofMinutes(1);

  /**
   * The next attempt for a claim.
   *
   * @param first the time at which the claim was first found, by System.nanoTime
   * @param next the time of the next attempt
   * @param pause the pause after the next attempt
   * @param known the number of listings of the runtime that are no reason to reconnect
   */
  private record Attempt(long first, long next, Duration pause, int known) {

    Attempt after(long now) {
      Duration longer = pause.multipliedBy(2);
      return new Attempt(
          first,
          now + pause.toNanos(),
          longer.compareTo(MAX_PAUSE) > 0 ? MAX_PAUSE : longer,
          known);
    }

    Attempt afterMinute(long now) {
      return new Attempt(first, now, MAX_PAUSE, known).after(now);
    }

    boolean isLong(long now) {
      return now - first - MAX_PAUSE.toNanos() >= 0;
    }
  }

  private final ClaimService service;
  private final AttachGate gate;
  private final Runnable reconnect;
  private final Map<String, Attempt> waiting = new HashMap<>();
  private int synchronizations = -1; // at the previous check

  /** Takes an action that reconnects, which makes the container runtime list all sandboxes. */
  AttachWatchdog(ClaimService service, AttachGate gate, Runnable reconnect) {
    this.service = service;
    this.gate = gate;
    this.reconnect = reconnect;
  }

  /** Checks all claims once. One thread calls it repeatedly. */
  void look(long now) {
    Set<String> still = new HashSet<>();
    boolean isMissed = false;
    for (StoredClaim claim : service.claims()) {
      repair(claim);
      if (!gate.isWaiting(claim) || !still.add(claim.uid())) {
        continue;
      }
      Attempt attempt =
          waiting.computeIfAbsent(
              claim.uid(),
              uid -> new Attempt(now, now + PATIENCE.toNanos(), PATIENCE, synchronizations));
      if (now - attempt.next() < 0) {
        continue;
      }
      Optional<Sandbox> sandbox = gate.sandboxFor(claim);
      boolean isReason = gate.synchronizations() != attempt.known();
      if (sandbox.isPresent()) {
        LOG.atInfo().log(
            "claim {}: attaching it to sandbox {} again", claim.claim().claim(), sandbox.get());
        gate.attachLater(sandbox.get());
      } else if (isReason || attempt.isLong(now)) {
        LOG.atInfo().log(
            "claim {}: the container runtime has not reported a sandbox that uses it; reconnecting",
            claim.claim().claim());
        isMissed = true;
      } else {
        continue;
      }
      boolean isPatient =
          sandbox.isEmpty() && !isReason; // the reconnect itself will look like a reason
      waiting.put(claim.uid(), isPatient ? attempt.afterMinute(now) : attempt.after(now));
    }
    waiting.keySet().retainAll(still);
    synchronizations = gate.synchronizations();
    if (isMissed) {
      reconnect.run();
    }
  }

  private void repair(StoredClaim claim) {
    try {
      gate.repair(claim);
    } catch (IOException e) {
      LOG.atWarn()
          .log("claim {}: cannot restore its CDI file: {}", claim.claim().claim(), e.getMessage());
    }
  }
}
