package io.dra4j.node;

import static io.dra4j.node.NodeCluster.await;
import static io.dra4j.node.NodeCluster.run;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** No container that uses a claim runs without its interface, whatever the driver does. */
class FaultsNodeTest {

  /** How a pod is run. */
  enum Kind {
    NEVER,
    ALWAYS,
    INIT,
    JOB
  }

  /** What the driver does before it attaches. */
  enum Fault {
    SLOW,
    DIE,
    HANG
  }

  private static final String SETUP =
      """
      apiVersion: resource.k8s.io/v1
      kind: DeviceClass
      metadata: {name: dranet}
      spec: {selectors: [{cel: {expression: 'device.driver == "dra.net" && device.attributes["dra.net"].ifName.startsWith("rail-")'}}]}
      ---
      apiVersion: resource.k8s.io/v1
      kind: ResourceClaimTemplate
      metadata: {name: nic, namespace: default}
      spec:
        spec:
          devices:
            requests: [{name: nic, exactly: {deviceClassName: dranet}}]
            config:
            - opaque: {driver: dra.net, parameters: {interface: {name: nic0}}}
      """;

  private static final String LOOK = "ip link show nic0 >/dev/null 2>&1 && echo WITH || echo LOST";

  private static final String SPEC =
      """
      spec:
        restartPolicy: %1$s
        terminationGracePeriodSeconds: 0
        resourceClaims: [{name: nic, resourceClaimTemplateName: nic}]
        initContainers:
      %2$s
        containers:
      %3$s
        - name: main
          image: %4$s
          imagePullPolicy: Never
          command: [sh, -c, "%5$s; exec sleep 600"]
          resources: {claims: [{name: nic}]}
      """;

  private static final String POD =
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: %s, namespace: default}
      %s
      """;

  private static final String JOB =
      """
      apiVersion: batch/v1
      kind: Job
      metadata: {name: %s, namespace: default}
      spec:
        backoffLimit: 0
        template:
      %s
      """;

  /** Shares the network namespace and does not use the claim. */
  private static final String SIBLING =
      """
        - name: sibling
          image: %s
          imagePullPolicy: Never
          command: [sh, -c, "%s; exec sleep 600"]\
      """;

  private static final String INIT =
      """
        - name: first
          image: %s
          imagePullPolicy: Never
          command: [sh, -c, "%s"]
          resources: {claims: [{name: nic}]}\
      """;

  private static final AtomicInteger WITH = new AtomicInteger();
  private static final AtomicInteger LOST = new AtomicInteger();
  private static NodeCluster cluster;
  @TempDir private Path directory;
  private AgentProcess agent;

  static Stream<Arguments> all() {
    return Stream.of(Fault.values())
        .flatMap(fault -> Stream.of(Kind.values()).map(kind -> Arguments.of(fault, kind)));
  }

  @BeforeAll
  static void connect() throws Exception {
    cluster = NodeCluster.connect();
    run("ip", "link", "add", "trunk", "type", "veth", "peer", "name", "trunk-peer");
    run("ip", "link", "set", "trunk-peer", "up");
    run("ip", "link", "set", "trunk", "up");
    for (int i = 0; i < 4; i++) {
      run("ip", "link", "add", "rail-" + i, "link", "trunk", "type", "macvlan", "mode", "bridge");
    }
    cluster.create(SETUP);
  }

  @AfterAll
  static void disconnect() throws Exception {
    if (cluster != null) {
      TestLinks.report("faults", WITH.get(), LOST.get());
      run("ip", "link", "del", "trunk");
      cluster.close();
    }
  }

  @BeforeEach
  void startAgent() throws Exception {
    agent = AgentProcess.start(directory);
  }

  @AfterEach
  void stopAgent() throws Exception {
    agent.close();
  }

  @ParameterizedTest
  @MethodSource("all")
  void noContainerRunsWithoutItsInterface(Fault fault, Kind kind) throws Exception {
    String name = (fault + "-" + kind).toLowerCase(Locale.ROOT);
    agent.fault(fault.name().toLowerCase(Locale.ROOT));
    String pod = create(fault, kind, name);
    switch (fault) {
      case SLOW -> {}
      case DIE -> {
        agent.awaitDeath();
        Thread.sleep(3000); // the sandbox and the first attempts at its containers go on meanwhile
        agent.restart();
      }
      case HANG -> {
        agent.awaitHang();
        Thread.sleep(5000);
        agent.resume();
      }
    }
    await(pod + " runs", () -> isReady(pod));
    List<String> logs =
        containers(cluster.pod(pod)).stream().map(one -> cluster.log(pod, one).strip()).toList();
    (logs.contains("LOST") ? LOST : WITH).incrementAndGet();
    assertThat(logs).containsOnly("WITH");
    assertThat(cluster.pod(pod).getStatus().getContainerStatuses())
        .extracting(ContainerStatus::getRestartCount)
        .containsOnly(0);
    agent.fault("none");
    cluster.client.batch().v1().jobs().inNamespace(NodeCluster.NAMESPACE).withName(name).delete();
    cluster.delete(pod);
    await("the interface is back", () -> rails() == 4);
  }

  /** Creates the pod; returns its name. */
  private static String create(Fault fault, Kind kind, String name) throws Exception {
    String spec =
        SPEC.formatted(
            kind == Kind.ALWAYS ? "Always" : "Never",
            kind == Kind.INIT ? INIT.formatted(NodeCluster.IMAGE, LOOK) : "",
            // A process that does not run cannot hold those back that do not use the claim.
            fault == Fault.SLOW ? SIBLING.formatted(NodeCluster.IMAGE, LOOK) : "",
            NodeCluster.IMAGE,
            LOOK);
    if (kind != Kind.JOB) {
      cluster.create(POD.formatted(name, spec));
      return name;
    }
    cluster.create(JOB.formatted(name, spec.indent(4)));
    await("the job has a pod", () -> !podsOf(name).isEmpty());
    return podsOf(name).get(0).getMetadata().getName();
  }

  private static List<Pod> podsOf(String job) {
    return cluster
        .client
        .pods()
        .inNamespace(NodeCluster.NAMESPACE)
        .withLabel("batch.kubernetes.io/job-name", job)
        .list()
        .getItems();
  }

  private static long rails() throws Exception {
    return run("ip", "-o", "link").lines().filter(line -> line.contains(" rail-")).count();
  }

  private static boolean isReady(String name) {
    return cluster.pod(name).getStatus().getContainerStatuses().stream()
            .anyMatch(one -> Boolean.TRUE.equals(one.getReady()))
        && cluster.phase(name).equals("Running");
  }

  private static List<String> containers(Pod pod) {
    List<Container> all = new ArrayList<>(pod.getSpec().getContainers());
    all.addAll(pod.getSpec().getInitContainers());
    return all.stream().map(Container::getName).toList();
  }
}
