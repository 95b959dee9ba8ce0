package io.dra4j.cli.topology;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.dra4j.sysfs.overlay.HwlocXml;
import io.dra4j.sysfs.overlay.NcclXml;
import io.dra4j.sysfs.overlay.NvidiaSmiMatrix;
import io.dra4j.sysfs.overlay.OverlayException;
import io.dra4j.topology.DeviceKind;
import io.dra4j.topology.HostTopology;
import io.dra4j.topology.HostTopologyBuilder;
import io.dra4j.topology.Location;
import io.dra4j.topology.MatrixOverlay;
import io.dra4j.topology.OverlayMatch;
import io.dra4j.topology.PciAddress;
import io.dra4j.topology.TopologyDevice;
import io.dra4j.topology.TopologyOverlay;
import io.dra4j.topology.TreeOverlay;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.Consumer;

/**
 * Reads any bytes as a recorded topology or as an address map, applies them to a host, and draws
 * it. The result is always a topology or an {@link OverlayException}. Jazzer finds the bytes; the
 * entry point does not depend on it.
 *
 * <p>The first byte of an input is a {@link Reader}, the rest the file.
 */
public final class MatrixFuzzer {

  /** The limit of an answer; a longer one means that a reader multiplies its input. */
  private static final int MOST_TEXT = 64 << 20;

  private static final String TREE =
      "<system version=\"1\"><cpu numaid=\"0\"><pci busid=\"0000:10:00.0\">"
          + "<pci busid=\"0000:11:00.0\" class=\"0x030200\" vendor=\"0x10de\" device=\"0x2330\"/>"
          + "<pci busid=\"0000:12:00.0\" class=\"0x020700\"><nic><net name=\"mlx5_0\"/></nic></pci>"
          + "</pci></cpu><cpu numaid=\"1\"><pci busid=\"0000:90:00.0\">"
          + "<pci busid=\"0000:91:00.0\" class=\"0x030200\" vendor=\"0x10de\" device=\"0x2330\"/>"
          + "<pci busid=\"0000:92:00.0\" class=\"0x020700\"><nic><net name=\"mlx5_1\"/></nic></pci>"
          + "</pci></cpu></system>";

  private static final String MATRIX =
      """
           GPU0 GPU1 NIC0 NIC1
      GPU0 X    NV12 PIX  SYS
      GPU1 NV12 X    SYS  PXB
      NIC0 PIX  SYS  X    SYS
      NIC1 SYS  PXB  SYS  X

      NIC0: mlx5_0
      NIC1: mlx5_1
      """;

  private static final String MAP =
      "0000:11:00.0 0000:06:00.0 0\n0000:91:00.0 0000:05:00.0\n0000:12:00.0 0000:02:00.0\n";

  /** What reads an input. */
  enum Reader {
    MATRIX,
    NCCL_XML,
    HWLOC_XML,
    ADDRESS_MAP;

    /** An input of the fuzzer. */
    byte[] input(byte[] file) {
      byte[] input = new byte[file.length + 1];
      input[0] = (byte) Arrays.asList(values()).indexOf(this);
      System.arraycopy(file, 0, input, 1, file.length);
      return input;
    }
  }

  private MatrixFuzzer() {}

  /** Loads all classes before Jazzer watches the time: it changes each while it is loaded. */
  public static void fuzzerInitialize() {
    Seeds.inputs().forEach(MatrixFuzzer::fuzzerTestOneInput);
  }

  /**
   * The entry point of Jazzer.
   *
   * @param input any bytes
   */
  public static void fuzzerTestOneInput(byte[] input) {
    if (input.length == 0) {
      return;
    }
    Reader reader = Reader.values()[Math.floorMod(input[0], Reader.values().length)];
    byte[] file = Arrays.copyOfRange(input, 1, input.length);
    try {
      if (reader == Reader.ADDRESS_MAP) {
        moved(AddressMap.parse(new String(file, UTF_8), "fuzz"), tree(), matrix());
        return;
      }
      TopologyOverlay overlay = read(reader, file);
      show(HostTopology.builder(), List.of(overlay));
      show(host(), List.of(overlay));
      show(HostTopology.builder(), List.of(tree(), overlay));
      AddressMap map = AddressMap.parse(MAP, "map");
      moved(map, overlay, tree());
    } catch (OverlayException e) {
      check(String.valueOf(e.getMessage()));
    } catch (IOException e) {
      throw new AssertionError("there is no file", e);
    }
  }

