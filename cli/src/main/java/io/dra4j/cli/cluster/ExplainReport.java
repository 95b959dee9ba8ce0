package io.dra4j.cli.cluster;

import io.dra4j.allocation.explanation.ExcludedDevice;
import io.dra4j.allocation.explanation.PartialResult;
import io.dra4j.allocation.explanation.Reason;
import io.dra4j.allocation.explanation.Requirement;
import io.dra4j.model.DeviceId;
import io.dra4j.scheduling.NodeReason;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The result of {@code dra4j explain}, for all output formats.
 *
 * @param pods the outcome of each pod that the question covers
 * @param warnings warnings about pods that fit but will not work well
 */
record ExplainReport(List<Pod> pods, List<String> warnings) {

  /**
   * The outcome of a pod.
   *
   * @param name {@code namespace/name}
   * @param fits whether devices are no obstacle: it has them, it fits on a node, or it needs none
   * @param node the node on which it fits; empty if there is none or none is needed
   * @param summary one line
   * @param groups the reasons why nodes have no devices for it, with the nodes of each reason
   * @param others the reasons why other nodes are excluded regardless of their devices; the summary
   *     has them as well
   */
  record Pod(
      String name,
      boolean fits,
      String node,
      String summary,
      List<Group> groups,
      List<NodeReason> others) {

    /** Returns the outcome of a pod for which devices are no obstacle. */
    static Pod fitting(String name, String node, String summary) {
      return new Pod(name, true, node, summary, List.of(), List.of());
    }

    /** Returns the outcome of a pod that fits on no node, without details. */
    static Pod refused(String name, String summary) {
      return refused(name, summary, List.of(), List.of());
    }

    /** Returns the outcome of a pod that fits on no node. */
    static Pod refused(String name, String summary, List<Group> groups, List<NodeReason> others) {
      return new Pod(name, false, "", summary, groups, others);
    }

    Pod withSummary(String other) {
      return new Pod(name, fits, node, other, groups, others);
    }
  }

  /**
   * Nodes that refuse a pod for the same reason. All details except the summary are those of the
   * first node.
   *
   * @param summary the reason in a few words
   * @param nodes the names of the nodes
   * @param refusals the reasons, the most relevant one first
   * @param conflict a minimal set of requirements that cannot be fulfilled together, or the reason
   *     why it is not known
   * @param suggestions the changes that would help, and the reason why there may be more
   * @param picture the devices of the first node
   */
  record Group(
      String summary,
      List<String> nodes,
      List<Reason> refusals,
      PartialResult<Requirement> conflict,
      PartialResult<String> suggestions,
      List<DrawnDevice> picture) {

    /** Returns the devices that were refused, with the first reason of each. */
    Map<DeviceId, String> refused() {
      Map<DeviceId, String> reasons = new LinkedHashMap<>();
      for (Reason refusal : refusals) {
        for (ExcludedDevice device : refusal.refused()) {
          reasons.putIfAbsent(device.device(), device.reason());
        }
      }
      return reasons;
    }
  }

  /**
   * A device of a picture.
   *
   * @param id driver, pool and name
   * @param numaNode the NUMA node, or {@link DeviceCatalog#UNKNOWN}
   * @param pcieRoot the PCIe root, or {@link DeviceCatalog#UNKNOWN}
   * @param busId its PCI address, or {@link DeviceCatalog#UNKNOWN}
   * @param state {@code free}, the claims that hold it, or the reason why it cannot be allocated
   * @param free whether it can be allocated
   * @param refused the reason why the pod cannot get it; empty if there is none
   */
  record DrawnDevice(
      DeviceId id,
      String numaNode,
      String pcieRoot,
      String busId,
      String state,
      boolean free,
      String refused) {

    /** Returns the devices of a node; {@code refused} has reasons why the pod cannot get them. */
    static List<DrawnDevice> of(
        String node, DeviceCatalog catalog, DeviceWords words, Map<DeviceId, String> refused) {
      List<DrawnDevice> devices = new ArrayList<>();
      for (DeviceId id : catalog.devicesOf(node)) {
        devices.add(
            new DrawnDevice(
                id,
                catalog.numaNode(id),
                catalog.pcieRoot(id),
                catalog.busId(id),
                words.explained(id),
                words.isFree(id),
                refused.getOrDefault(id, "")));
      }
      return devices;
    }
  }
}
