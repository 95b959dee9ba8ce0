package io.dra4j.node;

import static io.dra4j.node.NodeCluster.await;
import static io.dra4j.node.NodeCluster.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * How fast an agent is beside the least driver in Go, {@code kubestack plugin}, on the same node:
 * {@code e2e/kube/speed}. Both give a container one variable for a device. Nothing is asserted
 * about times.
 */
class SpeedNodeTest {

  private static final int CALLS = 2000;

  /** Within the burst of a client in Go, which then asks the API server 5 times a second. */
  private static final int CLAIMS = 9;

  /** The driver in Go asks the API server in each call, and so does not come to all of them. */
  private static final Duration LIMIT = Duration.ofSeconds(10);

  private static final int PODS = 15;

  private static final Path JAVA = Path.of(System.getProperty("java.home"), "bin", "java");

  /** A cluster that does not answer. */
  private static final String KUBECONFIG =
      """
      {"apiVersion": "v1", "kind": "Config", "current-context": "none",
       "contexts": [{"name": "none", "context": {"cluster": "none", "user": "none"}}],
       "clusters": [{"name": "none", "cluster": {"server": "https://127.0.0.1:9"}}],
       "users": [{"name": "none", "user": {"token": "none"}}]}
      """;

  private static final String SETUP =
      """
      apiVersion: resource.k8s.io/v1
      kind: DeviceClass
      metadata: {name: %1$s}
      spec: {selectors: [{cel: {expression: 'device.driver == "%1$s"'}}]}
      ---
      apiVersion: resource.k8s.io/v1
      kind: ResourceClaimTemplate
      metadata: {name: %1$s, namespace: default}
      spec: {spec: {devices: {requests: [{name: plug, exactly: {deviceClassName: %1$s}}]}}}
      """;

  private static final String SLICE =
      """
      apiVersion: resource.k8s.io/v1
      kind: ResourceSlice
      metadata: {name: go-slice}
      spec:
        driver: %s
        nodeName: %s
        pool: {name: %2$s, generation: 1, resourceSliceCount: 1}
        devices: [%s]
      """;

  private static final String CLAIM =
      """
      apiVersion: resource.k8s.io/v1
      kind: ResourceClaim
      metadata: {name: %s, namespace: default}
      spec: {devices: {requests: [{name: plug, exactly: {deviceClassName: %s}}]}}
      """;

  private static final String ALLOCATION =
      """
      {"status":{"allocation":{"devices":{"results":[{"request":"plug","driver":"%s",\
      "pool":"%s","device":"d%d"}]}}}}\
      """;

