package io.dra4j.spi;

import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Where the containers of a pod run: what container runtimes call the pod's sandbox. A pod whose
 * sandbox could not be started gets another one, with another id and another network namespace.
 *
 * @param id what the container runtime calls it; unique on the host, not empty
 * @param podUid the unique id of the pod
 * @param podNamespace the namespace of the pod in Kubernetes
 * @param podName the name of the pod
 * @param network which network namespace the pod is in
 * @param networkNamespace the file that stands for the pod's own network namespace, for example
 *     {@code /run/netns/cni-1}; null unless {@code network} is {@link Network#OWN}. The namespace
 *     may be gone although the path is given.
 */
public record Sandbox(
    String id,
    String podUid,
    String podNamespace,
    String podName,
    Network network,
    @Nullable Path networkNamespace) {

  /** Which network namespace a pod is in. */
  public enum Network {
    /** One of its own, whose file {@link Sandbox#networkNamespace} is. */
    OWN,
    /** That of the host ({@code hostNetwork: true}): links are where they are. */
    HOST,
    /** The container runtime did not say. */
    UNKNOWN
  }

  /**
   * Refuses a sandbox without id. {@inheritDoc}
   *
   * @throws IllegalArgumentException if {@code id} is empty, or if {@code networkNamespace} is
   *     given and {@code network} is not {@link Network#OWN}, or the other way round
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
          "sandbox %s: network %s, network namespace %s: want a file for OWN and none otherwise"
              .formatted(id, network, networkNamespace));
    }
  }

  /**
   * A sandbox with its own network namespace, or one of which that is not known.
   *
   * @param id what the container runtime calls it; unique on the host, not empty
   * @param podUid the unique id of the pod
   * @param podNamespace the namespace of the pod in Kubernetes
   * @param podName the name of the pod
   * @param networkNamespace the file that stands for its network namespace; null for {@link
   *     Network#UNKNOWN}
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
   * What is known of this sandbox and of the same sandbox as another source describes it: facts
   * that the other source lacks stay.
   *
   * @param newer the same sandbox, described later
   * @return the newer facts, and for those that are missing there the facts of this sandbox
   * @throws IllegalArgumentException if the other sandbox has another id
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
   * Starts a sandbox of a pod.
   *
   * @param id what the container runtime calls it
   * @param podUid the unique id of the pod
   * @return a builder of sandboxes
   */
  public static Builder ofPod(String id, String podUid) {
    return new Builder(id, podUid);
  }

  /** Collects what is known of the sandbox of a pod. Not thread-safe. */
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
     * Sets what Kubernetes calls the pod; {@code default} and no name if not set.
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
     * @param networkNamespace the file that stands for it; null, as if not set, if it is not known
     * @return this builder
     */
    public Builder networkNamespace(@Nullable Path networkNamespace) {
      this.networkNamespace = networkNamespace;
      this.network = networkNamespace == null ? Network.UNKNOWN : Network.OWN;
      return this;
    }

    /**
     * Says that the pod is in the network namespace of the host.
     *
     * @return this builder
     */
    public Builder hostNetwork() {
      this.networkNamespace = null;
      this.network = Network.HOST;
      return this;
    }

    /**
     * Makes the sandbox.
     *
     * @return the sandbox
     * @throws IllegalArgumentException if the id is empty
     */
    public Sandbox build() {
      return new Sandbox(id, podUid, podNamespace, podName, network, networkNamespace);
    }
  }

  /**
   * A sandbox that no pod belongs to: any network namespace, for use without a cluster.
   *
   * @param networkNamespace the file that stands for the network namespace
   * @return the sandbox, with the path as its id
   */
  public static Sandbox of(Path networkNamespace) {
    String path = networkNamespace.toAbsolutePath().normalize().toString();
    return new Sandbox(path, "", "", "", Path.of(path));
  }

  /**
   * The form in which sandboxes are named in messages.
   *
   * @return pod and id, or the id alone
   */
  @Override
  public String toString() {
    return podName.isEmpty() ? id : podNamespace + "/" + podName + " (" + id + ")";
  }
}
