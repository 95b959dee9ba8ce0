package io.dra4j.cli.device;

import static io.dra4j.cli.device.TestNamespaces.inside;
import static io.dra4j.cli.device.TestNamespaces.path;
import static io.dra4j.cli.device.TestNamespaces.run;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.dra4j.cli.Cli;
import io.dra4j.cli.Main;
import io.dra4j.cli.terminal.ExitCode;
import io.dra4j.linux.NetworkNamespace;
import io.dra4j.netlink.state.LinkState;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/** {@code dra4j driver}, in namespaces that stand for a host and a pod. */
class DriverCommandTest {

  private static final String CLAIM =
      """
      apiVersion: resource.k8s.io/v1
      kind: DeviceClass
      metadata:
        name: nic
      spec:
        selectors:
        - cel:
            expression: device.driver == "dra.net"
        config:
        - opaque:
            driver: dra.net
            parameters:
              interface:
                mtu: 1300
      ---
      apiVersion: resource.k8s.io/v1
      kind: ResourceClaim
      metadata:
        name: rail
        namespace: default
      spec:
        devices:
          requests:
          - name: nic
            exactly:
              deviceClassName: nic
              selectors:
              - cel:
                  expression: device.attributes["dra.net"].ifName == "nic0"
          config:
          - requests: [nic]
            opaque:
              driver: dra.net
              parameters:
                interface:
                  name: gpu0rdma0
                  addresses: [192.168.1.5/24]
                  mtu: 8896
      """;

  @TempDir private Path directory;

  private final TestNamespaces namespaces = new TestNamespaces();

  @AfterEach
  void close() {
    namespaces.close();
  }

  private NetworkNamespace namespace() throws IOException {
    return namespaces.make();
  }

  private Process driver(NetworkNamespace host, String... args) throws IOException {
    return driver(host, Main.class, args);
  }

  private Process driver(NetworkNamespace host, Class<?> program, String... args)
      throws IOException {
    List<String> command = new ArrayList<>(TestNamespaces.java(program.getName()));
    command.add("driver");
    command.addAll(List.of(args));
    command.addAll(List.of("--state", directory.resolve("state").toString()));
    Process process = new ProcessBuilder(inside(host, command)).redirectErrorStream(true).start();
    CompletableFuture.delayedExecutor(5, TimeUnit.MINUTES) // no test waits for ever
        .execute(process::destroyForcibly);
    return process;
  }

  /** Returns the output of a process up to a line with a text, or until it ends. */
  private static List<String> until(BufferedReader output, String text) throws IOException {
    List<String> lines = new ArrayList<>();
    for (String line = output.readLine(); line != null; line = output.readLine()) {
      lines.add(line);
      if (line.contains(text)) {
        break;
      }
    }
    return lines;
  }

  private String answer(NetworkNamespace host, String... args) throws Exception {
    Process process = driver(host, args);
    process.getOutputStream().close();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(output).isZero();
    return output;
  }

