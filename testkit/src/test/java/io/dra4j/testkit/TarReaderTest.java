package io.dra4j.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPOutputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.apache.commons.compress.archivers.tar.TarConstants;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TarReaderTest {

  @TempDir Path directory;

  @Test
  void filesDirectoriesAndLinksAreRead() throws IOException {
    Path archive =
        archive(
            tar -> {
              add(tar, "./", TarConstants.LF_DIR, "");
              add(tar, "./sys/class/net/", TarConstants.LF_DIR, "");
              add(tar, "./sys/class/net/eth0", TarConstants.LF_SYMLINK, "../../devices/eth0");
              add(tar, "./sys/devices/eth0/mtu", TarConstants.LF_NORMAL, "1500\n");
            });

    CapturedHost host = CapturedHost.readTarGz(archive);

    assertThat(host.paths())
        .containsExactly("sys/class/net", "sys/class/net/eth0", "sys/devices/eth0/mtu");
    assertThat(host.link("sys/class/net/eth0")).hasValue("../../devices/eth0");
    assertThat(host.file("sys/devices/eth0/mtu")).hasValue("1500\n".getBytes(UTF_8));
  }

  @Test
  void longNamesAndTargetsAreRead() throws IOException {
    String path = "sys/devices/" + "0000:00:00.0/".repeat(15) + "x";

    Path archive = archive(tar -> add(tar, path, TarConstants.LF_SYMLINK, "../" + path));

    assertThat(CapturedHost.readTarGz(archive).link(path)).hasValue("../" + path);
  }

  @Test
  void anEntryThatLeavesTheRootIsRefused() throws IOException {
    Path archive = archive(tar -> add(tar, "sys/../../x", TarConstants.LF_NORMAL, "x"));

    assertThatThrownBy(() -> CapturedHost.readTarGz(archive))
        .isInstanceOf(CaptureException.class)
        .hasMessageEndingWith(".tar.gz:1: path has an empty part, a dot or a NUL: sys/../../x");
  }

  @Test
  void anEntryBelowALinkIsRefused() throws IOException {
    Path archive =
        archive(
            tar -> {
              add(tar, "sys", TarConstants.LF_SYMLINK, "/etc");
              add(tar, "sys/x", TarConstants.LF_NORMAL, "x");
            });

    assertThatThrownBy(() -> CapturedHost.readTarGz(archive))
        .isInstanceOf(CaptureException.class)
        .hasMessageContaining("sys/x is below sys, which is not a directory");
  }

  @Test
  void devicesAndHardLinksAreRefused() throws IOException {
    Path device = archive(tar -> add(tar, "dev/null", TarConstants.LF_CHR, ""));
    assertThatThrownBy(() -> CapturedHost.readTarGz(device))
        .isInstanceOf(CaptureException.class)
        .hasMessageContaining("neither a file, a directory nor a symbolic link: dev/null");

    Path hardLink = archive(tar -> add(tar, "x", TarConstants.LF_LINK, "/etc/passwd"));
    assertThatThrownBy(() -> CapturedHost.readTarGz(hardLink)).isInstanceOf(CaptureException.class);
  }

  /** Compressed, such a name is nothing; whole, it would be more than any heap. */
  @Test
  void aNameWithoutEndIsRefused() throws IOException {
    Path archive =
        archive(
            tar -> {
              add(tar, "sys/x", TarConstants.LF_NORMAL, "x");
              add(tar, "././@LongLink", TarConstants.LF_GNUTYPE_LONGNAME, "a".repeat(3 << 20));
            });

    assertThatThrownBy(() -> CapturedHost.readTarGz(archive))
        .isInstanceOf(CaptureException.class)
        .hasMessageEndingWith(".tar.gz:2: names are longer than 1048576 bytes");
  }

  private static void add(TarArchiveOutputStream tar, String name, byte kind, String content)
      throws IOException {
    TarArchiveEntry entry = new TarArchiveEntry(name, kind, true);
    boolean has = kind == TarConstants.LF_NORMAL || kind == TarConstants.LF_GNUTYPE_LONGNAME;
    byte[] bytes = has ? content.getBytes(UTF_8) : new byte[0];
    entry.setSize(bytes.length);
    if (kind == TarConstants.LF_SYMLINK || kind == TarConstants.LF_LINK) {
      entry.setLinkName(content);
    }
    tar.putArchiveEntry(entry);
    tar.write(bytes);
    tar.closeArchiveEntry();
  }

  private Path archive(Content content) throws IOException {
    Path file = Files.createTempFile(directory, "host", ".tar.gz");
    try (TarArchiveOutputStream tar =
        new TarArchiveOutputStream(new GZIPOutputStream(Files.newOutputStream(file)))) {
      tar.setLongFileMode(TarArchiveOutputStream.LONGFILE_GNU);
      content.writeTo(tar);
    }
    return file;
  }

  private interface Content {
    void writeTo(TarArchiveOutputStream tar) throws IOException;
  }
}
