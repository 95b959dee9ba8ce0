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
 * Looks for claims that are prepared and not attached after 3 s. Where their sandbox is known, they
 * are attached again. Where it is not, its network may not be set up yet; or, if the container
 * runtime was connected anew since the claim was prepared, its event was missed, and the runtime is
 * asked for all sandboxes. To ask takes a new connection, during which others are missed: without a
 * reason it is done once a minute. The pause between other attempts doubles up to a minute.
 */
final class AttachWatchdog {

  private static final Logger LOG = LoggerFactory.getLogger(AttachWatchdog.class);
  private static final Duration PATIENCE = Duration.ofSeconds(3);
  private static final Duration MAX_PAUSE = Duration.ofMinutes(1);

  /**
   * When a claim is looked at again.
   *
   * @param first when it was seen first, in the time of System.nanoTime
   * @param next when it is tried next
   * @param pause the pause after that
   * @param known how many times the runtime had listed its sandboxes when that was no reason to ask
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
  private int synchronizations = -1; // at the look before

  /**
   * Makes the watchdog.
   *
   * @param reconnect asks the container runtime for all sandboxes
   */
  AttachWatchdog(ClaimService service, AttachGate gate, Runnable reconnect) {
    this.service = service;
    this.gate = gate;
    this.reconnect = reconnect;
  }

  /** Looks once; called again and again by one thread. */
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
        LOG.atInfo().log("claim {} is attached again to {}", claim.claim().claim(), sandbox.get());
        gate.attachLater(sandbox.get());
      } else if (isReason || attempt.isLong(now)) {
        LOG.atInfo().log("claim {}: no sandbox of it is known", claim.claim().claim());
        isMissed = true;
      } else {
        continue;
      }
      boolean isPatient = sandbox.isEmpty() && !isReason; // the answer will look like a reason
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
      LOG.atWarn().log("claim {}: its CDI file: {}", claim.claim().claim(), e.getMessage());
    }
  }
}
