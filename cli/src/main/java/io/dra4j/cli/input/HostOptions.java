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

/** The option that selects the host of a command. */
public final class HostOptions {

  @Option(
      names = "--root",
      paramLabel = "DIR",
      description = "A captured host: the directory with its sys and proc. Default: this host.")
  private @Nullable Path root;

  @Spec(Spec.Target.MIXEE)
  private @Nullable CommandSpec spec;

  /** Reads the host with all available readers, and prints their warnings. */
  public HostInventory read(Terminal terminal) {
    HostInventory inventory = TopologyReaders.installed().read(host());
    inventory.warnings().forEach(warning -> terminal.problem("warning: " + warning));
    return inventory;
  }

  /** Returns the host. */
  public Host host() {
    if (root == null) {
      return Host.live();
    }
    if (!Files.isDirectory(root)) {
      throw CommandUsage.bad(
          spec,
          "--root: " + root + (Files.exists(root) ? " is not a directory" : " does not exist"));
    }
    if (!Files.isReadable(root)
        || !Files.isExecutable(root)) { // a directory needs both permissions
      throw CommandUsage.bad(spec, "--root: cannot read " + root + ": permission denied");
    }
    if (!Files.isDirectory(root.resolve("sys"))) {
      throw CommandUsage.bad(
          spec, "--root: " + root + " has no directory sys: expected the root of a captured host");
    }
    return Host.captured(root);
  }

  /** Returns whether the user has named a host. */
  public boolean isGiven() {
    return root != null;
  }
}
