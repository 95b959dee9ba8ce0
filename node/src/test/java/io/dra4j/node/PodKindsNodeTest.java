package io.dra4j.node;

import static io.dra4j.node.NodeCluster.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.dra4j.dranet.NetworkDriver;
import io.dra4j.model.DeviceTaint;
import io.dra4j.model.TaintEffect;
import io.dra4j.runtime.DriverRuntime;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.DeletionPropagation;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Pods of several kinds, with claims of two drivers that share one agent: links and plugs. */
class PodKindsNodeTest {

  private static final String PLUGS =
      """
      apiVersion: resource.k8s.io/v1
      kind: DeviceClass
      metadata: {name: plug}
      spec: {selectors: [{cel: {expression: 'device.driver == "plug.example.com"'}}]}
      ---
      apiVersion: resource.k8s.io/v1
      kind: ResourceClaimTemplate
      metadata: {name: plug, namespace: default}
      spec: {spec: {devices: {requests: [{name: plug, exactly: {deviceClassName: plug}}]}}}
      ---
      apiVersion: resource.k8s.io/v1
      kind: ResourceClaim
      metadata: {name: shared-plug, namespace: default}
      spec: {devices: {requests: [{name: plug, exactly: {deviceClassName: plug}}]}}
      ---
      apiVersion: resource.k8s.io/v1
      kind: ResourceClaimTemplate
      metadata: {name: kinds-and-plug, namespace: default}
      spec:
        spec:
          devices:
            requests:
            - {name: nic, exactly: {deviceClassName: kinds}}
            - {name: plug, exactly: {deviceClassName: plug}}
            config:
            - {requests: [nic], opaque: {driver: dra.net, parameters: {interface: {name: nic0}}}}
      ---
      apiVersion: resource.k8s.io/v1
      kind: ResourceClaim
      metadata: {name: huge, namespace: default}
      spec:
        devices:
          requests: [{name: nic, exactly: {deviceClassName: kinds}}]
          config:
          - {requests: [nic], opaque: {driver: dra.net, parameters: {interface: {name: too-long-for-a-link}}}}
      """;

