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
 * What {@code dra4j explain} found out, for all ways to write it.
 *
 * @param pods the outcome of each pod that was asked about
 * @param warnings what fits and will not work well
 */
record ExplainReport(List<Pod> pods, List<String> warnings) {

  /**
   * The outcome of a pod.
   *
   * @param name {@code namespace/name}
   * @param fits whether devices are no obstacle: it has them, a node takes it, or it needs none
   * @param node the node that takes it; empty if none does, and where none is needed
   * @param summary one line
   * @param groups why nodes have no devices for it, those with the same reason together
   * @param others why other nodes are out of the question, whatever devices they have; the summary
   *     says it, too
   */
  record Pod(
      String name,
      boolean fits,
      String node,
      String summary,
      List<Group> groups,
      List<NodeReason> others) {

    /** A pod for which devices are no obstacle. */
    static Pod fitting(String name, String node, String summary) {
      return new Pod(name, true, node, summary, List.of(), List.of());
    }

    /** A pod that no node takes, of which no more is known. */
    static Pod refused(String name, String summary) {
      return refused(name, summary, List.of(), List.of());
    }

    /** A pod that no node takes. */
    static Pod refused(String name, String summary, List<Group> groups, List<NodeReason> others) {
      return new Pod(name, false, "", summary, groups, others);
    }

    Pod withSummary(String other) {
      return new Pod(name, fits, node, other, groups, others);
    }
  }

  /**
   * Nodes that refuse for the same reason; what is more than the summary is of the first of them.
   *
   * @param summary the reason in a few words
   * @param nodes the names of the nodes
   * @param refusals the reasons, the most relevant one first
   * @param conflict a smallest set of requirements that cannot be fulfilled together, or why it is
   *     not known
   * @param suggestions what would help, and why there may be more
   * @param picture the devices of the first node
   */
  record Group(
      String summary,
      List<String> nodes,
      List<Reason> refusals,
      PartialResult<Requirement> conflict,
      PartialResult<String> suggestions,
      List<DrawnDevice> picture) {

    /** The devices that were refused, with the first reason of each. */
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
   * @param busId its address, or {@link DeviceCatalog#UNKNOWN}
   * @param state {@code free}, or the claims that have it, or why it cannot be allocated
   * @param free whether it can be allocated
   * @param refused why the pod cannot have it; empty if that is not why
   */
  record DrawnDevice(
      DeviceId id,
      String numaNode,
      String pcieRoot,
      String busId,
      String state,
      boolean free,
      String refused) {

    /**
     * The devices of a node.
     *
     * @param refused why the pod cannot have a device, by the devices that were refused
     */
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
