package io.dra4j.cli.device;

import io.dra4j.allocation.AllocationOutcome;
import io.dra4j.cel.CelSelectors;
import io.dra4j.cli.input.InputReader;
import io.dra4j.cli.terminal.CommandMessages;
import io.dra4j.cli.terminal.ExitCode;
import io.dra4j.cli.terminal.FileFaults;
import io.dra4j.cli.terminal.NodeNames;
import io.dra4j.cli.terminal.Terminal;
import io.dra4j.dranet.NetworkDriver;
import io.dra4j.dranet.NetworkOptions;
import io.dra4j.linux.NetworkNamespace;
import io.dra4j.manifest.Manifest;
import io.dra4j.manifest.ManifestException;
import io.dra4j.manifest.ManifestReader;
import io.dra4j.manifest.validation.ClaimInspector;
import io.dra4j.model.AllocatedDeviceStatus;
import io.dra4j.model.DeviceClass;
import io.dra4j.model.KubernetesObject;
import io.dra4j.model.NetworkDeviceData;
import io.dra4j.model.ResourceClaim;
import io.dra4j.model.SliceLimits;
import io.dra4j.runtime.ClaimException;
import io.dra4j.runtime.DriverRuntime;
import io.dra4j.runtime.StoreException;
import io.dra4j.selector.SelectorException;
import io.dra4j.spi.Sandbox;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code dra4j driver run}: serves the node of a cluster, or claims of files without a cluster. */
@Command(
    name = "run",
    mixinStandardHelpOptions = true,
    exitCodeList = {"1:the host refused, or a claim does not fit"},
    description = {
      "Runs the network driver on this host, which is the node of a cluster: publishes its devices,"
          + " prepares claims for the kubelet, attaches them to pods, and writes their status."
          + " SIGTERM and SIGINT end it; pods keep their devices.",
      "",
      "With --local, without a cluster: discovers devices, allocates the claims of the files,"
          + " attaches them to a network namespace, and waits. At SIGTERM or SIGINT it releases all"
          + " claims, including claims of an earlier run, unless --keep is given. If the claim of a"
          + " killed run is in the files again, the run resumes with its devices."
    })
public final class DriverRunCommand implements Callable<Integer> {

  @Mixin private final DriverOptions options = new DriverOptions();

  @Mixin private final DaemonOptions daemon = new DaemonOptions();

  @Option(names = "--local", description = "Run without a cluster.")
  private boolean local;

  @Parameters(
      paramLabel = "FILE",
      arity = "0..*",
      description = "Manifests with ResourceClaims and the DeviceClasses that they name.")
  private List<Path> files = List.of();

  @Option(
      names = "--netns",
      paramLabel = "NETNS",
      description =
          "The network namespace for the devices: a name in /run/netns, or a path. Default:"
              + " devices are not attached.")
  private @Nullable String netns;

  @Option(
      names = "--name",
      paramLabel = "NAME",
      defaultValue = NetworkDriver.NAME,
      description = "The name of the driver. Default: ${DEFAULT-VALUE}.")
  private String name = NetworkDriver.NAME;

  @Option(
      names = {"--node", "--hostname-override"},
      paramLabel = "N",
      description =
          "The name of the node. Default: the environment variable NODE_NAME, or else the name of"
              + " the host; with --local: localhost.")
  private @Nullable String node;

  @Option(
      names = "--filter",
      paramLabel = "CEL",
      description =
          "A selector of the offered devices, as in claims. In a cluster also in DraNet's syntax."
              + " Default: all devices except ends of veth pairs.")
  private @Nullable String filter;

  @Option(
      names = "--pools",
      paramLabel = "FILE",
      description = {
        "Profiles that configurations may name, with pools of addresses (JSON):",
        "{\"profiles\": [{\"name\": \"rail0\", \"ranges\": [\"10.0.0.10-10.0.0.99/24\"],"
            + " \"config\": {\"interface\": {\"mtu\": 9000}}}]}"
      })
  private @Nullable Path pools;

  @Option(
      names = "--stdin",
      description = "Also end when standard input ends, for use as the child of another program.")
  private boolean stdin;

  @Option(names = "--keep", description = "Leave devices attached when ending.")
  private boolean keep;

  private final Terminal terminal;

