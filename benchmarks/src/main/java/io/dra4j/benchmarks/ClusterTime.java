package io.dra4j.benchmarks;

import io.dra4j.kubernetes.ClusterInventory;
import io.dra4j.kubernetes.ClusterView;
import io.dra4j.kubernetes.SlicePublisher;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceAttribute;
import io.dra4j.model.ResourceSlice;
import io.dra4j.spi.publish.DevicePool;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/** How long it takes to follow and to change a cluster of many ResourceSlices of 16 devices. */
public final class ClusterTime {

  private static final Duration LIMIT = Duration.ofMinutes(2);
  private static final String SLICES = "/apis/resource.k8s.io/v1/resourceslices";
  private static final int DEVICES = 16;

  private ClusterTime() {}

  /**
   * Does one of several things with the cluster of {@code KUBECONFIG}, and prints one JSON object.
   *
   * @param args {@code fill FROM TO NODES} makes slices of these numbers, and a node with each of
   *     those below NODES; {@code pending} makes a pod that waits; {@code snapshot} follows until
   *     all is known; {@code visible TIMES} changes slices and waits for each; {@code publish
   *     TIMES} publishes changes of one device; {@code rate SECONDS} follows, and prints the part
   *     of a processor that it takes; {@code write RATE SECONDS} changes slices
   * @throws Exception if the cluster refuses or does not answer
   */
  public static void main(String[] args) throws Exception {
    try (KubernetesClient client = new KubernetesClientBuilder().build()) {
      switch (args[0]) {
        case "fill" -> fill(client, number(args, 1), number(args, 2), number(args, 3));
        case "pending" -> pending(client);
        case "snapshot" -> snapshot(client);
        case "visible" -> visible(client, number(args, 1));
        case "publish" -> publish(client, number(args, 1));
        case "rate" -> rate(client, number(args, 1));
        case "write" -> write(client, number(args, 1), number(args, 2));
        default -> throw new IllegalArgumentException("not known: " + args[0]);
      }
    }
  }

  private static int number(String[] args, int place) {
    return Integer.parseInt(args[place]);
  }

  private static void print(String format, Object... values) {
    System.out.println(String.format(Locale.ROOT, format, values));
  }

  private static void fill(KubernetesClient client, int from, int to, int nodes) throws Exception {
    List<ClusterObjects.Made> objects = new ArrayList<>();
    for (int i = from; i < to; i++) {
      if (i < nodes) {
        objects.add(ClusterObjects.node("n" + i));
      }
      objects.add(new ClusterObjects.Made(SLICES, slice(i, 0)));
    }
    ClusterObjects.make(client, objects);
    print("{\"slices\": %d}", to - from);
  }

  private static String slice(int number, int change) {
    StringBuilder devices = new StringBuilder();
    for (int i = 0; i < DEVICES; i++) {
      int numa = i / (DEVICES / 2);
      devices.append(i == 0 ? "" : ",");
      devices.append(
          """
          {"name":"gpu-%1$d","attributes":{"index":{"int":%1$d},"uuid":{"string":"GPU-%2$08x-%1$04x"},\
          "productName":{"string":"Example GPU 80GB"},"architecture":{"string":"Example"},\
          "driverVersion":{"version":"580.65.6"},"change":{"int":%4$d},\
          "resource.kubernetes.io/pcieRoot":{"string":"pci0000:%3$02x"},\
          "resource.kubernetes.io/pciBusID":{"string":"0000:%3$02x:00.0"}},\
          "capacity":{"memory":{"value":"81559Mi"}}}"""
              .formatted(i, number, 16 * numa + i, i == 0 ? change : 0));
    }
    return """
    {"apiVersion":"resource.k8s.io/v1","kind":"ResourceSlice","metadata":{"name":"s%d"},
    "spec":{"driver":"gpu.example.com","nodeName":"n%d",
    "pool":{"name":"n%d","generation":1,"resourceSliceCount":1},"devices":[%s]}}"""
        .formatted(number, number, number, devices);
  }

  private static void pending(KubernetesClient client) {
    client
        .resourceList(
            """
            apiVersion: resource.k8s.io/v1
            kind: DeviceClass
            metadata: {name: gpu}
            spec: {selectors: [{cel: {expression: 'device.driver == "gpu.example.com"'}}]}
            ---
            apiVersion: resource.k8s.io/v1
            kind: ResourceClaim
            metadata: {name: waits, namespace: default}
            spec: {devices: {requests: [{name: r, exactly: {deviceClassName: gpu, count: 17}}]}}
            ---
            apiVersion: v1
            kind: Pod
            metadata: {name: waits, namespace: default}
            spec:
              resourceClaims: [{name: c, resourceClaimName: waits}]
              containers: [{name: main, image: example.com/none, resources: {claims: [{name: c}]}}]
            """)
        .create();
    print("{\"pods\": 1}");
  }

