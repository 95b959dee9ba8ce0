package io.dra4j.node;

import static io.dra4j.node.NodeCluster.await;
import static io.dra4j.node.NodeCluster.run;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A pod of a real cluster gets a network interface of its node, and the node gets it back. */
class WalkthroughNodeTest {

  private static final String CLASS =
      """
      apiVersion: resource.k8s.io/v1
      kind: DeviceClass
      metadata: {name: dranet}
      spec: {selectors: [{cel: {expression: 'device.driver == "dra.net"'}}]}
      """;

  private static final String POD =
      """
      apiVersion: resource.k8s.io/v1
      kind: ResourceClaim
      metadata: {name: walk, namespace: default}
      spec:
        devices:
          requests:
          - name: nic
            exactly:
              deviceClassName: dranet
              selectors: [{cel: {expression: 'device.attributes["dra.net"].ifName == "gpu0rdma0"'}}]
          config:
          - requests: [nic]
            opaque:
              driver: dra.net
              parameters:
                interface: {name: gpu0rdma0, mtu: 8896, addresses: [192.168.1.5/32]}
      ---
      apiVersion: v1
      kind: Pod
      metadata: {name: walk, namespace: default}
      spec:
        restartPolicy: Never
        terminationGracePeriodSeconds: 1
        resourceClaims: [{name: devices, resourceClaimName: walk}]
        containers:
        - name: main
          image: %s
          imagePullPolicy: Never
          command: [sh, -c, "ip addr show gpu0rdma0; exec sleep 600"]
          resources: {claims: [{name: devices}]}
      """;

  @TempDir private Path directory;

  @Test
  void podGetsTheInterfaceAndTheNodeGetsItBack() throws Exception {
    try (NodeCluster cluster = NodeCluster.connect()) {
      run("ip", "link", "add", "rail0", "mtu", "9000", "type", "veth", "peer", "name", "rail0p");
      run("ip", "link", "set", "rail0p", "mtu", "9000", "up");
      run("ip", "link", "set", "rail0", "up");
      run("ip", "link", "add", "gpu0rdma0", "link", "rail0", "type", "macvlan", "mode", "bridge");
      cluster.create(CLASS);
      try (NodeCluster.Driver driver = cluster.start(directory.resolve("claims.db"))) {
        cluster.create(POD.formatted(NodeCluster.IMAGE));
        await("walk runs", () -> "Running".equals(cluster.phase("walk")));
        await("walk shows its interface", () -> cluster.log("walk").contains("192.168.1.5/32"));
        assertThat(cluster.log("walk")).contains("gpu0rdma0", "mtu 8896", ",UP", "192.168.1.5/32");
        await(
            "the status of the claim has the device",
            () -> cluster.statusDevices("walk").toString().contains("192.168.1.5/32"));
        cluster.delete("walk");
        assertThat(run("ip", "link", "show", "gpu0rdma0")).contains("mtu 9000");
        await("the claim is unprepared", () -> driver.runtime().claims().isEmpty());
        await("the status is taken back", () -> cluster.statusDevices("walk").isEmpty());
      }
    }
  }
}
