package io.dra4j.sysfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.groups.Tuple.tuple;

import com.google.common.jimfs.Configuration;
import com.google.common.jimfs.Jimfs;
import io.dra4j.spi.Host;
import io.dra4j.spi.RdmaDevice;
import io.dra4j.spi.RdmaGid;
import io.dra4j.spi.RdmaPort;
import io.dra4j.testkit.SyntheticHost;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** RDMA devices of which a file is missing, empty, binary or something else than a file. */
@Timeout(60)
class HostileInfinibandTest {

  private static final String ADDRESS = "0000:8f:00.0";

  private final FileSystem memory = Jimfs.newFileSystem(Configuration.unix());
  private final Path root = memory.getPath("/host");
  private final List<String> warnings = new ArrayList<>();
  private Path device;
  private Path port;

  @BeforeEach
  void layOut() throws IOException {
    SyntheticHost host = new SyntheticHost("small");
    host.root("pci0000:8c", 0)
        .function(ADDRESS, 0x020000, 0x15b3, 0x1021)
        .ethernet("eth0", 400_000)
        .rdma("mlx5_0", "Ethernet", "400 Gb/sec (4X NDR)");
    host.build().expandTo(root);
    device = root.resolve("sys/class/infiniband/mlx5_0").toRealPath();
    port = device.resolve("ports/1");
    Files.createDirectories(port.resolve("gid_attrs/ndevs"));
    write(port.resolve("gid_attrs/ndevs/0"), "eth0\n");
    Files.createDirectories(port.resolve("pkeys"));
    write(port.resolve("pkeys/0"), "0xffff\n");
    write(port.resolve("sm_lid"), "0x1\n");
    write(port.resolve("cap_mask"), "0x02514868\n");
    write(device.resolve("fw_ver"), "28.39.1002\n");
  }

  @AfterEach
  void close() throws IOException {
    memory.close();
  }

  private static void write(Path file, String text) throws IOException {
    Files.writeString(file, text);
  }

  private RdmaDevice read() {
    warnings.clear();
    List<RdmaDevice> devices = new InfinibandReader().devices(Host.captured(root), warnings::add);
    assertThat(devices).hasSize(1);
    assertThat(devices.get(0).name()).isEqualTo("mlx5_0");
    return devices.get(0);
  }

  private RdmaPort readPort() {
    return read().ports().get(0);
  }

  /** What the reader of RDMA devices alone finds is what the reader of the whole host finds. */
  @Test
  void bothReadersFindTheSame() {
    assertThat(SysfsReader.read(Host.captured(root)).rdmaDevices()).containsExactly(read());
    assertThat(read().address()).hasToString(ADDRESS);
    assertThat(readPort().gids())
        .extracting(RdmaGid::netdev, RdmaGid::type)
        .containsExactly(tuple("eth0", "RoCE v2"));
    assertThat(warnings).isEmpty();
  }

  private enum Damage {
    MISSING,
    EMPTY,
    BINARY,
    LONG,
    DIRECTORY,
    DANGLING
  }

  /** Every file in every way: the device stays, and the rest of its facts. */
  @Test
  void oneBrokenFileCostsOneFact() throws IOException {
    RdmaDevice whole = read();
    List<Path> files;
    try (Stream<Path> all = Files.walk(device)) {
      files = all.filter(Files::isRegularFile).sorted().toList();
    }
    assertThat(files).hasSizeGreaterThan(14);
    for (Path file : files) {
      byte[] content = Files.readAllBytes(file);
      for (Damage damage : Damage.values()) {
        Files.delete(file);
        switch (damage) {
          case MISSING -> {}
          case EMPTY -> Files.createFile(file);
          case BINARY -> Files.write(file, new byte[] {(byte) 0xff, 0, 7, (byte) 0xc3, 27});
          case LONG -> write(file, "9".repeat(70_000));
          case DIRECTORY -> Files.createDirectory(file);
          case DANGLING -> Files.createSymbolicLink(file, memory.getPath("gone"));
        }

        RdmaDevice broken = read();

        assertThat(broken.address()).as("%s %s", file, damage).isEqualTo(whole.address());
        assertThat(broken.ports()).as("%s %s", file, damage).hasSize(1);
        assertThat(different(whole, broken)).as("%s %s", file, damage).isLessThanOrEqualTo(1);
        assertThat(broken.toString().chars().noneMatch(c -> c < ' ' || c == 0xfffd)).isTrue();
        if (damage == Damage.DIRECTORY) {
          Files.delete(file);
        }
        Files.deleteIfExists(file);
        Files.write(file, content);
      }
    }
    assertThat(read()).isEqualTo(whole);
  }