  @Test
  @EnabledIf("io.dra4j.cli.device.TestNamespaces#canMake")
  void aClaimOfAFileIsServedPingedAcrossAndTakenBack() throws Exception {
    NetworkNamespace host = namespace();
    NetworkNamespace pod = namespace();
    run(host, "ip link set lo up");
    run(host, "ip link add nic0 type veth peer name other0");
    run(host, "ip link set nic0 mtu 1400 up");
    run(host, "ip link set other0 mtu 9000 up");
    run(host, "ip addr add 192.168.1.1/24 dev other0");
    run(host, "ip addr add 192.0.2.5/24 dev nic0");
    LinkState before = LinkState.capture(host, "nic0");
    Path file = Files.writeString(directory.resolve("claim.yaml"), CLAIM);

    Process process =
        driver(
            host,
            "run",
            "--local",
            "--stdin",
            "--filter",
            "true",
            "--netns",
            path(pod),
            file.toString());
    try (BufferedReader output =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      List<String> said = until(output, "claims served");
      assertThat(said)
          .anySatisfy(line -> assertThat(line).matches("discovered: [0-9]+ devices? of dra.net.*"))
          .anySatisfy(
              line ->
                  assertThat(line)
                      .startsWith("claim default/rail: nic0 is gpu0rdma0 [192.168.1.5/24]"))
          .endsWith("1 of 1 claims served");

      JsonNode link = new ObjectMapper().readTree(run(pod, "ip -j addr show dev gpu0rdma0")).get(0);
      assertThat(link.get("mtu").asInt()).isEqualTo(8896);
      assertThat(link.get("flags").toString()).contains("\"UP\"");
      assertThat(link.get("addr_info").get(0).get("local").asText()).isEqualTo("192.168.1.5");
      assertThat(answer(host, "status")).contains("nic0", "default/rail", "attached, done");
      assertThat(run(host, "ping -c 1 -w 120 192.168.1.5")).contains("bytes from 192.168.1.5");
      assertThat(run(pod, "ping -c 1 -w 120 192.168.1.1")).contains("bytes from 192.168.1.1");

      process.getOutputStream().close(); // standard input ends
      assertThat(until(output, "released")).endsWith("released: 1 claim");
      assertThat(process.waitFor(300, TimeUnit.SECONDS)).isTrue();
      assertThat(process.exitValue()).isZero();
    } finally {
      process.destroyForcibly();
    }
    assertThat(before.changesTo(LinkState.capture(host, "nic0"))).isEmpty();
    assertThat(run(pod, "ip -br link")).doesNotContain("gpu0rdma0");
  }

  @Test
  @EnabledIf("io.dra4j.cli.device.TestNamespaces#canMake")
  void whatAKilledRunLeftIsTakenUpByTheNext() throws Exception {
    NetworkNamespace host = namespace();
    NetworkNamespace pod = namespace();
    run(host, "ip link add nic0 type veth peer name other0");
    LinkState before = LinkState.capture(host, "nic0");
    Path file = Files.writeString(directory.resolve("claim.yaml"), CLAIM);
    String[] args = {
      "run", "--local", "--stdin", "--filter", "true", "--netns", path(pod), file.toString()
    };
    Process killed = driver(host, args);
    try (BufferedReader output =
        new BufferedReader(
            new InputStreamReader(killed.getInputStream(), StandardCharsets.UTF_8))) {
      assertThat(until(output, "claims served")).endsWith("1 of 1 claims served");
    } finally {
      killed.destroyForcibly().waitFor();
    }
    assertThat(run(pod, "ip -br link")).contains("gpu0rdma0");

    String said = answer(host, args);

    assertThat(said).contains("1 of 1 claims served", "released: 1 claim");
    assertThat(before.changesTo(LinkState.capture(host, "nic0"))).isEmpty();
  }

  @Test
  @EnabledIf("io.dra4j.cli.device.TestNamespaces#canMake")
  void whatAKilledRunLeftIsTakenBackByTheNextAlsoWithoutItsClaim() throws Exception {
    NetworkNamespace host = namespace();
    NetworkNamespace pod = namespace();
    run(host, "ip link add nic0 type veth peer name other0");
    LinkState before = LinkState.capture(host, "nic0");
    Path file = Files.writeString(directory.resolve("claim.yaml"), CLAIM);
    String[] args = {
      "run", "--local", "--stdin", "--filter", "true", "--netns", path(pod), "--keep", ""
    };
    args[8] = file.toString();
    assertThat(answer(host, args)).contains("1 of 1 claims served").doesNotContain("released");
    assertThat(run(pod, "ip -br link")).contains("gpu0rdma0");

    String said = answer(host, "run", "--local", "--stdin", "--filter", "true");

    assertThat(said)
        .contains("0 of 0 claims served", "claims of an earlier run", "released: 1 claim");
    assertThat(before.changesTo(LinkState.capture(host, "nic0"))).isEmpty();
    assertThat(answer(host, "status")).contains("Nothing is attached.");
  }

