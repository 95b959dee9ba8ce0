package io.dra4j.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.cli.Cli;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code place --render}: what the files keep of a placement, and the warnings about the rest. */
class RenderTest {

  /** One node with two GPUs and two NICs; each GPU has the PCIe root of the other NIC. */
  private static final String CLUSTER =
      """
      {apiVersion: resource.k8s.io/v1, kind: DeviceClass, metadata: {name: gpu}, spec: {
        extendedResourceName: example.com/gpu,
        selectors: [{cel: {expression: 'device.driver == "gpu.nvidia.com"'}}]}}
      ---
      {apiVersion: resource.k8s.io/v1, kind: DeviceClass, metadata: {name: nic}, spec: {
        selectors: [{cel: {expression: 'device.driver == "dra.net"'}}]}}
      ---
      {apiVersion: v1, kind: Node, metadata: {name: a, labels: {kubernetes.io/hostname: a}}}
      ---
      {apiVersion: resource.k8s.io/v1, kind: ResourceSlice, metadata: {name: gpus}, spec: {
        driver: gpu.nvidia.com, nodeName: a, pool: {name: a, generation: 1, resourceSliceCount: 1},
        devices: [
          {name: gpu-0, attributes: {resource.kubernetes.io/pcieRoot: {string: 'pci0000:00'},
            resource.kubernetes.io/pciBusID: {string: '0000:10:00.0'}}},
          {name: gpu-1, attributes: {resource.kubernetes.io/pcieRoot: {string: 'pci0000:01'},
            resource.kubernetes.io/pciBusID: {string: '0000:11:00.0'}}}]}}
      ---
      {apiVersion: resource.k8s.io/v1, kind: ResourceSlice, metadata: {name: nics}, spec: {
        driver: dra.net, nodeName: a, pool: {name: a, generation: 1, resourceSliceCount: 1},
        devices: [
          {name: nic-0, attributes: {rdma: {bool: true},
            resource.kubernetes.io/pcieRoot: {string: 'pci0000:01'},
            resource.kubernetes.io/pciBusID: {string: '0000:40:00.0'}}},
          {name: nic-1, attributes: {rdma: {bool: true},
            resource.kubernetes.io/pcieRoot: {string: 'pci0000:00'},
            resource.kubernetes.io/pciBusID: {string: '0000:41:00.0'}}}]}}
      ---
      """;

  private static final String PAIR =
      """
      {devices: {requests: [{name: gpu, exactly: {deviceClassName: gpu}},
        {name: nic, exactly: {deviceClassName: nic}}]}}
      """;

  private static final String GPU =
      "{devices: {requests: [{name: gpu, exactly: {deviceClassName: gpu}}]}}\n";

  @TempDir private Path directory;

  private static String template(String namespace, String spec) {
    return """
        {apiVersion: resource.k8s.io/v1, kind: ResourceClaimTemplate, metadata: {name: t,
          namespace: %s}, spec: {spec: %s}}
        ---
        """
        .formatted(namespace, spec.strip());
  }

  private static String job(String namespace, String name, int pods) {
    return """
        {apiVersion: batch/v1, kind: Job, metadata: {name: %s, namespace: %s}, spec: {
          parallelism: %d, completions: %3$d, template: {spec: {restartPolicy: Never,
          resourceClaims: [{name: dev, resourceClaimTemplateName: t}],
          containers: [{name: c, image: i, resources: {claims: [{name: dev}]}}]}}}}
        ---
        """
        .formatted(name, namespace, pods);
  }

  private static String set(String name, String claim) {
    return """
        {apiVersion: apps/v1, kind: StatefulSet, metadata: {name: %s, namespace: default}, spec: {
          replicas: 2, serviceName: s, selector: {matchLabels: {app: s}}, template: {
          metadata: {labels: {app: s}}, spec: {
          resourceClaims: [{name: dev, %s}],
          containers: [{name: c, image: i, resources: {claims: [{name: dev}]}}]}}}}
        ---
        """
        .formatted(name, claim);
  }

  private Cli render(String cluster, String... more) {
    return Cli.runWith(
        cluster,
        Stream.concat(Stream.of("place", "-", "--render", directory.toString()), Stream.of(more))
            .toArray(String[]::new));
  }

  private String read(String name) throws IOException {
    return Files.readString(directory.resolve(name));
  }

  /** The warnings about what is not rendered as it was placed. */
  private static List<String> warnings(Cli cli, String job) {
    String start = "dra4j: warning: " + job + ": ";
    return cli.errLines().stream()
        .filter(line -> line.startsWith(start))
        .map(line -> line.substring(start.length()))
        .toList();
  }

  @Test
  void podsOfOneNodeGetThePairsOfTheirOwnPcieRoots() throws IOException {
    String job = template("default", PAIR) + job("default", "j", 2);
    Cli placed = render(CLUSTER + job, "--policy", "best");
    assertThat(placed.code()).as(placed.err()).isZero();
    assertThat(warnings(placed, "Job default/j")).isEmpty();
    assertThat(read("default-j.yaml")).contains("matchAttribute: resource.kubernetes.io/pcieRoot");

    Cli again = Cli.runWith(CLUSTER + "---\n" + read("default-j.yaml"), "place", "-");
    assertThat(again.out()).isEqualTo(placed.out()).contains("gpu-0 nic-1", "gpu-1 nic-0");
  }

