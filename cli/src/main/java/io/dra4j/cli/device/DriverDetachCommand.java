package io.dra4j.cli.device;

import io.dra4j.cli.terminal.ExitCode;
import io.dra4j.cli.terminal.FileFaults;
import io.dra4j.cli.terminal.Terminal;
import io.dra4j.dranet.attach.Attacher;
import io.dra4j.linux.LinuxException;
import io.dra4j.linux.NetworkNamespace;
import io.dra4j.netlink.route.RouteNetlink;
import io.dra4j.spi.DriverException;
import io.dra4j.spi.Step;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code dra4j driver detach}: returns an interface that was attached by hand. */
@Command(
    name = "detach",
    mixinStandardHelpOptions = true,
    exitCodeList = {"1:the host refused"},
    description =
        "Returns an interface that 'driver attach' moved, and restores its original state.")
public final class DriverDetachCommand implements Callable<Integer> {

  @Mixin private final DriverOptions options = new DriverOptions();

  @Parameters(paramLabel = "LINK", description = "The original name of the interface on this host.")
  private String link = "";

  @Option(
      names = "--netns",
      paramLabel = "NETNS",
      description =
          "The network namespace that has the interface: a name in /run/netns, or a path."
              + " Default: the namespace it was moved to.")
  private @Nullable String netns;

  @Option(
      names = "--gone",
      description =
          "The namespace has ended: restore the interface if the kernel returned it, and"
              + " discard its record otherwise.")
  private boolean gone;

  @Option(
      names = "--dry-run",
      description = "Print the steps that would be undone, without changing anything.")
  private boolean dryRun;

  private final Terminal terminal;

  public DriverDetachCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    try {
      try (FileJournal journal = FileJournal.resume(options.journal(link));
          NetworkNamespace host = NetworkNamespace.current();
          NetworkNamespace pod = gone ? null : pod(journal)) {
        if (dryRun) {
          List<Step> steps = new ArrayList<>(journal.steps());
          Collections.reverse(steps);
          steps.forEach(step -> terminal.out().println(Terminal.safe("undo: " + step.name())));
          return ExitCode.OK.value();
        }
        Attacher attacher = Attacher.in(host, terminal::problem);
        journal.undo(step -> attacher.undo(step, pod));
        try (RouteNetlink route = RouteNetlink.open(host)) {
          if (route.links().find(link).isEmpty()) { // the attacher has reported it
            return ExitCode.DOES_NOT_FIT.value();
          }
        }
      }
      terminal.out().println(Terminal.safe(link + " has returned"));
      return ExitCode.OK.value();
    } catch (NoSuchFileException e) {
      terminal.problem("'driver attach' has not moved " + link + ": no file " + e.getMessage());
      return ExitCode.BAD_INPUT.value();
    } catch (DriverException e) {
      terminal.problem(String.valueOf(e.getMessage()));
      return ExitCode.DOES_NOT_FIT.value();
    } catch (IOException e) {
      terminal.problem(FileFaults.describe(e));
      return ExitCode.BAD_INPUT.value();
    } catch (IllegalArgumentException e) {
      terminal.problem(String.valueOf(e.getMessage()));
      return ExitCode.BAD_INPUT.value();
    }
  }

  /**
   * Returns the namespace; null if it has ended, in which case the kernel has moved the interface.
   */
  private @Nullable NetworkNamespace pod(FileJournal journal) throws IOException {
    String where = netns == null ? journal.namespace() : netns;
    NetworkNamespace found;
    try {
      found = DriverOptions.namespace(where);
    } catch (LinuxException e) {
      if (netns != null) {
        throw e;
      }
      terminal.problem("network namespace " + where + " no longer exists: " + e.getMessage());
      return null;
    }
    if (!journal.isOf(found.id())) {
      found.close();
      throw new IOException(
          where
              + " is not the network namespace to which "
              + link
              + " was moved, which was "
              + journal.namespace()
              + ": use --netns to name its current path, or --gone if it has ended");
    }
    return found;
  }
}
