package io.dra4j.benchmarks;

import io.dra4j.spi.Host;
import io.dra4j.spi.HostInventory;
import io.dra4j.sysfs.SysfsReader;
import io.dra4j.sysfs.overlay.HwlocXml;
import io.dra4j.sysfs.overlay.NcclXml;
import io.dra4j.sysfs.overlay.NcclXmlWriter;
import io.dra4j.sysfs.overlay.OverlayException;
import io.dra4j.testkit.CapturedHost;
import io.dra4j.topology.DeviceKind;
import io.dra4j.topology.HostTopology;
import io.dra4j.topology.Location;
import io.dra4j.topology.PathMatrix;
import io.dra4j.topology.PathType;
import io.dra4j.topology.PciAddress;
import io.dra4j.topology.TopologyDevice;
import io.dra4j.topology.TreeOverlay;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** Reading a host and its overlays, and asking for paths. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class TopologyBenchmark {

  /** Where the captured host is laid out: memory, so that no disk is measured. */
  private static final Path TREE = Path.of("/dev/shm/dra4j-benchmark/a4-like");

  private final SysfsReader reader = new SysfsReader();
  private final Host host = Host.captured(TREE);
  private @Nullable HostTopology servers;
  private byte[] ncclXml = {};
  private byte[] hwlocXml = {};
  private int next;

  /**
   * Lays out the host and makes the overlays.
   *
   * @throws IOException if there is no memory for the host
   */
  @Setup
  public void make() throws IOException {
    if (!Files.isDirectory(TREE)) {
      CapturedHost.named("a4-like").expandTo(TREE);
    }
    HostTopology topology = SysfsReader.read(host).topology().build();
    ncclXml = NcclXmlWriter.write(topology).getBytes(StandardCharsets.UTF_8);
    hwlocXml = hwlocXml().getBytes(StandardCharsets.UTF_8);
    servers = HostTopology.builder().devices(devices()).build();
  }

  /** 64 devices: two NUMA nodes of eight host bridges with four devices below a switch each. */
  private static List<TopologyDevice> devices() {
    List<TopologyDevice> devices = new ArrayList<>();
    for (int i = 0; i < 64; i++) {
      int root = i / 4;
      List<PciAddress> bridges =
          List.of(
              new PciAddress(root, 0, 0, 0),
              new PciAddress(root, 1, 0, 0),
              new PciAddress(root, 2, i % 4, 0));
      devices.add(
          TopologyDevice.of(
              new PciAddress(root, 3 + i % 4, 0, 0),
              i % 2 == 0 ? DeviceKind.GPU : DeviceKind.NIC,
              new Location("pci%04x:00".formatted(root), bridges, OptionalInt.of(root / 8))));
    }
    return devices;
  }

  /** An export of 228 KB, as servers with some hundred processors give. */
  private static String hwlocXml() {
    StringBuilder xml = new StringBuilder("<topology version=\"2.0\"><object type=\"Machine\">\n");
    for (int i = 0; xml.length() < 228 * 1024; i++) {
      xml.append(
          """
          <object type="Package" os_index="%1$d" cpuset="0x00000003" nodeset="0x00000001">
            <object type="L2Cache" cpuset="0x00000003" cache_size="1048576" depth="2">
              <object type="Core" os_index="0" cpuset="0x00000003"><info name="x" value="y"/></object>
            </object>
            <object type="Bridge" bridge_type="0-1" bridge_pci="%1$04x:[00-05]">
              <object type="Bridge" bridge_type="1-1" bridge_pci="%1$04x:[01-01]" \
          pci_busid="%1$04x:00:01.0" pci_type="0604 [8086:2030] [8086:0000] 04">
                <object type="PCIDev" pci_busid="%1$04x:01:00.0" \
          pci_type="0200 [15b3:1021] [15b3:0101] 00"><object type="OSDev" name="eth%1$d" \
          osdev_type="2"/></object>
              </object>
            </object>
          </object>
          """
              .formatted(i));
    }
    return xml.append("</object></topology>\n").toString();
  }

  /**
   * Reads the captured host, 62 PCI functions, with names from pci.ids.
   *
   * @return what is on it
   */
  @Benchmark
  public HostInventory scan() {
    HostInventory.Builder inventory = HostInventory.builder();
    reader.read(host, inventory);
    return inventory.build();
  }

  /**
   * The path between two of 64 devices.
   *
   * @return its type
   */
  @Benchmark
  public PathType path() {
    int pair = next++ & 4_095;
    return topology().path(pair >> 6, pair & 63);
  }

  /**
   * All paths between 64 devices.
   *
   * @return the matrix
   */
  @Benchmark
  public PathMatrix matrix() {
    return topology().matrix(topology().devices());
  }

  private HostTopology topology() {
    HostTopology topology = servers;
    if (topology == null) {
      throw new IllegalStateException("not set up");
    }
    return topology;
  }

  /**
   * Reads an NCCL topology file of some KB.
   *
   * @return the overlay
   * @throws OverlayException never
   * @throws IOException never
   */
  @Benchmark
  public TreeOverlay ncclXml() throws OverlayException, IOException {
    return NcclXml.read(new ByteArrayInputStream(ncclXml), "nccl.xml", warning -> {});
  }

  /**
   * Reads an export of hwloc of 228 KB.
   *
   * @return the overlay
   * @throws OverlayException never
   * @throws IOException never
   */
  @Benchmark
  public TreeOverlay hwlocXml228() throws OverlayException, IOException {
    return HwlocXml.read(new ByteArrayInputStream(hwlocXml), "hwloc.xml", warning -> {});
  }
}