  /** How many facts of two devices differ. */
  private static int different(RdmaDevice a, RdmaDevice b) {
    RdmaPort portA = a.ports().get(0);
    RdmaPort portB = b.ports().get(0);
    List<Object> factsA = facts(a, portA);
    List<Object> factsB = facts(b, portB);
    int different = 0;
    for (int i = 0; i < factsA.size(); i++) {
      different += factsA.get(i).equals(factsB.get(i)) ? 0 : 1;
    }
    return different;
  }

  private static List<Object> facts(RdmaDevice device, RdmaPort port) {
    return List.of(
        device.nodeType(),
        device.nodeGuid(),
        device.sysImageGuid(),
        device.firmwareVersion(),
        device.description(),
        port.state(),
        port.physicalState(),
        port.gigabitsPerSecond(),
        port.linkLayer(),
        port.lid(),
        port.subnetManagerLid(),
        port.capabilityMask(),
        port.gids(),
        port.pkeys(),
        Optional.ofNullable(port.netdev()));
  }

  @Test
  void aWarningNamesTheFileAndWhatIsWrong() throws IOException {
    write(device.resolve("node_guid"), "0002:c903\n");

    assertThat(read().nodeGuid()).isEmpty();
    assertThat(warnings)
        .singleElement()
        .asString()
        .endsWith(
            "infiniband/mlx5_0/node_guid: expected a GUID such as 0002:c903:00f9:bfa0, found"
                + " '0002:c903'");
  }

  @ParameterizedTest
  @ValueSource(strings = {"Unknown", "Unspecified"})
  void aLinkLayerThatTheKernelDoesNotKnowIsNone(String layer) throws IOException {
    write(port.resolve("link_layer"), layer + "\n");

    assertThat(readPort().linkLayer()).isEmpty();
    assertThat(warnings).isEmpty();
  }

  @Test
  void aLinkLayerThatWeDoNotKnowIsAWarning() throws IOException {
    write(port.resolve("link_layer"), "Slingshot\n");

    assertThat(readPort().linkLayer()).isEmpty();
    assertThat(warnings)
        .singleElement()
        .asString()
        .endsWith("link_layer: expected InfiniBand or Ethernet, found 'Slingshot'");
  }

  @Test
  void aPortMayHaveNoGids() throws IOException {
    Files.delete(port.resolve("gids/0"));
    assertThat(readPort().gids()).isEmpty();
    Files.delete(port.resolve("gids"));
    assertThat(readPort().gids()).isEmpty();
    assertThat(warnings).isEmpty();
  }

  /** As a ConnectX port, of whose table most is not in use. */
  @Test
  void a256thGidIsReadInItsPlace() throws IOException {
    for (int i = 1; i < 256; i++) {
      write(port.resolve("gids/" + i), "0000:0000:0000:0000:0000:0000:0000:0000\n");
    }
    write(port.resolve("gids/9"), "0000:0000:0000:0000:0000:ffff:0a00:0001\n");
    write(port.resolve("gids/255"), "0000:0000:0000:0000:0000:ffff:0a00:0002\n");
    write(port.resolve("gid_attrs/types/9"), "IB/RoCE v1\n");
    write(port.resolve("gid_attrs/ndevs/9"), "eth0.7\n");

    assertThat(readPort().gids())
        .extracting(RdmaGid::index, RdmaGid::type, RdmaGid::netdev)
        .containsExactly(
            tuple(0, "RoCE v2", "eth0"), tuple(9, "IB/RoCE v1", "eth0.7"), tuple(255, "", null));
    assertThat(warnings).isEmpty();
  }

  @Test
  void all256GidsMayBeInUse() throws IOException {
    for (int i = 0; i < 256; i++) {
      write(
          port.resolve("gids/" + i), "fe80:0000:0000:0000:0000:0000:0000:%04x\n".formatted(i + 1));
    }

    assertThat(readPort().gids()).hasSize(256).extracting(RdmaGid::index).isSorted();
  }

