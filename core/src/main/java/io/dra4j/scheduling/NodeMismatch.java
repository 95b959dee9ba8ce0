package io.dra4j.scheduling;

import io.dra4j.model.ClaimKey;
import io.dra4j.model.DeviceId;
import io.dra4j.model.Node;
import io.dra4j.model.NodeSelector;
import io.dra4j.model.NodeSelectorRequirement;
import io.dra4j.model.Quantity;
import io.dra4j.model.ResourceClaimStatus;
import io.dra4j.model.Taint;
import io.dra4j.scheduling.NodeRefusal.Cause;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The reason why a node refuses a pod, independent of devices. Equal for nodes that refuse the pod
 * for the same reason; {@link NodeReasons} converts it to sentences.
 */
sealed interface NodeMismatch {

  /** The most labels of one node that are listed. */
  int MAX_LABELS = 3;

  /** The kind of reason. */
  Cause cause();

  /** The predicate of one node, or of several: {@code has the taint a:NoSchedule}. */
  String describe(boolean ofSeveral);

  /** The property of a node that the pod rejects: {@code zone=a}; empty if the predicate has it. */
  default String detail(Node node) {
    return "";
  }

  /** The sentence about some nodes, with their names or their properties at its end. */
  default String sentence(String nodes, boolean several, String details) {
    return nodes + " " + describe(several) + details;
  }

  /** The predicate of nodes with other mismatches of the same kind. */
  default String describeOthers(boolean ofSeveral) {
    return describe(ofSeveral);
  }

  /**
   * The pod names another node.
   *
   * @param name its name
   * @param isKnown whether there is such a node
   */
  record OtherName(String name, boolean isKnown) implements NodeMismatch {

    @Override
    public Cause cause() {
      return Cause.NODE_NAME;
    }

    @Override
    public String describe(boolean ofSeveral) {
      return "%s not %s, the node that the pod names"
          .formatted(ofSeveral ? "are" : "is", NodeReasons.brief(name));
    }

    @Override
    public String sentence(String nodes, boolean several, String details) {
      return isKnown
          ? nodes + " " + describe(several) + details
          : "the pod names node %s (spec.nodeName), and there is no Node of that name"
              .formatted(NodeReasons.brief(name));
    }
  }

  /**
   * A taint that the pod does not tolerate.
   *
   * @param taint the taint, without its time
   */
  record Untolerated(Taint taint) implements NodeMismatch {

    @Override
    public Cause cause() {
      return Cause.TAINT;
    }

    @Override
    public String describe(boolean ofSeveral) {
      String text = NodeReasons.brief(taint.toString());
      return taint.equals(PodNodeFilters.CORDONED)
          ? "%s cordoned (spec.unschedulable), and the pod does not tolerate %s"
              .formatted(ofSeveral ? "are" : "is", text)
          : "%s the taint %s, which the pod does not tolerate"
              .formatted(ofSeveral ? "have" : "has", text);
    }

    @Override
    public String describeOthers(boolean ofSeveral) {
      return (ofSeveral ? "have" : "has") + " other taints, which the pod does not tolerate";
    }
  }

  /**
   * Labels that the node selector of the pod requires and the node lacks.
   *
   * @param labels some of them, by their keys
   */
  record Lacking(Map<String, String> labels) implements NodeMismatch {

    @Override
    public Cause cause() {
      return Cause.NODE_SELECTOR;
    }

    @Override
    public String describe(boolean ofSeveral) {
      return (ofSeveral ? "lack " : "lacks ")
          + labels.entrySet().stream()
              .map(label -> NodeReasons.brief(label.getKey() + "=" + label.getValue()))
              .collect(Collectors.joining(" and "));
    }

    @Override
    public String describeOthers(boolean ofSeveral) {
      return (ofSeveral ? "lack" : "lacks") + " other labels that the pod's node selector requires";
    }

    @Override
    public String detail(Node node) {
      return labelsOf(node, labels.keySet());
    }
  }

  /**
   * The node does not match the required node affinity of the pod.
   *
   * @param required the required nodes, in short
   * @param keys some labels that the affinity uses
   */
  record NotRequired(String required, List<String> keys) implements NodeMismatch {

    static NotRequired of(NodeSelector required) {
      return new NotRequired(
          NodeReasons.brief(required.toString()),
          required.terms().stream()
              .flatMap(term -> term.matchExpressions().stream())
              .map(NodeSelectorRequirement::key)
              .distinct()
              .limit(MAX_LABELS)
              .toList());
    }

    @Override
    public Cause cause() {
      return Cause.NODE_AFFINITY;
    }

    @Override
    public String describe(boolean ofSeveral) {
      return "%s not what the pod's node affinity requires (%s)"
          .formatted(ofSeveral ? "are" : "is", required);
    }