  @Test
  void aWarningReportsPodsOfOneNodeThatMayGetDevicesOfEachOther() throws IOException {
    String job = template("default", PAIR) + job("default", "j", 2);
    Cli placed = render(CLUSTER + job);

    assertThat(placed.out()).contains("gpu-0 nic-0", "gpu-1 nic-1");
    assertThat(warnings(placed, "Job default/j"))
        .singleElement()
        .asString()
        .startsWith("several of its pods are on one node: their template is pinned");
    assertThat(read("default-j.yaml")).doesNotContain("matchAttribute");
  }

  @Test
  void podsOfOneNodeWithOneDeviceEachNeedNoWarning() throws IOException {
    Cli placed = render(CLUSTER + template("default", GPU) + job("default", "j", 2));

    assertThat(warnings(placed, "Job default/j")).isEmpty();
    assertThat(read("default-j.yaml")).contains("[\"0000:10:00.0\", \"0000:11:00.0\"]");
  }

  @Test
  void workloadsWhoseFilesWouldHaveOneNameGetDifferentOnes() throws IOException {
    String jobs =
        template("a", GPU) + template("a-b", GPU) + job("a-b", "c", 1) + job("a", "b-c", 1);
    Cli placed = render(CLUSTER + jobs);

    assertThat(placed.code()).as(placed.err()).isZero();
    assertThat(read("a-b-c.yaml")).contains("namespace: a-b\n").doesNotContain("namespace: a\n");
    assertThat(read("a-b-c-job.yaml")).contains("name: b-c\n", "namespace: a\n");
    assertThat(read("a-b-c-job.sky.yaml")).contains("name: b-c\n");
    assertThat(warnings(placed, "Job a/b-c"))
        .containsExactly("its files are named a-b-c-job, because another workload has a-b-c");
  }

  @Test
  void theNameOfATaskOfSkyPilotIsNotThatOfAnotherWorkload() throws IOException {
    String jobs = template("default", GPU) + job("default", "j", 1) + job("default", "j.sky", 1);
    render(CLUSTER + jobs);

    assertThat(read("default-j.sky.yaml")).contains("infra: k8s");
    assertThat(read("default-j.sky-job.yaml")).contains("name: j.sky\n");
  }

  @Test
  void theSlotsOfPodsWithASharedClaimAreItsGpusAndAWarningNamesTheClaim() throws IOException {
    String claim =
        "{apiVersion: resource.k8s.io/v1, kind: ResourceClaim, metadata: {name: sh,"
            + " namespace: default}, spec: "
            + PAIR.strip()
            + "}\n---\n";
    Cli placed = render(CLUSTER + claim + set("x", "resourceClaimName: sh"));

    assertThat(read("default-x.yaml")).contains("x-0.s slots=1\n", "x-1.s slots=1\n");
    assertThat(warnings(placed, "StatefulSet default/x"))
        .containsExactly("ResourceClaim sh, which its pods share, is neither written nor pinned");
  }

  @Test
  void aWarningReportsExtendedResources() {
    String job =
        job("default", "j", 1)
            .replace("resourceClaims: [{name: dev, resourceClaimTemplateName: t}],", "")
            .replace("claims: [{name: dev}]", "limits: {example.com/gpu: 1}");
    Cli placed = render(CLUSTER + job);

    assertThat(placed.out()).startsWith("1 of 1 pod placed");
    assertThat(warnings(placed, "Job default/j"))
        .containsExactly("its extended resources are not pinned: a pod names no devices for them");
  }

  @Test
  void aWarningReportsRequestsWithAlternatives() throws IOException {
    String either =
        GPU.replace(
            "exactly: {deviceClassName: gpu}", "firstAvailable: [{name: x, deviceClassName: gpu}]");
    Cli placed = render(CLUSTER + template("default", either) + job("default", "j", 1));

    assertThat(warnings(placed, "Job default/j"))
        .containsExactly("its requests with alternatives (firstAvailable) are not pinned");
    assertThat(read("default-j.yaml")).doesNotContain("pciBusID");
  }

  @Test
  void devicesThatHaveNoAddressOfTheirOwnAreNotPinned() throws IOException {
    Cli placed =
        render(
            CLUSTER.replace("0000:11:00.0", "0000:10:00.0")
                + template("default", GPU)
                + job("default", "j", 1));

    assertThat(warnings(placed, "Job default/j"))
        .containsExactly(
            "its claims are not pinned to devices: these have no address of their own, or other"
                + " ones on other nodes");
    assertThat(read("default-j.yaml")).contains("j-dev-placed").doesNotContain("pciBusID");
  }

  @Test
  void aWarningReportsANodeWithoutTheLabelOfItsName() {
    Cli placed =
        render(
            CLUSTER.replace(", labels: {kubernetes.io/hostname: a}", "")
                + template("default", GPU)
                + job("default", "j", 1));

    assertThat(warnings(placed, "Job default/j"))
        .containsExactly(
            "it is not restricted to its nodes: one of them has no label kubernetes.io/hostname");
  }

  @Test
  void aDirectoryThatCannotBeCreatedIsNamed() throws IOException {
    Path file = Files.createFile(directory.resolve("file"));
    String job = CLUSTER + template("default", GPU) + job("default", "j", 1);
    Cli onFile = Cli.runWith(job, "place", "-", "--render", file.toString());
    Path below = file.resolve("below");
    Cli belowFile = Cli.runWith(job, "place", "-", "--render", below.toString());

    assertThat(onFile.code()).isEqualTo(2);
    assertThat(onFile.err()).contains("--render: " + file + ": is a file; expected a directory");
    assertThat(belowFile.code()).isNotZero();
    assertThat(belowFile.err())
        .contains("--render: the directory " + below + " cannot be created: ")
        .doesNotContain("no such file");
  }
}
