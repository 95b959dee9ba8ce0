package io.dra4j.sysfs.overlay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.dra4j.placement.bandwidth.LinkModel;
import io.dra4j.spi.Host;
import io.dra4j.spi.HostInventory;
import io.dra4j.sysfs.SysfsReader;
import io.dra4j.testkit.CapturedHostTree;
import io.dra4j.testkit.Reading;
import io.dra4j.topology.DeviceKind;
import io.dra4j.topology.DevicePath;
import io.dra4j.topology.HostTopology;
import io.dra4j.topology.HostTopologyBuilder;
import io.dra4j.topology.Location;
import io.dra4j.topology.MatrixOverlay;
import io.dra4j.topology.NumaNode;
import io.dra4j.topology.PathType;
import io.dra4j.topology.PciIdentity;
import io.dra4j.topology.PcieLink;
import io.dra4j.topology.TopologyDevice;
import io.dra4j.topology.TopologySource;
import io.dra4j.topology.TreeOverlay;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A real machine with a GPU, read here, by its driver's nvidia-smi, and by NCCL. */
class GpuHostTest {

  private static final String HOST = "h200-vm";
  private static final String NIC = "0000:00:03.0";
  private static final String GPU = "0000:00:06.0";

  private HostInventory inventory;

  @BeforeEach
  void read(@CapturedHostTree(HOST) Path root) {
    inventory = SysfsReader.read(Host.captured(root));
    assertThat(inventory.warnings()).isEmpty();
  }

  private HostTopologyBuilder host() {
    return inventory.topology();
  }

  private static TreeOverlay nccl() throws Exception {
    return RoundTrip.read(Reading.NCCL_XML.of(HOST));
  }

  private static MatrixOverlay nvidiaSmi() throws Exception {
    byte[] text = Reading.NVIDIA_SMI_TXT.of(HOST).getBytes(StandardCharsets.UTF_8);
    return NvidiaSmiMatrix.read(new ByteArrayInputStream(text), "nvidia-smi");
  }

  private static TopologyDevice device(HostTopology host, String id) {
    return host.device(id).orElseThrow();
  }

  @Test
  void theGpuIsAComputeFunctionWithTheLinkThatItsDriverTells() {
    TopologyDevice gpu = device(host().build(), GPU);

    assertThat(gpu.kind()).isEqualTo(DeviceKind.GPU);
    assertThat(gpu.identity()).isEqualTo(new PciIdentity(0x030200, 0x10de, 0x2335, 0x10de, 0x18bf));
    assertThat(gpu.link()).isEqualTo(new PcieLink(32_000, 16));
    assertThat(gpu.location())
        .isEqualTo(new Location("pci0000:00", List.of(), OptionalInt.empty()));
  }

  @Test
  void theOnlyNumaNodeIsThatOfNvidiaSmi() throws Exception {
    HostTopology host = host().build();

    assertThat(host.numaNodes())
        .extracting(NumaNode::id, NumaNode::cpus)
        .containsExactly(tuple(0, "0-15"));
    assertThat(nvidiaSmi().rows().get(0).numaNode()).hasValue(0);
  }

  @Test
  void theMatrixOfGpusIsThatOfNvidiaSmi() throws Exception {
    HostTopology host = host().build();
    List<TopologyDevice> gpus =
        host.devices().stream().filter(device -> device.kind() == DeviceKind.GPU).toList();
    List<MatrixOverlay.Row> rows = nvidiaSmi().rows();

    assertThat(gpus).hasSameSizeAs(rows);
    for (int a = 0; a < rows.size(); a++) {
      for (int b = 0; b < rows.size(); b++) {
        PathType expected = a == b ? PathType.SELF : rows.get(a).paths().get(rows.get(b).label());
        assertThat(host.matrix(gpus).path(a, b)).isEqualTo(expected);
      }
    }
  }

  @Test
  void itsOwnFilesAddNoDevice() throws Exception {
    HostTopology host = host().overlay(nccl()).overlay(nvidiaSmi()).build();

    assertThat(host.warnings()).isEmpty();
    assertThat(host.devices()).hasSameSizeAs(host().build().devices());
    assertThat(host.endpoints()).extracting(TopologyDevice::id).containsExactly(NIC, GPU);
    assertThat(device(host, GPU).location().numaNode()).hasValue(0);
  }

  @Test
  void ncclsFileTakesNothingFromWhatTheHostKnows() throws Exception {
    HostTopology host = host().overlay(nccl()).build();

    assertThat(host.sourcedPath(host.indexOf(GPU), host.indexOf(NIC)))
        .isEqualTo(new DevicePath(PathType.HOST_BRIDGE, TopologySource.SYSFS));
    assertThat(device(host, GPU).link()).isEqualTo(new PcieLink(32_000, 16));
    assertThat(device(host, NIC).names()).containsExactly("eth0");
    assertThat(NcclXmlWriter.write(host)).isEqualTo(NcclXmlWriter.write(host().build()));
  }

  /** NCCL writes a width of 0 and 10 Gbit/s, and counts with 16 lanes and 10 Gbit/s. */
  @Test
  void ncclsFileAloneGivesTheRatesThatNcclCountsWith() throws Exception {
    HostTopology host = HostTopology.builder().overlay(nccl()).build();
    TopologyDevice gpu = device(host, GPU);
    TopologyDevice nic = device(host, "net:eth0");

    assertThat(gpu.link()).isNotNull();
    assertThat(gpu.link().ncclGigabytesPerSecond()).isEqualTo(48);
    assertThat(
            LinkModel.nccl()
                .gigabytesPerSecond(
                    host.path(gpu.id(), nic.id()), gpu, nic, host.cpu().orElseThrow()))
        .isEqualTo(1.25);
  }

  @Test
  void ncclReadsWhatIsWrittenForIt() throws Exception {
    TreeOverlay ours = RoundTrip.read(NcclXmlWriter.write(host().build()));
    TreeOverlay theirs = RoundTrip.read(Reading.NCCL_GIVEN_OURS_XML.of(HOST));

    assertThat(theirs.devices())
        .extracting(
            TopologyDevice::id,
            TopologyDevice::kind,
            TopologyDevice::identity,
            TopologyDevice::location,
            TopologyDevice::link,
            TopologyDevice::names)
        .containsExactlyElementsOf(
            ours.devices().stream()
                .map(
                    device ->
                        tuple(
                            device.id(),
                            device.kind(),
                            device.identity(),
                            device.location(),
                            device.link(),
                            device.names()))
                .toList());
    assertThat(theirs.numaNodes()).isEqualTo(ours.numaNodes());
    assertThat(theirs.cpu()).isEqualTo(ours.cpu());
  }
}
