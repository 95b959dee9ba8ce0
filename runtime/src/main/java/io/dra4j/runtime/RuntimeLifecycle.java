package io.dra4j.runtime;

import io.dra4j.spi.FileSetting;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Starts and stops a runtime's parts in order; opens or awaits the store first, closes it last. */
final class RuntimeLifecycle {

  private static final Logger LOG = LoggerFactory.getLogger(RuntimeLifecycle.class);
  private static final Duration AFTER_INTERRUPT = Duration.ofSeconds(1);
  private static final Duration FOREVER = Duration.ofMinutes(10);

  private final RuntimeOptions options;
  private final RuntimeParts parts;
  private final @Nullable ClaimStore opened;
  private final @Nullable Takeover takeover;
  private @Nullable RuntimeEndpoint endpoint;

  /**
   * Uses an open store, or prepares to wait for it.
   *
   * @param store the open store; null if another process has it
   * @param why the reason for waiting
   * @throws StoreException if the store cannot be read
   */
  RuntimeLifecycle(
      RuntimeOptions options, RuntimeParts parts, @Nullable ClaimStore store, String why)
      throws StoreException {
    this.options = options;
    this.parts = parts;
    this.opened = store;
    if (store == null) {
      this.takeover =
          new Takeover(
              options.storeFile(), options.boot(), why, options.standbyLimit(), this::takeOver);
    } else {
      this.takeover = null;
      load(store);
    }
  }

  void start() {
    Takeover waiting = takeover;
    if (waiting != null) {
      parts.locks.standBy(waiting.reason());
      parts.report.standingBy(waiting);
      parts.keeper.standBy(options.storeFile());
      parts.keeper.lookAtOther();
    }
    parts.runner.start();
    if (opened != null) {
      recover();
    }
    parts.discovery.start(options.callLimit.plus(AFTER_INTERRUPT));
    if (waiting != null) {
      waiting.start();
    }
  }

  /** Takes over the store, on the thread that waited for it. */
  private void takeOver(ClaimStore store) throws StoreException {
    load(store);
    parts.locks.standBy(null);
    recover();
    parts.discovery.request("claims were taken over");
  }

  private void load(ClaimStore store) throws StoreException {
    store.nameNodes(List.of(options.node));
    parts.names.formerNames(store.nodeNames());
    parts.keeper.open(store);
    for (StoredClaim claim : parts.keeper.claims()) {
      if (!parts.keeper.isOfOtherBoot(claim)) { // whose settings were lost with the reboot
        claim.steps().forEach(FileSetting::found);
        claim.attachments().forEach(one -> one.steps().forEach(FileSetting::found));
      }
    }
    parts.local.restore();
    parts.report.quarantined(store.quarantined());
  }

  private void recover() {
    parts
        .report
        .quarantined()
        .forEach(
            entry -> LOG.atError().log("quarantined a damaged record of the store: {}", entry));
    parts.recovery.recover(options.patience());
    parts.report.recovered();
    parts.events.publish(ClaimListener::recovered);
  }

  synchronized InetSocketAddress serve(InetSocketAddress address) throws IOException {
    if (endpoint != null) {
      throw new IllegalStateException("the runtime serves its endpoint already");
    }
    if (parts.runner.phase() == CallRunner.Phase.STOPPING) {
      throw new IllegalStateException("the runtime is stopping");
    }
    try {
      RuntimeEndpoint made =
          new RuntimeEndpoint(address, parts.prometheus::scrape, parts.report::publicHealth);
      endpoint = made;
      return made.address();
    } catch (IOException e) {
      throw new IOException("cannot listen on %s: %s".formatted(address, e.getMessage()), e);
    }
  }

  void close() {
    if (!parts.runner.stop(options.stopLimit)) {
      return;
    }
    if (takeover != null) {
      takeover.close();
    }
    parts.discovery.close(options.stopLimit);
    boolean hasEnded = parts.runner.interrupt(AFTER_INTERRUPT);
    parts.calls.close();
    RuntimeEndpoint serving;
    synchronized (this) {
      serving = endpoint;
    }
    if (serving != null) {
      serving.close();
    }
    parts.gauges.close();
    parts.prometheus.close();
    if (hasEnded) {
      closeStore();
    } else {
      closeStoreLater();
    }
  }

  /** Closes the store after the last driver's call, so that no other process undoes its work. */
  private void closeStoreLater() {
    Thread closing =
        new Thread(
            () -> {
              do {
                LOG.atWarn()
                    .log(
                        "a call of a driver is still running; the store stays in use until it"
                            + " has ended");
              } while (!parts.runner.awaitEnd(FOREVER));
              closeStore();
            },
            "dra4j-closing");
    closing.setDaemon(true);
    closing.start();
  }

  private void closeStore() {
    try {
      if (parts.keeper.isOpen()) {
        parts.keeper.store().close();
      } else if (opened != null) {
        opened.close();
      }
    } catch (StoreException e) {
      LOG.atWarn().log("{}", e.getMessage());
    }
  }
}
