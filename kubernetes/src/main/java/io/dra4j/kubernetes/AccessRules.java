package io.dra4j.kubernetes;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The rights that reading a cluster takes: {@code list} and {@code watch}, and of workloads, which
 * are not followed, {@code list} alone.
 */
public final class AccessRules {

  private record Rule(String group, String verbs) {}

  private AccessRules() {}

  /**
   * The ClusterRole for {@link ClusterInventory} and {@link ClusterCapture}, as a manifest.
   *
   * @param name the name of the ClusterRole
   * @return YAML, to be applied by an administrator and bound to who reads the cluster
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
