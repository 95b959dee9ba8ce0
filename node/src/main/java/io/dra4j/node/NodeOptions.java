package io.dra4j.node;

import io.dra4j.nri.NriPlugin;
import io.dra4j.runtime.DriverRuntime;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The options of a {@link NodeAgent}; {@link #start} starts the agent. Not thread-safe.
 *
 * <pre>{@code
 * NodeAgent agent = NodeAgent.builder(runtime, client).nri("dra.net", 0).start();
 * }</pre>
 */
public final class NodeOptions {

  final DriverRuntime runtime;
  final KubernetesClient client;
  Path kubeletRoot = Path.of("/var/lib/kubelet");
  Path cdiDirectory = Path.of("/var/run/cdi");
  Path nriSocket = NriPlugin.DEFAULT_SOCKET;
  String nriName;
  int nriIndex;
  Function<Throwable, String> attachFailedReason = failure -> "DeviceAttachFailed";
  @Nullable String podUid;
  Consumer<NodeCall> calls = call -> {};

  NodeOptions(DriverRuntime runtime, KubernetesClient client) {
    this.runtime = Objects.requireNonNull(runtime, "runtime");
    this.client = Objects.requireNonNull(client, "client");
    this.nriName = runtime.drivers().iterator().next();
  }

  /**
   * Sets the root directory of the kubelet, below which the sockets are created.
   *
   * @param value the directory, with the same path in the container of the agent and on the host;
   *     {@code /var/lib/kubelet} by default
   * @return this builder
   */
  public NodeOptions kubeletRoot(Path value) {
    this.kubeletRoot = Objects.requireNonNull(value, "kubeletRoot");
    return this;
  }

  /**
   * Sets the directory for CDI files, which the container runtime reads.
   *
   * @param value the directory; {@code /var/run/cdi} by default
   * @return this builder
   */
  public NodeOptions cdiDirectory(Path value) {
    this.cdiDirectory = Objects.requireNonNull(value, "cdiDirectory");
    return this;
  }

  /**
   * Sets the socket of the container runtime for NRI plugins.
   *
   * @param value the socket; {@link NriPlugin#DEFAULT_SOCKET} by default
   * @return this builder
   */
  public NodeOptions nriSocket(Path value) {
    this.nriSocket = Objects.requireNonNull(value, "nriSocket");
    return this;
  }

  /**
   * Sets the name and the position of the agent among the NRI plugins of the container runtime.
   *
   * @param name the name of the plugin; the name of the first driver by default. A second plugin,
   *     which holds back containers, has the suffix {@code -guard}
   * @param index the position among the plugins of the runtime, 0 to 99; 0 by default
   * @return this builder
   */
  public NodeOptions nri(String name, int index) {
    this.nriName = Objects.requireNonNull(name, "name");
    this.nriIndex = index;
    return this;
  }

  /**
   * Sets the reason of the event of a pod whose claim cannot be attached.
   *
   * @param value returns one word for the exception of the driver, or for a {@link
   *     io.dra4j.runtime.ClaimException} with that exception as its cause; {@code
   *     DeviceAttachFailed} by default
   * @return this builder
   */
  public NodeOptions attachFailedReason(Function<Throwable, String> value) {
    this.attachFailedReason = Objects.requireNonNull(value, "attachFailedReason");
    return this;
  }

  /**
   * Allows two pods of the agent to run at the same time while a DaemonSet replaces one with the
   * other. The runtime must be able to {@linkplain io.dra4j.runtime.RuntimeOptions#standby stand
   * by}.
   *
   * @param uid the UID of the pod of this process
   * @return this builder
   */
  public NodeOptions rollingUpdate(String uid) {
    this.podUid = Objects.requireNonNull(uid, "uid");
    return this;
  }

  /**
   * Sets a listener that receives each call of the kubelet and the container runtime, for metrics.
   *
   * @param listener receives calls on the threads that serve them, and must not block; its
   *     exceptions are logged
   * @return this builder
   */
  public NodeOptions calls(Consumer<NodeCall> listener) {
    this.calls = Objects.requireNonNull(listener, "listener");
    return this;
  }

  /**
   * Starts the runtime and connects it to the node. Does not wait for the API server, the kubelet
   * or the container runtime: connections that fail are retried for as long as the agent is open.
   *
   * @return the agent; close it before the runtime and the client
   * @throws IOException if a socket or the directory for CDI files cannot be created
   * @throws IllegalStateException if the runtime was started before
   */
  public NodeAgent start() throws IOException {
    return new NodeAgent(this);
  }
}
