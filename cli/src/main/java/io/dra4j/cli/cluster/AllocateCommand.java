package io.dra4j.cli.cluster;

import io.dra4j.allocation.Allocator;
import io.dra4j.cli.input.FeatureOptions;
import io.dra4j.cli.input.ManifestOptions;
import io.dra4j.cli.terminal.CommandUsage;
import io.dra4j.cli.terminal.DurationConverter;
import io.dra4j.cli.terminal.ExitCode;
import io.dra4j.cli.terminal.Terminal;
import io.dra4j.selector.SelectorCompiler;
import java.time.Duration;
import java.util.HashSet;
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
import picocli.CommandLine.Spec;

/** {@code dra4j allocate}: finds nodes and devices for pending claims. */
@Command(
    name = "allocate",
    mixinStandardHelpOptions = true,
    exitCodeList = {ExitCode.HELP_REJECTED, ExitCode.HELP_UNDECIDED, ExitCode.HELP_DOES_NOT_FIT},
    description = {
      "Finds devices for the pending claims of a cluster, as Kubernetes would.",
      "",
      "All FILEs form one cluster. Its pods are placed one after the other, pods of higher"
          + " priority first; there is no preemption. Each pod goes to the first node on which"
          + " all of its claims fit, or with a policy other than first-fit to the best such node."
          + " A claim that no pod refers to is placed as if it had its own pod. With --all-nodes,"
          + " each FILE is a separate cluster, and all of its pending claims are tried together"
          + " on each node separately.",
      "",
      "Considered for each node: claims, nodeName, nodeSelector, required node affinity,"
          + " tolerations of taints and of unschedulable nodes, required affinity to pods,"
          + " mandatory topology spread, host ports, and CPUs, memory and other resources if the"
          + " node has status.allocatable. For pods with a nodeName: only nodeName and claims."
          + " Ignored with a warning: scheduling gates, names of priorities, jobs that are"
          + " suspended or of another controller, nodes that are not ready and have no taint."
          + " Ignored silently: preferences, volumes. With --all-nodes, only devices are"
          + " considered."
    })
public final class AllocateCommand implements Callable<Integer> {

  /** The output formats. */
  enum Output {
    TABLE,
    YAML,
    JSON,
    SVG
  }

  @Mixin private ManifestOptions manifests = new ManifestOptions();

  @Option(names = "--node", paramLabel = "N", description = "Try only this node.")
  private @Nullable String node;

  @Option(names = "--all-nodes", description = "Try all claims together on each node separately.")
  private boolean allNodes;

  @Mixin private FeatureOptions features = new FeatureOptions();

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      defaultValue = "table",
      description =
          "table, yaml, json or svg. An svg shows a server, with a line between the GPU and"
              + " the NIC of each pair, as wide as its GB/s. With --all-nodes, json is one line"
              + " for each FILE. Default: table.")
  private Output output = Output.TABLE;

  @Option(
      names = "--tree",
      description = "Show the devices of each node as a tree, even for more than 4 nodes.")
  private boolean trees;

  @Option(
      names = "--timeout",
      paramLabel = "TIME",
      defaultValue = "1m",
      converter = DurationConverter.class,
      description = "Time limit for the search on one node. Default: ${DEFAULT-VALUE}.")
  private Duration timeout = Duration.ofMinutes(1);

  @Mixin private RunTimeOption runTime = new RunTimeOption();

  @Mixin private PolicyOptions policies = new PolicyOptions();

  @Option(
      names = "--defragment",
      description = "For each pod that does not fit: print which running pods would have to move.")
  private boolean defragment;

  @Option(
      names = "--move-cost",
      paramLabel = "POD=COST",
      description =
          "With --defragment: the cost of moving the pod namespace/name, 0 or more; repeatable."
              + " Default: 1.")
  private Map<String, Double> moveCosts = Map.of();

  @Spec private @Nullable CommandSpec spec;

  private final Terminal terminal;

  public AllocateCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    if (manifests.cluster().printRules(terminal)) {
      return ExitCode.OK.value();
    }
    checkOptions();
    if (!policies.readProfile(terminal)) {
      return ExitCode.BAD_INPUT.value();
    }
    SelectorCompiler selectors = features.selectors();
    ExitCode code =
        allNodes
            ? new AllNodesRun(terminal, node, () -> allocator(selectors), output)
                .run(manifests.files(), file -> manifests.read(terminal, file, selectors, features))
            : placeAll(selectors);
    return code.value();
  }

  /** Refuses options that cannot be used together, and wrong values. */
  private void checkOptions() {
    String misuse = manifests.misuse();
    if (misuse != null) {
      throw CommandUsage.bad(spec, misuse);
    } else if (allNodes && manifests.isFromCluster()) {
      throw CommandUsage.bad(
          spec, "--all-nodes and --from-cluster cannot be used together: --all-nodes reads FILEs");
    }
    if (allNodes && (output == Output.YAML || output == Output.SVG)) {
      throw CommandUsage.bad(
          spec,
          "--all-nodes supports only -o table and -o json, not "
              + output.name().toLowerCase(Locale.ROOT));
    }
    if (allNodes && !manifests.scope().isAll()) {
      throw CommandUsage.bad(
          spec,
          "--namespace and --all-nodes cannot be used together: --all-nodes tries all"
              + " claims of a FILE");
    }
    policies.check();
    if (policies.isGang() && allNodes) {
      throw CommandUsage.bad(
          spec, "--gang and --all-nodes cannot be used together: a gang needs several nodes");
    }
    checkMoves();
    if (allNodes && policies.hasProfile() && !policies.hasPolicy()) {
      throw CommandUsage.bad(spec, "with --all-nodes, --profile requires --policy");
    }
  }

  private void checkMoves() {
    if (!defragment && !moveCosts.isEmpty()) {
      throw CommandUsage.bad(spec, "--move-cost requires --defragment");
    } else if (defragment && allNodes) {
      throw CommandUsage.bad(
          spec, "--defragment and --all-nodes cannot be used together: moves need several nodes");
    }
    checkMoveCosts();
    for (Map.Entry<String, Double> cost : moveCosts.entrySet()) {
      if (!(cost.getValue() >= 0) || cost.getValue().isInfinite()) {
        throw CommandUsage.bad(spec, "--move-cost: expected 0 or more, found " + cost);
      }
    }
  }

  /** Refuses two costs of one pod, because only the last one would count. */
  private void checkMoveCosts() {
    Set<String> pods = new HashSet<>();
    for (String cost : CommandUsage.typed(spec, "--move-cost")) {
      String pod = cost.substring(0, Math.max(0, cost.indexOf('=')));
      if (!pods.add(pod)) {
        throw CommandUsage.bad(
            spec, "--move-cost: found two costs of the pod " + Terminal.safe(pod));
      }
    }
  }

  private Allocator.Builder allocator(SelectorCompiler selectors) {
    return features
        .allocator(selectors)
        .timeout(timeout)
        .policy(policies.policy(!allNodes)); // --all-nodes is compared with the reference
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
              Optional<String> unknown = policies.problemOf(read.manifests(), terminal);
              if (unknown.isPresent()) {
                terminal.problem(unknown.get());
                return ExitCode.BAD_INPUT;
              }
              return new AllocateRun(
                      terminal,
                      policies.run(allocator, node, timeout),
                      selectors,
                      allocator,
                      room,
                      node,
                      output,
                      trees)
                  .run(read.within(manifests.scope()), runTime.start());
            })
        .orElse(ExitCode.BAD_INPUT);
  }
}
