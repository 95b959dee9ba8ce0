package io.dra4j.cli.topology;

import io.dra4j.cel.CelSelectors;
import io.dra4j.cli.input.ClusterSource;
import io.dra4j.cli.input.HostOptions;
import io.dra4j.cli.input.InputReader;
import io.dra4j.cli.input.ManifestOptions;
import io.dra4j.cli.input.SliceHosts;
import io.dra4j.cli.terminal.CommandMessages;
import io.dra4j.cli.terminal.CommandUsage;
import io.dra4j.cli.terminal.ExitCode;
import io.dra4j.cli.terminal.PathConverter;
import io.dra4j.cli.terminal.Terminal;
import io.dra4j.common.IoMessages;
import io.dra4j.manifest.Manifest;
import io.dra4j.manifest.ManifestException;
import io.dra4j.manifest.ManifestReader;
import io.dra4j.model.ResourceSlice;
import io.dra4j.spi.TopologyReaders;
import io.dra4j.sysfs.overlay.OverlayException;
import io.dra4j.topology.HostTopology;
import io.dra4j.topology.HostTopologyBuilder;
import io.dra4j.topology.MatrixOverlay;
import io.dra4j.topology.OverlayMatch;
import io.dra4j.topology.TopologyOverlay;
import io.dra4j.topology.TreeOverlay;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Stack;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.IParameterConsumer;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code dra4j topology}: what is near what on a host. */
@Command(
    name = "topology",
    mixinStandardHelpOptions = true,
    description = {
      "Shows the devices of a host, where they sit, and how far apart they are.",
      "",
      "Files that others recorded give or correct paths; they are merged by PCI address, NICs"
          + " without one by name, and of two that contradict each other the last one wins. With"
          + " --no-host they are all there is, and where no host is named and this one has none of"
          + " their devices."
    })
public final class TopologyCommand implements Callable<Integer> {

  /** How the answer is written. */
  enum Output {
    TEXT,
    JSON,
    SVG,
    NCCL_XML;

    /** As it is typed. */
    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  private record OverlayFile(OverlayFormat format, Path file) {}

  /** Keeps the order of overlays across their options. */
  static final class OverlayConsumer implements IParameterConsumer {
    @Override
    public void consumeParameters(Stack<String> args, ArgSpec argument, CommandSpec command) {
      TopologyCommand topology = (TopologyCommand) command.userObject();
      String option = ((OptionSpec) argument).longestName();
      if (args.isEmpty()) {
        throw new ParameterException(
            command.commandLine(), "Missing required parameter for option '" + option + "' (F)");
      }
      topology.overlays.add(
          new OverlayFile(
              OverlayFormat.ofOption(option),
              PathConverter.path(option, args.pop(), command.commandLine())));
    }
  }

  @Mixin private final HostOptions host = new HostOptions();

  @Option(names = "--no-host", description = "Only what the files record, nothing of this host.")
  private boolean noHost;

  @Option(
      names = "--nccl-xml",
      paramLabel = "F",
      parameterConsumer = OverlayConsumer.class,
      description = "An NCCL topology file. Can be given several times.")
  @SuppressWarnings("UnusedVariable") // its consumer keeps what it is given
  private List<Path> ncclXml = List.of();

  @Option(
      names = "--hwloc-xml",
      paramLabel = "F",
      parameterConsumer = OverlayConsumer.class,
      description = "An export of hwloc (lstopo --of xml). Can be given several times.")
  @SuppressWarnings("UnusedVariable") // its consumer keeps what it is given
  private List<Path> hwlocXml = List.of();

  @Option(
      names = "--nvidia-smi",
      paramLabel = "F",
      parameterConsumer = OverlayConsumer.class,
      description =
          "What nvidia-smi topo -m, rocm-smi --showtopo (also --json, --csv) or amd-smi topology"
              + " (also --json) prints. Can be given several times.")
  @SuppressWarnings("UnusedVariable") // its consumer keeps what it is given
  private List<Path> nvidiaSmi = List.of();

  @Option(
      names = "--address-map",
      paramLabel = "F",
      description =
          "For files recorded on the host of a virtual machine: lines with the address of a device"
              + " there, that in the machine and, if known, the NUMA node in the machine.")
  private @Nullable Path addressMap;

  @Option(
      names = "--slices",
      paramLabel = "FILE",
      description =
          "Manifests with ResourceSlices, instead of a host: - is standard input. Can be given"
              + " several times.")
  private List<String> slices = List.of();

  @Mixin private final ClusterSource source = new ClusterSource();

  @Option(
      names = "--node",
      paramLabel = "N",
      description =
          "With --slices or --from-cluster: this node only. Needed for one picture or one JSON object.")
  private @Nullable String node;

  @Option(
      names = "--strict",
      description =
          "With --slices or --from-cluster: refuse what would be passed over, and what the API server would refuse.")
  private boolean strict;

