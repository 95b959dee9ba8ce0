package io.dra4j.cli;

import io.dra4j.manifest.Manifest;
import io.dra4j.manifest.ManifestException;
import io.dra4j.manifest.ManifestReader;
import io.dra4j.model.ResourceSlice;
import io.dra4j.sysfs.overlay.HwlocXml;
import io.dra4j.sysfs.overlay.NcclXml;
import io.dra4j.sysfs.overlay.NcclXmlWriter;
import io.dra4j.sysfs.overlay.NvidiaSmiMatrix;
import io.dra4j.sysfs.overlay.OverlayException;
import io.dra4j.topology.HostTopology;
import io.dra4j.topology.HostTopologyBuilder;
import io.dra4j.topology.TopologyOverlay;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
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

/** {@code dra4j topology}: what is near what on a host. */
@Command(
    name = "topology",
    mixinStandardHelpOptions = true,
    description = {
      "Shows the devices of a host, where they sit, and how far apart they are.",
      "",
      "Files that others recorded give or correct paths; they are merged by PCI address, and of two"
          + " that contradict each other the last one wins."
    })
final class TopologyCommand implements Callable<Integer> {

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

  private record OverlayFile(String option, Path file) {}

  /** Keeps the order of overlays across their options. */
  static final class OverlayConsumer implements IParameterConsumer {
    @Override
    public void consumeParameters(Stack<String> args, ArgSpec argument, CommandSpec command) {
      TopologyCommand topology = (TopologyCommand) command.userObject();
      String option = ((OptionSpec) argument).longestName();
      topology.overlays.add(new OverlayFile(option, Path.of(args.pop())));
    }
  }

  @Mixin private final HostOptions host = new HostOptions();

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
      description = "What nvidia-smi topo -m prints. Can be given several times.")
  @SuppressWarnings("UnusedVariable") // its consumer keeps what it is given
  private List<Path> nvidiaSmi = List.of();

  @Option(
      names = "--slices",
      paramLabel = "FILE",
      description =
          "Manifests with the ResourceSlices of one host, instead of a host. Can be given several"
              + " times.")
  private List<String> slices = List.of();

  @Option(
      names = "--node",
      paramLabel = "N",
      description = "With --slices: only those of this node.")
  private @Nullable String node;

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

  private final List<OverlayFile> overlays = new ArrayList<>();
  private final Terminal terminal;

  TopologyCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    HostTopology topology;
    try {
      HostTopologyBuilder builder = slices.isEmpty() ? host.read(terminal).topology() : ofSlices();
      builder.flattenBroadcomSwitches(!countBroadcomLevels);
      for (OverlayFile overlay : overlays) {
        builder.overlay(read(overlay));
      }
      topology = builder.build();
    } catch (OverlayException e) {
      terminal.problem(String.valueOf(e.getMessage()));
      return ExitCode.BAD_INPUT.value();
    } catch (ManifestException e) {
      e.problems().forEach(problem -> terminal.problem(problem.toString()));
      return ExitCode.BAD_INPUT.value();
    } catch (NoSuchFileException e) {
      terminal.problem(e.getMessage() + ": no such file");
      return ExitCode.BAD_INPUT.value();
    } catch (IOException e) {
      terminal.problem("cannot read: " + e);
      return ExitCode.BAD_INPUT.value();
    }
    topology.warnings().forEach(warning -> terminal.problem("warning: " + warning));
    String text =
        switch (output) {
          case TEXT -> TopologyText.of(topology);
          case JSON -> TopologyJson.of(topology) + "\n";
          case SVG -> TopologyPicture.of(topology);
          case NCCL_XML -> NcclXmlWriter.write(topology);
        };
    terminal.out().print(text);
    return ExitCode.OK.value();
  }

  private TopologyOverlay read(OverlayFile overlay) throws OverlayException, IOException {
    Consumer<String> warnings = warning -> terminal.problem("warning: " + warning);
    return switch (overlay.option) {
      case "--nccl-xml" -> NcclXml.read(overlay.file, warnings);
      case "--hwloc-xml" -> HwlocXml.read(overlay.file, warnings);
      default -> NvidiaSmiMatrix.read(overlay.file);
    };
  }

  private HostTopologyBuilder ofSlices() throws ManifestException {
    List<ResourceSlice> chosen = new ArrayList<>();
    ManifestReader reader = ManifestReader.create().withoutSources();
    for (String file : slices) {
      List<Manifest> manifests =
          file.equals("-")
              ? reader.read("standard input", terminal.in())
              : reader.read(Path.of(file));
      for (Manifest manifest : manifests) {
        if (manifest.object() instanceof ResourceSlice slice
            && (node == null || node.equals(slice.nodeSelection().nodeName()))) {
          chosen.add(slice);
        }
      }
    }
    return HostTopology.ofSlices(chosen);
  }
}
