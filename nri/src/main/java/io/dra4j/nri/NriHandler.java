package io.dra4j.nri;

import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * Handles the events of a plugin when pods start and stop. All methods have a default that does
 * nothing.
 *
 * <p>Calls for one pod come one after the other, in the order of the runtime. Calls for several
 * pods come at the same time, on the threads of the {@link NriPlugin}. An exception becomes the
 * answer to the runtime, and its message is shown in the events of the pod. A call that takes too
 * long is answered with an error, but is not interrupted; its result is dropped.
 */
public interface NriHandler {

  /**
   * {@return the events to which the plugin subscribes, all by default; each unnecessary event
   * costs every pod of the node a round trip}
   */
  default Set<NriEvent> events() {
    return EnumSet.allOf(NriEvent.class);
  }

  /**
   * Called with the facts about the runtime, once for each connection, before any other call.
   *
   * @param runtime the runtime and its configuration of the plugin
   * @throws Exception if the plugin cannot work with this runtime; the connection ends and is tried
   *     again
   */
  default void configure(NriRuntime runtime) throws Exception {}

  /**
   * Called once for each connection with what exists; earlier events may have been missed.
   *
   * @param pods all pod sandboxes of the runtime
   * @param containers all containers of the runtime
   * @return changes of existing containers
   * @throws Exception if the handler cannot process the state
   */
  default List<ContainerUpdate> synchronize(List<PodSandbox> pods, List<NriContainer> containers)
      throws Exception {
    return List.of();
  }

  /**
   * Prepares a pod sandbox before its containers are created.
   *
   * @param pod the sandbox, with its network namespace
   * @throws Exception if the pod must not start; the kubelet tries again with a new sandbox
   */
  default void runPodSandbox(PodSandbox pod) throws Exception {}

  /**
   * Called when a pod sandbox ends. May come several times, and without {@link #runPodSandbox}.
   *
   * @param pod the sandbox; containerd 1.7 does not name its network namespace
   * @throws Exception if the work failed
   */
  default void stopPodSandbox(PodSandbox pod) throws Exception {}

  /**
   * Called when a pod sandbox is removed. May come several times, and without {@link
   * #stopPodSandbox}.
   *
   * @param pod the sandbox
   * @throws Exception if the work failed
   */
  default void removePodSandbox(PodSandbox pod) throws Exception {}

  /**
   * {@return the additions to a container, before it is created}
   *
   * @param pod the sandbox of the container
   * @param container the container
   * @throws Exception if the container must not be created
   */
  default ContainerAdjustment createContainer(PodSandbox pod, NriContainer container)
      throws Exception {
    return ContainerAdjustment.NONE;
  }

  /**
   * Called when the connection has ended, or an attempt to connect has failed. It runs on the
   * reader thread, so it must return at once.
   *
   * @param reason the reason, for a log
   * @param retryAfter the time until the next attempt; zero if the plugin was closed
   */
  default void disconnected(String reason, Duration retryAfter) {}
}