  public DriverRunCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    NetworkDaemon serving = local ? null : new NetworkDaemon(terminal, daemon, options, node);
    String nodeName = serving == null ? localNode() : serving.node();
    Optional<String> badOption =
        NodeNames.problem(nodeName)
            .or(this::problemOfName)
            .or(options::problemOfWriting)
            .or(serving == null ? Optional::empty : this::problemInCluster);
    if (badOption.isPresent()) {
      terminal.problem(badOption.get());
      return ExitCode.BAD_INPUT.value();
    }
    return serving == null ? serveFiles() : serving.run(name, filter, pools).value();
  }

  private String localNode() {
    return node == null ? "localhost" : node;
  }

  private Optional<String> problemInCluster() {
    if (netns != null || keep || stdin || !files.isEmpty()) {
      return Optional.of(
          "FILE, --netns, --keep and --stdin require --local: in a cluster, claims come"
              + " from the kubelet");
    }
    return daemon.problem();
  }

  private int serveFiles() {
    CelSelectors selectors = CelSelectors.create();
    try {
      checkNamespace();
      LocalInput input = readFiles(selectors);
      try (NetworkDriver driver = networkDriver(selectors);
          DriverRuntime runtime =
              DriverRuntime.builder()
                  .driver(driver)
                  .node(localNode())
                  .store(options.store())
                  .selectors(selectors)
                  .deviceClasses(input.classes())
                  .build()) {
        return run(runtime, input.claims());
      }
    } catch (ManifestException e) {
      e.problems().forEach(problem -> terminal.problem(problem.toString()));
      return ExitCode.BAD_INPUT.value();
    } catch (SelectorException e) {
      terminal.problem("--filter: " + e.getMessage());
      return ExitCode.BAD_INPUT.value();
    } catch (StoreException e) {
      terminal.problem(String.valueOf(e.getMessage()));
      return ExitCode.BAD_INPUT.value();
    } catch (IOException e) {
      terminal.problem(FileFaults.describe(e));
      return ExitCode.BAD_INPUT.value();
    } catch (IllegalArgumentException e) {
      terminal.problem(String.valueOf(e.getMessage()));
      return ExitCode.BAD_INPUT.value();
    }
  }

  private Optional<String> problemOfName() {
    return SliceLimits.isDriverName(name)
        ? Optional.empty()
        : Optional.of(
            "--name: expected a DNS subdomain of at most %d bytes (RFC 1123), found \"%s\""
                .formatted(SliceLimits.MAX_DOMAIN_BYTES, Terminal.safe(name)));
  }

  /** Opens the namespace once, so that a wrong one is refused even if no claim needs it yet. */
  private void checkNamespace() throws IOException {
    if (netns == null) {
      return;
    }
    try (NetworkNamespace host = NetworkNamespace.current();
        NetworkNamespace pod = DriverOptions.namespace(netns)) {
      if (pod.id().equals(host.id())) {
        throw new IllegalArgumentException(
            "--netns " + netns + ": that is the host's own network namespace");
      }
    }
  }

  /** The objects of the files that count without a cluster. */
  private record LocalInput(List<ResourceClaim> claims, List<DeviceClass> classes) {}

  private LocalInput readFiles(CelSelectors selectors) throws ManifestException {
    List<ResourceClaim> claims = new ArrayList<>();
    List<DeviceClass> classes = new ArrayList<>();
    ManifestReader manifests =
        ManifestReader.builder().inspector(new ClaimInspector(selectors)).build();
    InputReader reader = new InputReader(terminal, manifests, false);
    for (Path file : files) {
      for (Manifest one : reader.read(file.toString())) {
        KubernetesObject object = one.object();
        if (object instanceof ResourceClaim claim) {
          claims.add(claim);
        } else if (object instanceof DeviceClass deviceClass) {
          classes.add(deviceClass);
        } else {
          terminal.problem(
              "%s: %s %s is ignored: only ResourceClaims and DeviceClasses are read"
                  .formatted(file, object.getClass().getSimpleName(), object.metadata().name()));
        }
      }
    }
    return new LocalInput(claims, classes);
  }

  private NetworkDriver networkDriver(CelSelectors selectors)
      throws SelectorException, IOException, ManifestException {
    NetworkOptions builder = NetworkDriver.builder().name(name);
    if (filter != null) {
      builder.filter(selectors.compileSelector(filter));
    }
    DriverOptions.makeDirectoryOf(options.store());
    if (pools != null) {
      builder.profiles(PoolFile.read(pools, options.leases()));
    }
    return builder.build();
  }

  private int run(DriverRuntime runtime, List<ResourceClaim> claims) {
    runtime.start();
    long devices = runtime.slices().stream().mapToLong(slice -> slice.devices().size()).sum();
    line(
        "discovered: "
            + CommandMessages.count(devices, "device")
            + " of "
            + name
            + " on "
            + localNode());
    try (ProcessEnd end = new ProcessEnd()) {
      return serveAndEnd(runtime, claims, end).value();
    }
  }

  private ExitCode serveAndEnd(DriverRuntime runtime, List<ResourceClaim> claims, ProcessEnd end) {
    Set<String> touched = new LinkedHashSet<>();
    Set<String> back = touched;
    ExitCode code = ExitCode.OK;
    try {
      int served = 0;
      for (ResourceClaim claim : claims) {
        ExitCode one = serve(runtime, claim, touched);
        served += one == ExitCode.OK ? 1 : 0;
        code = code.or(one);
      }
      line(served + " of " + claims.size() + " claims served");
      Set<String> all = uids(runtime);
      if (!touched.containsAll(all)) {
        terminal.problem(
            "claims of an earlier run that are not in the files: " + left(all, touched));
      }
      if (code == ExitCode.OK) {
        await(end);
        back = uids(runtime);
      }
    } finally { // even after an error
      if (!keep) {
        code = code.or(takeBack(runtime, back));
      }
    }
    return code;
  }

  /** Returns the UIDs of all claims that have devices. */
  private static Set<String> uids(DriverRuntime runtime) {
    Set<String> uids = new LinkedHashSet<>();
    runtime.allocated().forEach(claim -> uids.add(String.valueOf(claim.metadata().uid())));
    runtime.claims().forEach(claim -> uids.add(claim.claim().claim().uid()));
    return uids;
  }

  private static Set<String> left(Set<String> all, Set<String> touched) {
    Set<String> left = new LinkedHashSet<>(all);
    left.removeAll(touched);
    return left;
  }

  private ExitCode serve(DriverRuntime runtime, ResourceClaim claim, Set<String> touched) {
    try {
      AllocationOutcome outcome = runtime.allocate(claim);
      if (!(outcome instanceof AllocationOutcome.Allocated allocated)) {
        terminal.problem("claim " + claim.displayName() + ": " + outcome);
        return ExitCode.DOES_NOT_FIT;
      }
      ResourceClaim done = allocated.allocations().get(0).allocatedClaim();
      String uid = String.valueOf(done.metadata().uid());
      touched.add(uid);
      runtime.prepare(done);
      if (netns == null) {
        line("claim " + claim.displayName() + ": prepared");
        return ExitCode.OK;
      }
      Sandbox sandbox = Sandbox.of(DriverOptions.path(netns));
      for (AllocatedDeviceStatus status : runtime.attach(uid, sandbox)) {
        NetworkDeviceData data = status.networkData();
        line(
            "claim %s: %s is %s in %s"
                .formatted(
                    claim.displayName(),
                    status.device(),
                    data == null ? "there" : data.interfaceName() + " " + data.ips(),
                    netns));
      }
      return ExitCode.OK;
    } catch (ClaimException e) {
      terminal.problem(String.valueOf(e.getMessage()));
      return ExitCode.DOES_NOT_FIT;
    }
  }

  private ExitCode takeBack(DriverRuntime runtime, Set<String> uids) {
    ExitCode code = ExitCode.OK;
    int back = 0;
    for (String uid : uids) {
      try {
        runtime.release(uid);
        back++;
      } catch (ClaimException e) {
        terminal.problem(e.getMessage() + "; the next run tries again");
        code = ExitCode.DOES_NOT_FIT;
      }
    }
    line("released: " + CommandMessages.count(back, "claim"));
    return code;
  }

  private void await(ProcessEnd end) {
    if (stdin) {
      Thread reader =
          new Thread(
              () -> {
                try {
                  while (terminal.in().read() >= 0) {
                    // the input is ignored
                  }
                } catch (IOException e) {
                  // it counts as ended
                }
                end.request();
              },
              "dra4j standard input");
      reader.setDaemon(true);
      reader.start();
    }
    end.await();
  }

  private void line(String text) {
    terminal.out().println(Terminal.safe(text));
    terminal.out().flush();
  }
}