  @Test
  void portsThatAreNoNumbersAreLeftOut() throws IOException {
    for (String name : List.of("0", "0x1", "01", "-1", "4097", "one", "99999999999999999999")) {
      Files.createDirectory(device.resolve("ports/" + name));
    }

    assertThat(read().ports()).extracting(RdmaPort::number).containsExactly(1);
    assertThat(warnings)
        .singleElement()
        .asString()
        .endsWith(
            "mlx5_0/ports: expected numbers from 1 to 4096, found '-1', '0', '01', '0x1', '4097',"
                + " '99999999999999999999', 'one'; left out");
  }

  /** The kernel numbers the management port of a switch so, which has no other. */
  @Test
  void aSwitchHasPort0() throws IOException {
    write(device.resolve("node_type"), "2: switch\n");
    Files.move(port, device.resolve("ports/0"));

    assertThat(read().ports()).extracting(RdmaPort::number).containsExactly(0);
    assertThat(warnings).isEmpty();
  }

  @Test
  void gidsThatAreNoNumbersAreLeftOut() throws IOException {
    write(port.resolve("gids/first"), "fe80:0000:0000:0000:0000:0000:0000:0001\n");

    assertThat(readPort().gids()).hasSize(1);
    assertThat(warnings).singleElement().asString().contains("gids: expected numbers", "'first'");
  }

  @Test
  void filesThatEveryDeviceHasAreMissed() throws IOException {
    for (String name : List.of("state", "phys_state", "link_layer", "rate", "lid")) {
      Files.delete(port.resolve(name));
    }
    Files.delete(device.resolve("node_guid"));
    Files.delete(device.resolve("fw_ver")); // which not every driver has

    read();

    assertThat(warnings)
        .hasSize(2)
        .anyMatch(
            text -> text.endsWith("ports/1: has no file state, phys_state, link_layer, rate, lid"))
        .anyMatch(text -> text.endsWith("infiniband/mlx5_0: has no file node_guid"));
  }

  @Test
  void whatIsThereAgainIsNoLongerMissed() throws IOException {
    InfinibandReader reader = new InfinibandReader();
    Files.delete(port.resolve("rate"));
    reader.devices(Host.captured(root), warnings::add);
    assertThat(warnings).hasSize(1);

    write(port.resolve("rate"), "400 Gb/sec (4X NDR)\n");
    reader.devices(Host.captured(root), warnings::add);
    assertThat(warnings).hasSize(1);

    Files.delete(port.resolve("rate"));
    reader.devices(Host.captured(root), warnings::add);
    assertThat(warnings).hasSize(2);
  }

  @Test
  void aDeviceWithoutPortsSaysSo() throws IOException {
    Files.move(device.resolve("ports/1"), root.resolve("aside"));
    assertThat(read().ports()).isEmpty();
    assertThat(warnings).singleElement().asString().endsWith("mlx5_0/ports: has no port");

    Files.delete(device.resolve("ports"));
    assertThat(read().ports()).isEmpty();
    assertThat(warnings).singleElement().asString().contains("mlx5_0: has no directory ports");
  }

  /** As in a capture of the class alone. */
  @Test
  void aLinkToAFunctionThatIsNotThereIsTold() throws IOException {
    Path entry = root.resolve("sys/class/infiniband/mlx5_0");
    Files.delete(entry);
    Files.move(device, entry);
    Files.delete(entry.resolve("device"));
    Files.createSymbolicLink(
        entry.resolve("device"), memory.getPath("../../../devices/pci0000:01/0000:01:00.0"));

    assertThat(read().address()).hasToString("0000:01:00.0");
    assertThat(warnings)
        .containsExactly(
            "/sys/class/infiniband/mlx5_0/device: leads to"
                + " /sys/devices/pci0000:01/0000:01:00.0, which does not exist");
  }

  @Test
  void aParentThatIsNotThereIsTold() throws IOException {
    write(device.resolve("parent"), "eth9\n");

    assertThat(read().parent()).isEqualTo("eth9");
    assertThat(warnings)
        .singleElement()
        .asString()
        .endsWith("mlx5_0/parent: names eth9, which is not in /sys/class/net");
  }

  /** As an hfi1 port that is offline: the kernel has no word for the states of OPA alone. */
  @ParameterizedTest
  @ValueSource(strings = {"9: <unknown>", "0: <unknown>"})
  void aStateThatTheKernelHasNoWordForIsUnknown(String state) throws IOException {
    write(port.resolve("phys_state"), state + "\n");
    write(device.resolve("node_type"), "8: <unknown>\n");

    assertThat(readPort().physicalState()).isEqualTo("UNKNOWN");
    assertThat(read().nodeType()).isEqualTo("8: <unknown>");
    assertThat(warnings).isEmpty();
  }

