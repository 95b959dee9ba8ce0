package io.dra4j.cli.cluster;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.dra4j.allocation.Allocator;
import io.dra4j.cli.input.ClusterInput;
import io.dra4j.cli.input.FeatureOptions;
import io.dra4j.cli.input.ManifestOptions;
import io.dra4j.cli.input.ManifestOptions.ObjectReference;
import io.dra4j.cli.terminal.CommandMessages;
import io.dra4j.cli.terminal.CommandUsage;
import io.dra4j.cli.terminal.DurationConverter;
import io.dra4j.cli.terminal.ExitCode;
import io.dra4j.cli.terminal.JsonTree;
import io.dra4j.cli.terminal.Terminal;
import io.dra4j.cli.terminal.WrappedText;
import io.dra4j.inventory.DeviceInventory;
import io.dra4j.manifest.Manifest;
import io.dra4j.model.KubernetesObject;
import io.dra4j.model.ObjectMeta;
import io.dra4j.model.ResourceClaim;
import io.dra4j.scheduling.ClusterOutcome;
import io.dra4j.scheduling.ClusterRun;
import io.dra4j.scheduling.PodOutcome;
import io.dra4j.scheduling.planning.JobHeadroom;
import io.dra4j.selector.SelectorCompiler;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code dra4j headroom}: counts how many more copies of a job fit, and reports the limit. */
@Command(
    name = "headroom",
    mixinStandardHelpOptions = true,
    exitCodeList = {ExitCode.HELP_REJECTED, ExitCode.HELP_UNDECIDED},
    description = {
      "Counts how many more copies of a job fit, and reports what the next one lacks.",
      "",
      "All FILEs form one cluster. Among them, KIND/NAME names the job: a statefulset, job,"
          + " deployment, replicaset, mpijob, jobset, leaderworkerset or pod of the cluster. NAME"
          + " is an object in the namespace of -n, or NAMESPACE/NAME. The pods of the cluster are"
          + " placed first, as by dra4j place. Then copies of the job are added until the pods of"
          + " the next copy do not all fit."
    })
public final class HeadroomCommand implements Callable<Integer> {

  /** The output formats. */
  enum Output {
    TEXT,
    JSON
  }

  /** The limit of nodes that are listed; further nodes are only counted. */
  private static final int MAX_NODES = 32;

  private static final int MAX_LIMIT = 100_000;

  /** Objects with or for pods whose copies are not counted, as kubectl names them. */
  private static final Pattern OTHER_KIND =
      Pattern.compile(
          "(ds|daemonsets?|podgroups?|compositepodgroups?|workloads?|cj|cronjobs?|rc"
              + "|replicationcontrollers?|claims?|resourceclaims?)(/.+)?");

  @Mixin private ManifestOptions manifests = new ManifestOptions();

  @Mixin private FeatureOptions features = new FeatureOptions();

  @Mixin private PolicyOptions policies = new PolicyOptions();

  @Mixin private ChangeOptions changes = new ChangeOptions();

