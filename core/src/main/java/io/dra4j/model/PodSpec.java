package io.dra4j.model;

import io.dra4j.internal.Checks;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The fields of a pod's {@code spec} that decide where it runs and which claims it needs.
 *
 * @param nodeName the node that it is bound to; empty if it is not bound
 * @param nodeSelector labels that its node must have
 * @param resourceClaims the claims that it needs
 * @param podGroupName the PodGroup that it is scheduled with ({@code
 *     spec.schedulingGroup.podGroupName}, Kubernetes 1.36), or {@code null}
 * @param tolerations the tolerated taints of nodes
 * @param requiredNodeAffinity the nodes on which it may run ({@code
 *     spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution}), or {@code null}
 *     for any; a selector without terms allows none
 * @param priority the priority; pods with a higher priority are placed first; 0 when not given
 * @param requiredPodAffinity the pods that must run near it ({@code spec.affinity.podAffinity})
 * @param requiredPodAntiAffinity the pods that must not run near it ({@code
 *     spec.affinity.podAntiAffinity})
 * @param topologySpread the constraints for spreading it evenly with other pods
 * @param containers its containers with their resources
 * @param initContainers the containers that run before the others, or in parallel as sidecars
 * @param overhead the resources that the pod consumes in addition to its containers, by resource
 *     name
 * @param resources the resources of the pod as a whole ({@code spec.resources}), which replace the
 *     sums of its containers
 * @param hostNetwork whether it uses the network of its node, so that its ports are ports of the
 *     node
 */