    @Override
    public String detail(Node node) {
      return labelsOf(node, keys);
    }
  }

  /**
   * Another pod uses a port of the node.
   *
   * @param port the protocol and the number of the port
   */
  record PortInUse(String port) implements NodeMismatch {

    @Override
    public Cause cause() {
      return Cause.NODE_PORTS;
    }

    @Override
    public String describe(boolean ofSeveral) {
      return "%s no free port %s, which the pod wants (NodePorts)"
          .formatted(ofSeveral ? "have" : "has", NodeReasons.brief(port));
    }
  }

  /**
   * The node has not enough of some resources.
   *
   * @param resources the names of the resources; {@code pods} if there is no room for one more pod
   */
  record Insufficient(List<String> resources) implements NodeMismatch {

    @Override
    public Cause cause() {
      return Cause.NODE_RESOURCES;
    }

    @Override
    public String describe(boolean ofSeveral) {
      return "%s too little %s left for the pod (NodeResourcesFit)"
          .formatted(
              ofSeveral ? "have" : "has", NodeReasons.brief(String.join(" and ", resources)));
    }
  }

  /**
   * The node has not enough of some resources for the pod with its new devices.
   *
   * @param resources the names of the resources
   */
  record InsufficientForDevices(List<String> resources) implements NodeMismatch {

    @Override
    public Cause cause() {
      return Cause.NODE_RESOURCES;
    }

    @Override
    public String describe(boolean ofSeveral) {
      return "%s too little %s left for the pod and its devices"
              .formatted(
                  ofSeveral ? "have" : "has", NodeReasons.brief(String.join(" and ", resources)))
          + " (nodeAllocatableResources)";
    }
  }

  /**
   * The pod-level resources of the pod are less than its containers and its devices need.
   *
   * @param field {@code requests} or {@code limits} of {@code spec.resources}
   * @param resource the name of the resource
   */
  record BeyondPodLevel(String field, String resource) implements NodeMismatch {

    @Override
    public Cause cause() {
      return Cause.NODE_RESOURCES;
    }

    @Override
    public String describe(boolean ofSeveral) {
      return "would need more %s for the pod's containers and devices than its"
              .formatted(NodeReasons.brief(resource))
          + " spec.resources.%s allow (nodeAllocatableResources)".formatted(field);
    }
  }

  /**
   * Another pod uses a claim whose devices provide resources of the node.
   *
   * @param claim the claim
   */
  record MappedClaimInUse(ClaimKey claim) implements NodeMismatch {

    @Override
    public Cause cause() {
      return Cause.ALLOCATED_CLAIMS;
    }

    @Override
    public String describe(boolean ofSeveral) {
      return "cannot share claim %s among pods: its devices provide resources of the node (mapping of"
              .formatted(NodeReasons.brief(claim.toString()))
          + " nodeAllocatableResources), and another pod uses it";
    }
  }

  /**
   * The domain of the node already has too many matching pods.
   *
   * @param topologyKey the label whose values are the domains
   * @param isUnlabelled whether the node does not have the label
   */
  record Uneven(String topologyKey, boolean isUnlabelled) implements NodeMismatch {

    @Override
    public Cause cause() {
      return Cause.TOPOLOGY_SPREAD;
    }

    @Override
    public String describe(boolean ofSeveral) {
      String key = NodeReasons.brief(topologyKey);
      return isUnlabelled
          ? "%s no label %s, over which the pod is spread (PodTopologySpread)"
              .formatted(ofSeveral ? "have" : "has", key)
          : "%s in a domain of topology key %s that has too many matching pods already"
                  .formatted(ofSeveral ? "are" : "is", key)
              + " (PodTopologySpread)";
    }
  }

  /** The way in which a rule about other pods is violated. */
  enum PodRelation {
    /** The affinity of the pod requires pods that are not there. */
    NOT_NEAR("without the pods that the pod's affinity requires"),
    /** The anti-affinity of the pod keeps it away from pods that are there. */
    TOO_NEAR("with pods that the pod's anti-affinity excludes"),
    /** The anti-affinity of pods that are there keeps the pod away. */
    KEPT_AWAY("with pods whose anti-affinity excludes the pod");

    private final String text;

    PodRelation(String text) {
      this.text = text;
    }
  }

  /**
   * A rule about other pods is violated.
   *
   * @param topologyKey the label whose values are the domains
   */
  record OtherPods(PodRelation relation, String topologyKey) implements NodeMismatch {

    @Override
    public Cause cause() {
      return Cause.POD_AFFINITY;
    }

    @Override
    public String describe(boolean ofSeveral) {
      return "%s in a domain of topology key %s %s (InterPodAffinity)"
          .formatted(ofSeveral ? "are" : "is", NodeReasons.brief(topologyKey), relation.text);
    }
  }