  @Test
  @EnabledIf("io.dra4j.cli.device.TestNamespaces#canMake")
  void aClaimThatCannotBeAttachedIsNotCounted() throws Exception {
    NetworkNamespace host = namespace();
    NetworkNamespace pod = namespace();
    run(host, "ip link add nic0 type veth peer name other0");
    run(pod, "ip link add gpu0rdma0 type veth peer name other0"); // the name of the claim
    Path file = Files.writeString(directory.resolve("claim.yaml"), CLAIM);

    Process process =
        driver(
            host,
            "run",
            "--local",
            "--stdin",
            "--filter",
            "true",
            "--netns",
            path(pod),
            file.toString());
    process.getOutputStream().close();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

    assertThat(process.waitFor()).as(said).isEqualTo(ExitCode.DOES_NOT_FIT.value());
    assertThat(said).contains("0 of 1 claims served", "gpu0rdma0", "released: 1 claim");
  }

  @Test
  @EnabledIf("io.dra4j.cli.device.TestNamespaces#canMake")
  void whatWasServedIsTakenBackWhereAnotherClaimIsRefusedByConditionsInBrackets() throws Exception {
    NetworkNamespace host = namespace();
    NetworkNamespace pod = namespace();
    run(host, "ip link add nic0 type veth peer name other0");
    LinkState before = LinkState.capture(host, "nic0");
    Path second =
        Files.writeString(
            directory.resolve("second.yaml"),
            """
            apiVersion: resource.k8s.io/v1
            kind: ResourceClaim
            metadata: {name: second, namespace: default}
            spec:
              devices:
                requests:
                - name: nic
                  exactly:
                    deviceClassName: nic
                    selectors:
                    - cel: {expression: '(device.driver == "sriov" || device.driver == "rdma") || false'}
            """);

    Process process = driver(host, serving(pod, second.toString()));
    process.getOutputStream().close();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

    assertThat(process.waitFor()).as(said).isEqualTo(ExitCode.DOES_NOT_FIT.value());
    assertThat(said)
        .contains("nic0 is gpu0rdma0", "1 of 2 claims served", "released: 1 claim")
        .contains("claim default/second", "device.driver == \"sriov\"");
    assertThat(before.changesTo(LinkState.capture(host, "nic0"))).isEmpty();
    assertThat(run(pod, "ip -br link")).doesNotContain("gpu0rdma0");
  }

  /** The command with a standard output that fails after a claim is served. */
  static final class FullOutput extends OutputStream {

    private final StringBuilder taken = new StringBuilder();

    public static void main(String[] args) {
      System.exit(Main.run(System.in, new FullOutput(), System.err, args));
    }

    @Override
    public void write(int b) throws IOException {
      if (taken.indexOf("claim default/rail") >= 0) {
        throw new IOException("No space left on device");
      }
      taken.append((char) b);
    }
  }

  @Test
  @EnabledIf("io.dra4j.cli.device.TestNamespaces#canMake")
  void aRunThatEndsByAnErrorTakesBackWhatItServed() throws Exception {
    NetworkNamespace host = namespace();
    NetworkNamespace pod = namespace();
    run(host, "ip link add nic0 type veth peer name other0");
    LinkState before = LinkState.capture(host, "nic0");

    Process process = driver(host, FullOutput.class, serving(pod));
    process.getOutputStream().close();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

    assertThat(process.waitFor()).as(said).isEqualTo(ExitCode.LOST.value());
    assertThat(said).contains("cannot write standard output: No space left on device");
    assertThat(before.changesTo(LinkState.capture(host, "nic0"))).isEmpty();
    assertThat(run(pod, "ip -br link")).doesNotContain("gpu0rdma0");
    assertThat(answer(host, "status")).doesNotContain("default/rail");
  }

  /** Serves {@link #CLAIM} and what is in other files. */
  private String[] serving(NetworkNamespace pod, String... others) throws IOException {
    List<String> args =
        new ArrayList<>(
            List.of("run", "--local", "--stdin", "--filter", "true", "--netns", path(pod)));
    args.add(Files.writeString(directory.resolve("claim.yaml"), CLAIM).toString());
    args.addAll(List.of(others));
    return args.toArray(String[]::new);
  }

