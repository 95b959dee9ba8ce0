package io.dra4j.cli.device;

import static io.dra4j.cli.device.TestNamespaces.run;
import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.allocation.AllocationOutcome;
import io.dra4j.dranet.NetworkDriver;
import io.dra4j.linux.NetworkNamespace;
import io.dra4j.model.ResourceClaim;
import io.dra4j.netlink.state.LinkState;
import io.dra4j.runtime.DriverRuntime;
import io.dra4j.spi.Sandbox;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/** Claims that come and go, each in a pod with a namespace of its own. */
class ManyClaimsTest {

  private static final Path NAMES = Path.of("/run/netns");
  private static final String PREFIX = "dra4j-" + ProcessHandle.current().pid() + "-";
  private static final int WARM = 10;

  @TempDir private Path directory;
  private final TestNamespaces namespaces = new TestNamespaces();

  @AfterEach
  void close() {
    namespaces.close();
  }

  static boolean canName() {
    try {
      NetworkNamespace.create(name(0)).close();
      NetworkNamespace.delete(name(0));
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  private static String name(int number) {
    return PREFIX + number;
  }

  /** As often as {@code -Dclaims} says. */
  @Test
  @EnabledIf("canName")
  void leaveNothing() throws Exception {
    int times = Integer.getInteger("claims", 30);
    NetworkNamespace host = namespaces.make();
    run(host, "ip link add nic0 type veth peer name other0");
    run(host, "ip link set other0 up");
    run(host, "ip link set nic0 mtu 1400 up");
    run(host, "ip addr add 192.0.2.5/24 dev nic0");
    LinkState before = LinkState.capture(host, "nic0");
    List<String> addresses = addresses(host);
    Path store = directory.resolve("store");
    try (NetworkDriver driver = KilledDriver.network(host);
        DriverRuntime runtime = KilledDriver.runtime(driver, store)) {
      runtime.start();
      for (int i = 0; i < WARM; i++) {
        cycle(runtime, i);
      }
      List<String> names = list(NAMES);
      int descriptors = list(Path.of("/proc/self/fd")).size();
      for (int i = 0; i < times; i++) {
        cycle(runtime, i);
      }
      int now = list(Path.of("/proc/self/fd")).size();
      Map<String, Integer> rows = rows(store);
      System.out.printf(
          "claims attached and detached %d times: descriptors %+d, namespaces %+d, rows %d, store %d KiB%n",
          times,
          now - descriptors,
          list(NAMES).size() - names.size(),
          rows.values().stream().mapToInt(Integer::intValue).sum(),
          (Files.size(store) + Files.size(directory.resolve("store-wal"))) / 1024);

      assertThat(now).isLessThanOrEqualTo(descriptors + 2); // the reader of this very list
      assertThat(list(NAMES)).isEqualTo(names);
      assertThat(rows)
          .isEqualTo(
              Map.of("allocation", 0, "claim", 0, "attachment", 0, "step", 0, "quarantine", 0));
      assertThat(Files.size(store) + Files.size(directory.resolve("store-wal")))
          .isLessThan(8 << 20);
      assertThat(runtime.claims()).isEmpty();
      assertThat(runtime.health().problems()).isEmpty();
    }
    assertThat(before.changesTo(LinkState.capture(host, "nic0"))).isEmpty();
    assertThat(addresses(host)).isEqualTo(addresses);
  }

  /** Every second pod ends before its claim is released. */
  private static void cycle(DriverRuntime runtime, int number) throws Exception {
    AllocationOutcome.Allocated outcome =
        (AllocationOutcome.Allocated) runtime.allocate(KilledDriver.claim());
    ResourceClaim claim = outcome.allocations().get(0).allocatedClaim();
    String uid = Objects.requireNonNull(claim.metadata().uid());
    runtime.prepare(claim);
    NetworkNamespace.create(name(number)).close();
    try {
      runtime.attach(uid, Sandbox.of(NAMES.resolve(name(number))));
      if (number % 2 == 0) {
        runtime.detach(uid, NAMES.resolve(name(number)).toString());
      }
    } finally {
      NetworkNamespace.delete(name(number));
    }
    runtime.release(uid);
  }

  private static List<String> addresses(NetworkNamespace host) throws Exception {
    return run(host, "ip -br addr")
        .lines()
        .map(line -> line.replaceAll("fe80:\\S+ ?", "").strip())
        .toList();
  }

  private static List<String> list(Path directory) throws IOException {
    try (Stream<Path> all = Files.list(directory)) {
      return all.map(one -> one.getFileName().toString())
          .filter(one -> !directory.equals(NAMES) || one.startsWith(PREFIX))
          .sorted()
          .toList();
    }
  }

  private static Map<String, Integer> rows(Path store) throws Exception {
    Map<String, Integer> rows = new TreeMap<>();
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + store);
        Statement statement = connection.createStatement()) {
      for (String table : List.of("allocation", "claim", "attachment", "step", "quarantine")) {
        try (ResultSet answer = statement.executeQuery("SELECT count(*) FROM " + table)) {
          rows.put(table, answer.getInt(1));
        }
      }
    }
    return rows;
  }
}