  private static final String POD =
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: %1$s, namespace: default, labels: {test: kinds}}
      spec:
        restartPolicy: %2$s
        terminationGracePeriodSeconds: 0
        %3$s
        resourceClaims:
      %4$s
        containers:
      %5$s
      """;

  private static final String CONTAINER =
      """
        - name: %s
          image: %s
          imagePullPolicy: Never
          command: [sh, -c, '%s']
          %s
          resources: {claims: [%s]}
      """;

  private static final String PLUG_LOOK = "echo plug $PLUG";

  private static NodeCluster cluster;
  private static TestLinks links;

  @TempDir private Path directory;
  private PlugDriver plugs;
  private NetworkDriver network;
  private DriverRuntime runtime;
  private NodeAgent agent;

  @BeforeAll
  static void connect() throws Exception {
    cluster = NodeCluster.connect();
    links = TestLinks.add(cluster, "kinds", 2);
    cluster.create(PLUGS);
  }

  @AfterAll
  static void disconnect() throws Exception {
    if (cluster != null) {
      links.close();
      cluster.close();
    }
  }

  @BeforeEach
  void start() throws Exception {
    plugs = new PlugDriver();
    network = NetworkDriver.builder().build();
    runtime =
        DriverRuntime.builder()
            .driver(network)
            .driver(plugs)
            .node(NodeCluster.NODE)
            .store(directory.resolve("claims.db"))
            .discovery(Duration.ofMillis(50), Duration.ofMillis(200), Duration.ofSeconds(2))
            .build();
    agent = cluster.start(runtime);
  }

  @AfterEach
  void stop() throws Exception {
    if (agent != null) {
      links.deletePods();
      await("all claims are unprepared", () -> runtime.claims().isEmpty());
      links.awaitBack();
      agent.close();
      runtime.close();
      network.close();
    }
  }

  private static String claim(String name, String template) {
    return "  - {name: %s, resourceClaimTemplateName: %s}".formatted(name, template);
  }

  private static String container(String name, String command, String more, String claims) {
    return CONTAINER.formatted(name, NodeCluster.IMAGE, command, more, claims);
  }

  private static String staying(String name, String look, String claims) {
    return container(name, look + "; exec sleep 600", "", claims);
  }

  private static void awaitLog(String pod, String container, String text) throws Exception {
    await(pod + " runs", () -> cluster.phase(pod).equals("Running"));
    await(container + " of " + pod + " has looked", () -> !cluster.log(pod, container).isEmpty());
    assertThat(cluster.log(pod, container).lines()).as(container).contains(text);
  }

  @Test
  void initSidecarAndLateContainersHaveTheInterface() throws Exception {
    String init =
        "  initContainers:\n"
            + container("first", TestLinks.LOOK, "", "{name: nic}").stripTrailing()
            + "\n"
            + container(
                    "sidecar",
                    TestLinks.LOOK + "; exec sleep 600",
                    "restartPolicy: Always",
                    "{name: nic}")
                .stripTrailing()
            + "\n"
            + container("second", TestLinks.LOOK, "", "").stripTrailing();
    cluster.create(
        POD.formatted(
            "kinds-init",
            "Always",
            init.stripLeading(),
            claim("nic", "kinds"),
            staying("main", TestLinks.LOOK, "{name: nic}")
                + container(
                    "late",
                    TestLinks.LOOK + "; sleep 2; exit 1", // and is created again
                    "",
                    "{name: nic}")));
    for (String container : List.of("first", "sidecar", "second", "main", "late")) {
      awaitLog("kinds-init", container, "WITH");
    }
    await(
        "the late container was created again",
        () ->
            cluster.pod("kinds-init").getStatus().getContainerStatuses().stream()
                .anyMatch(one -> one.getName().equals("late") && one.getRestartCount() > 0));
    assertThat(cluster.logFile("kinds-init")).doesNotContain("LOST");
  }

  @Test
  void twoClaimsOfTwoDrivers() throws Exception {
    cluster.create(
        POD.formatted(
            "kinds-two",
            "Never",
            "",
            claim("nic", "kinds") + "\n" + claim("plug", "plug"),
            staying("main", TestLinks.LOOK + "; " + PLUG_LOOK, "{name: nic}, {name: plug}")));
    awaitLog("kinds-two", "main", "WITH");
    assertThat(cluster.log("kinds-two", "main")).containsPattern("plug [ab]");
  }

  @Test
  void oneClaimOfTwoDrivers() throws Exception {
    cluster.create(
        POD.formatted(
            "kinds-one",
            "Never",
            "",
            claim("both", "kinds-and-plug"),
            staying("main", TestLinks.LOOK + "; " + PLUG_LOOK, "{name: both}")));
    awaitLog("kinds-one", "main", "WITH");
    assertThat(cluster.log("kinds-one", "main")).containsPattern("plug [ab]");
  }

  @Test
  void oneClaimOfTwoPods() throws Exception {
    for (String pod : List.of("kinds-share-a", "kinds-share-b")) {
      cluster.create(
          POD.formatted(
              pod,
              "Never",
              "",
              "  - {name: plug, resourceClaimName: shared-plug}",
              staying("main", PLUG_LOOK, "{name: plug}")));
      await(pod + " runs", () -> cluster.phase(pod).equals("Running"));
    }
    assertThat(plugs.attached).hasSize(2);
    cluster.delete("kinds-share-a");
    await("one pod has the claim", () -> plugs.attached.size() == 1);
    assertThat(cluster.phase("kinds-share-b")).isEqualTo("Running");
  }

  @Test
  void podOfTheHostNetworkHasAPlugAndNoInterface() throws Exception {
    cluster.create(
        POD.formatted(
            "kinds-host",
            "Never",
            "hostNetwork: true",
            claim("plug", "plug"),
            staying("main", PLUG_LOOK, "{name: plug}")));
    await("kinds-host runs", () -> cluster.phase("kinds-host").equals("Running"));
    cluster.create(
        POD.formatted(
            "kinds-host-nic",
            "Never",
            "hostNetwork: true",
            claim("nic", "kinds"),
            staying("main", TestLinks.LOOK, "{name: nic}")));
    await(
        "the event says why",
        () -> cluster.events("kinds-host-nic").contains("DeviceAttachFailed"));
    assertThat(cluster.phase("kinds-host-nic")).isEqualTo("Pending");
  }

  @Test
  void claimThatCannotBePreparedHasAnEvent() throws Exception {
    cluster.create(
        POD.formatted(
            "kinds-huge",
            "Never",
            "",
            "  - {name: nic, resourceClaimName: huge}",
            staying("main", TestLinks.LOOK, "{name: nic}")));
    await("the claim says why", () -> cluster.events("huge").contains("ClaimPrepareFailed"));
    assertThat(cluster.messages("huge")).anyMatch(message -> message.contains("/interface/name"));
    assertThat(cluster.phase("kinds-huge")).isEqualTo("Pending");
  }

  @Test
  void podWithAUserNamespaceHasTheInterface() throws Exception {
    assumeTrue(cluster.hasUserNamespaces(), "the container runtime has no user namespaces");
    cluster.create(
        POD.formatted(
            "kinds-user",
            "Never",
            "hostUsers: false",
            claim("nic", "kinds"),
            staying("main", TestLinks.LOOK, "{name: nic}")));
    awaitLog("kinds-user", "main", "WITH");
  }

  @Test
  void podThatIsDeletedByForceGivesTheInterfaceBack() throws Exception {
    links.start("kinds-force");
    assertThat(links.there()).hasSize(1);
    cluster
        .client
        .pods()
        .inNamespace(NodeCluster.NAMESPACE)
        .withName("kinds-force")
        .withGracePeriod(0)
        .withPropagationPolicy(DeletionPropagation.BACKGROUND)
        .delete();
    links.awaitBack();
  }

  @Test
  void podIsEvictedFromADeviceThatTheDriverTaints() throws Exception {
    cluster.create(
        POD.formatted(
            "kinds-evicted",
            "Never",
            "",
            claim("plug", "plug"),
            staying("main", PLUG_LOOK, "{name: plug}")));
    await("kinds-evicted runs", () -> cluster.phase("kinds-evicted").equals("Running"));
    assertThat(cluster.pod("kinds-evicted").getStatus().getContainerStatuses())
        .extracting(ContainerStatus::getRestartCount)
        .containsOnly(0);
    DeviceTaint broken = DeviceTaint.of("plug.example.com/broken", "", TaintEffect.NO_EXECUTE);
    plugs.taints = Map.of("a", List.of(broken), "b", List.of(broken));
    await("kinds-evicted is gone", () -> cluster.pod("kinds-evicted") == null);
    await("the plug is free", () -> plugs.attached.isEmpty());
  }
}