  @Test
  @EnabledIf("io.dra4j.cli.device.TestNamespaces#canMake")
  void ofTwoThatAttachOneLinkOneIsRefusedAndTheRecordStays() throws Exception {
    NetworkNamespace host = namespace();
    List<NetworkNamespace> pods = List.of(namespace(), namespace());
    run(host, "ip link add nic0 type veth peer name other0");
    LinkState before = LinkState.capture(host, "nic0");

    List<Process> both = new ArrayList<>();
    for (NetworkNamespace pod : pods) {
      both.add(driver(host, "attach", "nic0", "--netns", path(pod)));
    }
    List<Integer> codes = new ArrayList<>();
    for (Process one : both) {
      one.getOutputStream().close();
      one.getInputStream().readAllBytes();
      codes.add(one.waitFor());
    }

    assertThat(codes).containsOnlyOnce(ExitCode.OK.value());
    assertThat(answer(host, "status")).contains("nic0", "(by hand)");
    assertThat(answer(host, "detach", "nic0")).contains("nic0 has returned");
    assertThat(before.changesTo(LinkState.capture(host, "nic0"))).isEmpty();
  }

  /** Returns the message of a command that ends with the code of bad input. */
  private String refusal(NetworkNamespace host, String... args) throws Exception {
    Process process = driver(host, args);
    process.getOutputStream().close();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(output).isEqualTo(ExitCode.BAD_INPUT.value());
    return output;
  }

  /** Only the capabilities that {@code driver --help} names. */
  @Test
  @EnabledIf("io.dra4j.cli.device.TestNamespaces#canMake")
  void twoCapabilitiesAreEnough() throws Exception {
    NetworkNamespace host = namespace();
    NetworkNamespace pod = namespace();
    run(host, "ip link add nic0 type veth peer name other0");
    LinkState before = LinkState.capture(host, "nic0");
    List<String> sleep = List.of("setpriv", "--bounding-set=-all", "sleep", "300");
    Process inPod = new ProcessBuilder(inside(pod, sleep)).start();
    try {
      while (inPod.isAlive() && !inPod.info().command().orElse("").endsWith("sleep")) {
        Thread.sleep(20);
      }
      assertThat(inPod.isAlive()).isTrue();
      String netns = "/proc/%d/ns/net".formatted(inPod.pid());

      assertThat(withTwoCapabilities(host, "attach", "nic0", "--netns", netns))
          .contains("nic0 is nic0 in " + netns);
      assertThat(run(pod, "ip -br link")).contains("nic0");
      assertThat(withTwoCapabilities(host, "detach", "nic0")).contains("nic0 has returned");
      assertThat(before.changesTo(LinkState.capture(host, "nic0"))).isEmpty();
    } finally {
      inPod.destroyForcibly().waitFor();
    }
  }

  private String withTwoCapabilities(NetworkNamespace host, String... args) throws Exception {
    List<String> command = new ArrayList<>();
    command.addAll(List.of("setpriv", "--bounding-set=-all,+net_admin,+sys_admin"));
    command.addAll(TestNamespaces.java(Main.class.getName()));
    command.add("driver");
    command.addAll(List.of(args));
    command.addAll(List.of("--state", directory.resolve("state").toString()));
    Process process = new ProcessBuilder(inside(host, command)).redirectErrorStream(true).start();
    process.getOutputStream().close();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(output).isZero();
    return output;
  }

