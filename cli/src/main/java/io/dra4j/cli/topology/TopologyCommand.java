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

/** {@code dra4j topology}: shows the distances between the devices of a host. */
@Command(
    name = "topology",
    mixinStandardHelpOptions = true,
    description = {
      "Shows the devices of a host, their places, and the paths between them.",
      "",
      "Files that other tools recorded add or correct paths. They are merged by PCI"
          + " address, or by name for NICs without address; if two contradict each other, the"
          + " last one wins. With --no-host, only the files are shown, and also if no host is"
          + " named and this host has none of their devices."
    })
public final class TopologyCommand implements Callable<Integer> {

  /** The output formats. */
  enum Output {
    TEXT,
    JSON,
    SVG,
    NCCL_XML;

    /** Returns the name as typed in options. */
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

  @Option(
      names = "--no-host",
      description = "Show only the devices of the files, not of this host.")
  private boolean noHost;

  @Option(
      names = "--nccl-xml",
      paramLabel = "F",
      parameterConsumer = OverlayConsumer.class,
      description = "An NCCL topology file. Can be given several times.")
  @SuppressWarnings("UnusedVariable") // its consumer stores the argument
  private List<Path> ncclXml = List.of();

  @Option(
      names = "--hwloc-xml",
      paramLabel = "F",
      parameterConsumer = OverlayConsumer.class,
      description = "An export of hwloc (lstopo --of xml). Can be given several times.")
  @SuppressWarnings("UnusedVariable") // its consumer stores the argument
  private List<Path> hwlocXml = List.of();

  @Option(
      names = "--nvidia-smi",
      paramLabel = "F",
      parameterConsumer = OverlayConsumer.class,
      description =
          "The output of nvidia-smi topo -m, rocm-smi --showtopo (also with --json or --csv) or"
              + " amd-smi topology (also with --json). Can be given several times.")
  @SuppressWarnings("UnusedVariable") // its consumer stores the argument
  private List<Path> nvidiaSmi = List.of();

  @Option(
      names = "--address-map",
      paramLabel = "F",
      description =
          "For files recorded on the host of a virtual machine: lines with the address of a"
              + " device on the host, its address in the machine and, if known, its NUMA node in"
              + " the machine.")
  private @Nullable Path addressMap;

  @Option(
      names = "--slices",
      paramLabel = "FILE",
      description =
          "Manifests with ResourceSlices instead of a host; - is standard input. Can be given"
              + " several times.")
  private List<String> slices = List.of();

  @Mixin private final ClusterSource source = new ClusterSource();

  @Option(
      names = "--node",
      paramLabel = "N",
      description =
          "With --slices or --from-cluster: show only this node. Required for pictures, and"
              + " for JSON as one object.")
  private @Nullable String node;

  @Option(
      names = "--strict",
      description =
          "With --slices or --from-cluster: fail on objects that would otherwise be"
              + " skipped, and on objects that the API server would reject.")
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
              "--address-map requires a file with addresses: --nccl-xml, --hwloc-xml, or"
                  + " the output of amd-smi topology");
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

  /** Returns whether the devices come from ResourceSlices instead of a host. */
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
      throw CommandUsage.bad(
          spec, "--node requires --slices or --from-cluster: a host has only one node");
    }
    if (isOfSlices() && (host.isGiven() || noHost)) {
      throw CommandUsage.bad(
          spec, option + " cannot be used together with " + (noHost ? "--no-host" : "--root"));
    }
    if (strict && !isOfSlices()) {
      throw CommandUsage.bad(
          spec, "--strict requires --slices or --from-cluster: a host has no manifests");
    }
    if (slices.indexOf("-") != slices.lastIndexOf("-")) {
      throw CommandUsage.bad(spec, "--slices: standard input can be read only once, found - twice");
    }
    if (noHost && host.isGiven()) {
      throw CommandUsage.bad(spec, "--no-host and --root cannot be used together");
    }
    if (noHost && overlays.isEmpty()) {
      throw CommandUsage.bad(spec, "--no-host requires one of " + OverlayFormat.options());
    }
  }

  /** Returns whether no host is named and the files are from another host, which is reported. */
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
        "warning: %s on this host: showing only the recorded devices"
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
              + " nodes; choose one with --node: "
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

  /** Returns the host with the facts of the files. */
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
                + (isEmpty ? " in an earlier file" : " here: the file is from another machine");
    return why
        + (isEmpty
            ? "; a matrix has no addresses, so it must follow the file of its host"
            : "; use --no-host to show only the file");
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

  /** Returns the objects of files or of the live cluster; empty if the cluster cannot be read. */
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

  /** Returns the slices of the requested nodes. */
  private Map<String, List<ResourceSlice>> slicesByNode(List<Manifest> manifests) {
    String option = source.isChosen() ? "--from-cluster" : "--slices";
    SliceHosts hosts = SliceHosts.of(manifests);
    if (!hosts.unbound().isEmpty()) {
      terminal.problem(
          "warning: devices without a node name are left out, in ResourceSlices "
              + CommandMessages.some(hosts.unbound()));
    }
    Map<String, List<ResourceSlice>> byNode = hosts.byNode();
    if (byNode.isEmpty()) {
      throw CommandUsage.bad(spec, option + ": no ResourceSlice in the input has a node name");
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
              + "'; nodes with ResourceSlices: "
              + CommandMessages.some(byNode.keySet()));
    }
    return Map.of(node, ofNode);
  }
}
