package io.dra4j.node;

import io.dra4j.kubernetes.ClusterException;
import io.dra4j.kubernetes.EventRecorder;
import io.dra4j.kubernetes.EventRecorder.EventType;
import io.dra4j.kubernetes.EventRecorder.Subject;
import io.dra4j.kubernetes.PodConditionWriter;
import io.dra4j.model.Condition;
import io.dra4j.spi.ClaimReference;
import io.dra4j.spi.Sandbox;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends notices through the API server: a condition of the pod, and events of pods and claims.
 * Requires permission to {@code patch} {@code pods/status} and to {@code create} and {@code patch}
 * {@code events}. Without these permissions, the kubelet retries the pod only after its own pause,
 * up to 18 s. Thread-safe.
 */
final class ApiNotices implements PodNotices, ClaimHandler.Notices, AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(ApiNotices.class);
  private static final int MAX_WAITING = 1000;

  private final PodConditionWriter conditions;
  private final String component;
  private final Function<Throwable, String> failedReason;
  private final EventRecorder events;
  private final ExecutorService thread;

  /**
   * Creates the notices of a component.
   *
   * @param component the source of events, for example the name of a driver
   * @param failedReason the reason of the event of a claim that cannot be attached
   */
  ApiNotices(
      KubernetesClient client,
      String node,
      String component,
      Function<Throwable, String> failedReason) {
    this.failedReason = failedReason;
    this.conditions = PodConditionWriter.of(client);
    this.events = EventRecorder.start(client, component, node);
    this.component = component;
    this.thread =
        new ThreadPoolExecutor(
            1,
            1,
            0,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(MAX_WAITING),
            work -> {
              Thread made = new Thread(work, "dra4j-notices");
              made.setDaemon(true);
              return made;
            });
  }

  @Override
  public void kick(Sandbox sandbox) {
    submit(
        sandbox,
        () ->
            conditions.write(
                sandbox.podNamespace(),
                sandbox.podName(),
                sandbox.podUid(),
                Condition.of(component + "/DevicesAttached", "True")
                    .reason("AttachedLate")
                    .build()));
  }

  @Override
  public void attachFailed(Sandbox sandbox, Throwable failure) {
    warn(sandbox, failedReason.apply(failure), String.valueOf(failure.getMessage()));
  }

  @Override
  public void attachLate(Sandbox sandbox, String message) {
    warn(sandbox, "DeviceAttachLate", message);
  }

  @Override
  public void prepareFailed(ClaimReference claim, Throwable failure) {
    events.record(
        Subject.claim(claim.namespace(), claim.name(), claim.uid()),
        EventType.WARNING,
        "ClaimPrepareFailed",
        String.valueOf(failure.getMessage()));
  }

  private void warn(Sandbox sandbox, String reason, String message) {
    events.record(
        Subject.pod(sandbox.podNamespace(), sandbox.podName(), sandbox.podUid()),
        EventType.WARNING,
        reason,
        message);
  }

  /** A request to the API server. */
  @FunctionalInterface
  private interface Request {
    void run() throws ClusterException, InterruptedException;
  }

  private void submit(Sandbox sandbox, Request request) {
    try {
      thread.execute(
          () -> {
            try {
              request.run();
            } catch (InterruptedException e) { // the notices are closed
              Thread.currentThread().interrupt();
            } catch (ClusterException e) {
              LOG.atWarn()
                  .log(
                      "pod of sandbox {}: cannot notify the kubelet to retry the pod now: {}",
                      sandbox,
                      e.getMessage());
            }
          });
    } catch (RejectedExecutionException e) {
      LOG.atWarn()
          .log("pod of sandbox {}: a notice is dropped, too many notices wait to be sent", sandbox);
    }
  }

  @Override
  public void close() {
    events.close();
    thread.shutdownNow();
  }
}
