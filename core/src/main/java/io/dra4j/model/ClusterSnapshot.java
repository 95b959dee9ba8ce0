package io.dra4j.model;

import io.dra4j.internal.Checks;
import java.util.ArrayList;
import java.util.List;

/**
 * All objects of a cluster that device allocation depends on, at one moment. Plain lists in the
 * order in which the objects were read; references between objects are not checked or resolved.
 *
 * @param nodes the machines
 * @param deviceClasses the device classes
 * @param resourceSlices the published devices
 * @param resourceClaims the claims, pending and allocated
 * @param resourceClaimTemplates the templates of claims
 * @param deviceTaintRules the rules that taint devices independently of their drivers
 * @param workloads pods, their controllers and groups, Workloads and ResourceQuotas, in the order
 *     in which they were read
 */
public record ClusterSnapshot(
    List<Node> nodes,
    List<DeviceClass> deviceClasses,
    List<ResourceSlice> resourceSlices,
    List<ResourceClaim> resourceClaims,
    List<ResourceClaimTemplate> resourceClaimTemplates,
    List<DeviceTaintRule> deviceTaintRules,
    List<KubernetesObject> workloads) {

  /** Copies the lists. {@inheritDoc} */
  public ClusterSnapshot {
    nodes = Checks.list("ClusterSnapshot.nodes", nodes);
    deviceClasses = Checks.list("ClusterSnapshot.deviceClasses", deviceClasses);
    resourceSlices = Checks.list("ClusterSnapshot.resourceSlices", resourceSlices);
    resourceClaims = Checks.list("ClusterSnapshot.resourceClaims", resourceClaims);
    resourceClaimTemplates =
        Checks.list("ClusterSnapshot.resourceClaimTemplates", resourceClaimTemplates);
    deviceTaintRules = Checks.list("ClusterSnapshot.deviceTaintRules", deviceTaintRules);
    workloads = Checks.list("ClusterSnapshot.workloads", workloads);
  }

  /**
   * {@return a snapshot of objects by kind, in their order within each kind}
   *
   * @param objects the objects
   */
  public static ClusterSnapshot of(Iterable<? extends KubernetesObject> objects) {
    List<Node> nodes = new ArrayList<>();
    List<DeviceClass> deviceClasses = new ArrayList<>();
    List<ResourceSlice> resourceSlices = new ArrayList<>();
    List<ResourceClaim> resourceClaims = new ArrayList<>();
    List<ResourceClaimTemplate> templates = new ArrayList<>();
    List<DeviceTaintRule> taintRules = new ArrayList<>();
    int position = 0;
    List<KubernetesObject> workloads = new ArrayList<>();
    for (KubernetesObject object : Checks.value("objects", objects)) {
      Checks.value("objects[" + position + "]", object);
      position++;
      if (object instanceof Node node) {
        nodes.add(node);
      } else if (object instanceof DeviceClass deviceClass) {
        deviceClasses.add(deviceClass);
      } else if (object instanceof ResourceSlice slice) {
        resourceSlices.add(slice);
      } else if (object instanceof ResourceClaim claim) {
        resourceClaims.add(claim);
      } else if (object instanceof ResourceClaimTemplate template) {
        templates.add(template);
      } else if (object instanceof DeviceTaintRule rule) {
        taintRules.add(rule);
      } else {
        workloads.add(object);
      }
    }
    return new ClusterSnapshot(
        nodes, deviceClasses, resourceSlices, resourceClaims, templates, taintRules, workloads);
  }

  /**
   * {@return this snapshot with other device taint rules}
   *
   * @param rules the rules
   */
  public ClusterSnapshot withDeviceTaintRules(List<DeviceTaintRule> rules) {
    return new ClusterSnapshot(
        nodes,
        deviceClasses,
        resourceSlices,
        resourceClaims,
        resourceClaimTemplates,
        rules,
        workloads);
  }

  /**
   * {@return this snapshot with other claims}
   *
   * @param claims the claims
   */
  public ClusterSnapshot withResourceClaims(List<ResourceClaim> claims) {
    return new ClusterSnapshot(
        nodes,
        deviceClasses,
        resourceSlices,
        claims,
        resourceClaimTemplates,
        deviceTaintRules,
        workloads);
  }

  /** {@return the pending claims, which have no allocation yet, in order} */
  public List<ResourceClaim> pendingClaims() {
    return resourceClaims.stream().filter(claim -> claim.allocation() == null).toList();
  }
}
