package io.dra4j.manifest.validation;

import static io.dra4j.manifest.validation.ValidationRule.POD_CLAIM_NAME;
import static io.dra4j.manifest.validation.ValidationRule.POD_CLAIM_ONE_OF;
import static io.dra4j.manifest.validation.ValidationRule.POD_CLAIM_UNIQUE;
import static io.dra4j.manifest.validation.ValidationRule.POD_CLAIM_USED;

import io.dra4j.common.SimilarNames;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** The rules of pods' claims, also in templates and groups. Nothing else of pods is checked. */
final class PodRules {

  private PodRules() {}

  /** Checks an object of any kind; objects without pods have nothing to check. */
  static void check(String kind, FieldCursor object) {
    specsOf(kind, object).forEach(PodRules::checkSpec);
  }

  private static void checkSpec(FieldCursor spec) {
    Set<String> names = new LinkedHashSet<>();
    for (FieldCursor entry : spec.objects("resourceClaims")) {
      entry.requireName(POD_CLAIM_NAME, "name", NameFormat.LABEL);
      Unique.check(POD_CLAIM_UNIQUE, entry, "name", names);
      entry.checkName(POD_CLAIM_NAME, "resourceClaimName", NameFormat.SUBDOMAIN);
      entry.checkName(POD_CLAIM_NAME, "resourceClaimTemplateName", NameFormat.SUBDOMAIN);
      boolean namesClaim = entry.has("resourceClaimName");
      if (namesClaim == entry.has("resourceClaimTemplateName")) {
        entry.problem(
            POD_CLAIM_ONE_OF,
            "",
            "expected resourceClaimName or resourceClaimTemplateName, found "
                + (namesClaim ? "both" : "neither"));
      }
    }
    containers(spec)
        .flatMap(container -> claims(container).stream())
        .forEach(claim -> checkUse(claim, names));
  }

  private static void checkUse(FieldCursor claim, Set<String> names) {
    String name = claim.required(POD_CLAIM_USED, "name", "the name of an entry of resourceClaims");
    if (name != null && !names.contains(name)) {
      claim.problem(
          POD_CLAIM_USED,
          "name",
          "expected the name of an entry of resourceClaims, found " + FieldCursor.shown(name),
          SimilarNames.of(name, List.copyOf(names)));
    }
  }

  /** The kinds with one template of pods. */
  private static final Set<String> TEMPLATED =
      Set.of("StatefulSet", "Job", "Deployment", "ReplicaSet", "DaemonSet");

  /** The kinds with several templates of pods. */
  private static final Set<String> SEVERAL = Set.of("MPIJob", "JobSet", "LeaderWorkerSet");

  /** Whether objects of a kind are pods, or create pods. */
  static boolean hasPods(String kind) {
    return kind.equals("Pod") || TEMPLATED.contains(kind) || SEVERAL.contains(kind);
  }

  /** The specifications of the pods of an object; empty for other kinds. */
  static List<FieldCursor> specsOf(String kind, FieldCursor object) {
    FieldCursor spec = object.objectOrEmpty("spec");
    return switch (kind) {
      case "MPIJob" -> {
        FieldCursor replicas = spec.objectOrEmpty("mpiReplicaSpecs");
        yield Stream.of("Launcher", "Worker")
            .filter(replicas::has)
            .map(type -> specOfTemplate(replicas.objectOrEmpty(type)))
            .toList();
      }
      case "JobSet" ->
          spec.objects("replicatedJobs").stream()
              .map(job -> specOfTemplate(job.objectOrEmpty("template").objectOrEmpty("spec")))
              .toList();
      case "LeaderWorkerSet" -> {
        FieldCursor group = spec.objectOrEmpty("leaderWorkerTemplate");
        yield Stream.of("leaderTemplate", "workerTemplate")
            .filter(group::has)
            .map(template -> group.objectOrEmpty(template).objectOrEmpty("spec"))
            .toList();
      }
      case "Workload" -> templates(spec).toList();
      default -> List.of(TEMPLATED.contains(kind) ? specOfTemplate(spec) : spec);
    };
  }

  /** The templates of PodGroups, including those in templates of CompositePodGroups. */
  private static Stream<FieldCursor> templates(FieldCursor owner) {
    return Stream.concat(
        owner.objects("podGroupTemplates").stream(),
        owner.objects("compositePodGroupTemplates").stream().flatMap(PodRules::templates));
  }

  private static FieldCursor specOfTemplate(FieldCursor owner) {
    return owner.objectOrEmpty("template").objectOrEmpty("spec");
  }

  /** All containers of a pod that may use its claims. */
  static Stream<FieldCursor> containers(FieldCursor spec) {
    return Stream.of("initContainers", "containers").flatMap(list -> spec.objects(list).stream());
  }

  /** The claims that a container uses. */
  static List<FieldCursor> claims(FieldCursor container) {
    return container.objectOrEmpty("resources").objects("claims");
  }
}
