package io.dra4j.sysfs;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.jimfs.Configuration;
import com.google.common.jimfs.Jimfs;
import io.dra4j.spi.Host;
import io.dra4j.spi.HostInventory;
import io.dra4j.spi.PciFunction;
import io.dra4j.spi.RdmaDevice;
import io.dra4j.testkit.CapturedHost;
import io.dra4j.topology.DeviceKind;
import io.dra4j.topology.HostTopology;
import io.dra4j.topology.PathType;
import io.dra4j.topology.PciAddress;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Trees that are broken in one place, by accident or on purpose. */
@Timeout(60)
class HostileTreesTest {

  private static final String DEVICES = "sys/bus/pci/devices/";
  private static final String GPU = "0000:13:00.0";

  private static final CapturedHost HOST = CapturedHost.named("a4-like");

  private final FileSystem memory = Jimfs.newFileSystem(Configuration.unix());
  private Path root = memory.getPath("/host");
  private final Path outside = memory.getPath("/outside");

  private final List<String> warnings = new ArrayList<>();

  @BeforeEach
  void layOut() throws IOException {
    HOST.expandTo(root);
    Files.createDirectory(outside);
  }

  @AfterEach
  void close() throws IOException {
    memory.close();
  }

  private HostInventory read() {
    return SysfsReader.read(Host.captured(root));
  }

  private Path device(String address) throws IOException {
    return root.resolve(DEVICES + address).toRealPath();
  }

  private Optional<PciFunction> function(HostInventory inventory, String address) {
    return inventory.pciFunctions().stream()
        .filter(function -> function.address().equals(PciAddress.parse(address)))
        .findFirst();
  }

  private static void write(Path file, String text) throws IOException {
    Files.writeString(file, text);
  }

  /** All but the function in question are there, and one warning names the file. */
  private void assertOneWarning(HostInventory inventory, int functions, String... parts) {
    assertThat(inventory.pciFunctions()).hasSize(functions);
    assertThat(inventory.warnings()).singleElement().asString().contains(parts);
  }

  @Test
  void junkInOneFileCostsThatFactOnly() throws IOException {
    Files.deleteIfExists(device(GPU).resolve("numa_node"));
    Files.write(device(GPU).resolve("numa_node"), new byte[] {(byte) 0xff, 0, 0x1b, '[', 'J'});

    HostInventory inventory = read();

    assertOneWarning(inventory, 62, GPU + "/numa_node: ", "expected a number");
    assertThat(inventory.warnings().get(0)).doesNotContain("\u001b");
    assertThat(function(inventory, GPU).orElseThrow().location().numaNode()).isEmpty();
  }

  @Test
  void absurdNumbersAreUnknown() throws IOException {
    write(device(GPU).resolve("numa_node"), "99999999999999999999\n");
    write(device(GPU).resolve("max_link_speed"), "9999999 GT/s PCIe\n");
    write(device(GPU).resolve("max_link_width"), "255\n");

    PciFunction gpu = function(read(), GPU).orElseThrow();

    assertThat(gpu.location().numaNode()).isEmpty();
    assertThat(gpu.maxLink()).isNull();
  }

  @Test
  void aFileIsReadToItsLimitOnly() throws IOException {
    write(
        device(GPU).resolve("uevent"), "PCI_CLASS=30200\nPCI_ID=10DE:2330\n" + "x".repeat(1 << 20));

    HostInventory inventory = read();

    assertOneWarning(inventory, 62, "uevent", "longer than 65536 bytes");
    assertThat(function(inventory, GPU).orElseThrow().kind()).isEqualTo(DeviceKind.GPU);
  }

  @Test
  void aPipeIsNotOpened(@TempDir Path directory) throws Exception {
    HOST.expandTo(directory);
    root = directory;
    Path file = device(GPU).resolve("uevent");
    Files.delete(file);
    assertThat(new ProcessBuilder("mkfifo", file.toString()).start().waitFor()).isZero();

    assertOneWarning(read(), 62, "uevent", "is not a regular file");
  }

  @Test
  void aFileThatBecameAPipeIsNotOpenedByTheNextScan(@TempDir Path directory) throws Exception {
    HOST.expandTo(directory);
    root = directory;
    SysfsReader reader = new SysfsReader();
    HostInventory.Builder before = HostInventory.builder();
    reader.read(Host.captured(root), before);
    Path file = device(GPU).resolve("uevent");
    Thread.sleep(50); // the times of some file systems tick slowly
    Files.delete(file);
    assertThat(new ProcessBuilder("mkfifo", file.toString()).start().waitFor()).isZero();

    HostInventory.Builder after = HostInventory.builder();
    reader.read(Host.captured(root), after);

    assertThat(before.build().warnings()).isEmpty();
    assertOneWarning(after.build(), 62, "uevent", "is not a regular file");
  }

