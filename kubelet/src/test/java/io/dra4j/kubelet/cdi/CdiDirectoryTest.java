package io.dra4j.kubelet.cdi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CdiDirectoryTest {

  private static final CdiSpec SPEC = spec(CdiEdits.environment(Map.of("GPU", "0")));

  @TempDir Path root;

  private static CdiSpec spec(CdiEdits edits) {
    return new CdiSpec("gpu.example.com", "claim", Map.of("gpu-0", edits));
  }

  private CdiDirectory open() throws IOException {
    return CdiDirectory.open(root.resolve("cdi"), "gpu.example.com");
  }

  private List<String> names() throws IOException {
    try (Stream<Path> files = Files.list(root.resolve("cdi"))) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  @Test
  void fileIsWhatRuntimesRead() throws Exception {
    CdiEdits edits =
        new CdiEdits(
            Map.of("GPU", "0"),
            List.of(new CdiEdits.DeviceNode("/dev/gpu", "/dev/gpu0", "rw")),
            List.of(new CdiEdits.Mount("/opt/lib", "/usr/lib/gpu", List.of("ro", "bind"))));
    Path file = open().write("uid-1", spec(edits));
    assertThat(file).hasFileName("gpu.example.com_uid-1.json");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
    JsonNode expected =
        new ObjectMapper()
            .readTree(
                """
                {"cdiVersion": "0.5.0", "kind": "gpu.example.com/claim", "devices": [
                  {"name": "gpu-0", "containerEdits": {
                    "env": ["GPU=0"],
                    "deviceNodes": [{"path": "/dev/gpu", "hostPath": "/dev/gpu0", "permissions": "rw"}],
                    "mounts": [{"hostPath": "/opt/lib", "containerPath": "/usr/lib/gpu", "options": ["ro", "bind"]}]
                  }}]}
                """);
    assertThat(new ObjectMapper().readTree(file.toFile())).isEqualTo(expected);
    assertThat(SPEC.id("gpu-0")).isEqualTo("gpu.example.com/claim=gpu-0");
  }

  @Test
  void fileIsReplacedAndRemoved() throws Exception {
    CdiDirectory directory = open();
    directory.write("a", SPEC);
    Path file = directory.write("a", spec(CdiEdits.environment(Map.of("GPU", "1"))));
    assertThat(file).content().contains("GPU=1");
    assertThat(names()).hasSize(1);
    assertThat(directory.remove("a")).isTrue();
    assertThat(directory.remove("a")).isFalse();
    assertThat(names()).isEmpty();
  }

  @Test
  void strangersOfTheDriverAreRemovedAndFilesOfOthersStay() throws Exception {
    CdiDirectory directory = open();
    directory.write("a", SPEC);
    directory.write("b", SPEC);
    CdiDirectory.open(root.resolve("cdi"), "gpu.example.com.b").write("c", SPEC);
    for (String other :
        List.of(
            "nvidia.yaml", "gpu.example.com-x.json", ".gpu.example.com_7.tmp", ".other_7.tmp")) {
      Files.writeString(root.resolve("cdi").resolve(other), "text");
    }
    assertThat(directory.ids()).containsExactly("a", "b");
    assertThat(directory.retain(Set.of("b", "not-there"))).containsExactly("a");
    assertThat(names())
        .containsExactly(
            ".other_7.tmp",
            "gpu.example.com-x.json",
            "gpu.example.com.b_c.json",
            "gpu.example.com_b.json",
            "nvidia.yaml");
  }

  @Test
  void fileThatCannotBeWrittenLeavesNothing() throws Exception {
    CdiDirectory directory = open();
    Files.createDirectories(root.resolve("cdi/gpu.example.com_a.json/full"));
    assertThatThrownBy(() -> directory.write("a", SPEC)).isInstanceOf(IOException.class);
    assertThat(names()).containsExactly("gpu.example.com_a.json");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "..", "../a", "a/b", ".a", "a_b", "a\n"})
  void idThatIsNoFileNameIsRefused(String id) throws Exception {
    CdiDirectory directory = open();
    assertThatThrownBy(() -> directory.write(id, SPEC))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> directory.remove(id)).isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"dev/x", "/dev/../etc", "/dev/..", "/a\nb", ""})
  void pathThatIsNotPlainIsRefused(String path) {
    assertThatThrownBy(() -> new CdiEdits.DeviceNode(path, null, ""))
        .hasMessageContaining("must be absolute");
    assertThatThrownBy(() -> new CdiEdits.Mount("/a", path, List.of()))
        .hasMessageContaining("must be absolute");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "A=B", "A B", "1A"})
  void nameThatIsNoVariableIsRefused(String name) {
    assertThatThrownBy(() -> CdiEdits.environment(Map.of(name, "x")))
        .hasMessageContaining("environment variable");
  }

  @Test
  void namesThatRuntimesRefuseAreRefused() {
    assertThatThrownBy(() -> new CdiSpec("a/b", "c", SPEC.devices()))
        .hasMessageContaining("vendor");
    assertThatThrownBy(() -> new CdiSpec("a", "c=d", SPEC.devices())).hasMessageContaining("class");
    assertThatThrownBy(() -> new CdiSpec("a", "c", Map.of("x=y", CdiEdits.NONE)))
        .hasMessageContaining("device");
    assertThatThrownBy(() -> new CdiSpec("a", "c", Map.of())).hasMessageContaining("no device");
  }

  @Test
  void hooksGroupsAndOwnersAreWritten() throws Exception {
    CdiEdits edits =
        new CdiEdits(
            Map.of(),
            List.of(new CdiEdits.DeviceNode("/dev/gpu", null, "", 1000L, 44L, 0660)),
            List.of(),
            List.of(new CdiEdits.Hook("createRuntime", "/bin/hook", List.of("hook"), Map.of(), 5)),
            List.of(44L));
    JsonNode json = new ObjectMapper().readTree(spec(edits).toJson());
    assertThat(json.path("cdiVersion").asText()).isEqualTo("0.7.0");
    assertThat(json.path("devices").path(0).path("containerEdits"))
        .isEqualTo(
            new ObjectMapper()
                .readTree(
                    """
                    {"deviceNodes": [{"path": "/dev/gpu", "uid": 1000, "gid": 44, "fileMode": 432}],
                     "hooks": [{"hookName": "createRuntime", "path": "/bin/hook", "args": ["hook"],
                                "timeout": 5}],
                     "additionalGids": [44]}
                    """));
    assertThatThrownBy(() -> new CdiEdits.Hook("later", "/bin/hook", List.of(), Map.of(), 0))
        .hasMessageContaining("later");
  }
}
