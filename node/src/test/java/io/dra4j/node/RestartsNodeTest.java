package io.dra4j.node;

import static io.dra4j.node.NodeCluster.await;
import static io.dra4j.node.NodeCluster.run;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Pods go on, and others start, after the kubelet or the container runtime was started anew. */
class RestartsNodeTest {

  private static final String SETUP =
      """
      apiVersion: resource.k8s.io/v1
      kind: DeviceClass
      metadata: {name: restarts}
      spec: {selectors: [{cel: {expression: 'device.driver == "dra.net" && device.attributes["dra.net"].ifName.startsWith("again-")'}}]}
      ---
      apiVersion: resource.k8s.io/v1
      kind: ResourceClaimTemplate
      metadata: {name: restarts, namespace: default}
      spec:
        spec:
          devices:
            requests: [{name: nic, exactly: {deviceClassName: restarts}}]
            config:
            - opaque: {driver: dra.net, parameters: {interface: {name: nic0}}}
      """;

  private static final String POD =
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: %s, namespace: default}
      spec:
        restartPolicy: Never
        terminationGracePeriodSeconds: 0
        resourceClaims: [{name: nic, resourceClaimTemplateName: restarts}]
        containers:
        - name: main
          image: %s
          imagePullPolicy: Never
          command: [sh, -c, "ip link show nic0 >/dev/null 2>&1 && echo WITH || echo LOST; exec sleep 600"]
          resources: {claims: [{name: nic}]}
      """;

  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"kubelet", "containerd"})
  void podsGoOnAndOthersStart(String program) throws Exception {
    try (NodeCluster cluster = NodeCluster.connect()) {
      run("ip", "link", "add", "cable", "type", "veth", "peer", "name", "cable-peer");
      run("ip", "link", "set", "cable-peer", "up");
      run("ip", "link", "set", "cable", "up");
      for (int i = 0; i < 2; i++) {
        run(
            "ip",
            "link",
            "add",
            "again-" + i,
            "link",
            "cable",
            "type",
            "macvlan",
            "mode",
            "bridge");
      }
      cluster.create(SETUP);
      try (NodeCluster.Driver driver = cluster.start(folder.resolve("claims.db"))) {
        start(cluster, "before");
        restart(program);
        assertThat(driver.agent().awaitReady(NodeCluster.LIMIT)).isTrue();
        start(cluster, "after");
        assertThat(cluster.phase("before")).isEqualTo("Running");
        cluster.delete("before");
        cluster.delete("after");
        await("all claims are unprepared", () -> driver.runtime().claims().isEmpty());
        assertThat(run("ip", "-o", "link").lines().filter(line -> line.contains(" again-")))
            .hasSize(2);
      }
      run("ip", "link", "del", "cable");
    }
  }

  private static void start(NodeCluster cluster, String name) throws Exception {
    cluster.create(POD.formatted(name, NodeCluster.IMAGE));
    await(name + " runs", () -> cluster.phase(name).equals("Running"));
    await(name + " has looked", () -> !cluster.log(name).isEmpty());
    assertThat(cluster.log(name)).as(name).isEqualToIgnoringNewLines("WITH");
  }

  /** Kills a program of the node, and starts it again as it was started. */
  private static void restart(String program) throws Exception {
    ProcessHandle old =
        ProcessHandle.allProcesses()
            .filter(one -> isProgram(command(one), program))
            .findFirst()
            .orElseThrow();
    List<String> command = command(old);
    List<String> environment = read(old, "environ");
    File log = new File(System.getenv("KUBESTACK_LOGS"), program + ".log");
    old.destroyForcibly();
    await(program + " has ended", () -> !old.isAlive());
    ProcessBuilder next =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log));
    next.environment().clear();
    environment.forEach(
        one -> {
          int equals = one.indexOf('=');
          if (equals > 0) {
            next.environment().put(one.substring(0, equals), one.substring(equals + 1));
          }
        });
    Process started = next.start();
    // The stack knows the first process only, and would wait for one that outlives the tests.
    Runtime.getRuntime().addShutdownHook(new Thread(started::destroyForcibly));
  }

  private static boolean isProgram(List<String> command, String program) {
    return command.size() > 1
        && (command.get(0).endsWith("/" + program)
            || command.get(0).equals(program)
            || (command.get(0).endsWith("kubestack") && command.get(1).equals(program)));
  }

  private static List<String> command(ProcessHandle process) {
    try {
      return read(process, "cmdline");
    } catch (IOException e) {
      return List.of(); // it has ended
    }
  }

  @SuppressWarnings("StringSplitter") // no word is dropped but empty ones at the end
  private static List<String> read(ProcessHandle process, String file) throws IOException {
    String text =
        new String(
            Files.readAllBytes(Path.of("/proc/" + process.pid(), file)), StandardCharsets.UTF_8);
    return List.of(text.split("\0", 0));
  }
}
