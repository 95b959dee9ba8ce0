package io.dra4j.node;

import io.dra4j.nri.ContainerAdjustment;
import io.dra4j.nri.NriContainer;
import io.dra4j.nri.NriEvent;
import io.dra4j.nri.NriHandler;
import io.dra4j.nri.PodSandbox;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/**
 * Refuses containers of pods whose claims are not attached yet, including containers that do not
 * use a claim: they share the network namespace. It has a separate connection, which stays open
 * when the runtime closes the connection that attaches claims. It never waits.
 */
final class ContainerGuard implements NriHandler {

  private final AttachGate gate;

  ContainerGuard(AttachGate gate) {
    this.gate = gate;
  }

  @Override
  public Set<NriEvent> events() {
    return EnumSet.of(NriEvent.CREATE_CONTAINER);
  }

  @Override
  public ContainerAdjustment createContainer(PodSandbox pod, NriContainer container) {
    Optional<String> missing = gate.admit(SandboxHandler.running(pod));
    if (missing.isPresent()) {
      throw new IllegalStateException(missing.get());
    }
    return ContainerAdjustment.NONE;
  }
}
