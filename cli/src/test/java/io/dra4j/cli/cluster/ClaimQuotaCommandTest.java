package io.dra4j.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.cli.Cli;
import org.junit.jupiter.api.Test;

/** ResourceQuotas of device classes in the answers of the commands. */
class ClaimQuotaCommandTest {

  private static final String CLUSTER =
      """
      {apiVersion: resource.k8s.io/v1, kind: DeviceClass, metadata: {name: gpu},
        spec: {extendedResourceName: e.com/gpu}}
      ---
      {apiVersion: v1, kind: Node, metadata: {name: a}}
      ---
      {apiVersion: resource.k8s.io/v1, kind: ResourceSlice, metadata: {name: a}, spec: {driver: d.io,
        nodeName: a, pool: {name: a, generation: 1, resourceSliceCount: 1},
        devices: [{name: d0}, {name: d1}, {name: d2}, {name: d3}]}}
      ---
      {apiVersion: resource.k8s.io/v1, kind: ResourceClaimTemplate, metadata: {name: t}, spec: {spec:
        {devices: {requests: [{name: g, exactly: {deviceClassName: gpu}}]}}}}
      """;

  private static final String DEVICES = "gpu.deviceclass.resource.k8s.io/devices";

  private static String quota(String resource, int hard, String more) {
    return """
        ---
        {apiVersion: v1, kind: ResourceQuota, metadata: {name: q}, spec: {hard: {%s: %d}}%s}
        """
        .formatted(resource, hard, more);
  }

  private static String set(int replicas) {
    return """
        ---
        {apiVersion: apps/v1, kind: StatefulSet, metadata: {name: s}, spec: {replicas: %d, template:
          {spec: {resourceClaims: [{name: g, resourceClaimTemplateName: t}]}}}}
        """
        .formatted(replicas);
  }

  private static Cli run(String command, String... documents) {
    String[] words = command.split(" ");
    return Cli.runWith(CLUSTER + String.join("", documents), words);
  }

  @Test
  void podsBeyondTheQuotaAreNotPlacedAndTheReasonIsSaid() {
    for (String command : new String[] {"allocate -", "place -"}) {
      Cli cli = run(command, quota(DEVICES, 1, ""), set(2));
      assertThat(cli.code()).as(command + cli.err()).isEqualTo(1);
      assertThat((cli.out() + cli.err()).replaceAll("\\s+", " "))
          .as(command)
          .contains(
              "claim default/s-1-g cannot be created: ResourceQuota default/q has no room: it"
                  + " requests 1 of "
                  + DEVICES
                  + "; 1 of 1 are in use");
    }
  }

  @Test
  void aPodIsExplained() {
    String pod =
        "---\n{apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {resourceClaims: [{name: g,"
            + " resourceClaimTemplateName: t}]}}\n";
    assertThat(run("explain pod/p -", quota(DEVICES, 0, ""), pod).out().replaceAll("\\s+", " "))
        .contains("claim default/p-g cannot be created: ResourceQuota default/q has no room");
  }

  @Test
  void quotasOfKueueAreNotModelledWhichIsSaid() {
    String job =
        "---\n{apiVersion: batch/v1, kind: Job, metadata: {name: %s, labels:"
            + " {kueue.x-k8s.io/queue-name: team}}, spec: {template: {spec: {resourceClaims:"
            + " [{name: g, resourceClaimTemplateName: t}]}}}}\n";
    Cli cli = run("place -", job.formatted("j"), job.formatted("k"));
    assertThat(cli.code()).as(cli.err()).isZero();
    assertThat(cli.err())
        .contains(
            "Job default/j: waits in the queue default/team of Kueue, as 1 more: its quota of"
                + " devices (deviceClassMappings) is not modelled");
    assertThat(run("place -", set(1)).err()).doesNotContain("Kueue");
  }

  @Test
  void aGangIsToldOfTheQuota() {
    Cli cli = run("place --gang -", quota(DEVICES, 1, ""), set(3));
    assertThat(cli.code()).isEqualTo(1);
    assertThat(cli.err())
        .contains("ResourceQuota default/q: no room for 2 claims: claim default/s-1-g");
  }

  @Test
  void whatIsInUseSaysTheStatus() {
    String status = ", status: {used: {%s: 3}}".formatted(DEVICES);
    assertThat(run("place -", quota(DEVICES, 4, status), set(1)).code()).isZero();
    assertThat(run("place -", quota(DEVICES, 3, status), set(1)).code()).isEqualTo(1);
  }

  @Test
  void extendedResourcesAreLimitedByTheirOwnName() {
    String pod =
        "---\n{apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {containers: [{name: c,"
            + " resources: {limits: {e.com/gpu: '2'}}}]}}\n";
    assertThat(run("place -", quota("requests.e.com/gpu", 2, ""), pod).code()).isZero();
    Cli cli = run("place -", quota("requests.e.com/gpu", 1, ""), pod);
    assertThat(cli.code()).isEqualTo(1);
    assertThat(cli.err()).contains("it requests 2 of requests.e.com/gpu; 0 of 1");
  }

  @Test
  void headroomEndsAtTheQuota() {
    Cli cli = run("headroom sts/s -".replace("sts", "statefulset"), quota(DEVICES, 3, ""), set(1));
    assertThat(cli.code()).as(cli.err()).isZero();
    assertThat(cli.out().replaceAll("\\s+", " "))
        .startsWith("2 more of statefulset default/s fit, each of 1 pod")
        .contains("ResourceQuota default/q has no room");
    String claims = quota("count/resourceclaims.resource.k8s.io", 2, "");
    assertThat(run("headroom statefulset/s -", claims, set(1)).out()).startsWith("1 more of ");
    assertThat(run("headroom statefulset/s -", set(1)).out()).startsWith("3 more of ");
  }

  @Test
  void aClaimThatNoPodUsesIsNotPlaced() {
    String claim =
        "---\n{apiVersion: resource.k8s.io/v1, kind: ResourceClaim, metadata: {name: c}, spec:"
            + " {devices: {requests: [{name: g, exactly: {deviceClassName: gpu}}]}}}\n";
    Cli cli = run("allocate -", quota(DEVICES, 0, ""), claim);
    assertThat(cli.err()).contains("ResourceQuota default/q: no room for claim default/c");
    assertThat(cli.out()).doesNotContain("d0");
  }

  @Test
  void fieldsOfQuotasAreValidated() {
    Cli cli =
        Cli.runWith(
            "{apiVersion: v1, kind: ResourceQuota, metadata: {name: q}, spec: {hrad: {a: 1}}}",
            "validate",
            "-");
    assertThat(cli.code()).isEqualTo(2);
    assertThat(cli.out())
        .contains("ResourceQuota \"q\": spec.hrad: unknown field; did you mean hard");
    Cli amount =
        Cli.runWith(
            "{apiVersion: v1, kind: ResourceQuota, metadata: {name: q}, spec: {hard: {a: b}}}",
            "validate",
            "-");
    assertThat(amount.out()).contains("spec.hard");
    Cli valid = Cli.runWith(quota(DEVICES, 1, ", status: {used: {a: '1'}}"), "validate", "-");
    assertThat(valid.code()).as(valid.out()).isZero();
  }
}