  @Test
  @EnabledIf("io.dra4j.cli.device.TestNamespaces#canMake")
  void whatCannotBeDoneByHandIsRefusedWithItsReason() throws Exception {
    NetworkNamespace host = namespace();
    NetworkNamespace pod = namespace();
    run(host, "ip link add nic0 type veth peer name other0");
    run(host, "ip link add br0 type bridge");
    Path config = Files.writeString(directory.resolve("config.json"), "{\"profile\": \"rail\"}");
    String[] attach = {"attach", "nic0", "--netns", path(pod), "--config", ""};

    attach[5] = config.toString();
    assertThat(refusal(host, attach))
        .contains("/profile: 'rail': 'driver attach' does not support profiles");
    attach[5] = directory.resolve("none.json").toString();
    assertThat(refusal(host, attach)).contains("none.json: no such file");
    attach[5] = directory.toString();
    assertThat(refusal(host, attach)).contains(directory + ": is a directory");
    assertThat(refusal(host, "attach", "br0", "--netns", path(pod), "--dry-run"))
        .contains("br0 cannot be moved: a link of kind bridge stays in its network namespace");
    assertThat(refusal(host, "attach", "lo", "--netns", path(pod), "--dry-run"))
        .contains("lo cannot be moved");
    assertThat(refusal(host, "attach", "nic0", "--netns", path(host)))
        .contains("the host's own network namespace");
    Files.createDirectories(directory.resolve("state/attached"));
    Files.writeString(directory.resolve("state/attached/nic0.json"), "{\"version\":");
    Files.writeString(
        directory.resolve("state/attached/other.json"),
        "{\"version\": 1, \"namespace\": \"/run/netns/pod\", \"id\": \"1:2\", \"steps\": []}");
    assertThat(refusal(host, "detach", "nic0")).contains("nic0.json is not valid JSON: ");
    assertThat(refusal(host, "status"))
        .contains("nic0.json is not valid JSON: ", "other", "/run/netns/pod")
        .doesNotContain("Nothing is attached");
    assertThat(refusal(host, "run", "--local", "--pools", directory.resolve("no.json").toString()))
        .contains("no.json: no such file");
  }

