package io.dra4j.manifest.validation;

import io.dra4j.manifest.Json;
import io.dra4j.manifest.ManifestFinding;
import io.dra4j.manifest.RawObject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Compares claims and templates with {@code adminAccess: true} with the labels of their namespaces
 * (KEP-5018). The result is known when all objects were read; a namespace that is not in the files
 * allows admin access.
 */
final class AdminNamespaces {

  private static final String LABEL = "resource.kubernetes.io/admin-access";

  /** The label's name after its prefix: wrong prefixes are a frequent mistake. */
  private static final String LABEL_NAME = "admin-access";

  /** The most namespaces, and the most claims, that are stored: more than a cluster has. */
  private static final int MAX_REMEMBERED = 200_000;

  /** The longest name of a namespace; longer names are ignored. */
  private static final int MAX_NAME = 63;

  private record AdminRequest(FieldLocation place, String namespace) {}

  private final Map<String, String> foundLabels = new HashMap<>(); // empty: admin access is allowed
  private final List<AdminRequest> requests = new ArrayList<>();

  /** Stores the label of a namespace, or the first request of a claim with admin access. */
  void inspect(RawObject object, FieldCursor root) {
    switch (object.kind()) {
      case "Namespace" -> rememberNamespace(root.objectOrEmpty("metadata"));
      case "ResourceClaim" -> {
        if (!root.objectOrEmpty("status")
            .isObject("allocation")) { // an allocated claim was admitted already
          rememberRequest(object, root, root.objectOrEmpty("spec"));
        }
      }
      case "ResourceClaimTemplate" ->
          rememberRequest(object, root, root.objectOrEmpty("spec").objectOrEmpty("spec"));
      default -> {}
    }
  }

  private void rememberNamespace(FieldCursor metadata) {
    String name = metadata.text("name");
    if (name != null && name.length() <= MAX_NAME && foundLabels.size() < MAX_REMEMBERED) {
      foundLabels.putIfAbsent(name, foundLabel(metadata.map("labels")));
    }
  }

  /** The wrong label of a namespace; empty if it has the right one or the label is not a string. */
  private static String foundLabel(Map<String, Json> labels) {
    Json value = labels.get(LABEL);
    if (value instanceof Json.Text text) {
      return text.value().equals("true") ? "" : FieldCursor.shown(text.value());
    } else if (value != null) {
      return ""; // the reader reports it
    }
    return labels.keySet().stream()
        .filter(label -> label.substring(label.indexOf('/') + 1).equals(LABEL_NAME))
        .findFirst()
        .map(label -> "the label " + FieldCursor.shown(label))
        .orElse("none");
  }

  private void rememberRequest(RawObject object, FieldCursor root, FieldCursor spec) {
    String path = adminAccess(spec.objectOrEmpty("devices"));
    String namespace = MetadataRules.namespaceOf(root);
    if (path != null && namespace.length() <= MAX_NAME && requests.size() < MAX_REMEMBERED) {
      requests.add(new AdminRequest(FieldLocation.of(object, path), namespace));
    }
  }

  /** The first field with admin access, in v1beta1 or in a later version; null if there is none. */
  private static @Nullable String adminAccess(FieldCursor devices) {
    for (FieldCursor request : devices.objects("requests")) {
      for (FieldCursor body : List.of(request, request.objectOrEmpty("exactly"))) {
        if (Boolean.TRUE.equals(body.flag("adminAccess"))) {
          return body.path("adminAccess");
        }
      }
    }
    return null;
  }

  /** The requests for admin access in namespaces that do not allow it. */
  List<ManifestFinding> findings() {
    List<ManifestFinding> findings = new ArrayList<>();
    for (AdminRequest request : requests) {
      String found = foundLabels.getOrDefault(request.namespace(), "");
      if (!found.isEmpty()) {
        String message =
            "expected Namespace %s with the label %s: \"true\", found %s"
                .formatted(request.namespace(), LABEL, found);
        findings.add(
            new ManifestFinding(
                ValidationRule.ADMIN_ACCESS_NAMESPACE.id(),
                request.place().problem(message),
                List.of()));
      }
    }
    return findings;
  }
}
