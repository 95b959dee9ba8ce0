package io.dra4j.node;

import io.dra4j.nri.ContainerUpdate;
import io.dra4j.nri.NriContainer;
import io.dra4j.nri.NriEvent;
import io.dra4j.nri.NriHandler;
import io.dra4j.nri.PodSandbox;
import io.dra4j.spi.Sandbox;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Attaches claims when sandboxes begin, and detaches them when they end. */
final class SandboxHandler implements NriHandler {

  private static final Logger LOG = LoggerFactory.getLogger(SandboxHandler.class);

  /** Below the 1.5 s after which the plugin answers an error for its handler. */
  static final Duration WAIT = Duration.ofMillis(1200);

  private final AttachGate gate;

  SandboxHandler(AttachGate gate) {
    this.gate = gate;
  }

  @Override
  public Set<NriEvent> events() {
    return EnumSet.of(
        NriEvent.RUN_POD_SANDBOX, NriEvent.STOP_POD_SANDBOX, NriEvent.REMOVE_POD_SANDBOX);
  }

  @Override
  public List<ContainerUpdate> synchronize(List<PodSandbox> pods, List<NriContainer> containers) {
    gate.synchronize(pods.stream().map(SandboxHandler::listed).toList(), SandboxHandler::runs);
    return List.of();
  }

  /**
   * A sandbox of a list, which may have ended: containerd then knows no process and no namespaces
   * of it, as if it were on the network of the host.
   */
  static Sandbox listed(PodSandbox pod) {
    if (pod.networkNamespace().isPresent() || pod.pid() > 0) {
      return running(pod);
    }
    return Sandbox.ofPod(pod.id(), pod.uid()).pod(pod.namespace(), pod.name()).build();
  }

  /** The network namespace of a sandbox that has ended is gone, or not known. */
  private static boolean runs(Sandbox sandbox) {
    if (sandbox.network() == Sandbox.Network.UNKNOWN) {
      return false;
    }
    Path namespace = sandbox.networkNamespace();
    if (namespace == null || Files.exists(namespace)) {
      return true;
    }
    LOG.atInfo().log("sandbox {}: {} is not there, it is left as it is", sandbox, namespace);
    return false;
  }

  @Override
  public void runPodSandbox(PodSandbox pod) throws Exception {
    gate.run(running(pod), WAIT);
  }

  @Override
  public void stopPodSandbox(PodSandbox pod) throws InterruptedException {
    gate.stop(pod.id(), WAIT);
  }

  @Override
  public void removePodSandbox(PodSandbox pod) throws InterruptedException {
    gate.stop(pod.id(), WAIT);
    gate.forget(pod.id());
  }

  @Override
  public void disconnected(String reason, Duration retryAfter) {
    LOG.atInfo().log("NRI: {}; next attempt after {} ms", reason, retryAfter.toMillis());
  }

  /** A sandbox that runs: one without a network namespace of its own is in that of the host. */
  static Sandbox running(PodSandbox pod) {
    Sandbox.Builder sandbox =
        Sandbox.ofPod(pod.id(), pod.uid()).pod(pod.namespace(), pod.name()).hostNetwork();
    pod.networkNamespace().ifPresent(path -> sandbox.networkNamespace(Path.of(path)));
    return sandbox.build();
  }
}
