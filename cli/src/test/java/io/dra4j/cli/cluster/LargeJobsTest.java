package io.dra4j.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.cli.Cli;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Jobs whose launchers work, or that have more pods than a claim or the queue takes. */
class LargeJobsTest {

  @TempDir private Path directory;

  private static final String CLUSTER =
      node("n0")
          + node("n1")
          + """
          {apiVersion: resource.k8s.io/v1, kind: DeviceClass, metadata: {name: gpu.nvidia.com},
            spec: {extendedResourceName: nvidia.com/gpu,
            selectors: [{cel: {expression: device.driver == "gpu.nvidia.com"}}]}}
          ---
          {apiVersion: resource.k8s.io/v1, kind: DeviceClass, metadata: {name: dra.net},
            spec: {selectors: [{cel: {expression: device.driver == "dra.net"}}]}}
          ---
          {apiVersion: resource.k8s.io/v1, kind: ResourceClaimTemplate, metadata: {name: t},
            spec: {spec: {devices: {requests: [
            {name: gpu, exactly: {deviceClassName: gpu.nvidia.com, count: 2}},
            {name: nic, exactly: {deviceClassName: dra.net, count: 2}}]}}}}
          ---
          """;

  private static final String CLAIM =
      """
      {apiVersion: resource.k8s.io/v1, kind: ResourceClaim, metadata: {name: shared},
        spec: {devices: {requests: [
        {name: gpu, exactly: {deviceClassName: gpu.nvidia.com, count: 2}},
        {name: nic, exactly: {deviceClassName: dra.net, count: 2}}]}}}
      ---
      """;

  private static final String PODS =
      "{spec: {containers: [{name: c, image: i, resources: {claims: [{name: e}]}}],"
          + " resourceClaims: [{name: e, %s}]}}";
  private static final String OF_TEMPLATE = PODS.formatted("resourceClaimTemplateName: t");
  private static final String SHARED = PODS.formatted("resourceClaimName: shared");

  /** A node with four GPUs, each beside a NIC. */
  private static String node(String name) {
    return """
        {apiVersion: v1, kind: Node, metadata: {name: %1$s, labels: {kubernetes.io/hostname: %1$s}}}
        ---
        """
            .formatted(name)
        + slice(name, "gpu.nvidia.com", "gpu", 1)
        + slice(name, "dra.net", "nic", 4);
  }

  private static String slice(String node, String driver, String device, int bus) {
    StringBuilder devices = new StringBuilder();
    for (int i = 0; i < 4; i++) {
      devices.append(
          """
          {name: %s-%d, attributes: {resource.kubernetes.io/pcieRoot: {string: 'pci0000:0%d'},
            resource.kubernetes.io/pciBusID: {string: '0000:%d%d:00.0'}}},
          """
              .formatted(device, i, i, bus, i));
    }
    return """
        {apiVersion: resource.k8s.io/v1, kind: ResourceSlice, metadata: {name: %1$s-%3$s}, spec: {
          driver: %2$s, nodeName: %1$s, pool: {name: %1$s, resourceSliceCount: 1}, devices: [%4$s]}}
        ---
        """
        .formatted(node, driver, device, devices);
  }

  private Cli place(String workload, String... options) {
    String[] arguments = new String[options.length + 2];
    arguments[0] = "place";
    arguments[1] = "-";
    System.arraycopy(options, 0, arguments, 2, options.length);
    return Cli.runWith(CLUSTER + workload, arguments);
  }

  private static String set(String pods) {
    return "{apiVersion: apps/v1, kind: StatefulSet, metadata: {name: x}, spec: {replicas: 2,"
        + " serviceName: x, template: "
        + pods
        + "}}";
  }

  @Test
  void aLauncherThatWorksCountsForItsJob() throws IOException {
    String job =
        """
        {apiVersion: kubeflow.org/v2beta1, kind: MPIJob, metadata: {name: m}, spec: {
          runLauncherAsWorker: true, mpiReplicaSpecs: {Launcher: {replicas: 1, template: %s},
          Worker: {replicas: 3, template: %s}}}}
        """
            .formatted(OF_TEMPLATE, OF_TEMPLATE);
    Cli cli = place(job, "--render", directory.toString());

    assertThat(cli.code()).as(cli.err()).isZero();
    assertThat(cli.unwrapped().out())
        .contains("MPIJob default/m: 4 of 4 pods placed on 2 nodes", "equal rails 0 to 3");
    assertThat(Files.readString(directory.resolve("default-m.yaml")))
        .contains("name: m-e-placed", "name: m-launcher-e-placed");
  }

  @Test
  void podsBeyondTheReservationsOfAClaimDoNotFit() {
    String deployment =
        "{apiVersion: apps/v1, kind: Deployment, metadata: {name: m}, spec: {replicas: 300,"
            + " template: "
            + SHARED
            + "}}";
    Cli cli = place(CLAIM + deployment);

    assertThat(cli.code()).isEqualTo(1);
    assertThat(cli.unwrapped().out())
        .startsWith("256 of 300 pods placed")
        .contains(
            "does not fit: claim default/shared is reserved for",
            "256 others, and cannot be reserved for more",
            "as default/m-256");
  }

  @Test
  void theAnswerAboutTooManyPodsIsThatNoneIsPlaced() {
    Cli cli = place(set(OF_TEMPLATE).replace("replicas: 2", "replicas: 2000000000"));

    assertThat(cli.code()).isEqualTo(2);
    assertThat(cli.out()).startsWith("nothing placed: all pods with claims are refused");
    assertThat(cli.err()).contains("use a smaller number, or fewer objects at a time");
  }
}