  /** The kernel has none there; in a captured tree they could make much of little. */
  @ParameterizedTest
  @ValueSource(strings = {"ports", "ports/1", "ports/1/gids", "ports/1/gid_attrs", "ports/1/pkeys"})
  void linksInsideADeviceAreNotFollowed(String name) throws IOException {
    Path aside = root.resolve("aside");
    Files.move(device.resolve(name), aside);
    Files.createSymbolicLink(device.resolve(name), memory.getPath("/aside"));

    List<RdmaPort> ports = read().ports();

    assertThat(ports).hasSize(name.contains("/1/") ? 1 : 0);
    for (RdmaPort one : ports) {
      assertThat(one.gids().isEmpty()).isEqualTo(name.endsWith("gids"));
      assertThat(one.gids()).allMatch(gid -> name.endsWith("gid_attrs") == gid.type().isEmpty());
      assertThat(one.pkeys().isEmpty()).isEqualTo(name.endsWith("pkeys"));
    }
    assertThat(warnings)
        .isNotEmpty()
        .allMatch(
            warning ->
                warning.contains("/" + name + ": is a link, but the kernel has no links here"));
  }

  private List<RdmaDevice> linked(int times) throws IOException {
    for (int i = 1; i < times; i++) {
      Files.createSymbolicLink(
          root.resolve("sys/class/infiniband/x" + i),
          memory.getPath("/" + root.relativize(device)));
    }
    return new InfinibandReader().devices(Host.captured(root), warnings::add);
  }

  @Test
  void manyLinksToOneDeviceAreBoundedWork() throws IOException {
    for (int i = 0; i < 2_000; i++) {
      write(port.resolve("gids/" + i), "fe80:0000:0000:0000:0000:0000:0000:0001\n");
    }

    List<RdmaDevice> devices = linked(60);

    assertThat(devices).hasSize(60);
    assertThat(
            devices.stream()
                .flatMap(one -> one.ports().stream())
                .mapToInt(HostileInfinibandTest::size)
                .sum())
        .isEqualTo(InfinibandClass.MAX_IN_USE);
    assertThat(warnings).singleElement().asString().contains("more than 100000 ports, GIDs");
  }

  private static int size(RdmaPort port) {
    return 1 + port.gids().size() + port.pkeys().size();
  }

  @Test
  void manyPlacesThatAreNotInUseAreBoundedWork() throws IOException {
    for (int i = 0; i < 10_000; i++) {
      Files.createFile(port.resolve("pkeys/x" + i));
    }

    assertThat(linked(110)).hasSize(110);

    assertThat(warnings.stream().distinct())
        .hasSize(2)
        .anyMatch(warning -> warning.contains("more than 1000000 table entries"))
        .anyMatch(
            warning ->
                warning.endsWith(
                    "/pkeys: expected numbers from 0 to 65535, found 'x0', 'x1', 'x10', 'x100',"
                        + " 'x1000', 'x1001', 'x1002', 'x1003' and 9992 more; left out"));
  }

  @Test
  void aParentIsTheNameOfANetworkDeviceAndNoPath() throws IOException {
    for (String parent : List.of("../../../../etc", "..", ".", "a/b", "eth0 eth1", "")) {
      write(device.resolve("parent"), parent + "\n");
      assertThat(read().parent()).as(parent).isNull();
    }
    write(device.resolve("parent"), "eth0\n");
    assertThat(read().parent()).isEqualTo("eth0");
  }

  @Test
  void keysThatAreNotInUseAreNone() throws IOException {
    write(port.resolve("pkeys/1"), "0x0000\n");
    write(port.resolve("pkeys/2"), "0x8000\n");
    write(port.resolve("pkeys/10"), "0x7fff\n");

    assertThat(readPort().pkeys()).containsExactly(0xffff, 0x7fff);
  }

