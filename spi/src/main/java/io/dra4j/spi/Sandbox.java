package io.dra4j.spi;

import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The environment that the containers of a pod run in, as container runtimes create it. If the
 * sandbox of a pod cannot be started, the pod gets a new one, with another ID and another network
 * namespace.
 *
 * @param id the ID that the container runtime gave it; unique on the host, not empty
 * @param podUid the UID of the pod
 * @param podNamespace the namespace of the pod in Kubernetes
 * @param podName the name of the pod
 * @param network the kind of network namespace that the pod is in
 * @param networkNamespace the file of the pod's own network namespace, for example {@code
 *     /run/netns/cni-1}; null unless {@code network} is {@link Network#OWN}. The namespace may no
 *     longer exist.
 */
public record Sandbox(
    String id,
    String podUid,
    String podNamespace,
    String podName,
    Network network,
    @Nullable Path networkNamespace) {

  /** The kind of network namespace that a pod is in. */
  public enum Network {
    /** A separate namespace, with the file {@link Sandbox#networkNamespace}. */
    OWN,
    /** The namespace of the host ({@code hostNetwork: true}); links are not moved. */
    HOST,
    /** The container runtime did not report it. */
    UNKNOWN
  }

  /**
   * Rejects a sandbox without an ID. {@inheritDoc}
   *
   * @throws IllegalArgumentException if {@code id} is empty, if {@code networkNamespace} is given
   *     although {@code network} is not {@link Network#OWN}, or if it is missing although it is
   */
  public Sandbox {
    Objects.requireNonNull(network, "network");
    Objects.requireNonNull(podUid, "podUid");
    Objects.requireNonNull(podNamespace, "podNamespace");
    Objects.requireNonNull(podName, "podName");
    if (id.isEmpty()) {
      throw new IllegalArgumentException("a sandbox of pod " + podUid + " has no id");
    }
    if ((network == Network.OWN) != (networkNamespace != null)) {
      throw new IllegalArgumentException(
          "sandbox %s: network %s, network namespace %s: expected a file for OWN and none otherwise"
              .formatted(id, network, networkNamespace));
    }
  }

  /**
   * Creates a sandbox with its own network namespace, or with an unknown one.
   *
   * @param id the ID that the container runtime gave it; unique on the host, not empty
   * @param podUid the UID of the pod
   * @param podNamespace the namespace of the pod in Kubernetes
   * @param podName the name of the pod
   * @param networkNamespace the file of its network namespace; null for {@link Network#UNKNOWN}
   * @throws IllegalArgumentException if {@code id} is empty
   */
  public Sandbox(
      String id,
      String podUid,
      String podNamespace,
      String podName,
      @Nullable Path networkNamespace) {
    this(
        id,
        podUid,
        podNamespace,
        podName,
        networkNamespace == null ? Network.UNKNOWN : Network.OWN,
        networkNamespace);
  }

  /**
   * {@return the newer facts about the same sandbox, completed by the facts of this one}
   *
   * @param newer the same sandbox, described later
   * @throws IllegalArgumentException if the other sandbox has another ID
   */
  public Sandbox merge(Sandbox newer) {
    if (!newer.id.equals(id)) {
      throw new IllegalArgumentException("sandbox %s is not sandbox %s".formatted(newer.id, id));
    }
    boolean isNetworkKnown = newer.network != Network.UNKNOWN;
    boolean isPodKnown = !newer.podName.isEmpty();
    return new Sandbox(
        id,
        newer.podUid.isEmpty() ? podUid : newer.podUid,
        isPodKnown ? newer.podNamespace : podNamespace,
        isPodKnown ? newer.podName : podName,
        isNetworkKnown ? newer.network : network,
        isNetworkKnown ? newer.networkNamespace : networkNamespace);
  }

  /**
   * {@return a builder of the sandbox of a pod}
   *
   * @param id the ID that the container runtime gave it
   * @param podUid the UID of the pod
   */
  public static Builder ofPod(String id, String podUid) {
    return new Builder(id, podUid);
  }

  /** Collects the facts about the sandbox of a pod. Not thread-safe. */
  public static final class Builder {

    private final String id;
    private final String podUid;
    private String podNamespace = "default";
    private String podName = "";
    private Network network = Network.UNKNOWN;
    private @Nullable Path networkNamespace;

    private Builder(String id, String podUid) {
      this.id = id;
      this.podUid = podUid;
    }

    /**
     * Sets the namespace and name of the pod in Kubernetes; {@code default} and an empty name if
     * not set.
     *
     * @param namespace the namespace of the pod
     * @param name the name of the pod
     * @return this builder
     */
    public Builder pod(String namespace, String name) {
      this.podNamespace = namespace;
      this.podName = name;
      return this;
    }

    /**
     * Sets the network namespace of the pod.
     *
     * @param networkNamespace the file of the namespace; null, as if not set, if it is not known
     * @return this builder
     */
    public Builder networkNamespace(@Nullable Path networkNamespace) {
      this.networkNamespace = networkNamespace;
      this.network = networkNamespace == null ? Network.UNKNOWN : Network.OWN;
      return this;
    }

    /**
     * Sets that the pod is in the network namespace of the host.
     *
     * @return this builder
     */
    public Builder hostNetwork() {
      this.networkNamespace = null;
      this.network = Network.HOST;
      return this;
    }

    /**
     * {@return the sandbox with the values set so far}
     *
     * @throws IllegalArgumentException if the ID is empty
     */
    public Sandbox build() {
      return new Sandbox(id, podUid, podNamespace, podName, network, networkNamespace);
    }
  }

  /**
   * {@return a sandbox without a pod, for use without a cluster, with the path as its ID}
   *
   * @param networkNamespace the file of the network namespace
   */
  public static Sandbox of(Path networkNamespace) {
    String path = networkNamespace.toAbsolutePath().normalize().toString();
    return new Sandbox(path, "", "", "", Path.of(path));
  }

  /** {@return the name of the sandbox for messages: pod and ID, or only the ID} */
  @Override
  public String toString() {
    return podName.isEmpty() ? id : podNamespace + "/" + podName + " (" + id + ")";
  }
}
