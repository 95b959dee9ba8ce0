package io.dra4j.netlink.rdma;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.dra4j.linux.HeaderCheck;
import io.dra4j.netlink.NetlinkSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The numbers of NLDEV, as the compilers for both architectures have them with its header. */
class RdmaHeaderTest {

  private static final Path HEADER = Path.of("/usr/include/rdma/rdma_netlink.h");
  private static final int LAST_ATTRIBUTE = 200;

  private static Map<String, Integer> table() {
    Map<String, Integer> all = new TreeMap<>();
    all.put("NETLINK_RDMA", NetlinkSocket.RDMA);
    all.put("RDMA_NL_GET_TYPE(RDMA_NL_NLDEV, 0)", RdmaNetlink.NLDEV);
    command("GET", RdmaNetlink.GET, all);
    command("SET", RdmaNetlink.SET, all);
    command("PORT_GET", RdmaNetlink.PORT_GET, all);
    command("SYS_GET", RdmaNetlink.SYS_GET, all);
    command("SYS_SET", RdmaNetlink.SYS_SET, all);
    command("GET_CHARDEV", RdmaNetlink.GET_CHARDEV, all);
    command("MONITOR", RdmaMonitor.MONITOR, all);
    all.put("RDMA_NL_GROUP_NOTIFY", RdmaMonitor.GROUP_NOTIFY);
    for (int type = 1; type < LAST_ATTRIBUTE; type++) {
      String name = RdmaNetlink.TABLE.name(type);
      if (name.startsWith("RDMA_NLDEV_")) {
        all.put(name, type);
      }
    }
    event("REGISTER", RdmaEvent.Kind.REGISTERED, all);
    event("UNREGISTER", RdmaEvent.Kind.UNREGISTERED, all);
    event("NETDEV_ATTACH", RdmaEvent.Kind.NETDEV_ATTACHED, all);
    event("NETDEV_DETACH", RdmaEvent.Kind.NETDEV_DETACHED, all);
    event("RENAME", RdmaEvent.Kind.RENAMED, all);
    event("NETDEV_RENAME", RdmaEvent.Kind.NETDEV_RENAMED, all);
    return all;
  }

  private static void command(String name, int number, Map<String, Integer> all) {
    all.put("RDMA_NLDEV_CMD_" + name, number - RdmaNetlink.NLDEV);
  }

  private static void event(String name, RdmaEvent.Kind kind, Map<String, Integer> all) {
    all.put("RDMA_" + name + "_EVENT", List.of(RdmaEvent.Kind.values()).indexOf(kind));
  }

  /** Numbers that are younger than the header are left out: those of events came with 6.12. */
  @ParameterizedTest
  @ValueSource(strings = {"x86_64-linux-gnu-gcc", "aarch64-linux-gnu-gcc"})
  void areThoseOfTheCompilerForBothArchitectures(String compiler, @TempDir Path directory)
      throws Exception {
    assumeThat(HEADER).as("linux-libc-dev").exists();
    String header = Files.readString(HEADER);
    Map<String, Integer> values = table();
    values.keySet().removeIf(name -> name.matches("RDMA_\\w+") && !header.contains(name));

    assertThat(values).hasSizeGreaterThan(30);
    HeaderCheck.holds(
        compiler,
        "#include <linux/netlink.h>\n#include <rdma/rdma_netlink.h>\n",
        values,
        directory);
  }
}
