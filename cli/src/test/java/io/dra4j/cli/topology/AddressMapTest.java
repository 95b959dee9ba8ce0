package io.dra4j.cli.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dra4j.cli.Cli;
import io.dra4j.sysfs.overlay.OverlayException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AddressMapTest {

  /** The switch has the address that the GPU has in the virtual machine. */
  private static final String METAL =
      "<system version=\"1\"><cpu numaid=\"0\"><pci busid=\"0000:01:00.0\">"
          + "<pci busid=\"0000:8f:00.0\" class=\"0x030200\"/>"
          + "<pci busid=\"0000:90:00.0\" class=\"0x020700\"><nic><net name=\"mlx5_0\"/></nic></pci>"
          + "</pci><pci busid=\"0000:a0:00.0\" class=\"0x030200\"/></cpu></system>";

  private static Cli run(Path folder, String map, String output) throws IOException {
    Path metal = Files.writeString(folder.resolve("bm.xml"), METAL);
    Path file = Files.writeString(folder.resolve("map.txt"), map);
    return Cli.run(
        "topology",
        "--no-host",
        "--nccl-xml",
        metal.toString(),
        "--address-map",
        file.toString(),
        "-o",
        output);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0000:8f:00.0 0000:01:00.0\n0000:90:00.0 0000:02:00.0\n",
        "# host  guest\n0000:8F:00.0\t0000:01:00.0 # GPU\n\n0000:90:00.0\t0000:02:00.0",
        "0000:8f:00.0,0000:01:00.0\r\n0000:90:00.0,0000:02:00.0\r\n",
        "0000:90:00.0=0000:02:00.0\n0000:8f:00.0 = 0000:01:00.0\n"
      })
  void aFileOfBareMetalIsWrittenForTheVirtualMachine(String map, @TempDir Path folder)
      throws IOException {
    Cli written = run(folder, map, "nccl-xml");
    Path file = Files.writeString(folder.resolve("vm.xml"), written.out());
    Cli read = Cli.run("topology", "--no-host", "--nccl-xml", file.toString());

    assertThat(written.code()).as(written.err()).isZero();
    assertThat(written.err()).contains("without an address in the virtual machine: 1; left out");
    assertThat(written.out()).doesNotContain("0000:8f", "0000:90", "0000:a0");
    assertThat(read.out()).containsPattern("GPU0 +X +PIX").contains("0000:01:00.0", "mlx5_0");
  }

  @Test
  void addressesThatTheFileLacksAreWarnedOf(@TempDir Path folder) throws IOException {
    Cli cli = run(folder, "0000:8f:00.0 0000:01:00.0\n0000:77:00.0 0000:02:00.0\n", "text");

    assertThat(cli.err()).contains("map.txt: not in ", "bm.xml: 0000:77:00.0");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "# nothing",
        "0000:8f:00.0",
        "0000:8f:00.0 0000:01:00.0 0000:02:00.0",
        "gpu0 0000:01:00.0",
        "0000:8f:00.0 0000:01:00.0\n0000:8f:00.0 0000:02:00.0",
        "0000:8f:00.0 0000:01:00.0\n0000:90:00.0 0000:01:00.0"
      })
  void whatIsNoMapIsRefused(String text) {
    assertThatThrownBy(() -> AddressMap.parse(text, "map.txt"))
        .isInstanceOf(OverlayException.class)
        .hasMessageMatching("map[.]txt(:\\d+)?: .*");
  }

  @Test
  void aMapNeedsAFileWithAddresses(@TempDir Path folder) throws IOException {
    Path map = Files.writeString(folder.resolve("map.txt"), "0000:8f:00.0 0000:01:00.0\n");

    Cli cli = Cli.run("topology", "--address-map", map.toString());

    assertThat(cli.code()).isEqualTo(2);
    assertThat(cli.err()).contains("--address-map needs a file with addresses");
  }
}
