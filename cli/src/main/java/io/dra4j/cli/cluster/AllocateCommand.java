package io.dra4j.cli.cluster;

import io.dra4j.allocation.Allocator;
import io.dra4j.allocation.policy.AllocationPolicy;
import io.dra4j.cli.input.FeatureOptions;
import io.dra4j.cli.input.ManifestOptions;
import io.dra4j.cli.terminal.DurationConverter;
import io.dra4j.cli.terminal.ExitCode;
import io.dra4j.cli.terminal.PathConverter;
import io.dra4j.cli.terminal.Terminal;
import io.dra4j.common.IoMessages;
import io.dra4j.manifest.Manifest;
import io.dra4j.model.Job;
import io.dra4j.model.KubernetesObject;
import io.dra4j.model.Node;
import io.dra4j.model.OwnerReference;
import io.dra4j.model.Pod;
import io.dra4j.model.PodGroup;
import io.dra4j.model.QualifiedName;
import io.dra4j.model.ResourceSlice;
import io.dra4j.model.StatefulSet;
import io.dra4j.placement.PlacementPolicy;
import io.dra4j.placement.bandwidth.LinkModel;
import io.dra4j.placement.bandwidth.LinkModelException;
import io.dra4j.placement.gang.GangPlacement;
import io.dra4j.placement.gang.Rails;
import io.dra4j.scheduling.ClusterRun;
import io.dra4j.selector.SelectorCompiler;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code dra4j allocate}: which devices each claim gets on which node. */
@Command(
    name = "allocate",
    mixinStandardHelpOptions = true,
    description = {
      "Finds devices for the pending claims of a cluster, as Kubernetes would.",
      "",
      "All FILEs form one cluster. Its pods are placed one after the other, those of higher"
          + " priority first (none makes room for another: no preemption), each on the first node"
          + " (with a policy other than first-fit: on the best node) that takes all of its claims;"
          + " a claim that no pod refers to is placed as if a pod of its own did. With --all-nodes"
          + " each FILE is a cluster of its own, and all of its pending claims are tried together"
          + " on each node by itself.",
      "",
      "What decides about a node: claims, nodeName, nodeSelector, required node affinity,"
          + " tolerations against taints and unschedulable, required affinity to pods, topology"
          + " spread that must hold, ports of the node, and CPUs, memory and other resources where"
          + " the node has status.allocatable; of pods with a nodeName, only that and claims. Not"
          + " looked at, but told: scheduling gates, names of priorities, jobs that are suspended"
          + " or of another controller, nodes that are not ready and have no taint."
          + " Neither looked at nor told: preferences, volumes. With"
          + " --all-nodes, devices alone decide."
    })
public final class AllocateCommand implements Callable<Integer> {

  /** How the answer is written. */
  enum Output {
    TABLE,
    YAML,
    JSON,
    SVG
  }

  @Mixin private ManifestOptions manifests = new ManifestOptions();

  @Option(names = "--node", paramLabel = "N", description = "Try this node only.")
  private @Nullable String node;

  @Option(names = "--all-nodes", description = "Try all claims together on each node by itself.")
  private boolean allNodes;