  @Option(
      names = "--limit",
      paramLabel = "N",
      description = "Stop counting after so many jobs. Default: 1000.")
  private int limit = 1_000;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      defaultValue = "text",
      description = "text or json, one line. Default: text.")
  private Output output = Output.TEXT;

  @Option(
      names = "--timeout",
      paramLabel = "TIME",
      defaultValue = "1m",
      converter = DurationConverter.class,
      description = "Time limit for the search on one node. Default: ${DEFAULT-VALUE}.")
  private Duration timeout = Duration.ofMinutes(1);

  @Mixin private RunTimeOption runTime = new RunTimeOption();

  @Spec private @Nullable CommandSpec spec;

  private final Terminal terminal;

  public HeadroomCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    if (manifests.cluster().printRules(terminal)) {
      return ExitCode.OK.value();
    }
    Optional<ObjectReference> job = manifests.takeJob();
    String misuse =
        job.isEmpty()
            ? withoutJob()
            : limit < 1 || limit > MAX_LIMIT
                ? "--limit: expected 1 to " + MAX_LIMIT + ", found " + limit
                : manifests.misuse();
    if (misuse != null) {
      throw CommandUsage.bad(spec, misuse);
    }
    policies.check();
    changes.check();
    if (!policies.readProfile(terminal)) {
      return ExitCode.BAD_INPUT.value();
    }
    SelectorCompiler selectors = features.selectors();
    Allocator allocator =
        features.allocator(selectors).timeout(timeout).policy(policies.policy(true)).build();
    return changes
        .read(terminal, manifests, selectors, features)
        .map(input -> count(input, allocator, job.orElseThrow()))
        .orElse(ExitCode.BAD_INPUT)
        .value();
  }

  /** The message about FILEs without a job, which may have an object of another kind. */
  private String withoutJob() {
    return manifests.files().stream()
        .filter(file -> OTHER_KIND.matcher(file).matches() && !Files.exists(Path.of(file)))
        .findFirst()
        .map(
            file ->
                Terminal.safe(file)
                    + ": copies of this kind are not counted; expected a statefulset, job, deployment,"
                    + " replicaset, mpijob, jobset, leaderworkerset or pod")
        .orElse("expected a job among the FILEs, such as statefulset/NAME or job/NAME");
  }

  private ExitCode count(ClusterInput input, Allocator allocator, ObjectReference reference) {
    Optional<KubernetesObject> job = find(input, reference);
    Optional<String> unknown = policies.problemOf(input.manifests(), terminal);
    unknown.ifPresent(terminal::problem);
    if (job.isEmpty() || unknown.isPresent()) {
      return ExitCode.BAD_INPUT;
    }
    DeviceInventory inventory = DeviceInventory.of(input.snapshot());
    ObjectMeta asked = job.orElseThrow().metadata();
    ExitCode code =
        InputChecks.report(
            terminal,
            input,
            inventory,
            input.queue().unoffered(),
            problem -> isOf(asked, problem),
            false);
    JobHeadroom headroom = headroom(input, inventory, allocator, job.orElseThrow());
    if (headroom.podsOfEach() == 0) {
      terminal.problem(
          Terminal.safe(reference.toString())
              + ": expected pods with claims that request devices, found none: any number"
              + " of copies fits");
      return ExitCode.BAD_INPUT;
    }
    String limits = headroom.limit().map(PlaceReport::reasonOf).orElse("");
    if (output == Output.JSON) {
      terminal.out().println(json(headroom, reference, limits, input.differences()));
    } else {
      text(headroom, reference, limits).forEach(terminal::line);
    }
    ExitCode ofLimit = headroom.limit().map(AllocateRun::codeOf).orElse(ExitCode.OK);
    return ofLimit == ExitCode.DOES_NOT_FIT ? code : ofLimit.or(code); // a number is a valid answer
  }

  /** Places the pods of the cluster, then copies of the job. */
  private JobHeadroom headroom(
      ClusterInput input, DeviceInventory inventory, Allocator allocator, KubernetesObject job) {
    ClusterRun run =
        policies.run(allocator, null, timeout).toBuilder().budget(runTime.start()).build();
    ClusterOutcome before = run.place(input.queue(), inventory);
    List<ResourceClaim> got = new ArrayList<>();
    for (PodOutcome pod : before.pods()) {
      if (pod instanceof PodOutcome.Placed placed) {
        placed.allocations().forEach(one -> got.add(one.allocatedClaim()));
      }
    }
    List<KubernetesObject> objects = input.manifests().stream().map(Manifest::object).toList();
    return JobHeadroom.of(run, objects, before, inventory.with(got), job, limit);
  }

  /** Returns whether a problem of the queue is about a job or an object of its controller. */
  private static boolean isOf(ObjectMeta job, String problem) {
    String name = " " + job.namespaceOrDefault() + "/" + job.name();
    String object = problem.substring(0, Math.max(0, problem.indexOf(": ")));
    return object.endsWith(name) || object.contains(name + "-");
  }

  private Optional<KubernetesObject> find(ClusterInput input, ObjectReference reference) {
    List<String> known = new ArrayList<>();
    for (Manifest manifest : input.manifests()) {
      KubernetesObject object = manifest.object();
      if (JobHeadroom.isJob(object)) {
        String kind = object.getClass().getSimpleName().toLowerCase(Locale.ROOT);
        if (kind.equals(reference.kind())
            && object.metadata().name().equals(reference.name())
            && object.metadata().namespaceOrDefault().equals(reference.namespace())) {
          return Optional.of(object);
        }
        known.add(
            kind + "/" + object.metadata().namespaceOrDefault() + "/" + object.metadata().name());
      }
    }
    terminal.problem(
        "no %s in the input; jobs: %s"
            .formatted(
                Terminal.safe(reference.toString()),
                known.isEmpty() ? "none" : Terminal.safe(CommandMessages.some(known))));
    return Optional.empty();
  }

  private List<String> text(JobHeadroom headroom, ObjectReference job, String limits) {
    int width = terminal.width();
    List<String> lines = new ArrayList<>();
    lines.addAll(
        WrappedText.paragraph(
            "%s%d more of %s %s, each of %s"
                .formatted(
                    headroom.limit().isEmpty() ? "at least " : "",
                    headroom.more(),
                    job,
                    headroom.more() == 1 ? "fits" : "fit",
                    CommandMessages.count(headroom.podsOfEach(), "pod")),
            width));
    headroom
        .limit()
        .ifPresent(
            pod ->
                lines.addAll(
                    WrappedText.paragraph(
                        "the next one lacks a node for " + pod.pod().name() + ": " + limits,
                        width)));
    if (!headroom.podsByNode().isEmpty()) {
      List<List<String>> rows = new ArrayList<>();
      rows.add(List.of("NODE", "MORE PODS"));
      for (Map.Entry<String, Integer> node : headroom.podsByNode().entrySet()) {
        if (rows.size() <= MAX_NODES) {
          rows.add(List.of(node.getKey(), String.valueOf(node.getValue())));
        }
      }
      lines.add("");
      lines.addAll(WrappedText.table(rows, width));
      int others = headroom.podsByNode().size() - MAX_NODES;
      if (others > 0) {
        lines.add("and " + CommandMessages.count(others, "more node"));
      }
    }
    return lines;
  }

  private static String json(
      JobHeadroom headroom, ObjectReference job, String limits, List<String> differences) {
    ObjectNode json = JsonTree.NODES.objectNode();
    json.put("job", job.toString())
        .put("more", headroom.more())
        .put("podsOfEach", headroom.podsOfEach())
        .put("limited", headroom.limit().isPresent());
    headroom.limit().ifPresent(pod -> json.put("pod", pod.pod().name()).put("reason", limits));
    ObjectNode nodes = json.putObject("podsByNode");
    headroom.podsByNode().forEach(nodes::put);
    if (!differences.isEmpty()) {
      differences.forEach(json.putArray("warnings")::add);
    }
    return JsonTree.ofProgram(json);
  }
}
