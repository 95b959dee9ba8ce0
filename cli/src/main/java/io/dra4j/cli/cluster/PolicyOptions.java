package io.dra4j.cli.cluster;

import io.dra4j.allocation.Allocator;
import io.dra4j.allocation.policy.AllocationPolicy;
import io.dra4j.cli.terminal.CommandUsage;
import io.dra4j.cli.terminal.PathConverter;
import io.dra4j.cli.terminal.Terminal;
import io.dra4j.common.IoMessages;
import io.dra4j.manifest.Manifest;
import io.dra4j.model.KubernetesObject;
import io.dra4j.model.Node;
import io.dra4j.model.OwnerReference;
import io.dra4j.model.Pod;
import io.dra4j.model.PodController;
import io.dra4j.model.PodGroup;
import io.dra4j.model.QualifiedName;
import io.dra4j.model.ResourceSlice;
import io.dra4j.placement.PlacementPolicy;
import io.dra4j.placement.bandwidth.LinkModel;
import io.dra4j.placement.bandwidth.LinkModelException;
import io.dra4j.placement.gang.GangPlacement;
import io.dra4j.placement.gang.Rails;
import io.dra4j.scheduling.ClusterRun;
import io.dra4j.scheduling.Gang;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The options for the choice among valid devices, and for pods that are placed together. */
final class PolicyOptions {

  @Option(
      names = "--gang",
      description =
          "Place the pods of one StatefulSet, one Job or one PodGroup, or of the PodGroups"
              + " of one CompositePodGroup, together: all of them or none, on equal rails and"
              + " close in the network. Without this option, only PodGroups with the gang policy"
              + " are placed as all or none.")
  private boolean gang;

  @Option(
      names = "--levels",
      paramLabel = "LABEL",
      split = ",",
      description =
          "With --gang: the node labels of the network domains, the widest first."
              + " Default: topology.kubernetes.io/region, zone, block and rack.")
  private List<String> levels = List.of();

  @Option(
      names = "--rails",
      paramLabel = "HOW",
      description =
          "With --gang: how to determine the rail of a NIC: index (its position on the server),"
              + " attribute:DOMAIN/NAME, or subnet:DOMAIN/NAME (the subnet of the address in an"
              + " attribute). Default: index.")
  private @Nullable String rails;

  @Option(
      names = "--profile",
      paramLabel = "FILE",
      converter = PathConverter.class,
      description =
          "The bandwidths of links as JSON (docs/placement.md), for policies and scores. Default:"
              + " the constants of NCCL.")
  private @Nullable Path profile;

  @Spec(Spec.Target.MIXEE)
  private @Nullable CommandSpec spec;

  private @Nullable PlacementPolicy policy;
  private LinkModel rates = LinkModel.nccl();

  /** Sets the policy, one of {@link PlacementPolicy#names()}. */
  @Option(
      names = "--policy",
      paramLabel = "POLICY",
      description =
          "How to choose among valid devices: first-fit, as Kubernetes does; best, the most"
              + " bandwidth between GPUs and NICs; pack, which keeps the rest of a server useful;"
              + " spread. Default: first-fit; with --gang: best.")
  void policy(String name) {
    if (!PlacementPolicy.names().contains(name)) {
      throw CommandUsage.bad(
          spec,
          "unknown policy '"
              + name
              + "'; known policies: "
              + String.join(", ", PlacementPolicy.names()));
    }
    policy = PlacementPolicy.of(name);
  }

  boolean isGang() {
    return gang;
  }

  boolean hasPolicy() {
    return policy != null;
  }

  boolean hasProfile() {
    return profile != null;
  }

  /** Checks rules that picocli does not; throws {@code ParameterException} on a bad combination. */
  void check() {
    if (!gang && (rails != null || CommandUsage.isGiven(spec, "--levels"))) {
      throw CommandUsage.bad(spec, "--levels and --rails require --gang");
    }
    for (String some : CommandUsage.typed(spec, "--levels")) { // empty labels would be ignored
      for (String level : some.split(",", -1)) {
        if (level.isBlank()) {
          throw CommandUsage.bad(
              spec, "--levels: expected labels separated by commas, found '" + some + "'");
        }
      }
    }
  }

