package io.dra4j.rdma.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The layouts, as the compilers for both architectures have them with libibverbs' header. */
class VerbsLayoutTest {

  private static final Path HEADER = Path.of("/usr/include/infiniband/verbs.h");

  private static Map<String, Integer> table() {
    Map<String, Integer> all = new TreeMap<>();
    all.put("sizeof(struct ibv_device_attr)", DeviceField.SIZE);
    all.put("sizeof(((struct ibv_device_attr *)0)->fw_ver)", VerbsLibrary.FIRMWARE_BYTES);
    all.put("offsetof(struct ibv_device_attr, fw_ver)", 0);
    all.put("offsetof(struct ibv_device_attr, node_guid)", VerbsLibrary.NODE_GUID);
    all.put("offsetof(struct ibv_device_attr, sys_image_guid)", VerbsLibrary.SYSTEM_GUID);
    for (DeviceField field : DeviceField.values()) {
      all.put("offsetof(struct ibv_device_attr, " + field + ")", field.offset());
      all.put("sizeof(((struct ibv_device_attr *)0)->" + field + ")", field.bytes());
    }
    all.put("sizeof(struct ibv_port_attr) <= " + PortField.SIZE, 1);
    for (PortField field : PortField.values()) {
      all.put("offsetof(struct ibv_port_attr, " + field + ")", field.offset());
      all.put("sizeof(((struct ibv_port_attr *)0)->" + field + ")", field.bytes());
    }
    all.put("sizeof(struct ibv_gid_entry)", GidTable.ENTRY_SIZE);
    all.put("offsetof(struct ibv_gid_entry, gid)", 0);
    all.put("offsetof(struct ibv_gid_entry, gid_index)", GidTable.ENTRY_INDEX);
    all.put("offsetof(struct ibv_gid_entry, port_num)", GidTable.ENTRY_PORT);
    all.put("offsetof(struct ibv_gid_entry, gid_type)", GidTable.ENTRY_TYPE);
    all.put("offsetof(struct ibv_gid_entry, ndev_ifindex)", GidTable.ENTRY_NETDEV);
    all.put("IBV_GID_TYPE_ROCE_V1", 1);
    all.put("IBV_GID_TYPE_ROCE_V2", 2);
    all.put("IBV_MTU_256", 1);
    all.put("IBV_MTU_4096", 5);
    return all;
  }

  /** Checked by the compiler alone, so that a program for another architecture need not run. */
  @ParameterizedTest
  @ValueSource(strings = {"x86_64-linux-gnu-gcc", "aarch64-linux-gnu-gcc"})
  void isThatOfTheCompilerForBothArchitectures(String compiler, @TempDir Path directory)
      throws Exception {
    assumeThat(HEADER).as("libibverbs-dev").exists();
    assumeThat(exists(compiler)).as(compiler).isTrue();
    StringBuilder program =
        new StringBuilder("#include <stddef.h>\n#include <infiniband/verbs.h>\n");
    table()
        .forEach(
            (what, value) ->
                program.append(
                    String.format("_Static_assert((%s) == %d, \"%s\");%n", what, value, what)));
    Path source = Files.writeString(directory.resolve("layout.c"), program);

    // The header is the same for both; a compiler for the other one does not look there by itself.
    Process process =
        new ProcessBuilder(
                compiler, "-idirafter", "/usr/include", "-fsyntax-only", source.toString())
            .redirectErrorStream(true)
            .start();
    String messages = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(messages).isZero();
  }

  private static boolean exists(String compiler) throws InterruptedException {
    try {
      return new ProcessBuilder(compiler, "--version").start().waitFor() == 0;
    } catch (IOException e) {
      return false;
    }
  }
}
