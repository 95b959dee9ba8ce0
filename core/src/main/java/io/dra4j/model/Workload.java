package io.dra4j.model;

import io.dra4j.internal.Checks;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The templates from which controllers create the PodGroups and CompositePodGroups of a workload
 * ({@code scheduling.k8s.io}, {@code v1alpha2} of Kubernetes 1.36, {@code v1alpha3} and {@code
 * v1beta1} of 1.37; fields as in {@code types.go} of {@code k8s.io/api/scheduling}). The scheduler
 * does not read Workloads: it decides by the groups, into which the controller copies the
 * templates.
 *
 * @param metadata namespace and name
 * @param podGroupTemplates templates of PodGroups without a parent
 * @param compositeTemplates templates of CompositePodGroups ({@code
 *     spec.compositePodGroupTemplates})
 */
public record Workload(
    ObjectMeta metadata,
    List<PodGroupTemplate> podGroupTemplates,
    List<CompositeTemplate> compositeTemplates)
    implements KubernetesObject {

  /** Copies the lists, keeping their order; rejects null. {@inheritDoc} */
  public Workload {
    Checks.value("Workload.metadata", metadata);
    podGroupTemplates = Checks.list("Workload.podGroupTemplates", podGroupTemplates);
    compositeTemplates = Checks.list("Workload.compositeTemplates", compositeTemplates);
  }

  /**
   * A template of PodGroups.
   *
   * @param name its name, unique in the Workload
   * @param minCount as {@link PodGroup#minCount}
   * @param topologyKeys as {@link PodGroup#topologyKeys}
   * @param resourceClaims as {@link PodGroup#resourceClaims}
   */
  public record PodGroupTemplate(
      String name,
      @Nullable Integer minCount,
      List<String> topologyKeys,
      List<PodResourceClaim> resourceClaims) {

    /** Copies the lists, keeping their order; rejects null. {@inheritDoc} */
    public PodGroupTemplate {
      Checks.value("PodGroupTemplate.name", name);
      topologyKeys = Checks.list("PodGroupTemplate.topologyKeys", topologyKeys);
      resourceClaims = Checks.list("PodGroupTemplate.resourceClaims", resourceClaims);
    }
  }

  /**
   * A template of CompositePodGroups.
   *
   * @param name its name, unique in the Workload
   * @param minGroupCount as {@link CompositePodGroup#minGroupCount}
   * @param topologyKeys as {@link CompositePodGroup#topologyKeys}
   * @param podGroupTemplates templates of child PodGroups
   * @param compositeTemplates templates of child CompositePodGroups
   */
  public record CompositeTemplate(
      String name,
      @Nullable Integer minGroupCount,
      List<String> topologyKeys,
      List<PodGroupTemplate> podGroupTemplates,
      List<CompositeTemplate> compositeTemplates) {

    /** Copies the lists, keeping their order; rejects null. {@inheritDoc} */
    public CompositeTemplate {
      Checks.value("CompositeTemplate.name", name);
      topologyKeys = Checks.list("CompositeTemplate.topologyKeys", topologyKeys);
      podGroupTemplates = Checks.list("CompositeTemplate.podGroupTemplates", podGroupTemplates);
      compositeTemplates = Checks.list("CompositeTemplate.compositeTemplates", compositeTemplates);
    }

    private Stream<PodGroupTemplate> all() {
      return Stream.concat(
          podGroupTemplates.stream(), compositeTemplates.stream().flatMap(CompositeTemplate::all));
    }
  }

  /** {@return all templates of PodGroups, those in templates of CompositePodGroups last} */
  public List<PodGroupTemplate> allPodGroupTemplates() {
    return Stream.concat(
            podGroupTemplates.stream(), compositeTemplates.stream().flatMap(CompositeTemplate::all))
        .toList();
  }
}