  /** A file in its place fails as a directory does that may not be read, also for root. */
  @Test
  void aDirectoryThatCannotBeListedIsAWarning(@TempDir Path directory) throws IOException {
    for (Path place : List.of(directory, Files.createDirectories(root.resolve("listed")))) {
      Path listed = place.resolve("sys/x");
      Files.createDirectories(listed.resolve("entry"));
      warnings.clear();
      SysfsTree tree =
          SysfsTree.open(Host.captured(place), warnings::add, new KnownDirectories()).orElseThrow();
      SysfsTree.Directory found = tree.directory("sys/x").orElseThrow();
      assertThat(found.list()).containsExactly("entry");
      Files.delete(listed.resolve("entry"));
      Files.delete(listed);

      assertThat(found.list()).isEmpty();
      assertThat(warnings).as("gone").isEmpty();

      write(listed, "");
      assertThat(found.list()).isEmpty();
      assertThat(warnings).singleElement().asString().startsWith("/sys/x: cannot be listed: ");
    }
  }

  /** What an earlier scan has seen says nothing of a directory that is another one by now. */
  @Test
  void aDirectoryThatBecameALinkOutOfTheRootIsNotReadByTheNextScan(@TempDir Path directory)
      throws Exception {
    root = directory.resolve("host");
    HOST.expandTo(root);
    InfinibandReader reader = new InfinibandReader();
    List<RdmaDevice> before = reader.devices(Host.captured(root), warnings::add);
    assertThat(reader.devices(Host.captured(root), warnings::add)).isEqualTo(before);
    Path device = root.resolve("sys/class/infiniband/" + before.get(0).name()).toRealPath();
    Path ports = device.resolve("ports");
    Path elsewhere = directory.resolve("elsewhere");
    copy(ports, elsewhere);
    Files.writeString(elsewhere.resolve("1/state"), "1: DOWN\n");
    Files.move(ports, directory.resolve("aside"));
    Files.createSymbolicLink(ports, device.relativize(elsewhere.toRealPath()));

    List<RdmaDevice> after = reader.devices(Host.captured(root), warnings::add);

    assertThat(after.get(0).ports()).isEmpty();
    assertThat(after.subList(1, after.size())).isEqualTo(before.subList(1, before.size()));
    assertThat(warnings).anyMatch(warning -> warning.contains("ports: leads out of the host's"));
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> all = Files.walk(from)) {
      for (Path path : (Iterable<Path>) all::iterator) {
        Files.copy(path, to.resolve(from.relativize(path)));
      }
    }
  }

  /** What an earlier scan did not find may be there by now, as a file or as something else. */
  @Test
  void aFileThatWasMissingIsReadByTheNextScan(@TempDir Path directory) throws Exception {
    HOST.expandTo(directory);
    InfinibandReader reader = new InfinibandReader();
    List<RdmaDevice> before = reader.devices(Host.captured(directory), warnings::add);
    Path device = directory.resolve("sys/class/infiniband/" + before.get(0).name()).toRealPath();
    Files.deleteIfExists(device.resolve("hca_type"));
    assertThat(reader.devices(Host.captured(directory), warnings::add).get(0).model()).isEmpty();

    Files.writeString(device.resolve("hca_type"), "MT4123\n");
    assertThat(reader.devices(Host.captured(directory), warnings::add).get(0).model())
        .isEqualTo("MT4123");

    Files.delete(device.resolve("hca_type"));
    assertThat(reader.devices(Host.captured(directory), warnings::add).get(0).model()).isEmpty();
    assertThat(warnings).isEmpty();
    Thread.sleep(50); // the times of some file systems tick slowly
    Files.createSymbolicLink(device.resolve("hca_type"), directory.resolve("nowhere"));
    assertThat(reader.devices(Host.captured(directory), warnings::add).get(0).model()).isEmpty();
    assertThat(warnings).singleElement().asString().contains("hca_type: is not a regular file");
  }

  @Test
  void aFileThatLeadsOutOfTheRootIsNotRead() throws IOException {
    write(outside.resolve("secret"), "7\n");
    Path file = device(GPU).resolve("numa_node");
    Files.delete(file);
    Files.createSymbolicLink(file, outside.resolve("secret"));

    HostInventory inventory = read();

    assertOneWarning(inventory, 62, "numa_node", "is not a regular file");
    assertThat(function(inventory, GPU).orElseThrow().location().numaNode()).isEmpty();
  }

  @Test
  void aDeviceThatLeadsOutOfTheRootIsLeftOut() throws IOException {
    Path real = Files.createDirectories(outside.resolve("pci0000:99/0000:99:00.0"));
    write(real.resolve("class"), "0x030200\n");
    Path link = root.resolve(DEVICES + "0000:99:00.0");
    Files.createSymbolicLink(link, root.resolve(DEVICES).relativize(real));

    HostInventory inventory = read();

    assertThat(inventory.pciFunctions()).hasSize(62);
    assertThat(inventory.warnings())
        .anyMatch(text -> text.contains("leads out of the host's root"));
  }

  /** As for a process that runs there. */
  @Test
  void absoluteLinksBeginAtTheHostsRoot() throws IOException {
    Path real = Files.createDirectories(outside.resolve("pci0000:99/0000:99:00.0"));
    write(real.resolve("class"), "0x030200\n");
    Files.createSymbolicLink(root.resolve(DEVICES + "0000:99:00.0"), real);

    assertOneWarning(read(), 62, "0000:99:00.0", "is a broken link");
  }

  @Test
  void aLoopOfLinksIsLeftOut() throws IOException {
    Files.createSymbolicLink(
        root.resolve(DEVICES + "0000:98:00.0"), memory.getPath("0000:99:00.0"));
    Files.createSymbolicLink(
        root.resolve(DEVICES + "0000:99:00.0"), memory.getPath("0000:98:00.0"));

    HostInventory inventory = read();

    assertThat(inventory.pciFunctions()).hasSize(62);
    assertThat(inventory.warnings()).anyMatch(text -> text.contains("0000:98:00.0"));
  }

  @ParameterizedTest
  @ValueSource(ints = {100, 2_000})
  void aLoopOfLongLinksIsLeftOut(int parts) throws IOException {
    String text = "0000:99:00.0/".repeat(parts) + "x";
    Files.createSymbolicLink(root.resolve(DEVICES + "0000:99:00.0"), memory.getPath(text));

    HostInventory inventory = read();

    assertThat(inventory.pciFunctions()).hasSize(62);
    assertThat(inventory.warnings()).anyMatch(warning -> warning.contains("0000:99:00.0"));
  }

  @Test
  void anEntryThatVanishedIsLeftOut() throws IOException {
    Files.createSymbolicLink(
        root.resolve(DEVICES + "0000:99:00.0"),
        memory.getPath("../../../devices/pci0000:99/0000:99:00.0"));

    assertOneWarning(read(), 62, "0000:99:00.0", "is a broken link");
  }

  @Test
  void anEntryThatIsAnotherDeviceIsLeftOut() throws IOException {
    Path link = root.resolve(DEVICES + GPU);
    Path target = Files.readSymbolicLink(link);
    Files.createSymbolicLink(root.resolve(DEVICES + "0000:99:00.0"), target);

    assertOneWarning(read(), 62, "0000:99:00.0", "leads to another device");
  }

  @Test
  void namesThatAreNoAddressesAreLeftOut() throws IOException {
    Files.createDirectory(root.resolve(DEVICES + "junk\u001b[2J"));

    HostInventory inventory = read();

    assertOneWarning(inventory, 62, "is not a PCI address");
    assertThat(inventory.warnings().get(0)).doesNotContain("\u001b");
  }

  @Test
  void linksMayEndInASlash() throws IOException {
    Path link = root.resolve(DEVICES + GPU);
    String target = Files.readSymbolicLink(link).toString();
    Files.delete(link);
    assertThat(Files.createSymbolicLink(link, memory.getPath(target + "/"))).isSymbolicLink();

    HostInventory inventory = read();

    assertThat(inventory.warnings()).isEmpty();
    assertThat(function(inventory, GPU).orElseThrow().location().bridges()).hasSize(3);
  }

  @Test
  void directoriesInPlaceOfLinksAreFoundInTheTree() throws IOException {
    Path link = root.resolve(DEVICES + GPU);
    Files.delete(link);
    Files.createDirectory(link);
    write(link.resolve("class"), "0x030200\n");
    write(link.resolve("vendor"), "0x10de\n");
    write(link.resolve("device"), "0x2330\n");
    write(link.resolve("numa_node"), "0\n");

    PciFunction gpu = function(read(), GPU).orElseThrow();

    assertThat(gpu.kind()).isEqualTo(DeviceKind.GPU);
    assertThat(gpu.location().root()).isEqualTo("pci0000:10");
    assertThat(gpu.location().bridges()).hasSize(3);
  }

  @Test
  void functionsAreFoundWithoutTheirList() throws IOException {
    try (var entries = Files.list(root.resolve(DEVICES))) {
      for (Path entry : entries.toList()) {
        Files.delete(entry);
      }
    }

    assertThat(read().topology().build().path("0000:13:00.0", "0000:14:00.0"))
        .isEqualTo(PathType.SWITCH);
  }

  @Test
  void domainsMayHaveFiveDigits() throws IOException {
    link("10000:01:00.0", "pci0000:00/0000:00:0e.0/pci10000:00/10000:00:02.0/10000:01:00.0");
    link("10000:02:00.0", "pci0000:00/0000:00:0e.0/pci10000:00/10000:00:03.0/10000:02:00.0");

    HostInventory inventory = read();

    PciFunction drive = function(inventory, "10000:01:00.0").orElseThrow();
    assertThat(drive.location().root()).isEqualTo("pci0000:00");
    assertThat(drive.pcieRoot()).isNull(); // the helper of Kubernetes knows four digits only
    assertThat(drive.kind()).isEqualTo(DeviceKind.NVME);
    assertThat(inventory.topology().build().path("10000:01:00.0", "10000:02:00.0"))
        .isEqualTo(PathType.SWITCH);
  }

  @Test
  void devicesBelowAHypervisorsBusHaveAPlaceAndNoPcieRoot() throws IOException {
    String bus = "LNXSYSTM:00/LNXSYBUS:00/ACPI0004:00/VMBUS:00/47505500-0001";
    link("0001:00:00.0", bus + "/pci0001:00/0001:00:00.0");

    HostInventory inventory = read();

    PciFunction function = function(inventory, "0001:00:00.0").orElseThrow();
    assertThat(function.location().root()).isEqualTo("pci0001:00");
    assertThat(function.pcieRoot()).isNull();
    assertThat(inventory.warnings()).isEmpty();
  }

  private void link(String address, String place) throws IOException {
    Path directory = Files.createDirectories(root.resolve("sys/devices/" + place));
    write(directory.resolve("class"), "0x010802\n");
    write(directory.resolve("vendor"), "0x8086\n");
    write(directory.resolve("device"), "0x0b60\n");
    Files.createSymbolicLink(
        root.resolve(DEVICES + address), memory.getPath("../../../devices/" + place));
  }

  @Test
  void tenThousandFunctionsAreReadInTime() throws IOException {
    for (int i = 0; i < 10_000; i++) {
      String address = "%04x:%02x:%02x.0".formatted(1 + i / 8_192, i / 32 % 256, i % 32);
      link(address, "pci%s/%s".formatted(address.substring(0, 7), address));
    }

    HostInventory inventory = read();

    assertThat(inventory.pciFunctions()).hasSize(10_062);
    HostTopology topology = inventory.topology().build();
    assertThat(topology.devices()).hasSize(10_062);
  }

  @Test
  void aRootWithoutSysIsOneWarning() {
    HostInventory inventory = SysfsReader.read(Host.captured(outside));

    assertThat(inventory.pciFunctions()).isEmpty();
    assertThat(inventory.warnings())
        .singleElement()
        .asString()
        .contains("is not the root of a Linux host");
  }

  @Test
  void warningsAreBounded() throws IOException {
    for (int i = 0; i < 3_000; i++) {
      Files.createSymbolicLink(
          root.resolve("sys/class/net/gone" + i),
          memory.getPath("../../devices/virtual/net/gone" + i));
    }

    List<String> warnings = read().warnings();

    assertThat(warnings).hasSize(1_001);
    assertThat(warnings.get(1_000)).isEqualTo("and 2000 more warnings");
  }

  @Test
  void entriesThatVanishWhileTheyAreReadLoseNothingElse() throws Exception {
    Thread churn =
        new Thread(
            () -> {
              try {
                for (int i = 0; !Thread.interrupted(); i = (i + 1) % 50) {
                  Path link = root.resolve("sys/class/net/churn" + i);
                  Files.createSymbolicLink(link, memory.getPath("../../devices/virtual/net/lo"));
                  Files.delete(link);
                }
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            });
    churn.start();
    try {
      for (int i = 0; i < 30; i++) {
        assertThat(read().pciFunctions()).hasSize(62);
      }
    } finally {
      churn.interrupt();
      churn.join(10_000);
    }
  }
}