  @Mixin private FeatureOptions features = new FeatureOptions();

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      defaultValue = "table",
      description =
          "table, yaml, json or svg: a server with lines between the pairs of GPUs and NICs, as"
              + " wide as their GB/s. With --all-nodes, json is one line for each FILE. Default:"
              + " table.")
  private Output output = Output.TABLE;

  @Option(
      names = "--timeout",
      paramLabel = "TIME",
      defaultValue = "1m",
      converter = DurationConverter.class,
      description = "How long to search on one node. Default: ${DEFAULT-VALUE}.")
  private Duration timeout = Duration.ofMinutes(1);

  @Option(
      names = "--gang",
      description =
          "Place the pods of one StatefulSet, one Job or one PodGroup together: all of them or"
              + " none, on equal rails and near in the network.")
  private boolean gang;

  @Option(
      names = "--levels",
      paramLabel = "LABEL",
      split = ",",
      description =
          "With --gang: the node labels that name the domains of the network, the widest first."
              + " Default: topology.kubernetes.io/region, zone, block and rack.")
  private List<String> levels = List.of();

  @Option(
      names = "--rails",
      paramLabel = "HOW",
      description =
          "With --gang: how the rail of a NIC is known: index, its place on the server;"
              + " attribute:DOMAIN/NAME; or subnet:DOMAIN/NAME, of the address in an attribute."
              + " Default: index.")
  private @Nullable String rails;

  @Option(
      names = "--defragment",
      description =
          "Say which running pods would have to move, so that a pod fits that does not fit now.")
  private boolean defragment;

  @Option(
      names = "--move-cost",
      paramLabel = "POD=COST",
      description =
          "With --defragment: what it costs to move a pod, namespace/name, 0 or more; repeatable."
              + " Default: 1.")
  private Map<String, Double> moveCosts = Map.of();

  @Option(
      names = "--profile",
      paramLabel = "FILE",
      converter = PathConverter.class,
      description =
          "What links carry, as JSON (docs/placement.md), for policies and scores. Default: the"
              + " constants of NCCL.")
  private @Nullable Path profile;

  @Spec private @Nullable CommandSpec spec;

  private @Nullable PlacementPolicy policy;
  private LinkModel rates = LinkModel.nccl();

  private final Terminal terminal;

  public AllocateCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    if (manifests.cluster().printRules(terminal)) {
      return ExitCode.OK.value();
    }
    String misuse = manifests.misuse();
    if (misuse != null) {
      throw badUsage(misuse);
    } else if (allNodes && manifests.isFromCluster()) {
      throw badUsage("--all-nodes reads FILEs, each a cluster of its own, not --from-cluster");
    }
    if (allNodes && (output == Output.YAML || output == Output.SVG)) {
      throw badUsage(
          "--all-nodes answers with -o table or -o json, not "
              + output.name().toLowerCase(Locale.ROOT));
    }
    if (!gang && (rails != null || isGiven("--levels"))) {
      throw badUsage("--levels and --rails are about --gang");
    } else if (gang && allNodes) {
      throw badUsage("--gang places pods on several nodes, --all-nodes on each by itself");
    }
    if (!defragment && !moveCosts.isEmpty()) {
      throw badUsage("--move-cost is about --defragment");
    } else if (defragment && allNodes) {
      throw badUsage("--defragment moves pods among nodes, --all-nodes asks each by itself");
    }
    checkLevels();
    checkMoveCosts();
    for (Map.Entry<String, Double> cost : moveCosts.entrySet()) {
      if (!(cost.getValue() >= 0) || cost.getValue().isInfinite()) {
        throw badUsage("--move-cost: want 0 or more, got " + cost);
      }
    }
    if (profile != null) {
      if (allNodes && policy == null) {
        throw badUsage("--profile is about a --policy where each node is asked by itself");
      }
      try {
        rates = LinkModel.read(profile);
      } catch (IOException e) {
        terminal.problem(profile + ": " + IoMessages.describe(e));
        return ExitCode.BAD_INPUT.value();
      } catch (LinkModelException e) {
        terminal.problem(String.valueOf(e.getMessage()));
        return ExitCode.BAD_INPUT.value();
      }
    }
    SelectorCompiler selectors = features.selectors();
    ExitCode code =
        allNodes
            ? new AllNodesRun(terminal, node, () -> allocator(selectors), output)
                .run(manifests.files(), file -> manifests.read(terminal, file, selectors, features))
            : placeAll(selectors);
    return code.value();
  }

  /** Labels without a name would be passed over, in silence. */
  private void checkLevels() {
    for (String some : typed("--levels")) {
      for (String level : some.split(",", -1)) {
        if (level.isBlank()) {
          throw badUsage("--levels: want labels joined by commas, got '" + some + "'");
        }
      }
    }
  }

  /** Of two costs of a pod only the last one would count, in silence. */
  private void checkMoveCosts() {
    Set<String> pods = new HashSet<>();
    for (String cost : typed("--move-cost")) {
      String pod = cost.substring(0, Math.max(0, cost.indexOf('=')));
      if (!pods.add(pod)) {
        throw badUsage("--move-cost: got two costs of the pod " + Terminal.safe(pod));
      }
    }
  }

  private boolean isGiven(String option) {
    return spec != null && spec.commandLine().getParseResult().hasMatchedOption(option);
  }

  /** What somebody typed for an option, before it is split. */
  private List<String> typed(String option) {
    return spec != null && isGiven(option)
        ? spec.commandLine().getParseResult().matchedOption(option).originalStringValues()
        : List.of();
  }

  /**
   * Says which labels or attributes that gangs shall look at nobody has; empty if there are none.
   */
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

  /** Pods of a dump may be all that there is of a set, job or group. */
  private static boolean isGang(KubernetesObject object) {
    return object instanceof StatefulSet
        || object instanceof Job
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

  private Allocator.Builder allocator(SelectorCompiler selectors) {
    return Allocator.builder()
        .selectors(selectors)
        .features(features.features())
        .release(features.release())
        .timeout(timeout)
        .policy(policy());
  }

  /** Each node by itself is compared with the reference, which has neither scores nor wishes. */
  private AllocationPolicy policy() {
    if (policy != null) {
      return policy.withLinkModel(rates);
    }
    return allNodes ? AllocationPolicy.firstFit() : PlacementPolicy.firstFit().withLinkModel(rates);
  }

  private ExitCode placeAll(SelectorCompiler selectors) {
    Allocator allocator = allocator(selectors).build();
    DefragmentationReport room =
        defragment
            ? new DefragmentationReport(terminal, allocator, moveCosts, node, timeout)
            : null;
    return manifests
        .readAll(terminal, selectors, features)
        .map(
            read -> {
              Optional<String> unknown = gang ? unknownName(read.manifests()) : Optional.empty();
              if (unknown.isPresent()) {
                terminal.problem(unknown.get());
                return ExitCode.BAD_INPUT;
              }
              if (gang
                  && read.manifests().stream().noneMatch(manifest -> isGang(manifest.object()))) {
                terminal.problem("warning: --gang: no StatefulSet, Job or PodGroup in the input");
              }
              return new AllocateRun(
                      terminal, run(allocator), selectors, allocator, room, node, output)
                  .run(read);
            })
        .orElse(ExitCode.BAD_INPUT);
  }

  private ClusterRun run(Allocator allocator) {
    ClusterRun run = ClusterRun.with(allocator);
    run = node == null ? run : run.withNode(node);
    if (!gang) {
      return run;
    }
    GangPlacement gangs = GangPlacement.with(allocator).rails(rails());
    gangs = policy == null ? gangs : gangs.policy(policy.withLinkModel(rates));
    return run.withGangs(levels.isEmpty() ? gangs : gangs.levels(levels), timeout);
  }

  private Rails rails() {
    if (rails == null || rails.equals("index")) {
      return new Rails.ByIndex();
    }
    int colon = rails.indexOf(':');
    String name = rails.substring(colon + 1);
    // A name as in a constraint; without its domain it would be that of no driver.
    if (name.matches("[^/\\s]+/[^/\\s]+") && rails.startsWith("attribute:")) {
      return new Rails.ByAttribute(name);
    } else if (name.matches("[^/\\s]+/[^/\\s]+") && rails.startsWith("subnet:")) {
      return new Rails.BySubnet(name);
    }
    throw badUsage(
        "--rails: want index, attribute:DOMAIN/NAME or subnet:DOMAIN/NAME, got '" + rails + "'");
  }

  /**
   * Sets how to choose.
   *
   * @param name one of {@link PlacementPolicy#names()}
   */
  @Option(
      names = "--policy",
      paramLabel = "POLICY",
      description =
          "How to choose among what is valid: first-fit, which is what Kubernetes does; best, the"
              + " most bandwidth between GPUs and NICs; pack, which keeps most of a server useful;"
              + " spread. Default: first-fit, with --gang best.")
  void policy(String name) {
    if (!PlacementPolicy.names().contains(name)) {
      throw badUsage(
          "unknown policy '" + name + "'; known are " + String.join(", ", PlacementPolicy.names()));
    }
    policy = PlacementPolicy.of(name);
  }

  private ParameterException badUsage(String message) {
    if (spec == null) {
      throw new IllegalStateException(message);
    }
    return new ParameterException(spec.commandLine(), message);
  }
}