  private static TopologyOverlay read(Reader reader, byte[] file)
      throws OverlayException, IOException {
    InputStream in = new ByteArrayInputStream(file);
    Consumer<String> warnings = MatrixFuzzer::check;
    return switch (reader) {
      case NCCL_XML -> NcclXml.read(in, "fuzz", warnings);
      case HWLOC_XML -> HwlocXml.read(in, "fuzz", warnings);
      case MATRIX, ADDRESS_MAP -> NvidiaSmiMatrix.read(in, "fuzz");
    };
  }

  private static TopologyOverlay tree() throws OverlayException, IOException {
    return read(Reader.NCCL_XML, TREE.getBytes(UTF_8));
  }

  private static TopologyOverlay matrix() throws OverlayException, IOException {
    return read(Reader.MATRIX, MATRIX.getBytes(UTF_8));
  }

  /** Devices that no host has must not keep the NUMA node number of another machine. */
  private static void moved(AddressMap map, TopologyOverlay... recorded) throws OverlayException {
    List<TopologyOverlay> all = map.applyTo(List.of(recorded), MatrixFuzzer::check);
    HostTopologyBuilder builder = HostTopology.builder();
    all.stream().filter(TreeOverlay.class::isInstance).forEach(builder::overlay);
    for (TopologyDevice device : builder.build().devices()) {
      OptionalInt node = device.location().numaNode();
      if (node.isPresent() && !map.guestNodes().containsValue(node.getAsInt())) {
        throw new AssertionError("the NUMA node of another machine: " + device);
      }
    }
    show(HostTopology.builder(), all);
    show(host(), all);
  }

  private static HostTopologyBuilder host() {
    List<TopologyDevice> devices = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      devices.add(
          TopologyDevice.of(
              PciAddress.parse("0000:0" + (5 + i) + ":00.0"),
              i < 2 ? DeviceKind.GPU : DeviceKind.NIC,
              new Location("pci0000:0" + i, List.of(), OptionalInt.of(i % 2))));
    }
    return HostTopology.builder().devices(devices);
  }

  /** Like the command: a matrix alone shows its own devices. */
  private static void show(HostTopologyBuilder builder, List<TopologyOverlay> overlays)
      throws OverlayException {
    if (overlays.size() == 1 && overlays.get(0) instanceof MatrixOverlay alone) {
      if (builder.build().devices().isEmpty()) {
        builder.devices(alone.devices());
      }
    }
    for (TopologyOverlay overlay : overlays) {
      OverlayMatch match = overlay.match(builder.build());
      if (match.found() > match.recorded() || match.found() < 0) {
        throw new AssertionError("more is found than is recorded: " + match);
      }
      match.problems().forEach(MatrixFuzzer::check);
      builder.overlay(overlay);
    }
    HostTopology topology = builder.build();
    topology.warnings().forEach(MatrixFuzzer::check);
    int length =
        TopologyText.of("fuzz", topology).length()
            + TopologyJson.of(topology).length()
            + TopologyPicture.of("fuzz", topology).length();
    try {
      length += WrittenNcclXml.of(topology).length();
    } catch (OverlayException e) {
      check(String.valueOf(e.getMessage()));
    }
    if (length > MOST_TEXT) {
      throw new AssertionError("has " + length + " characters");
    }
  }

  private static void check(String message) {
    if (message.isEmpty() || message.length() > 100_000) {
      throw new AssertionError("nobody reads that: " + message.length() + " characters");
    }
  }
}
