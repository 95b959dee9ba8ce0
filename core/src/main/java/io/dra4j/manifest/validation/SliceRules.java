package io.dra4j.manifest.validation;

import static io.dra4j.manifest.validation.ValidationRule.DEVICES_MAX;
import static io.dra4j.manifest.validation.ValidationRule.DEVICES_MAX_ADVANCED;
import static io.dra4j.manifest.validation.ValidationRule.DEVICE_UNIQUE;
import static io.dra4j.manifest.validation.ValidationRule.DRIVER_NAME;
import static io.dra4j.manifest.validation.ValidationRule.NODE_NAME;
import static io.dra4j.manifest.validation.ValidationRule.PARTITION_TYPE;
import static io.dra4j.manifest.validation.ValidationRule.POOL_GENERATION;
import static io.dra4j.manifest.validation.ValidationRule.POOL_NAME;
import static io.dra4j.manifest.validation.ValidationRule.POOL_SLICE_COUNT;
import static io.dra4j.manifest.validation.ValidationRule.SKIP_NODE_OPERATION_PAIR;
import static io.dra4j.manifest.validation.ValidationRule.SLICE_CONTENTS_ONE_OF;
import static io.dra4j.manifest.validation.ValidationRule.SLICE_FLAG_FALSE;
import static io.dra4j.manifest.validation.ValidationRule.SLICE_NODE_NAME_EMPTY;
import static io.dra4j.manifest.validation.ValidationRule.SLICE_NODE_ONE_OF;
import static io.dra4j.manifest.validation.ValidationRule.SLICE_NODE_SELECTOR_ONE_TERM;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The rules of a ResourceSlice. */
final class SliceRules {

  private final DeviceRules devices = new DeviceRules();
  private final CounterRules counters = new CounterRules();
  private final NodeSelectorRules nodeSelectors = new NodeSelectorRules();
  private final AttributeNames names = new AttributeNames();
  private final SkippedOperations skippedOperations = new SkippedOperations();

  /** Checks the spec of a slice, in v1beta1 or a later version. */
  void check(FieldCursor spec, boolean isBeta1) {
    spec.requireName(DRIVER_NAME, "driver", NameFormat.DRIVER);
    checkPool(spec);
    checkNodes(spec, isBeta1);
    if (spec.has("devices") && spec.has("sharedCounters")) {
      spec.problem(
          SLICE_CONTENTS_ONE_OF,
          "sharedCounters",
          "expected devices or sharedCounters in a slice, found both");
    }
    checkDevices(spec, isBeta1);
    counters.checkShared(spec);
    Set<String> skipped = skippedOperations.check(spec);
    if (skipped.contains("NodePrepareResources")
        && !skipped.contains("NodeUnprepareResources")
        && !skipped.contains("*")) {
      spec.problem(
          SKIP_NODE_OPERATION_PAIR,
          "skipNodeOperations",
          "expected NodeUnprepareResources with NodePrepareResources");
    }
  }

  private static void checkPool(FieldCursor spec) {
    if (spec.has("pool") && !spec.isObject("pool")) {
      return; // of a wrong type
    }
    FieldCursor pool = spec.objectOrEmpty("pool");
    pool.requireName(POOL_NAME, "name", NameFormat.POOL);
    Long generation = pool.integer("generation");
    if (generation != null && generation < 0) {
      pool.problem(POOL_GENERATION, "generation", "expected at least 0, found " + generation);
    }
    Long count = pool.integer("resourceSliceCount");
    if (count != null ? count <= 0 : !pool.has("resourceSliceCount")) {
      pool.problem(
          POOL_SLICE_COUNT,
          count == null ? "" : "resourceSliceCount",
          "expected resourceSliceCount: at least 1" + (count == null ? "" : ", found " + count));
    }
  }

  private void checkNodes(FieldCursor spec, boolean isBeta1) {
    List<String> set = new ArrayList<>();
    String nodeName = spec.text("nodeName");
    if (nodeName != null && !nodeName.isEmpty()) {
      spec.checkName(NODE_NAME, "nodeName", nodeName, NameFormat.SUBDOMAIN);
    }
    if (nodeName == null || !nodeName.isEmpty()) {
      addIfGiven(spec, "nodeName", set);
    } else if (!isBeta1) {
      spec.problem(SLICE_NODE_NAME_EMPTY, "nodeName", "expected a name, or no field");
    }
    addIfGiven(spec, "nodeSelector", set);
    for (String field : List.of("allNodes", "perDeviceNodeSelection")) {
      if (!Boolean.FALSE.equals(spec.flag(field))) {
        addIfGiven(spec, field, set);
      } else if (!isBeta1 || !field.equals("allNodes")) {
        spec.problem(SLICE_FLAG_FALSE, field, "expected true, or no field");
      }
    }
    if (set.size() != 1) {
      spec.problem(
          SLICE_NODE_ONE_OF,
          "",
          "expected one of nodeName, nodeSelector, allNodes and perDeviceNodeSelection, found "
              + (set.isEmpty() ? "none" : String.join(" and ", set)));
    }
    nodeSelectors.check(spec);
    FieldCursor selector = spec.object("nodeSelector");
    int terms = selector == null ? 1 : selector.size("nodeSelectorTerms");
    if (selector != null && terms > 1) {
      selector.problem(
          SLICE_NODE_SELECTOR_ONE_TERM, "nodeSelectorTerms", "expected one term, found " + terms);
    }
  }

  private static void addIfGiven(FieldCursor spec, String field, List<String> set) {
    if (spec.has(field)) {
      set.add(field);
    }
  }

  private void checkDevices(FieldCursor spec, boolean isBeta1) {
    boolean choosesNode = Boolean.TRUE.equals(spec.flag("perDeviceNodeSelection"));
    String partitionType = spec.text("partitionTypeAttribute");
    if (partitionType != null) {
      names.checkFull(spec, "partitionTypeAttribute", partitionType);
    }
    boolean isAdvanced = false;
    boolean drawsOnCounters = false;
    Set<String> known = new HashSet<>();
    for (FieldCursor device : spec.objects("devices")) {
      FieldCursor body = isBeta1 ? device.objectOrEmpty("basic") : device;
      isAdvanced |= devices.check(device, body, choosesNode);
      Unique.check(DEVICE_UNIQUE, device, "name", known);
      if (partitionType != null && body.size("consumesCounters") > 0) {
        drawsOnCounters = true;
        checkPartition(body, partitionType, spec.text("driver"));
      }
    }
    if (partitionType != null && !drawsOnCounters) {
      spec.problem(
          PARTITION_TYPE,
          "partitionTypeAttribute",
          "expected a device that draws on counters, found none");
    }
    if (isAdvanced) {
      spec.atMost(DEVICES_MAX_ADVANCED, "devices", ApiLimits.ADVANCED_DEVICES);
    } else {
      spec.atMost(DEVICES_MAX, "devices", ApiLimits.DEVICES);
    }
  }

  /**
   * Checks the attribute of a partition type; a name without a domain has the domain of the driver.
   */
  private static void checkPartition(FieldCursor body, String name, @Nullable String driver) {
    String key = name;
    if (!body.map("attributes").containsKey(key)
        && driver != null
        && name.startsWith(driver + "/")) {
      key = name.substring(driver.length() + 1);
    }
    if (!body.entry("attributes", key).has("string")) {
      body.problem(
          PARTITION_TYPE,
          "attributes",
          "expected the attribute " + FieldCursor.shown(name) + " with a string");
    }
  }
}