  @Option(
      names = "--count-broadcom-levels",
      description =
          "Count both levels inside Broadcom's switches of PCIe generations 4 and 5. NCCL and, by"
              + " default, this command count them as one.")
  private boolean countBroadcomLevels;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      defaultValue = "text",
      description = "text, json, svg or nccl-xml. Default: text.")
  private Output output = Output.TEXT;

  @Spec private @Nullable CommandSpec spec;

  private final List<OverlayFile> overlays = new ArrayList<>();
  private final Terminal terminal;

  public TopologyCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    if (source.options().printRules(terminal)) {
      return ExitCode.OK.value();
    }
    checkUsage();
    try {
      List<TopologyOverlay> recorded = new ArrayList<>();
      for (OverlayFile file : overlays) {
        recorded.add(read(file));
      }
      if (addressMap != null) {
        if (recorded.stream().noneMatch(TopologyCommand::hasAddresses)) {
          throw CommandUsage.bad(
              spec,
              "--address-map needs a file with addresses: --nccl-xml, --hwloc-xml, or what amd-smi"
                  + " topology prints");
        }
        recorded =
            addressMap(addressMap)
                .applyTo(recorded, warning -> terminal.problem("warning: " + warning));
      }
      if (isOfSlices()) {
        Optional<List<Manifest>> manifests = manifests();
        if (manifests.isEmpty()) {
          return ExitCode.BAD_INPUT.value();
        }
        printNodes(slicesByNode(manifests.get()), recorded);
      } else if (noHost || isElsewhere(recorded)) {
        print("", complete(HostTopology.builder(), true, recorded));
      } else {
        print("", complete(host.read(terminal).topology(), false, recorded));
      }
      return ExitCode.OK.value();
    } catch (OverlayException e) {
      terminal.problem(String.valueOf(e.getMessage()));
    } catch (ManifestException e) {
      e.problems().forEach(problem -> terminal.problem(problem.toString()));
    }
    return ExitCode.BAD_INPUT.value();
  }

  private static boolean hasAddresses(TopologyOverlay overlay) {
    return overlay instanceof TreeOverlay
        || (overlay instanceof MatrixOverlay matrix && matrix.hasAddresses());
  }

  /** Whether ResourceSlices say what there is, not a host. */
  private boolean isOfSlices() {
    return source.isChosen() || !slices.isEmpty();
  }

  private void checkUsage() {
    String misuse = source.misuse(slices, "--slices");
    if (misuse != null) {
      throw CommandUsage.bad(spec, misuse);
    }
    String option = source.isChosen() ? "--from-cluster" : "--slices";
    if (node != null && !isOfSlices()) {
      throw CommandUsage.bad(spec, "--node goes with --slices: a host has one node");
    }
    if (isOfSlices() && (host.isGiven() || noHost)) {
      throw CommandUsage.bad(
          spec,
          option
              + " stands for a host; it cannot be together with "
              + (noHost ? "--no-host" : "--root"));
    }
    if (strict && !isOfSlices()) {
      throw CommandUsage.bad(spec, "--strict goes with --slices: a host has no manifests");
    }
    if (slices.indexOf("-") != slices.lastIndexOf("-")) {
      throw CommandUsage.bad(spec, "--slices: standard input can be read once, got - twice");
    }
    if (noHost && host.isGiven()) {
      throw CommandUsage.bad(spec, "--no-host and --root exclude each other");
    }
    if (noHost && overlays.isEmpty()) {
      throw CommandUsage.bad(spec, "--no-host needs a file: one of " + OverlayFormat.options());
    }
  }

  /** Whether no host is named and the files are not about this one, which is reported. */
  private boolean isElsewhere(List<TopologyOverlay> recorded) {
    if (host.isGiven() || recorded.isEmpty() || recorded.get(0) instanceof MatrixOverlay) {
      return false;
    }
    HostTopology here = TopologyReaders.installed().read(host.host()).topology().build();
    int devices = 0;
    for (TopologyOverlay overlay : recorded) {
      OverlayMatch match = overlay.match(here);
      if (match.found() > 0) {
        return false;
      }
      devices += match.recorded();
    }
    terminal.problem(
        "warning: %s on this host: shown is what is recorded, by itself"
            .formatted(
                noneOf(
                    "the",
                    devices,
                    " of "
                        + CommandMessages.some(
                            recorded.stream().map(TopologyOverlay::origin).toList()))));
    return true;
  }

  private void printNodes(Map<String, List<ResourceSlice>> byNode, List<TopologyOverlay> recorded)
      throws OverlayException {
    if (byNode.size() > 1 && (output != Output.TEXT || !overlays.isEmpty())) {
      throw CommandUsage.bad(
          spec,
          (source.isChosen() ? "--from-cluster: " : "--slices: ")
              + byNode.size()
              + " nodes; choose one of them with --node: "
              + CommandMessages.some(byNode.keySet()));
    }
    boolean first = true;
    for (Map.Entry<String, List<ResourceSlice>> one : byNode.entrySet()) {
      if (!first) {
        terminal.out().println();
      }
      first = false;
      print(one.getKey(), complete(HostTopology.ofSlices(one.getValue()), false, recorded));
    }
  }

  private void print(String name, HostTopology topology) throws OverlayException {
    String of = name.isEmpty() ? "" : name + ": ";
    topology.warnings().forEach(warning -> terminal.problem("warning: " + of + warning));
    String text =
        switch (output) {
          case TEXT -> TopologyText.of(name, topology);
          case JSON -> TopologyJson.of(topology) + "\n";
          case SVG -> TopologyPicture.of(name, topology);
          case NCCL_XML -> WrittenNcclXml.of(topology);
        };
    terminal.out().print(text);
  }

  /** The host with what the files say of it. */
  private HostTopology complete(
      HostTopologyBuilder builder, boolean startsEmpty, List<TopologyOverlay> recorded)
      throws OverlayException {
    builder.flattenBroadcomSwitches(!countBroadcomLevels);
    boolean isEmpty = startsEmpty;
    if (isEmpty && recorded.size() == 1 && recorded.get(0) instanceof MatrixOverlay alone) {
      builder.devices(alone.devices());
    }
    for (TopologyOverlay overlay : recorded) {
      OverlayMatch match = overlay.match(builder.build());
      boolean isMatrix = overlay instanceof MatrixOverlay;
      if (match.found() == 0 && match.recorded() > 0 && (isMatrix || !isEmpty)) {
        throw new OverlayException(overlay.origin(), 0, notHere(match, isEmpty));
      }
      builder.overlay(overlay);
      isEmpty = false;
    }
    return builder.build();
  }

  private static String notHere(OverlayMatch match, boolean isEmpty) {
    String why =
        !match.problems().isEmpty()
            ? String.join("; ", match.problems())
            : noneOf("its", match.recorded(), "")
                + (isEmpty ? " in a file before it" : " here: it is about another machine");
    return why
        + (isEmpty
            ? "; a matrix has no addresses, it comes after the file of its host"
            : "; --no-host shows the file by itself");
  }

  private static String noneOf(String whose, int devices, String of) {
    return devices == 1
        ? whose + " only device" + of + " is not"
        : "none of %s %d devices%s is".formatted(whose, devices, of);
  }

  private static AddressMap addressMap(Path file) throws OverlayException {
    try {
      return AddressMap.read(file);
    } catch (IOException e) {
      throw new OverlayException(file.toString(), 0, IoMessages.describe(e));
    }
  }

  private TopologyOverlay read(OverlayFile overlay) throws OverlayException {
    Consumer<String> warnings = warning -> terminal.problem("warning: " + warning);
    try {
      return overlay.format.read(overlay.file, warnings);
    } catch (IOException e) {
      throw new OverlayException(overlay.file.toString(), 0, IoMessages.describe(e));
    }
  }

  /** The objects of files or of the live cluster; empty if that cannot be read. */
  private Optional<List<Manifest>> manifests() throws ManifestException {
    ManifestReader.Builder files = ManifestReader.builder().withoutSources();
    if (strict) {
      files.inspector(ManifestOptions.claims(CelSelectors.create(), true));
    }
    InputReader reader = new InputReader(terminal, files.build(), strict);
    if (source.isChosen()) {
      source.leaveOutWorkloads();
      return source.read(terminal, in -> reader.read(ClusterSource.NAME, in));
    }
    List<Manifest> manifests = new ArrayList<>();
    for (String file : slices) {
      manifests.addAll(reader.read(file));
    }
    return Optional.of(manifests);
  }

  /** The slices of the nodes that are asked for. */
  private Map<String, List<ResourceSlice>> slicesByNode(List<Manifest> manifests) {
    String option = source.isChosen() ? "--from-cluster" : "--slices";
    SliceHosts hosts = SliceHosts.of(manifests);
    if (!hosts.unbound().isEmpty()) {
      terminal.problem(
          "warning: left out are devices that no node name binds to a host, of ResourceSlices "
              + CommandMessages.some(hosts.unbound()));
    }
    Map<String, List<ResourceSlice>> byNode = hosts.byNode();
    if (byNode.isEmpty()) {
      throw CommandUsage.bad(spec, option + ": no ResourceSlice in the input names its node");
    }
    if (node == null) {
      return byNode;
    }
    List<ResourceSlice> ofNode = byNode.get(node);
    if (ofNode == null) {
      throw CommandUsage.bad(
          spec,
          "--node: no ResourceSlice of node '"
              + node
              + "'; there are those of "
              + CommandMessages.some(byNode.keySet()));
    }
    return Map.of(node, ofNode);
  }
}
