package io.dra4j.manifest.validation;

import static io.dra4j.manifest.validation.ValidationRule.NODE_RESOURCE_AMOUNT;
import static io.dra4j.manifest.validation.ValidationRule.NODE_RESOURCE_CAPACITY;
import static io.dra4j.manifest.validation.ValidationRule.NODE_RESOURCE_NAME;
import static io.dra4j.manifest.validation.ValidationRule.NODE_RESOURCE_ONE_OF;

import io.dra4j.common.SimilarNames;
import io.dra4j.model.Quantity;
import java.util.List;

/** The rules of {@code nodeAllocatableResources}. */
final class NodeResourceRules {

  private static final List<String> RESOURCES = List.of("cpu", "memory");

  void check(FieldCursor device) {
    for (String name : device.map("nodeAllocatableResources").keySet()) {
      FieldCursor resource = device.entry("nodeAllocatableResources", name);
      if (!RESOURCES.contains(name) && !name.startsWith("hugepages-")) {
        resource.problem(
            NODE_RESOURCE_NAME,
            "",
            "expected cpu, memory or huge pages such as hugepages-2Mi, found "
                + FieldCursor.shown(name),
            SimilarNames.of(name, RESOURCES));
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
      if (overhead != null) {
        checkAmount(overhead, "perPod", false);
        checkAmount(overhead, "perContainer", false);
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
    if (hasKey) {
      checkAmount(mapping, "capacityMultiplier", true);
    }
    checkAmount(mapping, "deviceMultiplier", true);
    String key = mapping.text("capacityKey");
    if (key != null && !device.map("capacity").containsKey(key)) {
      mapping.problem(
          NODE_RESOURCE_CAPACITY,
          "capacityKey",
          "expected a capacity of the device, found " + FieldCursor.shown(key),
          SimilarNames.of(key, device.map("capacity").keySet()));
    }
  }

  private static void checkAmount(FieldCursor object, String field, boolean positive) {
    Quantity amount = object.quantity(field);
    if (amount != null && (amount.signum() < 0 || (positive && amount.signum() == 0))) {
      object.problem(
          NODE_RESOURCE_AMOUNT,
          field,
          "expected %s, found %s".formatted(positive ? "more than zero" : "zero or more", amount));
    }
  }
}