  /** Reads the profile of links, if any. Returns false if it cannot be read, which is reported. */
  boolean readProfile(Terminal terminal) {
    if (profile == null) {
      return true;
    }
    try {
      rates = LinkModel.read(profile);
      return true;
    } catch (IOException e) {
      terminal.problem(profile + ": " + IoMessages.describe(e));
    } catch (LinkModelException e) {
      terminal.problem(String.valueOf(e.getMessage()));
    }
    return false;
  }

  /** Returns the selected policy; by default first fit, with scores on request. */
  AllocationPolicy policy(boolean withScores) {
    if (policy != null) {
      return policy.withLinkModel(rates);
    }
    return withScores
        ? PlacementPolicy.firstFit().withLinkModel(rates)
        : AllocationPolicy.firstFit();
  }

  /** Returns a message if the input lacks a named label or attribute; warns if it has no gang. */
  Optional<String> problemOf(List<Manifest> manifests, Terminal terminal) {
    if (!gang) {
      return Optional.empty();
    }
    Optional<String> unknown = unknownName(manifests);
    if (unknown.isEmpty()
        && manifests.stream().noneMatch(manifest -> isOfGang(manifest.object()))) {
      terminal.problem("warning: --gang: no StatefulSet, Job or PodGroup in the input");
    }
    return unknown;
  }

  /**
   * Returns a run over one node or all nodes, with PodGroups as kube-scheduler places them, or with
   * all gangs if {@code --gang} is given.
   */
  ClusterRun run(Allocator allocator, @Nullable String node, Duration timeout) {
    ClusterRun.Builder run = ClusterRun.builder(allocator);
    if (node != null) {
      run.node(node);
    }
    GangPlacement.Builder gangs = GangPlacement.builder(allocator);
    if (!gang) {
      gangs.policy(policy == null ? PlacementPolicy.firstFit() : policy.withLinkModel(rates));
      return run.podGroups(gangs.build(), timeout).build();
    }
    gangs.rails(rails());
    if (policy != null) {
      gangs.policy(policy.withLinkModel(rates));
    }
    if (!levels.isEmpty()) {
      gangs.levels(levels);
    }
    return run.gangs(gangs.build(), timeout).build();
  }

  private Optional<String> unknownName(List<Manifest> manifests) {
    for (String level : levels) {
      boolean known =
          manifests.stream()
              .anyMatch(
                  manifest ->
                      manifest.object() instanceof Node node
                          && node.metadata().labels().containsKey(level));
      if (!known) {
        return Optional.of("--levels: no Node in the input has the label '" + level + "'");
      }
    }
    String attribute =
        rails() instanceof Rails.ByAttribute by
            ? by.attribute()
            : rails() instanceof Rails.BySubnet by ? by.attribute() : null;
    boolean missing =
        attribute != null
            && manifests.stream().noneMatch(manifest -> has(manifest.object(), attribute));
    return missing
        ? Optional.of("--rails: no device in the input has the attribute '" + attribute + "'")
        : Optional.empty();
  }

  /** Returns whether it belongs to a gang. A dump may have only the pods of a set, job or group. */
  private static boolean isOfGang(KubernetesObject object) {
    return (object instanceof PodController controller && Gang.isMadeBy(controller))
        || object instanceof PodGroup
        || (object instanceof Pod pod
            && (pod.spec().podGroupName() != null
                || pod.metadata().ownerReferences().stream().anyMatch(OwnerReference::controller)));
  }

  private static boolean has(KubernetesObject object, String attribute) {
    return object instanceof ResourceSlice slice
        && slice.devices().stream()
            .anyMatch(
                device ->
                    QualifiedName.of(attribute).in(slice.driver(), device.attributes()) != null);
  }

  private Rails rails() {
    if (rails == null || rails.equals("index")) {
      return new Rails.ByIndex();
    }
    int colon = rails.indexOf(':');
    String name = rails.substring(colon + 1);
    // A name as in a constraint; without its domain it would match no driver.
    if (name.matches("[^/\\s]+/[^/\\s]+") && rails.startsWith("attribute:")) {
      return new Rails.ByAttribute(name);
    } else if (name.matches("[^/\\s]+/[^/\\s]+") && rails.startsWith("subnet:")) {
      return new Rails.BySubnet(name);
    }
    throw CommandUsage.bad(
        spec,
        "--rails: expected index, attribute:DOMAIN/NAME or subnet:DOMAIN/NAME, found '"
            + rails
            + "'");
  }
}
