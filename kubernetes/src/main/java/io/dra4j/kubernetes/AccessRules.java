package io.dra4j.kubernetes;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The permissions that are required to read a cluster: {@code list} and {@code watch}. Workloads
 * are not followed, so they require {@code list} only.
 */
public final class AccessRules {

  private record Rule(String group, String verbs) {}

  private AccessRules() {}

  /**
   * Returns the ClusterRole for {@link ClusterInventory} and {@link ClusterCapture} as a manifest.
   *
   * @param name the name of the ClusterRole
   * @return YAML that an administrator applies and binds to the users that read the cluster
   */
  public static String reader(String name) {
    Map<Rule, List<String>> rules = new LinkedHashMap<>();
    for (ClusterResource resource : ClusterResource.values()) {
      Rule rule = new Rule(resource.group(), resource.isWorkload() ? "list" : "list, watch");
      rules.computeIfAbsent(rule, any -> new ArrayList<>()).add(resource.plural());
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
    rules.forEach(
        (rule, resources) ->
            yaml.append("- apiGroups: [\"")
                .append(rule.group())
                .append("\"]\n")
                .append("  resources: [")
                .append(String.join(", ", resources))
                .append("]\n")
                .append("  verbs: [")
                .append(rule.verbs())
                .append("]\n"));
    return yaml.toString();
  }
}
