package io.dra4j.cli.cluster;

import io.dra4j.cli.input.ClusterOptions;
import io.dra4j.cli.terminal.ExitCode;
import io.dra4j.cli.terminal.PathConverter;
import io.dra4j.cli.terminal.Terminal;
import io.dra4j.common.IoMessages;
import io.dra4j.kubernetes.ClusterException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code dra4j snapshot}: saves a live cluster as one file. */
@Command(
    name = "snapshot",
    mixinStandardHelpOptions = true,
    description = {
      "Saves the objects of a live cluster that answers depend on, as one manifest.",
      "",
      "The file has nodes, ResourceSlices, DeviceClasses, ResourceClaims,"
          + " ResourceClaimTemplates, DeviceTaintRules, pods and their groups, ResourceQuotas and"
          + " workloads. A question gets the same answer from the file as from the cluster. The"
          + " file does not have environment, commands, volumes, probes and states of containers,"
          + " annotations that no answer depends on, and managed fields. Secrets and ConfigMaps"
          + " are not read. Opaque parameters of claims and classes stay. Objects that cannot be"
          + " read are reported and left out; the exit code is then not 0."
    },
    footerHeading = "%n",
    footer = {
      "Examples:",
      "  dra4j snapshot -o cluster.json",
      "  dra4j snapshot --context prod | dra4j explain --claim ml/gpus -"
    })
public final class SnapshotCommand implements Callable<Integer> {

  @Mixin private ClusterOptions cluster = new ClusterOptions();

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      converter = PathConverter.class,
      description = "Write this file, readable only by its owner. Default: standard output.")
  private @Nullable Path output;

  private final Terminal terminal;

  public SnapshotCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    if (cluster.printRules(terminal)) {
      return ExitCode.OK.value();
    }
    try {
      boolean isWhole;
      if (output == null) {
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        isWhole = cluster.capture(text, terminal);
        terminal.out().print(text.toString(StandardCharsets.UTF_8));
      } else {
        isWhole = write(output);
      }
      return (isWhole ? ExitCode.OK : ExitCode.BAD_INPUT).value();
    } catch (ClusterException e) {
      ClusterOptions.report(e, terminal);
    } catch (IOException e) {
      terminal.problem((output == null ? "cluster" : output) + ": " + IoMessages.describe(e));
    }
    return ExitCode.BAD_INPUT.value();
  }

  /** Writes the complete file or none, because an incomplete file would pass for a cluster. */
  private boolean write(Path file) throws IOException, ClusterException {
    Path directory = file.toAbsolutePath().getParent();
    Path half = Files.createTempFile(directory, ".dra4j-snapshot-", ".json"); // 0600
    try {
      boolean isWhole;
      try (OutputStream out = Files.newOutputStream(half)) {
        isWhole = cluster.capture(out, terminal);
      }
      Files.move(half, file, StandardCopyOption.REPLACE_EXISTING);
      return isWhole;
    } finally {
      Files.deleteIfExists(half);
    }
  }
}