  /** The gang of the pod is on nodes with other values of its topology keys. */
  record OtherTopology() implements NodeMismatch {

    @Override
    public Cause cause() {
      return Cause.GANG_TOPOLOGY;
    }

    @Override
    public String describe(boolean ofSeveral) {
      return (ofSeveral ? "have" : "has")
          + " other values of the topology keys than the nodes of the pod's gang";
    }
  }

  /**
   * A claim of the pod is allocated to devices of other nodes.
   *
   * @param claim the claim
   * @param nodes the nodes on which it can be used
   */
  record AllocatedElsewhere(ClaimKey claim, NodeSelector nodes) implements NodeMismatch {

    @Override
    public Cause cause() {
      return Cause.ALLOCATED_CLAIMS;
    }

    @Override
    public String describe(boolean ofSeveral) {
      return "%s not where claim %s, which is allocated, can be used (%s)"
          .formatted(
              ofSeveral ? "are" : "is",
              NodeReasons.brief(claim.toString()),
              NodeReasons.brief(nodes.toString()));
    }

    @Override
    public String describeOthers(boolean ofSeveral) {
      return (ofSeveral ? "are" : "is")
          + " not where other allocated claims of the pod can be used";
    }
  }

  /**
   * The pod names its node, and one of its claims has no allocation.
   *
   * @param claim the claim
   */
  record NotAllocated(ClaimKey claim) implements NodeMismatch {

    @Override
    public Cause cause() {
      return Cause.UNALLOCATED_CLAIMS;
    }

    @Override
    public String describe(boolean ofSeveral) {
      return "is the node that the pod names (spec.nodeName): no scheduler allocates claim %s, and"
              .formatted(NodeReasons.brief(claim.toString()))
          + " the pod does not start; remove nodeName and select the node by labels";
    }
  }

  /**
   * The driver of an allocated device reports that it cannot be bound.
   *
   * @param claim the claim
   * @param device the device
   * @param condition the type of the condition that is true
   */
  record BindingFailed(ClaimKey claim, DeviceId device, String condition) implements NodeMismatch {

    @Override
    public Cause cause() {
      return Cause.ALLOCATED_CLAIMS;
    }

    @Override
    public String describe(boolean ofSeveral) {
      return "cannot use claim %s: the binding of its device %s failed (condition %s is true);"
              .formatted(
                  NodeReasons.brief(claim.toString()),
                  NodeReasons.brief(device.toString()),
                  NodeReasons.brief(condition))
          + " kube-scheduler releases a claim that no other pod uses, and allocates it again";
    }
  }

  /**
   * A claim of the pod is reserved for the maximum number of other pods and groups.
   *
   * @param claim the claim
   */
  record TooManyConsumers(ClaimKey claim) implements NodeMismatch {

    @Override
    public Cause cause() {
      return Cause.CLAIM_CONSUMERS;
    }

    @Override
    public String describe(boolean ofSeveral) {
      return "claim %s is reserved for %d others, and cannot be reserved for more"
          .formatted(NodeReasons.brief(claim.toString()), ResourceClaimStatus.MAX_CONSUMERS);
    }

    @Override
    public String sentence(String nodes, boolean several, String details) {
      return describe(several);
    }
  }

  /**
   * A quota has no room for a claim of the pod.
   *
   * @param claim the claim, which cannot be created
   * @param quota the ResourceQuota, in the namespace of the claim
   * @param resource the name of the resource that is limited
   * @param asked the amount that the claim requests
   * @param used the amount in use
   * @param hard the limit
   */
  record OverQuota(
      ClaimKey claim, ClaimKey quota, String resource, long asked, Quantity used, Quantity hard)
      implements NodeMismatch {

    @Override
    public Cause cause() {
      return Cause.CLAIM_QUOTA;
    }

    /** The numbers: {@code it requests 4 of RESOURCE; 6 of 8 are in use}. */
    String amounts() {
      return "it requests %d of %s; %s of %s are in use"
          .formatted(asked, NodeReasons.brief(resource), used, hard);
    }

    @Override
    public String describe(boolean ofSeveral) {
      return "claim %s cannot be created: ResourceQuota %s has no room: %s"
          .formatted(
              NodeReasons.brief(claim.toString()), NodeReasons.brief(quota.toString()), amounts());
    }

    @Override
    public String sentence(String nodes, boolean several, String details) {
      return describe(several);
    }
  }

  private static String labelsOf(Node node, Collection<String> keys) {
    Map<String, String> labels = node.metadata().labels();
    return keys.stream()
        .map(
            key -> {
              String value = labels.get(key);
              return NodeReasons.brief(value == null ? "no label " + key : key + "=" + value);
            })
        .collect(Collectors.joining(" and "));
  }
}
