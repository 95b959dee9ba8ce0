package io.dra4j.runtime;

import io.dra4j.runtime.internal.call.DriverCalls;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Reports the health of a runtime. It calls no driver: it reports problems that occurred during
 * normal work, such as a failed write of the store. Reports to the network have counts instead of
 * the names of claims.
 */
final class HealthReport {

  private static final int SHOWN_CLAIMS = 16;

  private final List<DriverSlot> slots;
  private final DriverCalls calls;
  private final CallRunner runner;
  private final ClaimKeeper keeper;
  private final ClaimRecovery recovery;
  private final Discovery discovery;
  private final List<Supplier<RuntimeHealth>> parts = new CopyOnWriteArrayList<>();
  private volatile List<QuarantinedEntry> quarantined = List.of();
  private volatile boolean hasRecovered;
  private volatile @Nullable Takeover takeover;

  HealthReport(
      List<DriverSlot> slots,
      DriverCalls calls,
      CallRunner runner,
      ClaimKeeper keeper,
      ClaimRecovery recovery,
      Discovery discovery) {
    this.slots = slots;
    this.calls = calls;
    this.runner = runner;
    this.keeper = keeper;
    this.recovery = recovery;
    this.discovery = discovery;
  }

  /** Starts a standby: another process has the store, and this process waits for it. */
  void standingBy(Takeover waiting) {
    takeover = waiting;
  }

  void recovered() {
    hasRecovered = true;
    takeover = null;
  }

  void quarantined(List<QuarantinedEntry> entries) {
    quarantined = List.copyOf(entries);
  }

  List<QuarantinedEntry> quarantined() {
    return quarantined;
  }

  /** Adds another part; the runtime is live and ready only if the part is. */
  void add(Supplier<RuntimeHealth> part) {
    parts.add(part);
  }

  void remove(Supplier<RuntimeHealth> part) {
    parts.remove(part);
  }

  /** The health with the names of claims. */
  RuntimeHealth health() {
    return health(true);
  }

  /** The health without the names of claims. */
  RuntimeHealth publicHealth() {
    return health(false);
  }

  private RuntimeHealth health(boolean withNames) {
    List<String> fatal = new ArrayList<>(calls.stuck());
    List<String> unready = new ArrayList<>();
    List<String> problems = new ArrayList<>();
    Takeover waiting = takeover;
    if (runner.phase() == CallRunner.Phase.STOPPING) {
      unready.add("the runtime is stopping");
    } else if (runner.phase() == CallRunner.Phase.NEW || (!hasRecovered && waiting == null)) {
      unready.add("the runtime is starting");
    } else {
      add(fatal, discovery.problem());
    }
    if (waiting != null) {
      add(fatal, waiting.problem());
      problems.add(waiting.reason());
    }
    unready.addAll(unreadyDrivers());
    if (keeper.isOpen()) {
      add(unready, keeper.store().problem());
    }
    unready.addAll(damaged(withNames));
    for (Supplier<RuntimeHealth> part : parts) {
      RuntimeHealth of = part.get();
      (of.isLive() ? of.isReady() ? problems : unready : fatal).addAll(of.problems());
    }
    List<String> all = new ArrayList<>(fatal);
    all.addAll(unready);
    all.addAll(problems);
    all.addAll(calls.late());
    slots.forEach(slot -> all.addAll(slot.problems()));
    all.addAll(discovery.warnings());
    if (waiting == null) {
      all.addAll(left(withNames));
    }
    all.addAll(putAside(withNames));
    return new RuntimeHealth(fatal.isEmpty(), fatal.isEmpty() && unready.isEmpty(), all);
  }

  private List<String> unreadyDrivers() {
    List<String> unready = new ArrayList<>();
    for (DriverSlot slot : slots) {
      if (!slot.hasDiscovered()) {
        unready.add("driver %s has not discovered its devices".formatted(slot.name()));
      }
      if (hasRecovered && !slot.hasTakenUp()) {
        unready.add(
            "driver %s is still resuming the claims of an earlier process".formatted(slot.name()));
      }
    }
    return unready;
  }

  private static void add(List<String> problems, @Nullable String problem) {
    if (problem != null) {
      problems.add(problem);
    }
  }

  private List<String> damaged(boolean withNames) {
    List<String> damaged = new ArrayList<>();
    keeper
        .damaged()
        .forEach(
            (id, reason) ->
                damaged.add(
                    "claim %s of driver %s is quarantined: %s"
                        .formatted(id.uid(), id.driver(), reason)));
    return shown(withNames, damaged, "claims are quarantined");
  }

  private List<String> left(boolean withNames) {
    List<StoredClaim> abandoned = recovery.abandoned();
    List<String> left = new ArrayList<>();
    for (StoredClaim claim : recovery.left()) {
      if (!abandoned.contains(claim)) {
        left.add(
            "claim %s of driver %s is not undone yet; this is retried"
                .formatted(claim.claim().claim(), claim.driver()));
      }
    }
    List<String> others = new ArrayList<>();
    for (StoredClaim claim : abandoned) {
      others.add(
          "claim %s has devices of driver %s, which is not running in this process"
              .formatted(claim.claim().claim(), claim.driver()));
    }
    List<String> all = new ArrayList<>(shown(withNames, left, "claims are not undone yet"));
    all.addAll(
        shown(
            withNames,
            others,
            "claims have devices of drivers that are not running in this process"));
    return all;
  }

  private List<String> putAside(boolean withNames) {
    return shown(
        withNames,
        quarantined.stream()
            .map(entry -> "quarantined a damaged record of the store: " + entry)
            .toList(),
        "damaged records of the store are quarantined");
  }

  private static List<String> shown(boolean withNames, List<String> all, String what) {
    if (all.isEmpty()) {
      return List.of();
    }
    if (!withNames) {
      return List.of(all.size() + " " + what);
    }
    List<String> shown = new ArrayList<>(all.subList(0, Math.min(SHOWN_CLAIMS, all.size())));
    if (all.size() > SHOWN_CLAIMS) {
      shown.add("%d more %s".formatted(all.size() - SHOWN_CLAIMS, what));
    }
    return shown;
  }
}
