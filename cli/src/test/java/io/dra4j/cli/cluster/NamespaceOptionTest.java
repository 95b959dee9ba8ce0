package io.dra4j.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.cli.Cli;
import org.junit.jupiter.api.Test;

/** {@code -n}: answers about one namespace, in a cluster whose others have devices, too. */
class NamespaceOptionTest {

  /** Three GPUs: one held in b, one wanted in a, one in b; a broken pod and a lost device in b. */
  private static final String CLUSTER =
      """
      apiVersion: v1
      kind: Node
      metadata: {name: n1}
      ---
      {apiVersion: resource.k8s.io/v1, kind: DeviceClass, metadata: {name: gpu}, spec: {}}
      ---
      apiVersion: resource.k8s.io/v1
      kind: ResourceSlice
      metadata: {name: s}
      spec:
        driver: gpu.example.com
        nodeName: n1
        pool: {name: p, generation: 1, resourceSliceCount: 1}
        devices: [{name: gpu-0}, {name: gpu-1}]
      ---
      apiVersion: resource.k8s.io/v1
      kind: ResourceClaim
      metadata: {name: held, namespace: b}
      spec: {devices: {requests: [{name: r, exactly: {deviceClassName: gpu, count: 2}}]}}
      status:
        allocation:
          devices:
            results:
            - {request: r, driver: gpu.example.com, pool: p, device: gpu-0}
            - {request: r, driver: gpu.example.com, pool: p, device: gpu-lost}
      ---
      apiVersion: resource.k8s.io/v1
      kind: ResourceClaim
      metadata: {name: wanted, namespace: b}
      spec: {devices: {requests: [{name: r, exactly: {deviceClassName: gpu}}]}}
      ---
      apiVersion: resource.k8s.io/v1
      kind: ResourceClaim
      metadata: {name: c, namespace: a}
      spec: {devices: {requests: [{name: r, exactly: {deviceClassName: gpu}}]}}
      ---
      apiVersion: v1
      kind: Pod
      metadata: {name: p, namespace: a}
      spec: {resourceClaims: [{name: x, resourceClaimName: c}]}
      ---
      apiVersion: v1
      kind: Pod
      metadata: {name: stuck, namespace: b}
      spec: {nodeName: n1, resourceClaims: [{name: x, resourceClaimName: wanted}]}
      ---
      apiVersion: v1
      kind: Pod
      metadata: {name: broken, namespace: b}
      spec: {resourceClaims: [{name: x, resourceClaimTemplateName: none}]}
      """;

  private static Cli run(String... arguments) {
    return Cli.runWith(CLUSTER, arguments);
  }

  @Test
  void podsOfTheNamespaceArePlacedBesideTheDevicesOfOthers() {
    Cli allocated = run("allocate", "-n", "a", "-");
    assertThat(allocated.code()).as(allocated.err()).isZero();
    assertThat(allocated.out())
        .startsWith("1 of 1 pod placed")
        .contains("gpu.example.com/gpu-1", "<== b/held");
    Cli placed = run("place", "-n", "a", "-");
    assertThat(placed.code()).isZero();
    assertThat(placed.out()).contains("a/p").doesNotContain("b/");
    Cli explained = run("explain", "-n", "a", "-");
    assertThat(explained.out()).isEqualTo("a/p: fits on node n1\n");
    assertThat(explained.code()).isZero();
    assertThat(run("explain", "-n", "a", "--claim", "c", "-").out())
        .isEqualTo("a/p: fits on node n1\n");
  }

  @Test
  void theOtherNamespaceHasItsOwnAnswers() {
    Cli allocated = run("allocate", "-n", "b", "-o", "json", "-");
    assertThat(allocated.code()).isEqualTo(2);
    assertThat(allocated.out()).contains("\"wanted\"").doesNotContain("\"namespace\":\"a\"");
    assertThat(allocated.err())
        .contains("pod b/broken: spec.resourceClaims[x]: no ResourceClaimTemplate b/none");
    assertThat(run("explain", "-n", "b", "-").out()).contains("b/stuck").doesNotContain("a/p");
  }

  @Test
  void anAuditIsAboutTheClaimsOfTheNamespace() {
    Cli quiet = run("audit", "-n", "a", "-");
    assertThat(quiet.out()).isEqualTo("no problems: 0 allocated claims with 0 devices\n");
    assertThat(quiet.code()).isZero();
    Cli found = run("audit", "--namespace", "b", "-");
    assertThat(found.out()).contains("1 allocated claim with 2 devices", "gpu-lost");
    assertThat(found.code()).isEqualTo(1);
  }

  @Test
  void claimsOfFilesByThemselvesHaveNoNamespaceToAskFor() {
    Cli refused = run("allocate", "--all-nodes", "-n", "a", "-");
    assertThat(refused.code()).isEqualTo(2);
    assertThat(refused.err()).contains("--namespace and --all-nodes cannot be used together");
  }
}
