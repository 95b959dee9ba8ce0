package io.dra4j.kubelet.cdi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.dra4j.kubelet.cdi.DeviceMetadata.Attribute;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MetadataDirectoryTest {

  @TempDir private Path root;

  private MetadataDirectory open() {
    return MetadataDirectory.open(root.resolve("own"), "dra.net");
  }

  private static DeviceMetadata metadata(
      String uid, @Nullable String podClaimName, DeviceMetadata.@Nullable Network network) {
    return new DeviceMetadata(
        "default",
        "claim-1",
        uid,
        podClaimName,
        "nic/fast",
        List.of(
            new DeviceMetadata.Entry(
                "node-a",
                "eth1",
                Map.of(
                    "mtu",
                    Attribute.of("int", 9000L),
                    "resource.kubernetes.io/numaNode",
                    new Attribute("ints", List.of(0L, 1L), true)),
                network)));
  }

  @Test
  void fileIsTheObjectOfTheApi() throws Exception {
    CdiEdits.Mount mount = open().write(metadata("uid-1", "nics", null));
    assertThat(mount.containerPath())
        .isEqualTo(
            "/var/run/kubernetes.io/dra-device-attributes/resourceclaimtemplates/nics/nic/dra.net-metadata.json");
    assertThat(mount.options()).contains("ro");
    Path file = Path.of(mount.hostPath());
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-r--r--"); // programs in containers are other users
    JsonNode expected =
        new ObjectMapper()
            .readTree(
                """
                {"kind": "DeviceMetadata", "apiVersion": "metadata.resource.k8s.io/v1beta1",
                 "metadata": {"name": "claim-1", "namespace": "default", "uid": "uid-1", "generation": 1},
                 "podClaimName": "nics",
                 "requests": [{"name": "nic/fast", "devices": [{"driver": "dra.net", "pool": "node-a",
                   "name": "eth1", "attributes": {"mtu": {"int": 9000},
                     "resource.kubernetes.io/numaNode": {"ints": [0, 1]}}}]}]}
                """);
    assertThat(new ObjectMapper().readTree(Files.readString(file))).isEqualTo(expected);
  }

  @Test
  void contentThatIsTheSameIsNotWrittenAgain() throws Exception {
    MetadataDirectory directory = open();
    DeviceMetadata content = metadata("uid-1", "nics", null);
    Path file = Path.of(directory.write(content).hostPath());
    Object before = Files.getAttribute(file, "unix:ino");

    directory.write(content);
    directory.write(metadata("uid-1", null, null));

    assertThat(Files.getAttribute(file, "unix:ino")).isEqualTo(before);
    Files.writeString(file, "{\"kind"); // what a power failure left
    directory.write(content);
    assertThat(Files.readString(file)).contains("\"generation\":1").contains("claim-1");
  }

  @Test
  void nextGenerationKeepsTheNameInThePod() throws Exception {
    MetadataDirectory directory = open();
    directory.write(metadata("uid-1", "nics", null));
    CdiEdits.Mount mount =
        directory.write(
            metadata(
                "uid-1", null, new DeviceMetadata.Network("net1", List.of("10.0.0.5/24"), "")));
    assertThat(mount.containerPath()).contains("/resourceclaimtemplates/nics/");
    JsonNode file = new ObjectMapper().readTree(Files.readString(Path.of(mount.hostPath())));
    assertThat(file.at("/metadata/generation").asInt()).isEqualTo(2);
    assertThat(file.at("/requests/0/devices/0/networkData").toString())
        .isEqualTo("{\"interfaceName\":\"net1\",\"ips\":[\"10.0.0.5/24\"]}");
  }

  @Test
  void filesOfOtherClaimsGo() throws Exception {
    MetadataDirectory directory = open();
    directory.write(metadata("uid-1", null, null));
    directory.write(metadata("uid-2", null, null));
    directory.retain(Set.of("uid-2"));
    assertThat(root.resolve("own/uid-1")).doesNotExist();
    directory.remove("uid-2");
    directory.remove("uid-2");
    assertThat(root.resolve("own")).isEmptyDirectory();
  }

  @Test
  void nameThatLeavesTheDirectoryIsRefused() {
    assertThatExceptionOfType(IllegalArgumentException.class)
        .isThrownBy(() -> metadata("../uid", null, null))
        .withMessageContaining("DeviceMetadata.uid");
    assertThatExceptionOfType(IllegalArgumentException.class)
        .isThrownBy(() -> metadata("uid", "a/../b", null))
        .withMessageContaining("DeviceMetadata.podClaimName");
  }
}
