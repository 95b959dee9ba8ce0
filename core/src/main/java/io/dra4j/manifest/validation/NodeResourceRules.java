package io.dra4j.manifest.validation;

import static io.dra4j.manifest.validation.ValidationRule.NODE_RESOURCE_CAPACITY;
import static io.dra4j.manifest.validation.ValidationRule.NODE_RESOURCE_NAME;
import static io.dra4j.manifest.validation.ValidationRule.NODE_RESOURCE_ONE_OF;

import io.dra4j.common.SimilarNames;

/** The rules of {@code nodeAllocatableResources}. */
final class NodeResourceRules {

  void check(FieldCursor device) {
    for (String name : device.map("nodeAllocatableResources").keySet()) {
      FieldCursor resource = device.entry("nodeAllocatableResources", name);
      boolean isNative = name.indexOf('/') < 0 || name.contains("kubernetes.io/");
      if (!isNative) {
        resource.problem(
            NODE_RESOURCE_NAME,
            "",
            "expected a resource of Kubernetes itself, such as memory, found "
                + FieldCursor.shown(name));
      }
      if (!resource.has("mapping") && !resource.has("overhead")) {
        resource.problem(NODE_RESOURCE_ONE_OF, "", "expected mapping or overhead, found neither");
      }
      FieldCursor mapping = resource.object("mapping");
      if (mapping != null) {
        checkMapping(mapping, device);
      }
      FieldCursor overhead = resource.object("overhead");
      if (overhead != null && !overhead.has("perPod") && !overhead.has("perContainer")) {
        overhead.problem(
            NODE_RESOURCE_ONE_OF, "", "expected perPod or perContainer, found neither");
      }
    }
  }

  private static void checkMapping(FieldCursor mapping, FieldCursor device) {
    boolean hasKey = mapping.has("capacityKey");
    boolean hasMultiplier = mapping.has("capacityMultiplier");
    boolean isOfDevice = mapping.has("deviceMultiplier");
    if (isOfDevice ? hasKey || hasMultiplier : !hasKey || !hasMultiplier) {
      mapping.problem(
          NODE_RESOURCE_ONE_OF,
          "",
          "expected capacityKey with capacityMultiplier, or deviceMultiplier");
    }
    String key = mapping.text("capacityKey");
    if (key != null && !device.map("capacity").containsKey(key)) {
      mapping.problem(
          NODE_RESOURCE_CAPACITY,
          "capacityKey",
          "expected a capacity of the device, found " + FieldCursor.shown(key),
          SimilarNames.of(key, device.map("capacity").keySet()));
    }
  }
}
