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

/** Attaches claims when sandboxes start, and detaches them when sandboxes stop. */
final class SandboxHandler implements NriHandler {

  private static final Logger LOG = LoggerFactory.getLogger(SandboxHandler.class);

  /** The wait of a call, below the 1.5 s after which the plugin itself answers with an error. */
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
   * Returns a sandbox of a list, which may have ended. containerd reports an ended sandbox without
   * process and namespaces, as if it used the network of the host.
   */
  static Sandbox listed(PodSandbox pod) {
    if (pod.networkNamespace().isPresent() || pod.pid() > 0) {
      return running(pod);
    }
    return Sandbox.ofPod(pod.id(), pod.uid()).pod(pod.namespace(), pod.name()).build();
  }

  /** Whether a sandbox runs: the network namespace of an ended one is missing or not known. */
  private static boolean runs(Sandbox sandbox) {
    if (sandbox.network() == Sandbox.Network.UNKNOWN) {
      return false;
    }
    Path namespace = sandbox.networkNamespace();
    if (namespace == null || Files.exists(namespace)) {
      return true;
    }
    LOG.atInfo().log(
        "sandbox {} is ignored: its network namespace {} does not exist", sandbox, namespace);
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

  /** Returns a running sandbox; without its own network namespace, it uses the host's. */
  static Sandbox running(PodSandbox pod) {
    Sandbox.Builder sandbox =
        Sandbox.ofPod(pod.id(), pod.uid()).pod(pod.namespace(), pod.name()).hostNetwork();
    pod.networkNamespace().ifPresent(path -> sandbox.networkNamespace(Path.of(path)));
    return sandbox.build();
  }
}
