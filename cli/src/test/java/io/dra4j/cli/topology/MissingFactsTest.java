package io.dra4j.cli.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.cli.Cli;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** PCI functions of captured hosts without some of their files: what is missing is unknown. */
class MissingFactsTest {

  private static final Map<String, String> GPU =
      Map.of("class", "0x030200", "vendor", "0x10de", "device", "0x2330", "numa_node", "0");

  @TempDir Path root;

  private Path function(String place, Map<String, String> files, String... without)
      throws IOException {
    Path directory = Files.createDirectories(root.resolve("sys/devices/pci0000:10/" + place));
    for (Map.Entry<String, String> file : files.entrySet()) {
      Files.writeString(directory.resolve(file.getKey()), file.getValue() + "\n");
    }
    for (String file : without) {
      Files.delete(directory.resolve(file));
    }
    Path links = Files.createDirectories(root.resolve("sys/bus/pci/devices"));
    String address = place.substring(place.lastIndexOf('/') + 1);
    Files.createSymbolicLink(
        links.resolve(address), Path.of("../../../devices/pci0000:10/" + place));
    return directory;
  }

  private Cli run(String... args) {
    String[] line = new String[args.length + 2];
    System.arraycopy(args, 0, line, 0, args.length);
    line[args.length] = "--root";
    line[args.length + 1] = root.toString();
    Cli cli = Cli.run(line);
    assertThat(cli.code()).as(cli.err()).isZero();
    return cli;
  }

  @Test
  void aFunctionWithoutClassIsOfUnknownKind() throws IOException {
    function("0000:10:01.0", GPU, "class");
    function("0000:10:02.0", GPU);

    assertThat(run("topology").out())
        .contains("DEV0  0000:10:01.0  [10de:2330]", "GPU0  0000:10:02.0  [10de:2330]")
        .containsPattern("GPU0 +X +PHB");
    assertThat(run("topology").err())
        .contains("warning: ", "0000:10:01.0: has no readable class; its kind is unknown");
    assertThat(run("topology", "-o", "json").out())
        .contains(
            "\"class\":null,\"vendor\":\"0x10de\",\"device\":\"0x2330\",\"kind\":\"unknown\"");
    assertThat(run("discover").out())
        .containsPattern("pci-0000-10-01-0 +unknown +0 +pci0000:10 +0x10de:0x2330");
  }

  @Test
  void aFunctionWithoutVendorHasNone() throws IOException {
    function("0000:10:01.0", GPU, "vendor");

    assertThat(run("topology").out()).contains("GPU0  0000:10:01.0  [unknown:2330]");
    assertThat(run("topology").err())
        .contains("0000:10:01.0: has no readable vendor; it is unknown");
    assertThat(run("topology", "-o", "json").out()).contains("\"vendor\":null");
    assertThat(run("discover").out()).contains("unknown:0x2330").doesNotContain("0x0000");
    assertThat(run("discover", "-o", "yaml").out()).doesNotContain("vendorID", "0x0000");
  }

  @Test
  void aFunctionWithoutDeviceHasNone() throws IOException {
    function("0000:10:01.0", GPU, "device");

    assertThat(run("topology").out()).contains("[10de:unknown]");
    assertThat(run("topology").err())
        .contains("0000:10:01.0: has no readable device; it is unknown");
    assertThat(run("topology", "-o", "json").out()).contains("\"device\":null");
    assertThat(run("discover", "-o", "yaml").out()).contains("vendorID").doesNotContain("deviceID");
  }

  @Test
  void aFunctionOfWhichOnlyThePlaceIsKnownIsShown() throws IOException {
    function("0000:10:01.0", GPU, "class", "vendor", "device");

    assertThat(run("topology").out()).contains("DEV0  0000:10:01.0\n");
    assertThat(run("topology").err()).contains("only its place is known");
    assertThat(run("discover").out()).containsPattern("pci-0000-10-01-0 +unknown +0");
  }

  @Test
  void aClassThatIsNoNumberIsUnknown() throws IOException {
    Path function = function("0000:10:01.0", GPU);
    Files.writeString(function.resolve("class"), "display\n");

    assertThat(run("topology").out()).contains("DEV0  0000:10:01.0  [10de:2330]");
    assertThat(run("topology").err()).contains("found 'display'", "its kind is unknown");
  }

  @Test
  void anEventWithoutClassIsReadFromTheFiles() throws IOException {
    Path function = function("0000:10:01.0", GPU);
    Files.writeString(function.resolve("uevent"), "DRIVER=nvidia\nPCI_ID=10DE:2330\n");

    assertThat(run("topology").out()).contains("GPU0  0000:10:01.0  [10de:2330]");
    assertThat(run("topology").err()).isEmpty();
  }

  @Test
  void aFunctionWithoutClassAboveOthersIsABridge() throws IOException {
    function("0000:10:01.0", Map.of("vendor", "0x1000", "device", "0xc030"));
    function("0000:10:01.0/0000:11:00.0", GPU);
    function("0000:10:01.0/0000:11:00.1", GPU, "class");

    assertThat(run("topology").out())
        .contains("GPU0  0000:11:00.0", "DEV0  0000:11:00.1")
        .doesNotContain("DEV1");
    assertThat(run("topology").err()).doesNotContain("0000:10:01.0: has no readable class");
    assertThat(run("topology", "-o", "nccl-xml").out()).contains("0000:11:00.0");
  }

  @Test
  void aNicWithoutClassIsANic() throws IOException {
    Path nic = function("0000:10:01.0", GPU, "class");
    Files.createDirectories(nic.resolve("net/eth0"));

    assertThat(run("topology").out()).contains("NIC0  0000:10:01.0  [10de:2330]  eth0");
  }
}