public record PodSpec(
    String nodeName,
    Map<String, String> nodeSelector,
    List<PodResourceClaim> resourceClaims,
    @Nullable String podGroupName,
    List<Toleration> tolerations,
    @Nullable NodeSelector requiredNodeAffinity,
    int priority,
    List<PodAffinityTerm> requiredPodAffinity,
    List<PodAffinityTerm> requiredPodAntiAffinity,
    List<TopologySpreadConstraint> topologySpread,
    List<Container> containers,
    List<Container> initContainers,
    Map<String, Quantity> overhead,
    ResourceRequirements resources,
    boolean hostNetwork) {

  /** A pod that may run on any node without taints and needs no claims. */
  public static final PodSpec ANYWHERE = new PodSpec("", Map.of(), List.of());

  /** Copies the collections, keeping their order. {@inheritDoc} */
  public PodSpec {
    Checks.value("PodSpec.nodeName", nodeName);
    nodeSelector = Checks.map("PodSpec.nodeSelector", nodeSelector);
    resourceClaims = Checks.list("PodSpec.resourceClaims", resourceClaims);
    tolerations = Checks.list("PodSpec.tolerations", tolerations);
    requiredPodAffinity = Checks.list("PodSpec.requiredPodAffinity", requiredPodAffinity);
    requiredPodAntiAffinity =
        Checks.list("PodSpec.requiredPodAntiAffinity", requiredPodAntiAffinity);
    topologySpread = Checks.list("PodSpec.topologySpread", topologySpread);
    containers = Checks.list("PodSpec.containers", containers);
    initContainers = Checks.list("PodSpec.initContainers", initContainers);
    overhead = Checks.map("PodSpec.overhead", overhead);
    Checks.value("PodSpec.resources", resources);
  }

  /** {@return a builder of specifications: the pod may run on any node and needs no claims} */
  public static Builder builder() {
    return ANYWHERE.toBuilder();
  }

  /** {@return a builder with all fields of this specification} */
  public Builder toBuilder() {
    Builder builder = new Builder();
    builder.nodeName = nodeName;
    builder.nodeSelector.set(nodeSelector);
    builder.resourceClaims.set(resourceClaims);
    builder.podGroupName = podGroupName;
    builder.tolerations.set(tolerations);
    builder.requiredNodeAffinity = requiredNodeAffinity;
    builder.priority = priority;
    builder.requiredPodAffinity.set(requiredPodAffinity);
    builder.requiredPodAntiAffinity.set(requiredPodAntiAffinity);
    builder.topologySpread.set(topologySpread);
    builder.containers.set(containers);
    builder.initContainers.set(initContainers);
    builder.overhead.set(overhead);
    builder.resources = resources;
    builder.hostNetwork = hostNetwork;
    return builder;
  }

  /** Collects the fields of a pod's specification; what is not set stays empty. */
  public static final class Builder {

    private String nodeName = "";
    private final MapField<String> nodeSelector = new MapField<>("PodSpec.nodeSelector");
    private final ListField<PodResourceClaim> resourceClaims =
        new ListField<>("PodSpec.resourceClaims");
    private @Nullable String podGroupName;
    private final ListField<Toleration> tolerations = new ListField<>("PodSpec.tolerations");
    private @Nullable NodeSelector requiredNodeAffinity;
    private int priority;
    private final ListField<PodAffinityTerm> requiredPodAffinity =
        new ListField<>("PodSpec.requiredPodAffinity");
    private final ListField<PodAffinityTerm> requiredPodAntiAffinity =
        new ListField<>("PodSpec.requiredPodAntiAffinity");
    private final ListField<TopologySpreadConstraint> topologySpread =
        new ListField<>("PodSpec.topologySpread");
    private final ListField<Container> containers = new ListField<>("PodSpec.containers");
    private final ListField<Container> initContainers = new ListField<>("PodSpec.initContainers");
    private final MapField<Quantity> overhead = new MapField<>("PodSpec.overhead");
    private ResourceRequirements resources = ResourceRequirements.NONE;
    private boolean hostNetwork;

    private Builder() {}

    /**
     * Binds the pod to a node.
     *
     * @param nodeName the name of the node; empty for none
     * @return this builder
     */
    public Builder nodeName(String nodeName) {
      this.nodeName = Checks.value("PodSpec.nodeName", nodeName);
      return this;
    }

    /**
     * Replaces the labels that the node of the pod must have.
     *
     * @param values values by the keys of the labels
     * @return this builder
     */
    public Builder nodeSelector(Map<String, String> values) {
      nodeSelector.set(values);
      return this;
    }

    /**
     * Adds a label that the node of the pod must have.
     *
     * @param key the key of the label, {@code kubernetes.io/arch} for example
     * @param value its value
     * @return this builder
     */
    public Builder nodeSelector(String key, String value) {
      nodeSelector.put(key, value);
      return this;
    }

    /**
     * Replaces the claims that the pod needs.
     *
     * @param values the entries of {@code spec.resourceClaims}
     * @return this builder
     */
    public Builder resourceClaims(List<PodResourceClaim> values) {
      resourceClaims.set(values);
      return this;
    }

    /**
     * Adds an existing claim that the pod needs.
     *
     * @param name the name of the claim in the pod
     * @param claimName the name of the ResourceClaim in the namespace of the pod
     * @return this builder
     */
    public Builder resourceClaim(String name, String claimName) {
      resourceClaims.add(new PodResourceClaim(name, Checks.value("claimName", claimName), null));
      return this;
    }

    /**
     * Adds a claim that is created for the pod from a template.
     *
     * @param name the name of the claim in the pod
     * @param templateName the name of the ResourceClaimTemplate in the namespace of the pod
     * @return this builder
     */
    public Builder resourceClaimTemplate(String name, String templateName) {
      resourceClaims.add(
          new PodResourceClaim(name, null, Checks.value("templateName", templateName)));
      return this;
    }

    /**
     * Sets the PodGroup that the pod is scheduled with.
     *
     * @param podGroupName the name of a PodGroup in the namespace of the pod, or {@code null} for
     *     none
     * @return this builder
     */
    public Builder podGroupName(@Nullable String podGroupName) {
      this.podGroupName = podGroupName;
      return this;
    }

    /**
     * Replaces the tolerations of the pod.
     *
     * @param values the tolerated taints of nodes
     * @return this builder
     */
    public Builder tolerations(List<Toleration> values) {
      tolerations.set(values);
      return this;
    }

    /**
     * Adds a toleration of taints of nodes.
     *
     * @param toleration for example {@code Toleration.exists("nvidia.com/gpu")}
     * @return this builder
     */
    public Builder toleration(Toleration toleration) {
      tolerations.add(toleration);
      return this;
    }

    /**
     * Sets the nodes on which the pod may run.
     *
     * @param requiredNodeAffinity the nodes, or {@code null} for any
     * @return this builder
     */
    public Builder requiredNodeAffinity(@Nullable NodeSelector requiredNodeAffinity) {
      this.requiredNodeAffinity = requiredNodeAffinity;
      return this;
    }

    /**
     * Sets the priority of the pod.
     *
     * @param priority any number, 0 for most pods; pods with a higher priority are placed first
     * @return this builder
     */
    public Builder priority(int priority) {
      this.priority = priority;
      return this;
    }

    /**
     * Replaces the pods that must run near this pod.
     *
     * @param values the terms, all of which must hold
     * @return this builder
     */
    public Builder requiredPodAffinity(List<PodAffinityTerm> values) {
      requiredPodAffinity.set(values);
      return this;
    }

    /**
     * Replaces the pods that must not run near this pod.
     *
     * @param values the terms, all of which must hold
     * @return this builder
     */
    public Builder requiredPodAntiAffinity(List<PodAffinityTerm> values) {
      requiredPodAntiAffinity.set(values);
      return this;
    }

    /**
     * Replaces the constraints for spreading the pod evenly with other pods.
     *
     * @param values the constraints
     * @return this builder
     */
    public Builder topologySpread(List<TopologySpreadConstraint> values) {
      topologySpread.set(values);
      return this;
    }

    /**
     * Replaces the containers.
     *
     * @param values the containers in their order
     * @return this builder
     */
    public Builder containers(List<Container> values) {
      containers.set(values);
      return this;
    }

    /**
     * Replaces the containers that run before the others, or in parallel as sidecars.
     *
     * @param values the containers in their order
     * @return this builder
     */
    public Builder initContainers(List<Container> values) {
      initContainers.set(values);
      return this;
    }

    /**
     * Replaces the resources that the pod consumes in addition to its containers.
     *
     * @param values amounts by the names of resources
     * @return this builder
     */
    public Builder overhead(Map<String, Quantity> values) {
      overhead.set(values);
      return this;
    }

    /**
     * Sets the resources of the pod as a whole.
     *
     * @param resources the amounts; they replace the sums of the containers
     * @return this builder
     */
    public Builder resources(ResourceRequirements resources) {
      this.resources = Checks.value("PodSpec.resources", resources);
      return this;
    }

    /**
     * Sets whether the pod uses the network of its node.
     *
     * @param hostNetwork whether its ports are ports of the node
     * @return this builder
     */
    public Builder hostNetwork(boolean hostNetwork) {
      this.hostNetwork = hostNetwork;
      return this;
    }

    /** {@return a specification with the fields set so far} */
    public PodSpec build() {
      return new PodSpec(
          nodeName,
          nodeSelector.get(),
          resourceClaims.get(),
          podGroupName,
          tolerations.get(),
          requiredNodeAffinity,
          priority,
          requiredPodAffinity.get(),
          requiredPodAntiAffinity.get(),
          topologySpread.get(),
          containers.get(),
          initContainers.get(),
          overhead.get(),
          resources,
          hostNetwork);
    }
  }

  /**
   * Creates the specification of a pod without PodGroup and with priority 0.
   *
   * @param nodeName the node that it is bound to; empty if it is not bound
   * @param nodeSelector labels that its node must have
   * @param resourceClaims the claims that it needs
   */
  public PodSpec(
      String nodeName, Map<String, String> nodeSelector, List<PodResourceClaim> resourceClaims) {
    this(
        nodeName,
        nodeSelector,
        resourceClaims,
        null,
        List.of(),
        null,
        0,
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        Map.of(),
        ResourceRequirements.NONE,
        false);
  }
}
