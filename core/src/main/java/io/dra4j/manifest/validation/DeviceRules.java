package io.dra4j.manifest.validation;

import static io.dra4j.manifest.validation.ValidationRule.CAPACITY_NAME;
import static io.dra4j.manifest.validation.ValidationRule.DEVICE_ENTRIES_MAX;
import static io.dra4j.manifest.validation.ValidationRule.DEVICE_NAME;
import static io.dra4j.manifest.validation.ValidationRule.DEVICE_NODE_ONE_OF;
import static io.dra4j.manifest.validation.ValidationRule.DEVICE_NODE_UNWANTED;
import static io.dra4j.manifest.validation.ValidationRule.DEVICE_NODE_VALUE;
import static io.dra4j.manifest.validation.ValidationRule.NODE_NAME;
import static io.dra4j.manifest.validation.ValidationRule.TAINTS_MAX;

import java.util.ArrayList;
import java.util.List;

/** The rules of a device of a slice. */
final class DeviceRules {

  private static final List<String> NODE_FIELDS = List.of("nodeName", "nodeSelector", "allNodes");

  private final AttributeRules attributes = new AttributeRules();
  private final CapacityRules capacities = new CapacityRules();
  private final CounterRules counters = new CounterRules();
  private final TaintRules taints = new TaintRules();
  private final BindingRules bindings = new BindingRules();
  private final NodeResourceRules resources = new NodeResourceRules();
  private final NodeSelectorRules nodeSelectors = new NodeSelectorRules();

  /**
   * Checks a device; the result is whether it has a feature that limits its slice to 64 devices.
   *
   * @param body its fields except the name: the device itself, or {@code basic} in v1beta1
   * @param choosesNode whether each device of the slice selects its own nodes
   */
  boolean check(FieldCursor device, FieldCursor body, boolean choosesNode) {
    device.requireName(DEVICE_NAME, "name", NameFormat.LABEL);
    int entries = body.map("attributes").size() + body.map("capacity").size();
    if (entries > ApiLimits.DEVICE_ENTRIES) {
      body.problem(
          DEVICE_ENTRIES_MAX,
          "",
          "expected at most "
              + ApiLimits.DEVICE_ENTRIES
              + " attributes and capacities together, found "
              + entries);
    }
    boolean isAdvanced = attributes.check(body);
    boolean isShareable = Boolean.TRUE.equals(body.flag("allowMultipleAllocations"));
    for (String name : body.map("capacity").keySet()) {
      FieldCursor capacity = body.entry("capacity", name);
      capacity.checkName(CAPACITY_NAME, "", name, NameFormat.QUALIFIED);
      capacities.check(capacity, isShareable);
    }
    body.atMost(TAINTS_MAX, "taints", ApiLimits.TAINTS);
    body.objects("taints").forEach(taints::checkTaint);
    counters.checkConsumed(body);
    checkNodes(body, choosesNode);
    bindings.check(body);
    resources.check(body);
    return isAdvanced || body.size("taints") > 0 || body.size("consumesCounters") > 0;
  }

  private void checkNodes(FieldCursor body, boolean isWanted) {
    List<String> found = NODE_FIELDS.stream().filter(body::has).toList();
    if (!isWanted) {
      if (!found.isEmpty()) {
        body.problem(
            DEVICE_NODE_UNWANTED,
            found.get(0),
            "expected none, as the slice has no perDeviceNodeSelection: true");
      }
      return;
    }
    List<String> set = new ArrayList<>(found);
    String nodeName = body.text("nodeName");
    if (nodeName != null && nodeName.isEmpty()) {
      set.remove("nodeName");
      body.problem(DEVICE_NODE_VALUE, "nodeName", "expected a name, or no field");
    } else if (nodeName != null) {
      body.checkName(NODE_NAME, "nodeName", nodeName, NameFormat.SUBDOMAIN);
    }
    if (Boolean.FALSE.equals(body.flag("allNodes"))) {
      set.remove("allNodes");
      body.problem(DEVICE_NODE_VALUE, "allNodes", "expected true, or no field");
    }
    if (set.size() != 1) {
      body.problem(
          DEVICE_NODE_ONE_OF,
          "",
          "expected one of nodeName, nodeSelector and allNodes, as the slice has"
              + " perDeviceNodeSelection, found "
              + (set.isEmpty() ? "none" : String.join(" and ", set)));
    }
    nodeSelectors.check(body);
  }
}