  private static final String POD =
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: %1$s, namespace: default}
      spec:
        restartPolicy: Never
        terminationGracePeriodSeconds: 0
        resourceClaims: [{name: plug, resourceClaimTemplateName: %2$s}]
        containers:
        - name: main
          image: %3$s
          imagePullPolicy: Never
          command: [sleep, "600"]
          resources: {claims: [{name: plug}]}
      """;

  private final Map<String, Map<String, String>> table = new LinkedHashMap<>();
  @TempDir private Path directory;

  @Test
  void tableOfTimes() throws Exception {
    String image = System.getenv("DRA4J_TEST_NODE_SPEED");
    assumeTrue(image != null, "e2e/kube/speed runs it");
    try (NodeCluster cluster = NodeCluster.connect()) {
      List<String> java = javaCommand(Path.of(image));
      java.add(directory.resolve("claims.db").toString());
      measure(cluster, "dra4j", SpeedDriver.NAME, java);
      cluster.create(
          SLICE.formatted(
              "go.test",
              NodeCluster.NODE,
              String.join(
                  ", ", SpeedDriver.names().stream().map("{name: %s}"::formatted).toList())));
      measure(cluster, "Go", "go.test", List.of("kubestack", "plugin", "-driver", "go.test"));
    }
    print();
  }

  /** The least driver as the image of the network driver would run it: its JARs and options. */
  private List<String> javaCommand(Path image) throws Exception {
    Path classes = directory.resolve("driver.jar");
    Path own =
        Path.of(SpeedDriver.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    run(JAVA.resolveSibling("jar").toString(), "cf", classes.toString(), "-C", own.toString(), ".");
    List<String> jars = new ArrayList<>(List.of(classes.toString()));
    try (Stream<Path> lib = Files.list(image.resolve("lib"))) {
      lib.map(Path::toString).sorted().forEach(jars::add);
    }
    Path options = directory.resolve("java.options");
    Files.writeString(
        options,
        Files.readString(image.resolve("java.options")).replace("/opt/dra4j", image.toString()));
    List<String> command = new ArrayList<>(List.of(JAVA.toString(), "@" + options));
    command.addAll(
        List.of("-Dtest.log=INFO", "-cp", String.join(":", jars), SpeedDriver.class.getName()));
    archive(image, options, command.subList(2, command.size()));
    return command;
  }

  /** Makes the archive of loaded classes as {@code deploy/archive} does, without a cluster. */
  private void archive(Path image, Path options, List<String> program) throws Exception {
    Path training = Files.createDirectories(directory.resolve("training"));
    Files.createDirectories(training.resolve("plugins_registry"));
    Path kubeconfig = Files.writeString(training.resolve("kubeconfig"), KUBECONFIG);
    Path ofTraining = directory.resolve("training.options");
    Files.write(
        ofTraining,
        Files.readAllLines(options).stream().filter(line -> !line.contains(".jsa")).toList());
    Path archive = image.resolve("dra4j.jsa");
    List<String> command = new ArrayList<>(List.of(JAVA.toString(), "@" + ofTraining));
    command.add("-XX:ArchiveClassesAtExit=" + archive);
    command.addAll(program);
    command.add(directory.resolve("training.db").toString());
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(training.resolve("log").toFile());
    builder.environment().put("KUBECONFIG", kubeconfig.toString());
    builder.environment().put("KUBELET_ROOT", training.toString());
    builder.environment().put("CDI_DIR", training.resolve("cdi").toString());
    builder.environment().put("NRI_SOCKET", training.resolve("nri.sock").toString());
    Process process = builder.start();
    Thread.sleep(10_000);
    process.destroy();
    process.waitFor();
    assertThat(archive).as(Files.readString(training.resolve("log"))).isNotEmptyFile();
  }

  private void put(String row, String column, String text) {
    table.computeIfAbsent(row, none -> new LinkedHashMap<>()).put(column, text);
  }

  private void measure(NodeCluster cluster, String column, String driver, List<String> command)
      throws Exception {
    cluster.create(SETUP.formatted(driver));
    Path log = directory.resolve(column + ".log");
    long begin = System.nanoTime();
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
    builder.environment().put("MALLOC_ARENA_MAX", "1"); // as in the image
    Process process = builder.start();
    try {
      await("registered", () -> Files.readString(log).matches("(?s).*registered( with|: true).*"));
      put("start to registered, ms", column, millis(System.nanoTime() - begin));
      Path socket = Path.of(System.getenv("KUBELET_ROOT"), "plugins", driver, "dra.sock");
      List<String> uids = allocatedClaims(cluster, driver);
      try (KubeletCalls calls = new KubeletCalls(socket)) {
        prepareAll(calls, column, driver, uids);
        idle(process, column);
        for (int i = 0; i < uids.size(); i++) {
          calls.unprepare("default", driver + "-" + i, uids.get(i));
        }
      }
      pods(cluster, column, driver);
      put("memory (RSS) at the end, MB", column, memory(process));
    } finally {
      process.destroy();
      process.waitFor();
    }
  }

  private void prepareAll(KubeletCalls calls, String column, String driver, List<String> uids)
      throws IOException {
    calls.prepare("", "", ""); // loads the classes of this process, which are not what is measured
    long[] first = new long[uids.size()];
    for (int i = 0; i < first.length; i++) {
      long start = System.nanoTime();
      assertThat(calls.prepare("default", driver + "-" + i, uids.get(i))).contains(driver);
      first[i] = System.nanoTime() - start;
    }
    put("first call, ms", column, millis(first[0]));
    long[] others = Arrays.copyOfRange(first, 1, first.length);
    put("first prepare of the next 8 claims, p50, us", column, micros(others, 50));
    again(calls, driver, uids); // warms up
    long[] again = again(calls, driver, uids);
    put("prepare again, p50, us", column, micros(again, 50));
    put("prepare again, p99, us", column, micros(again, 99));
    put("write and sync of a file of 4 KB beside it, p50, us", column, micros(disk(), 50));
  }

  private static long[] again(KubeletCalls calls, String driver, List<String> uids) {
    long[] times = new long[CALLS];
    long end = System.nanoTime() + LIMIT.toNanos();
    int count = 0;
    while (count < CALLS && System.nanoTime() < end) {
      long start = System.nanoTime();
      calls.prepare("default", driver + "-0", uids.get(0));
      times[count++] = System.nanoTime() - start;
    }
    return Arrays.copyOf(times, count);
  }

  /** Claims that are allocated as the scheduler does it, and that no pod uses. */
  private static List<String> allocatedClaims(NodeCluster cluster, String driver) {
    List<String> uids = new ArrayList<>();
    for (int i = 0; i < CLAIMS; i++) {
      String name = driver + "-" + i;
      cluster.create(CLAIM.formatted(name, driver));
      cluster.patchStatus(name, ALLOCATION.formatted(driver, NodeCluster.NODE, i));
      uids.add(cluster.claim(name).getMetadata().getUid());
    }
    return uids;
  }

  private long[] disk() throws IOException {
    long[] times = new long[50];
    for (int i = 0; i < times.length; i++) {
      Path file = directory.resolve("disk-" + i);
      long start = System.nanoTime();
      try (var channel =
          FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
        channel.write(ByteBuffer.allocate(4096));
        channel.force(true);
      }
      times[i] = System.nanoTime() - start;
    }
    return times;
  }

  private void pods(NodeCluster cluster, String column, String driver) throws Exception {
    long[] times = new long[PODS];
    for (int i = 0; i < PODS; i++) {
      String pod = "speed-" + column.toLowerCase(Locale.ROOT) + "-" + i;
      long start = System.nanoTime();
      cluster.create(POD.formatted(pod, driver, NodeCluster.IMAGE));
      await(pod + " runs", () -> cluster.phase(pod).equals("Running"));
      times[i] = System.nanoTime() - start;
    }
    for (int i = 0;
        i < PODS;
        i++) { // not before: the next pod would wait for the device of the last
      cluster.delete("speed-" + column.toLowerCase(Locale.ROOT) + "-" + i);
    }
    put("pod created to Running, p50, ms", column, millis(percentile(times, 50)));
  }

  private void idle(Process process, String column) throws Exception {
    Thread.sleep(3000);
    long before = ticks(process);
    Thread.sleep(20_000);
    double percent = (ticks(process) - before) / 20.0; // 100 a second
    put("idle for 20 s, % of a core", column, String.format(Locale.ROOT, "%.2f", percent));
  }

  private static long ticks(Process process) throws IOException {
    String stat = Files.readString(Path.of("/proc/" + process.pid() + "/stat"));
    List<String> fields = List.of(stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1));
    return Long.parseLong(fields.get(11)) + Long.parseLong(fields.get(12));
  }

  private static String memory(Process process) throws IOException {
    return Files.readAllLines(Path.of("/proc/" + process.pid() + "/status")).stream()
        .filter(line -> line.startsWith("VmRSS:"))
        .map(line -> String.valueOf(Long.parseLong(line.replaceAll("[^0-9]", "")) / 1024))
        .findFirst()
        .orElse("?");
  }

  private static long percentile(long[] times, int percent) {
    long[] sorted = times.clone();
    Arrays.sort(sorted);
    return sorted[Math.min(sorted.length - 1, sorted.length * percent / 100)];
  }

  private static String micros(long[] times, int percent) {
    return String.valueOf(percentile(times, percent) / 1000);
  }

  private static String millis(long nanos) {
    return String.valueOf(Duration.ofNanos(nanos).toMillis());
  }

  private void print() throws Exception {
    System.out.printf("load: %s", run("cat", "/proc/loadavg"));
    System.out.printf("| %-52s | dra4j | Go |%n|---|---|---|%n", "");
    table.forEach(
        (row, columns) ->
            System.out.printf(
                "| %-52s | %s | %s |%n", row, columns.get("dra4j"), columns.get("Go")));
  }
}
