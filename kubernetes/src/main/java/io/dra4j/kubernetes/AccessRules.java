package io.dra4j.kubernetes;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The rights that reading a cluster takes: {@code list} and {@code watch}, no more. */
public final class AccessRules {

  private AccessRules() {}

  /**
   * The ClusterRole for {@link ClusterInventory} and {@link ClusterCapture}, as a manifest.
   *
   * @param name the name of the ClusterRole
   * @return YAML, to be applied by an administrator and bound to who reads the cluster
   */
  public static String reader(String name) {
    Map<String, List<String>> byGroup = new LinkedHashMap<>();
    for (ClusterResource resource : ClusterResource.values()) {
      byGroup.computeIfAbsent(resource.group(), group -> new ArrayList<>()).add(resource.plural());
    }
    StringBuilder yaml =
        new StringBuilder(
            """
            apiVersion: rbac.authorization.k8s.io/v1
            kind: ClusterRole
            metadata:
              name: %s
            rules:
            """
                .formatted(name));
    byGroup.forEach(
        (group, resources) ->
            yaml.append("- apiGroups: [\"")
                .append(group)
                .append("\"]\n")
                .append("  resources: [")
                .append(String.join(", ", resources))
                .append("]\n")
                .append("  verbs: [list, watch]\n"));
    return yaml.toString();
  }
}