  private static void snapshot(KubernetesClient client) throws Exception {
    long begin = System.nanoTime();
    try (ClusterInventory cluster = ClusterInventory.follow(client)) {
      ClusterView view = cluster.awaitSynced(LIMIT);
      long synced = System.nanoTime() - begin;
      System.gc();
      long heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
      print(
          "{\"ms\": %.0f, \"slices\": %d, \"heapMb\": %d}",
          synced / 1e6, view.inventory().publishedSlices().size(), heap >> 20);
    }
  }

  private static void visible(KubernetesClient client, int times) throws Exception {
    try (ClusterInventory cluster = ClusterInventory.follow(client)) {
      cluster.awaitSynced(LIMIT);
      List<Double> millis = new ArrayList<>();
      for (int i = 1; i <= times; i++) {
        int change = 1_000_000 + i;
        String name = "s" + (i * 37) % 1000;
        client.raw(SLICES + "/" + name, "PUT", slice((i * 37) % 1000, change));
        long answered = System.nanoTime();
        cluster.await(view -> changeOf(view, name) == change, LIMIT);
        millis.add((System.nanoTime() - answered) / 1e6);
        Thread.sleep(20);
      }
      percentiles(millis.subList(times / 5, times));
    }
  }

  /** The value that a change sets; of devices whose slice is not there, -1. */
  private static long changeOf(ClusterView view, String slice) {
    return view.inventory()
        .slice(slice)
        .map(one -> one.devices().get(0).attributes().get("change"))
        .map(value -> value instanceof DeviceAttribute.IntValue number ? number.value() : -1L)
        .orElse(-1L);
  }

  private static void publish(KubernetesClient client, int times) throws Exception {
    String driver = "measured.example.com";
    try (ClusterInventory cluster = ClusterInventory.follow(client);
        SlicePublisher publisher = SlicePublisher.builder(client, driver, "n0").start()) {
      cluster.awaitSynced(LIMIT);
      List<Double> millis = new ArrayList<>();
      for (int i = 0; i < times; i++) {
        long change = i;
        List<Device> devices = new ArrayList<>();
        for (int d = 0; d < DEVICES; d++) {
          devices.add(Device.named("d" + d).attribute("change", d == 3 ? change : -1).build());
        }
        long offered = System.nanoTime();
        publisher.publish(Map.of("n0", DevicePool.of(devices, List.of())));
        cluster.await(view -> isPublished(view, driver, change), LIMIT);
        millis.add((System.nanoTime() - offered) / 1e6);
        Thread.sleep(20);
      }
      percentiles(millis.subList(times / 5, times));
      publisher.publish(Map.of());
      publisher.awaitPublished(LIMIT);
    }
  }

  private static boolean isPublished(ClusterView view, String driver, long change) {
    for (ResourceSlice slice : view.inventory().publishedSlices()) {
      if (slice.driver().equals(driver)
          && slice.devices().get(3).attributes().get("change")
              instanceof DeviceAttribute.IntValue number
          && number.value() == change) {
        return true;
      }
    }
    return false;
  }

  private static void percentiles(List<Double> millis) {
    List<Double> sorted = new ArrayList<>(millis);
    Collections.sort(sorted);
    print(
        "{\"p50\": %.1f, \"p99\": %.1f, \"max\": %.1f}",
        sorted.get(sorted.size() / 2),
        sorted.get(sorted.size() * 99 / 100),
        sorted.get(sorted.size() - 1));
  }

  private static void rate(KubernetesClient client, int seconds) throws Exception {
    try (ClusterInventory cluster = ClusterInventory.follow(client)) {
      cluster.awaitSynced(LIMIT);
      AtomicInteger views = new AtomicInteger();
      cluster.addListener(view -> views.incrementAndGet());
      Thread.sleep(10_000); // is compiled meanwhile
      long before = processor();
      int seen = views.get();
      Thread.sleep(seconds * 1000L);
      print(
          "{\"percent\": %.1f, \"changes\": %d}",
          (processor() - before) / 1e7 / seconds, views.get() - seen);
    }
  }

  private static long processor() {
    return ProcessHandle.current().info().totalCpuDuration().orElseThrow().toNanos();
  }

  private static void write(KubernetesClient client, int rate, int seconds) throws Exception {
    ExecutorService writers = Executors.newFixedThreadPool(4);
    List<Future<?>> written = new ArrayList<>();
    long begin = System.nanoTime();
    for (int i = 0; i < rate * seconds; i++) {
      long due = begin + i * 1_000_000_000L / rate;
      while (System.nanoTime() < due) {
        LockSupport.parkNanos(due - System.nanoTime());
      }
      int change = i + 1;
      int number = (i * 37) % 1000;
      written.add(
          writers.submit(() -> client.raw(SLICES + "/s" + number, "PUT", slice(number, change))));
    }
    for (Future<?> one : written) {
      one.get();
    }
    writers.shutdown();
    print("{\"seconds\": %.1f}", (System.nanoTime() - begin) / 1e9);
  }
}
