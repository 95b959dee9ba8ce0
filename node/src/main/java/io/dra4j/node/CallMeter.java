package io.dra4j.node;

import io.dra4j.kubelet.DraClaim;
import io.dra4j.kubelet.DraDevice;
import io.dra4j.kubelet.DraHandler;
import io.dra4j.nri.ContainerAdjustment;
import io.dra4j.nri.ContainerUpdate;
import io.dra4j.nri.NriContainer;
import io.dra4j.nri.NriEvent;
import io.dra4j.nri.NriHandler;
import io.dra4j.nri.NriRuntime;
import io.dra4j.nri.PodSandbox;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Measures calls and reports each one to a listener. Thread-safe. */
final class CallMeter {

  private static final Logger LOG = LoggerFactory.getLogger(CallMeter.class);

  private final Consumer<NodeCall> listener;
  private final Predicate<String> hasClaims;

  /** Takes a listener, and a test whether the sandbox with an ID has claims. */
  CallMeter(Consumer<NodeCall> listener, Predicate<String> hasClaims) {
    this.listener = listener;
    this.hasClaims = hasClaims;
  }

  private <T> T measure(NodeCall.Kind kind, String sandboxId, Callable<T> call) throws Exception {
    long begun = System.nanoTime();
    // A sandbox is known from its start until its removal.
    boolean hadClaims = sandboxId.isEmpty() || hasClaims.test(sandboxId);
    NodeCall.Outcome outcome = NodeCall.Outcome.FAILED;
    try {
      T answer = call.call();
      outcome =
          hadClaims || hasClaims.test(sandboxId)
              ? NodeCall.Outcome.DONE
              : NodeCall.Outcome.NOTHING_TO_DO;
      return answer;
    } finally {
      report(new NodeCall(kind, outcome, Duration.ofNanos(System.nanoTime() - begun)));
    }
  }

  private void report(NodeCall call) {
    try {
      listener.accept(call);
    } catch (RuntimeException e) {
      LOG.atWarn()
          .setCause(e)
          .log("a listener of calls threw an exception; the call itself is not affected");
    }
  }

  DraHandler of(DraHandler inner) {
    return new DraHandler() {
      @Override
      public List<DraDevice> prepare(DraClaim claim) throws Exception {
        return measure(NodeCall.Kind.PREPARE, "", () -> inner.prepare(claim));
      }

      @Override
      public void unprepare(DraClaim claim) throws Exception {
        measure(
            NodeCall.Kind.UNPREPARE,
            "",
            () -> {
              inner.unprepare(claim);
              return claim;
            });
      }
    };
  }

  @SuppressWarnings("MethodLength") // the wrapper has a method for each call
  NriHandler of(NriHandler inner) {
    return new NriHandler() {
      @Override
      public Set<NriEvent> events() {
        return inner.events();
      }

      @Override
      public void configure(NriRuntime runtime) throws Exception {
        inner.configure(runtime);
      }

      @Override
      public List<ContainerUpdate> synchronize(List<PodSandbox> pods, List<NriContainer> containers)
          throws Exception {
        return inner.synchronize(pods, containers);
      }

      @Override
      public void runPodSandbox(PodSandbox pod) throws Exception {
        measure(
            NodeCall.Kind.RUN_SANDBOX,
            pod.id(),
            () -> {
              inner.runPodSandbox(pod);
              return pod;
            });
      }

      @Override
      public void stopPodSandbox(PodSandbox pod) throws Exception {
        measure(
            NodeCall.Kind.STOP_SANDBOX,
            pod.id(),
            () -> {
              inner.stopPodSandbox(pod);
              return pod;
            });
      }

      @Override
      public void removePodSandbox(PodSandbox pod) throws Exception {
        measure(
            NodeCall.Kind.REMOVE_SANDBOX,
            pod.id(),
            () -> {
              inner.removePodSandbox(pod);
              return pod;
            });
      }

      @Override
      public ContainerAdjustment createContainer(PodSandbox pod, NriContainer container)
          throws Exception {
        return measure(
            NodeCall.Kind.CREATE_CONTAINER, pod.id(), () -> inner.createContainer(pod, container));
      }

      @Override
      public void disconnected(String reason, Duration retryAfter) {
        inner.disconnected(reason, retryAfter);
      }
    };
  }
}
