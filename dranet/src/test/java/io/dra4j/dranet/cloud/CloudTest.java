package io.dra4j.dranet.cloud;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CloudTest {

  @TempDir private Path sys;

  @ParameterizedTest
  @CsvSource({
    "sys_vendor, Google, GCE",
    "sys_vendor, Amazon EC2, AWS",
    "chassis_asset_tag, 7783-7084-3265-9085-8269-3286-77, AZURE",
    "chassis_asset_tag, OracleCloud.com, OKE",
    "sys_vendor, Alibaba Cloud, ALIBABA",
  })
  void theFirmwareNamesTheCloud(String file, String text, Cloud cloud) throws IOException {
    Path directory = Files.createDirectories(sys.resolve("class/dmi/id"));
    Files.writeString(directory.resolve(file), text + "\n");
    assertThat(Cloud.detect(sys)).contains(cloud);
  }

  @Test
  void anotherMachineIsInNoCloud() throws IOException {
    assertThat(Cloud.detect(sys)).isEmpty();
    Path directory = Files.createDirectories(sys.resolve("class/dmi/id"));
    Files.writeString(directory.resolve("sys_vendor"), "Microsoft Corporation\n"); // Hyper-V
    assertThat(Cloud.detect(sys)).isEmpty();
  }
}
