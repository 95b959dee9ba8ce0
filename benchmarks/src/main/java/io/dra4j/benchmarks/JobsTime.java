package io.dra4j.benchmarks;

import com.sun.management.OperatingSystemMXBean;
import io.dra4j.allocation.Allocator;
import io.dra4j.allocation.policy.AllocationPolicy;
import io.dra4j.cel.CelSelectors;
import io.dra4j.inventory.DeviceInventory;
import io.dra4j.manifest.Manifest;
import io.dra4j.manifest.ManifestException;
import io.dra4j.manifest.ManifestReader;
import io.dra4j.model.ClusterSnapshot;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceCapacity;
import io.dra4j.model.KubernetesObject;
import io.dra4j.model.Node;
import io.dra4j.model.Quantity;
import io.dra4j.model.ResourceSlice;
import io.dra4j.model.StandardAttributes;
import io.dra4j.placement.PlacementPolicy;
import io.dra4j.placement.gang.GangPlacement;
import io.dra4j.scheduling.ClusterOutcome;
import io.dra4j.scheduling.ClusterRun;
import io.dra4j.scheduling.PodOutcome.Placed;
import io.dra4j.scheduling.PodQueue;
import java.io.ByteArrayInputStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Measures how long it takes to place the pods of one StatefulSet on many servers of 8 GPUs and 8
 * NICs, a pair below each PCIe root, 32 servers to a rack: each pod has a claim of pairs, each on
 * one root. The making of the cluster and of the pods counts apart. Prints one line of JSON for
 * each run.
 */
public final class JobsTime {

  private static final String RACK = "topology.kubernetes.io/rack";
  private static final int SERVERS_OF_RACK = 32;
  private static final int PAIRS = 8;
  private static final int AGAIN = 5;
  private static final DeviceCapacity MEMORY = DeviceCapacity.of(Quantity.parse("81559Mi"));

  private static final String PAIR =
      """
              - name: gpu-%1$d
                exactly: {deviceClassName: gpu.nvidia.com}
              - name: nic-%1$d
                exactly:
                  deviceClassName: dranet
                  selectors:
                  - cel: {expression: 'device.attributes["dra.net"].rdma == true'}
      """;

  private static final String SAME_ROOT =
      """
              - matchAttribute: resource.kubernetes.io/pcieRoot
                requests: [gpu-%1$d, nic-%1$d]
      """;

  private static final String JOB =
      """
      apiVersion: resource.k8s.io/v1
      kind: ResourceClaimTemplate
      metadata: {name: pairs, namespace: default}
      spec:
        spec:
          devices:
            requests:
      %s
            constraints:
      %s
      ---
      apiVersion: apps/v1
      kind: StatefulSet
      metadata: {name: job, namespace: default}
      spec:
        replicas: %d
        selector: {matchLabels: {app: job}}
        template:
          metadata: {labels: {app: job}}
          spec:
            resourceClaims:
            - {name: pairs, resourceClaimTemplateName: pairs}
            containers:
            - name: worker
              image: worker
              resources: {requests: {cpu: "4"}, claims: [{name: pairs}]}
      """;

  private static final String CLASSES =
      """
      apiVersion: resource.k8s.io/v1
      kind: DeviceClass
      metadata: {name: gpu.nvidia.com}
      spec:
        selectors:
        - cel:
            expression: >-
              device.driver == "gpu.nvidia.com" && device.attributes["gpu.nvidia.com"].type == "gpu"
      ---
      apiVersion: resource.k8s.io/v1
      kind: DeviceClass
      metadata: {name: dranet}
      spec:
        selectors:
        - cel: {expression: 'device.driver == "dra.net"'}
      """;

  private JobsTime() {}

  /**
   * Runs the measurement.
   *
   * @param args how many nodes, pods, and pairs of each pod; the policy: {@code kubernetes}, {@code
   *     first-fit} or {@code best}; {@code single} or {@code gang}; how often
   */
  public static void main(String[] args) {
    if (args.length != 6) {
      throw new IllegalArgumentException("expected NODES PODS PAIRS POLICY single|gang RUNS");
    }
    List<KubernetesObject> objects = new ArrayList<>(read(CLASSES));
    for (int i = 0; i < Integer.parseInt(args[0]); i++) {
      addServer(objects, i);
    }
    objects.addAll(job(Integer.parseInt(args[1]), Integer.parseInt(args[2])));
    for (int i = 0; i < Integer.parseInt(args[5]); i++) {
      run(args, objects, i);
    }
  }

