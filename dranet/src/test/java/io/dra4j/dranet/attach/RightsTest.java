package io.dra4j.dranet.attach;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.dra4j.dranet.config.NetworkConfig;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The driver needs no privileged container, but two capabilities. */
@EnabledIf("io.dra4j.dranet.attach.TestHost#canMakeNamespaces")
class RightsTest {

  /** CAP_SETPCAP, CAP_NET_ADMIN and CAP_SYS_ADMIN, as bits. */
  private static final long NEEDED = 1 << 8 | 1 << 12 | 1 << 21;

  private static final Path SETPRIV = Path.of("/usr/bin/setpriv");

  @ParameterizedTest
  @CsvSource({
    "'+net_admin,+sys_admin', 0, home",
    "+net_admin, 1, EPERM",
    "+sys_admin, 1, not permitted",
  })
  void twoCapabilitiesAreEnough(String capabilities, int status, String said) throws Exception {
    assumeTrue(Files.isExecutable(SETPRIV), "needs the program setpriv");
    assumeTrue(mayDropRights(), "needs root");
    List<String> command =
        new ArrayList<>(
            List.of(
                SETPRIV.toString(),
                "--bounding-set=-all," + capabilities,
                "--inh-caps=-all," + capabilities,
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                RightsTest.class.getName()));

    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    process.getOutputStream().close();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

    assertThat(process.waitFor()).as(output).isEqualTo(status);
    assertThat(output).contains(said);
  }

  private static boolean mayDropRights() throws IOException {
    for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
      if (line.startsWith("CapEff:")) {
        long effective = Long.parseUnsignedLong(line.substring("CapEff:".length()).strip(), 16);
        return (effective & NEEDED) == NEEDED;
      }
    }
    return false;
  }

  /** Moves a link with many settings into a pod and back, with the current capabilities. */
  public static void main(String[] args) throws Exception {
    try (TestHost host = new TestHost();
        TestHost pod = new TestHost()) {
      host.ip(
          "link add nic0 type veth peer name other0",
          "link set other0 up",
          "link set nic0 up",
          "addr add 192.0.2.5/24 dev nic0");
      List<String> before = host.seen("nic0");
      MemoryJournal journal = new MemoryJournal();
      Attacher attacher = Attacher.in(host.namespace(), notice -> {});
      String json =
          "{'interface': {'name': 'net1', 'mtu': 1300, 'hardwareAddr': '02:00:00:00:0b:01',"
              + " 'addresses': ['192.0.2.8/24']},"
              + " 'routes': [{'destination': '198.18.0.0/15', 'gateway': '192.0.2.1'}],"
              + " 'ethtool': {'features': {'tx-checksum-ip-generic': false}}}";
      attacher.attach(
          List.of(AttachRequest.ofLink("nic0", NetworkConfig.parse(json.replace('\'', '"')))),
          pod.namespace(),
          journal);
      journal.undo(step -> attacher.undo(step, pod.namespace()));
      System.out.println(host.seen("nic0").equals(before) ? "home" : "changed");
    }
  }
}
