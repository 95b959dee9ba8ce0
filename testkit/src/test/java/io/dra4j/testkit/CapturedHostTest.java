package io.dra4j.testkit;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.jimfs.Configuration;
import com.google.common.jimfs.Jimfs;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class CapturedHostTest {

  @TempDir Path directory;

  // ---- Laying out ----

  @ParameterizedTest
  @MethodSource("io.dra4j.testkit.CapturedHost#names")
  void everyBuiltInHostIsLaidOutEntryByEntry(String name) throws IOException {
    CapturedHost host = CapturedHost.named(name);
    assertThat(host.paths()).hasSizeGreaterThan(500);
    try (FileSystem memory = Jimfs.newFileSystem(Configuration.unix())) {
      Path root = memory.getPath("/root");

      host.expandTo(root);

      for (String path : host.paths()) {
        Path laidOut = root.resolve(path);
        if (host.link(path).isPresent()) {
          assertThat(Files.readSymbolicLink(laidOut)).hasToString(host.link(path).get());
        } else if (host.file(path).isPresent()) {
          assertThat(Files.readAllBytes(laidOut)).isEqualTo(host.file(path).get());
        } else {
          assertThat(laidOut).isDirectory();
        }
      }
    }
  }

  @Test
  void linksLeadToTheDeviceAsOnTheMachine() throws IOException {
    CapturedHost.named("a4-like").expandTo(directory); // on the disk: the other file system

    Path nic = directory.resolve("sys/class/net/gpu0rdma0/device").toRealPath();
    assertThat(nic)
        .startsWith(directory.toRealPath().resolve("sys/devices/pci0000:10/0000:10:00.0"));
    assertThat(nic.resolve("numa_node")).hasContent("0");
  }

  @Test
  void aDirectoryThatHoldsSomethingIsRefused() throws IOException {
    Files.createSymbolicLink(directory.resolve("sys"), directory.resolve("elsewhere"));

    assertThatThrownBy(() -> CapturedHost.named("rdma").expandTo(directory))
        .isInstanceOf(DirectoryNotEmptyException.class);
  }

  @Test
  void configSpaceHasTheLengthOfTheKernelsFile() {
    CapturedHost host = CapturedHost.named("sriov");

    assertThat(host.file("sys/devices/pci0000:00/0000:00:00.0/config").orElseThrow()).hasSize(256);
    assertThat(host.file("sys/devices/pci0000:10/0000:10:00.0/config").orElseThrow())
        .hasSize(4096)
        .startsWith(0x36, 0x1b); // QEMU's PCIe root port
  }

  @Test
  void aNameThatIsNotBuiltInIsRefusedWithThoseThatAre() {
    assertThatThrownBy(() -> CapturedHost.named("a5-like"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("a5-like")
        .hasMessageContaining("a4-like, cascade, h200-vm, rdma, sriov, two-socket");
  }

  // ---- The format ----

  @Test
  void theFourKindsOfLinesAreRead() throws IOException {
    CapturedHost host =
        parse(
            """
            # sysfs record 1

            d sys/class/net
            f sys/a/b one\\ttwo\\\\ \\n
            f sys/a/empty\s
            l sys/a/link ../../with blank
            x sys/a/config 86800100
            """);

    assertThat(host.paths())
        .containsExactly("sys/a/b", "sys/a/config", "sys/a/empty", "sys/a/link", "sys/class/net");
    assertThat(host.file("sys/a/b")).hasValue("one\ttwo\\ \n".getBytes(UTF_8));
    assertThat(host.file("sys/a/empty")).hasValue(new byte[0]);
    assertThat(host.link("sys/a/link")).hasValue("../../with blank");
    assertThat(host.file("sys/a/config").orElseThrow()).hasSize(256).startsWith(0x86, 0x80, 1, 0);
    assertThat(host.file("sys/class/net")).isEmpty();
    assertThat(host.link("sys/class/net")).isEmpty();
  }

  @Test
  void bytesThatAreNoTextAreKept() throws IOException {
    byte[] line = "f sys/junk \u00ff\u0000\u00fe\u0080".getBytes(ISO_8859_1);

    CapturedHost host = RecordReader.read("test", new ByteArrayInputStream(line));

    assertThat(host.file("sys/junk"))
        .hasValue(new byte[] {(byte) 0xff, 0, (byte) 0xfe, (byte) 0x80});
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "f /etc/passwd x        | path relative to the root",
        "f ../x x               | has an empty part, a dot",
        "f sys/../../x x        | has an empty part, a dot",
        "l sys/./x x            | has an empty part, a dot",
        "d sys//x               | has an empty part, a dot",
        "d sys/x/               | has an empty part, a dot",
        "f sys/x a\\b           | after a backslash",
        "f sys/x a\\            | after a backslash",
        "x sys/x 123            | even number",
        "x sys/x 12zz           | expected hex digits, found: zz",
        "l sys/x                | a link has a target",
        "d sys/x y              | a directory has a path and nothing else",
        "q sys/x y              | kind l, d, f or x",
        "sys                    | expected KIND PATH",
        "f sys/there x          | a second entry for sys/there",
      })
  void aLineThatBreaksTheFormatIsNamed(String line, String problem) {
    assertThatThrownBy(() -> parse("# comment\nf sys/there x\n" + line + "\n"))
        .isInstanceOfSatisfying(
            CaptureException.class,
            e -> {
              assertThat(e.source()).isEqualTo("test");
              assertThat(e.line()).isEqualTo(3);
            })
        .hasMessageStartingWith("test:3: ")
        .hasMessageContaining(problem);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "l sys/a /etc | f sys/a/passwd x",
        "l sys/a ..   | l sys/a/b/c x",
        "f sys/a x    | d sys/a/b",
      })
  void nothingLiesBelowALinkOrAFile(String above, String below) {
    assertThatThrownBy(() -> parse(below + "\n" + above + "\n"))
        .isInstanceOf(CaptureException.class)
        .hasMessageContaining("is below sys/a, which is not a directory");
  }

  @Test
  void aPathThatIsNotUtf8IsRefused() {
    byte[] line = "d sys/\u00ff".getBytes(ISO_8859_1);

    assertThatThrownBy(() -> RecordReader.read("test", new ByteArrayInputStream(line)))
        .isInstanceOf(CaptureException.class)
        .hasMessage("test:1: path or target is not UTF-8: sys/\\u00ff");
  }

  @Test
  void depthAndLengthOfAPathAreBounded() {
    assertThatThrownBy(() -> parse("d " + "a/".repeat(64) + "a"))
        .isInstanceOf(CaptureException.class)
        .hasMessageContaining("deeper than 64");
    assertThatThrownBy(() -> parse("d " + "a".repeat(4097)))
        .isInstanceOf(CaptureException.class)
        .hasMessageContaining("at most 4096 characters")
        .message()
        .hasSizeLessThan(300);
  }

  @Test
  void aLineAndTheWholeRecordAreBounded() {
    assertThatThrownBy(() -> parse("f sys/x " + "a".repeat(RecordReader.MAX_LINE)))
        .isInstanceOf(CaptureException.class)
        .hasMessageContaining("line is longer than 1048576 bytes");
    assertThatThrownBy(() -> RecordReader.read("endless", new Endless()))
        .isInstanceOf(CaptureException.class)
        .hasMessage("endless: longer than 67108864 bytes");
  }

  @Test
  void aFileMayBeCompressed() throws IOException {
    Path file = directory.resolve("host.sysfs.txt.gz");
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
      out.write("f sys/x y\\n\n".getBytes(UTF_8));
    }

    CapturedHost host = CapturedHost.read(file);

    assertThat(host.file("sys/x")).hasValue("y\n".getBytes(UTF_8));
    assertThat(host.name()).isEqualTo(file.toString());
  }

  // ---- Variants ----

  @Test
  void aVariantDiffersInOnePlaceAndLeavesTheHostAlone() throws IOException {
    CapturedHost host = parse("f sys/a/class 0x020000\\n\nf sys/a/b/c x\nf sys/a.b x\n");

    assertThat(host.withFile("sys/a/class", "junk").file("sys/a/class"))
        .hasValue("junk".getBytes(UTF_8));
    assertThat(host.withLink("sys/loop", "loop").link("sys/loop")).hasValue("loop");
    assertThat(host.withDirectory("sys/a/class").file("sys/a/class")).isEmpty();
    assertThat(host.without("sys/a").paths()).containsExactly("sys/a.b");
    assertThat(host.paths()).containsExactly("sys/a.b", "sys/a/b/c", "sys/a/class");
    assertThat(host.file("sys/a/class")).hasValue("0x020000\n".getBytes(UTF_8));
  }

  @Test
  void aVariantStaysBelowTheRootToo() throws IOException {
    CapturedHost host = parse("l sys/link /tmp\n");

    assertThatThrownBy(() -> host.withFile("sys/link/x", ""))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> host.withFile("../x", ""))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void linksThatLeaveTheRootAreLaidOutAndNotFollowed() throws IOException {
    CapturedHost host = parse("l sys/out ../../../../../../nowhere\nl sys/loop loop\n");

    host.expandTo(directory);

    assertThat(Files.exists(directory.resolve("sys/out"), LinkOption.NOFOLLOW_LINKS)).isTrue();
    assertThat(directory.resolve("sys/loop")).isSymbolicLink();
  }

  // ---- What others said ----

  @ParameterizedTest
  @ValueSource(strings = {"a4-like", "cascade", "rdma", "sriov", "two-socket"})
  void everyHostOfTheLabHasTheReadingsOfOtherPrograms(String name) {
    assertThat(Reading.LSTOPO_XML.of(name)).contains("<topology version=").contains("PCIDev");
    assertThat(Reading.LINK_JSON.of(name)).startsWith("[{\"ifindex\":1,\"ifname\":\"lo\"");
    assertThat(Reading.RDMA_JSON.of(name)).startsWith("{\"dev\":").contains("\"system\":");
    assertThat(Reading.LSPCI_TXT.of(name)).contains("0000:00:00.0 Host bridge [0600]");
  }

  @Test
  void theHostWithAGpuHasTheReadingsOfItsDriverAndItsLibrary() {
    assertThat(Reading.NVIDIA_SMI_TXT.of("h200-vm")).contains("\u001b[4mGPU0\tCPU Affinity");
    assertThat(Reading.NCCL_XML.of("h200-vm")).startsWith("<system version=\"1\">");
    assertThat(Reading.NCCL_GIVEN_OURS_XML.of("h200-vm")).startsWith("<system version=\"1\">");
  }

  @Test
  void aProgramThatWasNotAskedIsToldWithTheHostsWhereItWas() {
    assertThat(Reading.LSTOPO_XML.hosts())
        .containsExactly("a4-like", "cascade", "rdma", "sriov", "two-socket");
    assertThat(Reading.NCCL_XML.hosts()).containsExactly("h200-vm");
    assertThatThrownBy(() -> Reading.NCCL_XML.of("rdma"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("no NCCL_XML of the host rdma; available hosts are [h200-vm]");
  }

  /** What tells one machine from another: hardware addresses, serial numbers, identifiers. */
  @Test
  void theHostWithAGpuCannotBeTold() throws IOException {
    CapturedHost host = CapturedHost.named("h200-vm");
    for (String path : host.paths()) {
      String text = new String(host.file(path).orElse(new byte[0]), ISO_8859_1);
      if (path.endsWith("/address")) {
        assertThat(text).as(path).matches("(00|02):00:00:00:00:0[0-3]\n");
      } else if (path.contains("serial") || path.contains("uuid")) {
        assertThat(text).as(path).isEqualTo("0\n");
      }
      assertThat(text).as(path).doesNotContainPattern("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");
    }
    ByteBuffer config =
        ByteBuffer.wrap(host.file("sys/devices/pci0000:00/0000:00:06.0/config").orElseThrow())
            .order(ByteOrder.LITTLE_ENDIAN);
    int serial = 0x100; // through the extended capabilities to that of the serial number
    while ((config.getInt(serial) & 0xffff) != 3) {
      serial = config.getInt(serial) >>> 20;
    }
    assertThat(config.getLong(serial + 4)).isZero();
  }

  private static CapturedHost parse(String text) throws IOException {
    return RecordReader.read("test", new ByteArrayInputStream(text.getBytes(UTF_8)));
  }

  private static final class Endless extends InputStream {

    @Override
    public int read() {
      return '#';
    }

    @Override
    public int read(byte[] into, int offset, int length) {
      Arrays.fill(into, offset, offset + length, (byte) '#');
      return length;
    }
  }
}
