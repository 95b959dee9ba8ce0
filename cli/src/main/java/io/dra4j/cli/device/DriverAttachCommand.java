package io.dra4j.cli.device;

import io.dra4j.cli.terminal.ExitCode;
import io.dra4j.cli.terminal.FileFaults;
import io.dra4j.cli.terminal.Terminal;
import io.dra4j.dranet.attach.AttachRequest;
import io.dra4j.dranet.attach.AttachedLink;
import io.dra4j.dranet.attach.Attacher;
import io.dra4j.dranet.config.NetworkConfig;
import io.dra4j.dranet.discovery.MoveObstacle;
import io.dra4j.dranet.discovery.Uplinks;
import io.dra4j.linux.NetworkNamespace;
import io.dra4j.manifest.ManifestException;
import io.dra4j.netlink.route.LinkQuery;
import io.dra4j.netlink.route.RouteNetlink;
import io.dra4j.spi.DriverException;
import io.dra4j.spi.configuration.ConfigurationException;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code dra4j driver attach}: moves an interface into a network namespace. */
@Command(
    name = "attach",
    mixinStandardHelpOptions = true,
    exitCodeList = {"1:the host refused"},
    description = {
      "Moves a network interface into a network namespace, as a claim with this configuration"
          + " would.",
      "",
      "If a step fails, all completed steps are undone. 'driver detach' returns the interface."
    })
public final class DriverAttachCommand implements Callable<Integer> {

  @Mixin private final DriverOptions options = new DriverOptions();

  @Parameters(paramLabel = "LINK", description = "The interface on this host, for example eth1.")
  private String link = "";

  @Option(
      names = "--netns",
      required = true,
      paramLabel = "NETNS",
      description =
          "The target namespace: a name in /run/netns, or a path such as /proc/PID/ns/net.")
  private String netns = "";

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description =
          "Configuration of the interface in the target namespace (NetworkConfig as JSON);"
              + " - reads standard input.")
  private @Nullable String config;

  @Option(
      names = "--force",
      description =
          "Move the interface even if a default route of this host uses it: the host may lose its"
              + " network connection.")
  private boolean force;

  @Option(names = "--dry-run", description = "Print the steps without changing anything.")
  private boolean dryRun;

  private final Terminal terminal;

  public DriverAttachCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    Optional<String> badState = options.problemOfWriting();
    if (badState.isPresent()) {
      terminal.problem(badState.get());
      return ExitCode.BAD_INPUT.value();
    }
    try {
      NetworkConfig wanted =
          config == null
              ? NetworkConfig.EMPTY
              : ParameterFile.read(terminal, config).parse(NetworkConfig::parse);
      if (wanted.profile() != null && !wanted.profile().isEmpty()) {
        terminal.problem(
            "/profile: '" + wanted.profile() + "': 'driver attach' does not support profiles");
        return ExitCode.BAD_INPUT.value();
      }
      return attach(AttachRequest.ofLink(link, wanted));
    } catch (ManifestException e) {
      e.problems().forEach(problem -> terminal.problem(problem.toString()));
      return ExitCode.BAD_INPUT.value();
    } catch (ConfigurationException e) {
      String place = config == null ? "" : config + ": ";
      e.problems().forEach(problem -> terminal.problem(place + problem));
      return ExitCode.BAD_INPUT.value();
    } catch (DriverException e) {
      terminal.problem(String.valueOf(e.getMessage()));
      boolean invalid = e.kind() == DriverException.Kind.INVALID;
      return (invalid ? ExitCode.BAD_INPUT : ExitCode.DOES_NOT_FIT).value();
    } catch (IOException e) {
      terminal.problem(FileFaults.describe(e));
      return ExitCode.BAD_INPUT.value();
    } catch (IllegalArgumentException e) {
      terminal.problem(String.valueOf(e.getMessage()));
      return ExitCode.BAD_INPUT.value();
    }
  }

  private int attach(AttachRequest request) throws IOException, DriverException {
    try (NetworkNamespace host = NetworkNamespace.current();
        NetworkNamespace pod = DriverOptions.namespace(netns)) {
      if (pod.id().equals(host.id())) {
        terminal.problem("--netns " + netns + ": that is the host's own network namespace");
        return ExitCode.BAD_INPUT.value();
      }
      Attacher attacher = Attacher.in(host, terminal::problem);
      attacher = force ? attacher.takingUplinks() : attacher;
      Optional<MoveObstacle> uplink = force ? Optional.empty() : uplink(host);
      if (uplink.isPresent()) {
        terminal.problem(uplink.get().reason() + "; --force moves it anyway");
        return ExitCode.DOES_NOT_FIT.value();
      }
      if (dryRun) {
        attacher.dryRun(List.of(request), pod).forEach(this::line);
        return ExitCode.OK.value();
      }
      return attach(attacher, request, pod);
    }
  }

  private Optional<MoveObstacle> uplink(NetworkNamespace host) throws IOException {
    try (RouteNetlink route = RouteNetlink.open(host)) {
      MoveObstacle found =
          MoveObstacle.of(Uplinks.mainRoutes(route), route.links().list(LinkQuery.lean()))
              .get(link);
      return Optional.ofNullable(found).filter(MoveObstacle::isUplink);
    }
  }

  private int attach(Attacher attacher, AttachRequest request, NetworkNamespace pod)
      throws IOException, DriverException {
    String path = DriverOptions.path(netns).toAbsolutePath().toString();
    try (FileJournal journal = FileJournal.begin(options.journal(link), path, pod.id())) {
      return attach(attacher, request, pod, journal);
    }
  }

  private int attach(
      Attacher attacher, AttachRequest request, NetworkNamespace pod, FileJournal journal)
      throws DriverException {
    try {
      for (AttachedLink one : attacher.attach(List.of(request), pod, journal)) {
        line(
            "%s is %s in %s, %s %s"
                .formatted(
                    link, one.interfaceName(), netns, one.hardwareAddress(), one.addresses()));
      }
      return ExitCode.OK.value();
    } catch (DriverException failure) {
      try {
        journal.undo(step -> attacher.undo(step, pod));
      } catch (DriverException e) {
        terminal.problem(
            "some steps could not be undone; 'driver detach' tries again: " + e.getMessage());
      }
      throw failure;
    }
  }

  private void line(String text) {
    terminal.out().println(Terminal.safe(text));
  }
}