  private static void run(String[] args, List<KubernetesObject> objects, int number) {
    long from = System.nanoTime();
    PodQueue queue = PodQueue.of(objects);
    DeviceInventory inventory =
        DeviceInventory.of(
            ClusterSnapshot.of(objects).withResourceClaims(List.copyOf(queue.claims().values())));
    long read = System.nanoTime();
    long beginCpu = processorNanos();
    Allocator allocator =
        Allocator.builder().selectors(CelSelectors.create()).policy(policy(args[3])).build();
    List<Long> times = new ArrayList<>();
    times.add(read);
    ClusterRun.Builder options =
        ClusterRun.builder(allocator).observer(pod -> times.add(System.nanoTime()));
    if (args[4].equals("gang")) {
      GangPlacement placement = GangPlacement.builder(allocator).levels(List.of(RACK)).build();
      options.gangs(placement, Duration.ofMinutes(1));
    }
    ClusterRun run = options.build();
    ClusterOutcome outcome = run.place(queue, inventory);
    long end = System.nanoTime();
    long endCpu = processorNanos();
    double first = (times.get(1) - read) / 1e6;
    double last = (times.get(times.size() - 1) - times.get(times.size() - 2)) / 1e6;
    long again = Long.MAX_VALUE; // with what is known of nodes by then
    for (int i = 0; i < AGAIN; i++) {
      long fromCpu = processorNanos();
      run.place(queue, inventory);
      again = Math.min(again, processorNanos() - fromCpu);
    }
    long placed = outcome.pods().stream().filter(Placed.class::isInstance).count();
    StringBuilder devices = new StringBuilder();
    outcome
        .pods()
        .forEach(
            pod ->
                devices.append(pod instanceof Placed one ? one.node() + one.allocations() : pod));
    System.out.printf(
        Locale.ROOT,
        "{\"run\":%d,\"placed\":%d,\"madeMillis\":%.1f,\"placeMillis\":%.1f,\"processorMillis\":%.1f,\"firstPodMillis\":%.2f,"
            + "\"lastPodMillis\":%.3f,\"againProcessorMillis\":%.1f,\"answer\":\"%08x\"}%n",
        number,
        placed,
        (read - from) / 1e6,
        (end - read) / 1e6,
        (endCpu - beginCpu) / 1e6,
        first,
        last,
        again / 1e6,
        devices.toString().hashCode());
  }

  private static void addServer(List<KubernetesObject> objects, int server) {
    String name = "server-" + server;
    objects.add(
        Node.named(name).toBuilder()
            .label(RACK, "rack-" + server / SERVERS_OF_RACK)
            .allocatable(Map.of("cpu", Quantity.parse("128"), "pods", Quantity.parse("110")))
            .build());
    List<Device> gpus = new ArrayList<>();
    List<Device> nics = new ArrayList<>();
    for (int i = 0; i < PAIRS; i++) {
      String root = "pci0000:%02x".formatted(16 * i);
      gpus.add(
          Device.named("gpu-" + i)
              .attribute("type", "gpu")
              .attribute("productName", "NVIDIA H100 80GB HBM3")
              .attribute("uuid", "GPU-%08x-%d".formatted(server, i))
              .attribute("index", i)
              .attribute(StandardAttributes.PCIE_ROOT, root)
              .attribute(StandardAttributes.PCI_BUS_ID, "0000:%02x:00.0".formatted(16 * i + 4))
              .attribute(StandardAttributes.NUMA_NODE, i / 4)
              .capacity("memory", MEMORY)
              .build());
      nics.add(
          Device.named("nic-" + i)
              .attribute("ifName", "gpu%drdma0".formatted(i))
              .attribute("rdma", true)
              .attribute(StandardAttributes.PCIE_ROOT, root)
              .attribute(StandardAttributes.PCI_BUS_ID, "0000:%02x:00.0".formatted(16 * i + 6))
              .attribute(StandardAttributes.NUMA_NODE, i / 4)
              .build());
    }
    objects.add(ResourceSlice.onNode(name + "-gpus", "gpu.nvidia.com", name, gpus));
    objects.add(ResourceSlice.onNode(name + "-nics", "dra.net", name, nics));
  }

  /** Of the whole process, its compiler and its garbage collector included. */
  private static long processorNanos() {
    return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getProcessCpuTime();
  }

  private static AllocationPolicy policy(String name) {
    return switch (name) {
      case "kubernetes" -> AllocationPolicy.firstFit();
      case "first-fit" -> PlacementPolicy.firstFit();
      case "best" -> PlacementPolicy.best();
      default -> throw new IllegalArgumentException("policy " + name);
    };
  }

  private static List<KubernetesObject> job(int pods, int pairs) {
    StringBuilder requests = new StringBuilder();
    StringBuilder constraints = new StringBuilder();
    for (int i = 0; i < pairs; i++) {
      requests.append(PAIR.formatted(i));
      constraints.append(SAME_ROOT.formatted(i));
    }
    return read(JOB.formatted(requests, constraints, pods));
  }

  private static List<KubernetesObject> read(String yaml) {
    try {
      return ManifestReader.builder()
          .build()
          .read("job", new ByteArrayInputStream(yaml.getBytes(StandardCharsets.UTF_8)))
          .stream()
          .map(Manifest::object)
          .toList();
    } catch (ManifestException e) {
      throw new IllegalStateException(e);
    }
  }
}
