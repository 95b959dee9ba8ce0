package io.dra4j.cli.cluster;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.dra4j.cli.input.ClusterInput;
import io.dra4j.cli.input.FeatureOptions;
import io.dra4j.cli.input.ManifestOptions;
import io.dra4j.cli.terminal.CommandMessages;
import io.dra4j.cli.terminal.CommandUsage;
import io.dra4j.cli.terminal.DurationConverter;
import io.dra4j.cli.terminal.ExitCode;
import io.dra4j.cli.terminal.JsonTree;
import io.dra4j.cli.terminal.Terminal;
import io.dra4j.common.Budget;
import io.dra4j.manifest.Manifest;
import io.dra4j.scheduling.planning.AuditFinding;
import io.dra4j.scheduling.planning.ClusterAudit;
import io.dra4j.selector.SelectorCompiler;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code dra4j audit}: finds inconsistencies in a cluster. */
@Command(
    name = "audit",
    mixinStandardHelpOptions = true,
    exitCodeList = {"4:a claim could not be replayed", "1:inconsistencies were found"},
    description = {
      "Lists inconsistencies in a cluster: devices that two claims hold, or that no ResourceSlice"
          + " publishes; claims whose pods no longer exist; incomplete pools; and drift, which are"
          + " allocations that would not succeed today, with the reason.",
      "",
      "All FILEs form one cluster, usually a dump of a live one. Each allocation is replayed"
          + " separately: its claim is released, and exactly its devices are requested again. The"
          + " exit code is 1 if there are inconsistencies."
    })
public final class AuditCommand implements Callable<Integer> {

  /** The output formats. */
  enum Output {
    TEXT,
    JSON
  }

  @Mixin private ManifestOptions manifests = new ManifestOptions();

  @Mixin private FeatureOptions features = new FeatureOptions();

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
      description = "Time limit for replaying all allocations. Default: ${DEFAULT-VALUE}.")
  private Duration timeout = Duration.ofMinutes(1);

  @Spec private @Nullable CommandSpec spec;

  private final Terminal terminal;

  public AuditCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    if (manifests.cluster().printRules(terminal)) {
      return ExitCode.OK.value();
    }
    String misuse = manifests.misuse();
    if (misuse != null) {
      throw CommandUsage.bad(spec, misuse);
    }
    SelectorCompiler selectors = features.selectors();
    return manifests
        .readAll(terminal, selectors, features)
        .map(input -> audit(input, selectors))
        .orElse(ExitCode.BAD_INPUT)
        .value();
  }

  private ExitCode audit(ClusterInput input, SelectorCompiler selectors) {
    ClusterAudit audit =
        ClusterAudit.of(
            input.manifests().stream().map(Manifest::object).toList(),
            claim -> manifests.scope().covers(claim.namespace()),
            () -> features.allocator(selectors).timeout(timeout),
            Budget.of(timeout));
    if (output == Output.JSON) {
      terminal.out().println(json(audit));
    } else {
      print(audit);
    }
    boolean isOpen = audit.findings().stream().anyMatch(AuditFinding.NotReplayed.class::isInstance);
    return isOpen
        ? ExitCode.UNDECIDED
        : audit.findings().isEmpty() ? ExitCode.OK : ExitCode.DOES_NOT_FIT;
  }

  private void print(ClusterAudit audit) {
    String checked =
        "%s with %s"
            .formatted(
                CommandMessages.count(audit.claims(), "allocated claim"),
                CommandMessages.count(audit.devices(), "device"));
    boolean isClean = audit.findings().isEmpty();
    terminal.answer(
        isClean
            ? "no problems: " + checked
            : CommandMessages.count(audit.findings().size(), "finding") + ": " + checked,
        isClean);
    if (!audit.podsKnown() && audit.claims() > 0) {
      terminal.problem(
          "warning: no Pods in the input: claims whose pods no longer exist cannot be found");
    }
    audit.findings().forEach(finding -> terminal.paragraph(finding.text()));
  }

  private static String json(ClusterAudit audit) {
    ObjectNode json = JsonTree.NODES.objectNode();
    json.put("claims", audit.claims())
        .put("devices", audit.devices())
        .put("podsKnown", audit.podsKnown());
    ArrayNode findings = json.putArray("findings");
    for (AuditFinding finding : audit.findings()) {
      ObjectNode one = findings.addObject();
      one.put("kind", finding.getClass().getSimpleName()).put("text", finding.text());
      if (finding instanceof AuditFinding.HeldTwice twice) {
        one.put("device", twice.device().toString());
        ArrayNode claims = one.putArray("claims");
        twice.claims().forEach(claim -> claims.add(claim.toString()));
      } else if (finding instanceof AuditFinding.NotPublished lost) {
        one.put("claim", lost.claim().toString()).put("device", lost.device().toString());
      } else if (finding instanceof AuditFinding.WithoutPod gone) {
        one.put("claim", gone.claim().toString());
        ArrayNode pods = one.putArray("pods");
        gone.pods().forEach(pods::add);
      } else if (finding instanceof AuditFinding.IncompletePool pool) {
        one.put("pool", pool.pool().toString())
            .put("slices", pool.slices())
            .put("wanted", pool.wanted());
      } else if (finding instanceof AuditFinding.Drift drift) {
        one.put("claim", drift.claim().toString())
            .put("node", drift.node())
            .put("reason", drift.reason());
      } else if (finding instanceof AuditFinding.NotReplayed open) {
        one.put("claim", open.claim().toString()).put("reason", open.reason());
      }
    }
    return JsonTree.ofProgram(json);
  }
}