  @Test
  @EnabledIf("io.dra4j.cli.device.TestNamespaces#canMake")
  void anUplinkIsTakenByForceAloneAndARouteOfThePodIsNotReplaced() throws Exception {
    NetworkNamespace host = namespace();
    NetworkNamespace pod = namespace();
    run(host, "ip link add nic0 type veth peer name other0");
    run(host, "ip link set nic0 up");
    run(host, "ip link set other0 up");
    run(host, "ip addr add 10.0.0.2/24 dev nic0");
    run(host, "ip route add default via 10.0.0.1");
    run(pod, "ip link add eth0 type veth peer name eth0p");
    run(pod, "ip link set eth0 up");
    run(pod, "ip addr add 172.16.0.2/24 dev eth0");
    run(pod, "ip route add default via 172.16.0.1 dev eth0 onlink");
    Path config =
        Files.writeString(
            directory.resolve("config.json"),
            "{\"interface\":{\"name\":\"net1\",\"addresses\":[\"10.0.0.5/24\"]},"
                + "\"routes\":[{\"destination\":\"0.0.0.0/0\",\"gateway\":\"10.0.0.1\"}]}");
    LinkState before = LinkState.capture(host, "nic0");

    Process refused = driver(host, "attach", "nic0", "--netns", path(pod));
    String reason = new String(refused.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(refused.waitFor()).isEqualTo(ExitCode.DOES_NOT_FIT.value());
    assertThat(reason)
        .contains(
            "nic0 is an uplink of the host: a default route uses it", "; --force moves it anyway");
    assertThat(
            refusal(
                host,
                "attach",
                "nic0",
                "--force",
                "--netns",
                path(pod),
                "--config",
                config.toString()))
        .contains(
            "/routes/0/destination: the pod already has a route to default: 0.0.0.0/0 via"
                + " 172.16.0.1 dev eth0");
    assertThat(before.changesTo(LinkState.capture(host, "nic0"))).isEmpty();

    assertThat(answer(host, "attach", "nic0", "--force", "--netns", path(pod)))
        .contains("nic0 is nic0");
    assertThat(answer(host, "detach", "nic0")).contains("nic0 has returned");
    assertThat(before.changesTo(LinkState.capture(host, "nic0"))).isEmpty();
  }

  @Test
  @EnabledIf("io.dra4j.cli.device.TestNamespaces#canMake")
  void anInterfaceIsAttachedAndDetachedByHand() throws Exception {
    NetworkNamespace host = namespace();
    NetworkNamespace pod = namespace();
    run(host, "ip link add nic0 type veth peer name other0");
    run(host, "ip addr add 192.0.2.5/24 dev nic0");
    LinkState before = LinkState.capture(host, "nic0");
    Path config =
        Files.writeString(
            directory.resolve("config.json"), "{\"interface\": {\"name\": \"net1\"}}");
    String[] attach = {"attach", "nic0", "--netns", path(pod), "--config", config.toString()};

    String[] dry = {attach[0], attach[1], attach[2], attach[3], attach[4], attach[5], "--dry-run"};
    assertThat(answer(host, dry).lines())
        .anySatisfy(line -> assertThat(line).startsWith("move nic0 into the pod"))
        .anySatisfy(line -> assertThat(line).startsWith("add address 192.0.2.5/24 to net1"));
    assertThat(before.changesTo(LinkState.capture(host, "nic0"))).isEmpty();
    assertThat(answer(host, attach)).contains("nic0 is net1");
    assertThat(run(pod, "ip -br addr")).contains("net1", "192.0.2.5/24");
    assertThat(answer(host, "status")).contains("nic0", "(by hand)", "attached");
    assertThat(answer(host, "detach", "nic0", "--dry-run")).contains("undo: move nic0");
    for (String[] wrong :
        new String[][] {
          {"detach", "nic0", "--netns", path(namespace())},
          {"detach", "nic0", "--netns", path(namespace()), "--dry-run"},
          {"detach", "nic0", "--netns", "no-such-namespace"},
        }) {
      assertThat(refusal(host, wrong)).doesNotContain("has returned").contains("namespace");
    }
    assertThat(run(pod, "ip -br addr")).contains("net1", "192.0.2.5/24");
    assertThat(answer(host, "detach", "nic0")).contains("nic0 has returned");
    assertThat(before.changesTo(LinkState.capture(host, "nic0"))).isEmpty();
    assertThat(answer(host, "status")).contains("Nothing is attached.");
  }

  @Test
  @EnabledIf("io.dra4j.cli.device.TestNamespaces#canMake")
  void aProfileGivesAnAddressOfItsPoolUntilTheClaimIsTakenBack() throws Exception {
    NetworkNamespace host = namespace();
    NetworkNamespace pod = namespace();
    run(host, "ip link add nic0 type veth peer name other0");
    Path file =
        Files.writeString(
            directory.resolve("claim.yaml"),
            CLAIM
                .replace(
                    "      interface:\n            name",
                    "      profile: rail0\n          interface:\n            name")
                .replace("            addresses: [192.168.1.5/24]\n", ""));
    Path pools =
        Files.writeString(
            directory.resolve("pools.json"),
            "{\"profiles\": [{\"name\": \"rail0\", \"ranges\": [\"10.7.0.10-10.7.0.99/24\"]}]}");
    assertThat(Files.readString(file)).contains("profile: rail0").doesNotContain("addresses");
    Process process =
        driver(
            host,
            "run",
            "--local",
            "--stdin",
            "--filter",
            "true",
            "--netns",
            path(pod),
            "--pools",
            pools.toString(),
            file.toString());
    try (BufferedReader output =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      assertThat(until(output, "claims served"))
          .anySatisfy(line -> assertThat(line).contains("nic0 is gpu0rdma0 [10.7.0.10/24]"));
      Path leases = directory.resolve("state/leases.json");
      assertThat(leases).content().contains("10.7.0.10/24");
      process.getOutputStream().close();
      until(output, "released");
      assertThat(process.waitFor(300, TimeUnit.SECONDS)).isTrue();
      assertThat(leases).content().doesNotContain("10.7.0.10");
    } finally {
      process.destroyForcibly();
    }
  }

  @Test
  void whatIsWrongWithPoolsIsToldWithItsPlace() throws IOException {
    Path pools =
        Files.writeString(
            directory.resolve("pools.json"),
            "{\"profiles\": [{\"name\": \"a\"}, {\"name\": \"a\"}, {\"name\": \"b\", \"config\":"
                + " {\"interface\": {\"mtu\": 1}}}]}");

    Cli cli =
        Cli.run(
            "driver",
            "run",
            "--local",
            "--pools",
            pools.toString(),
            "--state",
            directory.resolve("state").toString());

    assertThat(cli.code()).isEqualTo(2);
    assertThat(cli.errLines())
        .containsExactly(
            "dra4j: " + pools + ":1:31: /profiles/1/name: duplicate profile a",
            "dra4j: "
                + pools
                + ":1:84: /profiles/2/config/interface/mtu: must be from 68 to 2147483647, found 1");
  }

  @Test
  void aConfigurationIsPrintedWithItsDefaults() throws IOException {
    Cli cli =
        Cli.runWith(
            "{\"interface\": {\"name\": \"net1\", \"vrf\": {\"name\": \"blue\"}}}",
            "driver",
            "config",
            "-");

    assertThat(cli.code()).isZero();
    assertThat(cli.err()).isEmpty();
    JsonNode link = new ObjectMapper().readTree(cli.out()).get("interface");
    assertThat(link.get("vrf").get("table").asInt()).isEqualTo(1541);
    assertThat(link.get("dhcp").asBoolean()).isFalse();
  }

  @Test
  void whatIsWrongWithAConfigurationIsToldWithItsPlace() throws IOException {
    Path file =
        Files.writeString(
            directory.resolve("config.json"),
            "{\"interface\": {\"mtu\": 1}, \"routes\": [{\"destination\": \"10.0.0.0/8\"}]}");

    Cli cli = Cli.run("driver", "config", file.toString());

    assertThat(cli.code()).isEqualTo(2);
    assertThat(cli.out()).isEmpty();
    assertThat(cli.errLines())
        .containsExactly(
            "dra4j: " + file + ":1:16: /interface/mtu: must be from 68 to 2147483647, found 1",
            "dra4j: "
                + file
                + ":1:38: /routes/0/gateway: required, unless the scope is 253 (link)");
  }

  @Test
  void aConfigurationCanBeYaml() throws IOException {
    Path good =
        Files.writeString(
            directory.resolve("good.yaml"),
            """
            # of rail 0
            interface:
              name: gpu0rdma0
              addresses: [192.168.1.5/32]
              mtu: 8896
            """);
    Path bad =
        Files.writeString(
            directory.resolve("bad.yaml"),
            """
            interface:
              mtu: 1
            routes:
            - destination: 10.0.0.0/8
              gateways: 10.0.0.1
            """);
    Path broken = Files.writeString(directory.resolve("broken.yaml"), "interface:\n  name: [a\n");
    Path twice = Files.writeString(directory.resolve("twice.yaml"), "rules: []\nrules: []\n");

    Cli printed = Cli.run("driver", "config", good.toString());
    assertThat(printed.code()).isZero();
    assertThat(new ObjectMapper().readTree(printed.out()).at("/interface/mtu").asInt())
        .isEqualTo(8896);
    assertThat(Cli.run("driver", "config", bad.toString()).errLines())
        .contains("dra4j: " + bad + ":2:3: /interface/mtu: must be from 68 to 2147483647, found 1")
        .anyMatch(line -> line.startsWith("dra4j: " + bad + ":5:3: /routes/0/gateways: "));
    assertThat(Cli.run("driver", "config", broken.toString()).errLines())
        .singleElement(InstanceOfAssertFactories.STRING)
        .startsWith("dra4j: " + broken + ":3:1: ");
    assertThat(Cli.run("driver", "config", twice.toString()).errLines())
        .containsExactly("dra4j: " + twice + ":2:1: duplicate field \"rules\"");
  }

  @Test
  void aFileThatIsNotThereIsToldByName() {
    Cli cli = Cli.run("driver", "config", directory.resolve("none").toString());

    assertThat(cli.code()).isEqualTo(2);
    assertThat(cli.err()).contains("none");
  }

  @Test
  void theNetworkDevicesOfThisHostAreListed() {
    Cli cli = Cli.run("discover", "--driver", "dra.net", "-o", "json");

    assertThat(cli.code()).isZero();
    assertThat(cli.out().replace(" ", "")).contains("\"driver\":\"dra.net\"");
    assertThat(Cli.run("discover", "--driver", "x.example.com").code()).isEqualTo(2);
  }
}
