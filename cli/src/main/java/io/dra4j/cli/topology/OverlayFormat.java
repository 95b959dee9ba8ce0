package io.dra4j.cli.topology;

import io.dra4j.sysfs.overlay.HwlocXml;
import io.dra4j.sysfs.overlay.NcclXml;
import io.dra4j.sysfs.overlay.NvidiaSmiMatrix;
import io.dra4j.sysfs.overlay.OverlayException;
import io.dra4j.topology.TopologyOverlay;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** Formats of other tools' files, with their options of {@link TopologyCommand} and readers. */
enum OverlayFormat {
  NCCL_XML("--nccl-xml") {
    @Override
    TopologyOverlay read(Path file, Consumer<String> warnings)
        throws IOException, OverlayException {
      return NcclXml.read(file, warnings);
    }
  },
  HWLOC_XML("--hwloc-xml") {
    @Override
    TopologyOverlay read(Path file, Consumer<String> warnings)
        throws IOException, OverlayException {
      return HwlocXml.read(file, warnings);
    }
  },
  NVIDIA_SMI("--nvidia-smi") {
    @Override
    TopologyOverlay read(Path file, Consumer<String> warnings)
        throws IOException, OverlayException {
      return NvidiaSmiMatrix.read(file);
    }
  };

  private final String option;

  OverlayFormat(String option) {
    this.option = option;
  }

  abstract TopologyOverlay read(Path file, Consumer<String> warnings)
      throws IOException, OverlayException;

  /** Returns the format of the files of an option. */
  static OverlayFormat ofOption(String option) {
    return Arrays.stream(values())
        .filter(format -> format.option.equals(option))
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("no OverlayFormat reads files of " + option));
  }

  /** Returns the options, for messages. */
  static String options() {
    return Arrays.stream(values()).map(format -> format.option).collect(Collectors.joining(", "));
  }
}