  @Test
  void countersAreThoseThatAreNumbers() throws IOException {
    for (String kind : List.of("counters", "hw_counters")) {
      Files.createDirectories(port.resolve(kind));
    }
    write(port.resolve("counters/port_rcv_data"), "18446744073709551615\n");
    write(port.resolve("counters/symbol_error"), "7\n");
    write(port.resolve("counters/link_downed"), "N/A (no PMA)\n");
    write(port.resolve("hw_counters/lifespan"), "10\n");
    write(port.resolve("hw_counters/symbol_error"), "9\n");
    write(port.resolve("hw_counters/out_of_buffer"), "0\n");

    assertThat(new InfinibandReader().counters(Host.captured(root), "mlx5_0", 1, warnings::add))
        .containsOnly(
            Map.entry("symbol_error", 7L),
            Map.entry("out_of_buffer", 0L),
            Map.entry("port_rcv_data", -1L)); // 2^64 - 1, which has no sign
    assertThat(warnings).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "-1",
        "+7",
        "18446744073709551616",
        "99999999999999999999",
        "7 8",
        "0x7",
        "\u0667"
      })
  void aCounterThatIsNoNumberIsAWarning(String text) throws IOException {
    Files.createDirectories(port.resolve("counters"));
    write(port.resolve("counters/symbol_error"), text + "\n");
    write(port.resolve("counters/link_downed"), "3\n");

    assertThat(new InfinibandReader().counters(Host.captured(root), "mlx5_0", 1, warnings::add))
        .containsOnly(Map.entry("link_downed", 3L));
    assertThat(warnings)
        .singleElement()
        .asString()
        .contains("mlx5_0/ports/1/counters/symbol_error: expected a number from 0 to 1844");
  }

  /** It is one name of a directory, and leads nowhere else. */
  @Test
  void countersOfADeviceWhoseNameBeginsWithADotAreRead() throws IOException {
    Path directory = root.resolve("sys/class/infiniband/.x/ports/1/counters");
    Files.createDirectories(directory);
    write(directory.resolve("symbol_error"), "7\n");

    assertThat(new InfinibandReader().counters(Host.captured(root), ".x", 1, warnings::add))
        .containsOnly(Map.entry("symbol_error", 7L));
    for (String name : List.of("", ".", "..", "../x", "a/b")) {
      assertThatIllegalArgumentException()
          .isThrownBy(
              () -> new InfinibandReader().counters(Host.captured(root), name, 1, warnings::add));
    }
  }

  @Test
  void onlyCountersThatAreWantedAreRead() throws IOException {
    Files.createDirectories(port.resolve("counters"));
    write(port.resolve("counters/symbol_error"), "7\n");
    write(port.resolve("counters/port_rcv_data"), "9\n");

    assertThat(
            new InfinibandReader()
                .counters(Host.captured(root), "mlx5_0", 1, "symbol_error"::equals, warnings::add))
        .containsOnly(Map.entry("symbol_error", 7L));
  }

  /** As when a driver is unloaded: between listing and reading, everything may go. */
  @Test
  void whatVanishesWhileItIsReadIsLeftOut() throws Exception {
    RdmaDevice whole = read();
    Path aside = root.resolve("aside");
    AtomicBoolean done = new AtomicBoolean();
    AtomicReference<IOException> failure = new AtomicReference<>();
    List<Path> parts =
        List.of(
            device,
            port,
            port.resolve("gids"),
            port.resolve("pkeys"),
            port.resolve("state"),
            device.resolve("node_guid"));
    Thread driver =
        new Thread(
            () -> {
              try {
                for (int i = 0; !done.get(); i++) {
                  Path part = parts.get(i % parts.size());
                  Files.move(part, aside);
                  Files.move(aside, part);
                }
              } catch (IOException e) {
                failure.set(e);
              }
            });
    driver.start();
    InfinibandReader reader = new InfinibandReader();
    try {
      for (int i = 0; i < 500; i++) {
        List<RdmaDevice> devices = reader.devices(Host.captured(root), warning -> {});
        assertThat(devices).extracting(RdmaDevice::name).containsExactly("mlx5_0");
        reader.nodes(Host.captured(root), (device, problem) -> {});
      }
    } finally {
      done.set(true);
      driver.join();
    }
    assertThat(failure.get()).isNull();
    assertThat(reader.devices(Host.captured(root), warnings::add)).containsExactly(whole);
  }

  @Test
  void textIsReadAsUtf8() throws IOException {
    Files.write(device.resolve("node_desc"), "Knoten ä\n".getBytes(StandardCharsets.UTF_8));

    assertThat(read().description()).isEqualTo("Knoten ä");
  }
}
