package io.dra4j.rdma;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@EnabledOnOs(OS.LINUX)
class DeviceFileTest {

  @Test
  void devicesHaveTheNumbersThatStatPrints() throws Exception {
    int devices = 0;
    try (DirectoryStream<Path> files = Files.newDirectoryStream(Path.of("/dev"))) {
      for (Path path : files) {
        if (Files.isSymbolicLink(path)) { // stdin is another file in each process
          continue;
        }
        DeviceFile file = DeviceFile.of(path.toString()).orElse(null);
        if (file != null && file.isCharacterDevice()) {
          assertThat("%x %x %o".formatted(file.major(), file.minor(), file.mode()))
              .as(path.toString())
              .isEqualTo(stat(path));
          devices++;
        }
      }
    }
    assertThat(devices).isGreaterThan(2); // null, zero, urandom at least
  }

  private static String stat(Path path) throws IOException {
    Process process = new ProcessBuilder("stat", "-L", "-c", "%t %T %a", path.toString()).start();
    return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).trim();
  }

  @Test
  void otherFilesAreNone(@TempDir Path directory) throws IOException {
    Path file = Files.createFile(directory.resolve("uverbs0"));
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));

    assertThat(DeviceFile.of(file.toString())).contains(new DeviceFile(false, 0, 0, 0640));
    assertThat(DeviceFile.of(directory.resolve("missing").toString())).isEmpty();
    assertThat(DeviceFile.of(file.resolve("below").toString())).isEmpty();
  }

  /** By gnu_dev_makedev of glibc: 12 low bits of the major, 20 high ones; 8 and 24 of the minor. */
  @ParameterizedTest
  @CsvSource({
    "0xe7c0, 231, 192",
    "0x103, 1, 3",
    "0x1012e7f4, 743, 66036",
    "0x10000000ff00, 4351, 0",
    "0x1200abcd345ef, 74565, 11259375"
  })
  void numbersAreTakenApartAsLinuxDoes(String device, int major, int minor) {
    assertThat(DeviceFile.major(Long.decode(device))).isEqualTo(major);
    assertThat(DeviceFile.minor(Long.decode(device))).isEqualTo(minor);
  }
}
