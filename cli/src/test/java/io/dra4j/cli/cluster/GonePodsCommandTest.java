package io.dra4j.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.cli.Cli;
import org.junit.jupiter.api.Test;

/** Claims of pods that no longer exist, in the answers of commands. */
class GonePodsCommandTest {

  /** One GPU, which a claim has, and a pod that waits for one. */
  private static final String CLUSTER =
      """
      {apiVersion: resource.k8s.io/v1, kind: DeviceClass, metadata: {name: gpu}}
      ---
      {apiVersion: v1, kind: Node, metadata: {name: a}}
      ---
      {apiVersion: resource.k8s.io/v1, kind: ResourceSlice, metadata: {name: gpus}, spec: {
        driver: gpu.example.com, nodeName: a, devices: [{name: gpu-0}],
        pool: {name: a, generation: 1, resourceSliceCount: 1}}}
      ---
      {apiVersion: resource.k8s.io/v1, kind: ResourceClaim, metadata: {name: held,
        namespace: default, uid: u-held}, spec: {devices: {requests: [
        {name: gpu, exactly: {deviceClassName: gpu}}]}}, status: {
        reservedFor: [{resource: pods, name: holder, uid: u-holder}], allocation: {devices: {
        results: [{request: gpu, driver: gpu.example.com, pool: a, device: gpu-0}]}}}}
      ---
      {apiVersion: resource.k8s.io/v1, kind: ResourceClaimTemplate, metadata: {name: t,
        namespace: default}, spec: {spec: {devices: {requests: [
        {name: gpu, exactly: {deviceClassName: gpu}}]}}}}
      ---
      {apiVersion: v1, kind: Pod, metadata: {name: want, namespace: default, uid: u-want}, spec: {
        resourceClaims: [{name: g, resourceClaimTemplateName: t}],
        containers: [{name: c, image: i, resources: {claims: [{name: g}]}}]}}
      ---
      """;

  private static final String HOLDER =
      """
      {apiVersion: v1, kind: Pod, metadata: {name: holder, namespace: default, uid: u-holder},
        spec: {resourceClaims: [{name: g, resourceClaimName: held}],
        containers: [{name: c, image: i, resources: {claims: [{name: g}]}}]}}
      """;

  private static final String FREE =
      "ResourceClaim default/held: its devices count as free, because the input has Pods or"
          + " PodGroups of its namespace, but not pod default/holder of UID u-holder";

  @Test
  void theDevicesOfAPodThatNoLongerExistsAreFree() {
    Cli placed = Cli.runWith(CLUSTER, "place", "--strict", "-");
    assertThat(placed.out()).startsWith("1 of 1 pod placed\n");
    assertThat(placed.err()).contains(FREE);
    assertThat(Cli.runWith(CLUSTER, "explain", "pod/want", "-").code()).isZero();
    assertThat(Cli.runWith(CLUSTER, "headroom", "pod/want", "-").err()).contains(FREE);
  }

  @Test
  void theDevicesOfAPodThatWaitsAreInUseAlsoForTheQuestionAboutAnother() {
    String cluster = CLUSTER + HOLDER;
    Cli placed = Cli.runWith(cluster, "place", "-");
    assertThat(placed.out()).startsWith("1 of 2 pods placed\n");
    assertThat(placed.err()).doesNotContain("count as free");
    Cli explained = Cli.runWith(cluster, "explain", "pod/want", "-");
    assertThat(explained.code()).isEqualTo(1);
    assertThat(explained.err()).doesNotContain("count as free");
  }

  @Test
  void theAuditReportsTheClaimAndDoesNotCountItsDevicesAsFree() {
    Cli audit = Cli.runWith(CLUSTER, "audit", "-");
    assertThat(audit.out()).contains("ResourceClaim default/held: has devices, and its pods");
    assertThat(audit.err()).isEmpty();
  }
}
