package io.dra4j.cli.input;

import io.dra4j.cli.terminal.CommandUsage;
import io.dra4j.cli.terminal.Terminal;
import io.dra4j.spi.Host;
import io.dra4j.spi.HostInventory;
import io.dra4j.spi.TopologyReaders;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Which host a command is about. */
public final class HostOptions {

  @Option(
      names = "--root",
      paramLabel = "DIR",
      description = "A captured host: the folder that has its sys and proc. Default: this host.")
  private @Nullable Path root;

  @Spec(Spec.Target.MIXEE)
  private @Nullable CommandSpec spec;

  /** Reads the host with all readers there are, and reports what they could not read. */
  public HostInventory read(Terminal terminal) {
    HostInventory inventory = TopologyReaders.installed().read(host());
    inventory.warnings().forEach(warning -> terminal.problem("warning: " + warning));
    return inventory;
  }

  /** The host itself. */
  public Host host() {
    if (root == null) {
      return Host.live();
    }
    if (!Files.isDirectory(root)) {
      throw CommandUsage.bad(
          spec, "--root: " + (Files.exists(root) ? root + " is no folder" : "no folder " + root));
    }
    if (!Files.isReadable(root) || !Files.isExecutable(root)) { // as a folder has to be
      throw CommandUsage.bad(spec, "--root: " + root + " cannot be read: permission denied");
    }
    if (!Files.isDirectory(root.resolve("sys"))) {
      throw CommandUsage.bad(
          spec, "--root: " + root + " has no folder sys: expected the root of a captured host");
    }
    return Host.captured(root);
  }

  /** Whether the user has named a host. */
  public boolean isGiven() {
    return root != null;
  }
}
