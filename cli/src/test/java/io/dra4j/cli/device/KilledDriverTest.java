package io.dra4j.cli.device;

import static io.dra4j.cli.device.TestNamespaces.path;
import static io.dra4j.cli.device.TestNamespaces.run;
import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.dranet.NetworkDriver;
import io.dra4j.linux.NetworkNamespace;
import io.dra4j.netlink.state.LinkState;
import io.dra4j.runtime.ClaimStore;
import io.dra4j.runtime.DriverRuntime;
import io.dra4j.runtime.StoredClaim;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/** A driver's process is killed with SIGKILL at the boundaries of its steps, and another begins. */
class KilledDriverTest {

  private static final int SIGKILL = 128 + 9;

  @TempDir private Path directory;

  private final TestNamespaces namespaces = new TestNamespaces();

  @AfterEach
  void close() {
    namespaces.close();
  }

  /** Runs the driver until it is killed; the boundaries that it passed. */
  private List<String> killed(NetworkNamespace host, NetworkNamespace pod, Path store, int point)
      throws Exception {
    List<String> command = new ArrayList<>(TestNamespaces.java("io.dra4j.cli.device.KilledDriver"));
    command.addAll(List.of(path(host), path(pod), store.toString(), "" + point));
    Path said = directory.resolve("said");
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(said.toFile()).start();
    assertThat(process.waitFor(5, TimeUnit.MINUTES)).isTrue();
    String output = Files.readString(said, StandardCharsets.UTF_8);
    assertThat(process.exitValue()).as(output).isEqualTo(point == 0 ? 0 : SIGKILL);
    return output
        .lines()
        .filter(line -> line.startsWith("boundary: "))
        .map(line -> line.substring("boundary: ".length()))
        .toList();
  }

  private static List<String> rest(NetworkNamespace pod) throws Exception {
    return List.of(
        run(pod, "ip -br link"), run(pod, "ip rule"), run(pod, "ip route show table all"));
  }

  /** All boundaries with {@code -Dkills=all}, otherwise every sixth. */
  @Test
  @EnabledIf("io.dra4j.cli.device.TestNamespaces#canMake")
  void whereverItIsKilledOneRestartLeavesHostAndStoreAsBefore() throws Exception {
    NetworkNamespace host = namespaces.make();
    NetworkNamespace pod = namespaces.make();
    run(host, "ip link add nic0 type veth peer name other0");
    run(host, "ip link set nic0 mtu 1400 up");
    run(host, "ip addr add 192.0.2.5/24 dev nic0");
    LinkState before = LinkState.capture(host, "nic0");
    List<String> podBefore = rest(pod);
    List<String> boundaries = killed(host, pod, directory.resolve("whole"), 0);
    int every = System.getProperty("kills", "").equals("all") ? 1 : 6;
    int tried = 0;
    int lost = 0;
    for (int point = 1; point <= boundaries.size(); point += every) {
      Path store = directory.resolve("store" + point);
      List<String> passed = killed(host, pod, store, point);
      assertThat(passed).isEqualTo(boundaries.subList(0, point));
      try (NetworkDriver driver = KilledDriver.network(host);
          DriverRuntime runtime = KilledDriver.runtime(driver, store)) {
        runtime.start();
        for (StoredClaim claim : runtime.claims()) {
          runtime.release(claim.claim().claim().uid());
        }
      }
      boolean same =
          before.changesTo(LinkState.capture(host, "nic0")).isEmpty()
              && rest(pod).equals(podBefore)
              && ClaimStore.read(store).isEmpty();
      tried++;
      lost += same ? 0 : 1;
      System.out.printf("killed %s: %s%n", boundaries.get(point - 1), same ? "as before" : "LOST");
    }
    System.out.printf(
        "killed at %d of %d boundaries, survived: %d, lost: %d%n",
        tried, boundaries.size(), tried - lost, lost);
    assertThat(lost).isZero();
  }
}
