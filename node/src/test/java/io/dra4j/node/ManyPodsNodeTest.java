package io.dra4j.node;

import static io.dra4j.node.NodeCluster.await;
import static io.dra4j.node.NodeCluster.run;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Many pods start at the same time, and each of them gets an interface. */
class ManyPodsNodeTest {

  private static final int PODS = 20;

  private static final String SETUP =
      """
      apiVersion: resource.k8s.io/v1
      kind: DeviceClass
      metadata: {name: many}
      spec: {selectors: [{cel: {expression: 'device.driver == "dra.net" && device.attributes["dra.net"].ifName.startsWith("many-")'}}]}
      ---
      apiVersion: resource.k8s.io/v1
      kind: ResourceClaimTemplate
      metadata: {name: many, namespace: default}
      spec:
        spec:
          devices:
            requests: [{name: nic, exactly: {deviceClassName: many}}]
            config:
            - opaque: {driver: dra.net, parameters: {interface: {name: nic0}}}
      """;

  private static final String POD =
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: %s, namespace: default, labels: {test: many}}
      spec:
        restartPolicy: Never
        terminationGracePeriodSeconds: 0
        resourceClaims: [{name: nic, resourceClaimTemplateName: many}]
        containers:
        - name: main
          image: %s
          imagePullPolicy: Never
          command: [sh, -c, "ip link show nic0 >/dev/null 2>&1 && echo WITH || echo LOST; exec sleep 600"]
          resources: {claims: [{name: nic}]}
      """;

  @TempDir private Path folder;

  @Test
  void eachOfTwentyPodsGetsAnInterface() throws Exception {
    try (NodeCluster cluster = NodeCluster.connect()) {
      run("ip", "link", "add", "crowd", "type", "veth", "peer", "name", "crowd-peer");
      run("ip", "link", "set", "crowd-peer", "up");
      run("ip", "link", "set", "crowd", "up");
      for (int i = 0; i < PODS; i++) {
        run("ip", "link", "add", "many-" + i, "link", "crowd", "type", "macvlan", "mode", "bridge");
      }
      cluster.create(SETUP);
      List<String> names = IntStream.range(0, PODS).mapToObj(i -> "many-" + i).toList();
      try (NodeCluster.Driver driver = cluster.start(folder.resolve("claims.db"))) {
        names.forEach(name -> cluster.create(POD.formatted(name, NodeCluster.IMAGE)));
        for (String name : names) {
          await(name + " runs", () -> cluster.phase(name).equals("Running"));
        }
        for (String name : names) {
          await(name + " has looked", () -> !cluster.log(name).isEmpty());
          assertThat(cluster.log(name)).as(name).isEqualToIgnoringNewLines("WITH");
        }
        cluster.client.pods().inNamespace(NodeCluster.NAMESPACE).withLabel("test", "many").delete();
        await("all claims are unprepared", () -> driver.runtime().claims().isEmpty());
        assertThat(run("ip", "-o", "link").lines().filter(line -> line.contains(" many-")))
            .hasSize(PODS);
      }
      run("ip", "link", "del", "crowd");
    }
  }
}
