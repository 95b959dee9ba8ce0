package io.dra4j.benchmarks;

import io.dra4j.allocation.Allocator;
import io.dra4j.benchmarks.ClusterObjects.Made;
import io.dra4j.cel.CelSelectors;
import io.dra4j.inventory.DeviceInventory;
import io.dra4j.manifest.Manifest;
import io.dra4j.manifest.ManifestException;
import io.dra4j.manifest.ManifestReader;
import io.dra4j.model.ClusterSnapshot;
import io.dra4j.model.KubernetesObject;
import io.dra4j.scheduling.ClusterOutcome;
import io.dra4j.scheduling.ClusterRun;
import io.dra4j.scheduling.PodOutcome.Placed;
import io.dra4j.scheduling.PodQueue;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.Watch;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * How many pods with claims kube-scheduler and dra4j place in a second. The cases are those of
 * scheduler_perf in Kubernetes 1.37 (test/integration/scheduler_perf/dra): nodes with 10 devices of
 * 13 attributes, and pods with a claim each.
 */
public final class SchedulerTime {

  private static final String DRIVER = "perf.example.com";
  private static final String CLAIMS = "/apis/resource.k8s.io/v1/namespaces/default/resourceclaims";
  private static final int DEVICES = 10;
  private static final int LIMIT_SECONDS = 300;

  /** What the claim of a pod asks for. */
  private enum Case {
    /** One device. */
    ONE("{\"name\":\"r\",\"exactly\":{\"deviceClassName\":\"perf\"}}", ""),

    /** One device that a selector has to find; all match. */
    SELECTOR(
        "{\"name\":\"r\",\"exactly\":{\"deviceClassName\":\"perf\",\"selectors\":[{\"cel\":{\"expression\":"
            + "\"device.attributes['perf.example.com'].driverVersion.major() >= 1"
            + " && device.capacity['perf.example.com'].memory.isGreaterThan(quantity('1Mi'))\"}}]}}",
        ""),

    /** Five devices on one PCIe root; the devices of a node alternate between two. */
    ROOT(five(), ",\"constraints\":[{\"matchAttribute\":\"resource.kubernetes.io/pcieRoot\"}]"),

    /** One device of a class that has none, or one of the other class. */
    ALTERNATIVES(
        "{\"name\":\"r\",\"firstAvailable\":[{\"name\":\"a\",\"deviceClassName\":\"none\"},"
            + "{\"name\":\"b\",\"deviceClassName\":\"perf\"}]}",
        "");

    private final String requests;
    private final String constraints;

    Case(String requests, String constraints) {
      this.requests = requests;
      this.constraints = constraints;
    }

    private static String five() {
      List<String> requests = new ArrayList<>();
      for (int i = 0; i < 5; i++) {
        requests.add("{\"name\":\"r%d\",\"exactly\":{\"deviceClassName\":\"perf\"}}".formatted(i));
      }
      return String.join(",", requests);
    }
  }

  private SchedulerTime() {}

  /**
   * Does one of several things, and prints one JSON object.
   *
   * @param args {@code nodes COUNT} makes nodes in the cluster of {@code KUBECONFIG}; {@code pods
   *     CASE COUNT} makes pods and their claims; {@code await COUNT} waits until so many pods have
   *     nodes, and prints how long; {@code remove} deletes pods and claims; {@code place FILE RUNS}
   *     places the pods of a snapshot
   * @throws Exception if the cluster refuses or does not answer
   */
  public static void main(String[] args) throws Exception {
    if (args[0].equals("place")) {
      place(Path.of(args[1]), Integer.parseInt(args[2]));
      return;
    }
    try (KubernetesClient client = new KubernetesClientBuilder().build()) {
      switch (args[0]) {
        case "nodes" -> nodes(client, Integer.parseInt(args[1]));
        case "pods" ->
            pods(client, Case.valueOf(args[1].toUpperCase(Locale.ROOT)), Integer.parseInt(args[2]));
        case "await" -> await(client, Integer.parseInt(args[1]));
        case "remove" -> remove(client);
        default -> throw new IllegalArgumentException("not known: " + args[0]);
      }
    }
  }

  private static void print(String format, Object... values) {
    System.out.println(String.format(Locale.ROOT, format, values));
  }

  private static void nodes(KubernetesClient client, int count) throws Exception {
    List<Made> objects = new ArrayList<>();
    for (String name : List.of("perf", "none")) {
      objects.add(
          new Made(
              "/apis/resource.k8s.io/v1/deviceclasses",
              """
              {"apiVersion":"resource.k8s.io/v1","kind":"DeviceClass","metadata":{"name":"%1$s"},
              "spec":{"selectors":[{"cel":{"expression":"device.driver == '%1$s.example.com'"}}]}}"""
                  .formatted(name)));
    }
    for (int i = 0; i < count; i++) {
      objects.add(ClusterObjects.node("n" + i));
      objects.add(new Made("/apis/resource.k8s.io/v1/resourceslices", slice(i)));
    }
    ClusterObjects.make(client, objects);
    print("{\"nodes\": %d}", count);
  }

  private static String slice(int node) {
    List<String> devices = new ArrayList<>();
    for (int i = 0; i < DEVICES; i++) {
      devices.add(
          """
          {"name":"d%1$d","attributes":{"driverName":{"string":"xe"},"driverVersion":{"version":"1.2.3"},
          "family":{"string":"Example"},"health":{"string":"Healthy"},"model":{"string":"E60"},
          "address":{"string":"0000:0%1$d:00.0"},"id":{"string":"0xe211"},"root":{"string":"0%2$d"},
          "resource.kubernetes.io/pciBusID":{"string":"0000:0%1$d:00.0"},
          "resource.kubernetes.io/pcieRoot":{"string":"pci0000:0%2$d"},"index":{"int":%1$d},
          "sriov":{"bool":true},"type":{"string":"gpu"}},
          "capacity":{"memory":{"value":"24480Mi"},"millicores":{"value":"1k"}}}"""
              .formatted(i, i % 2));
    }
    return """
    {"apiVersion":"resource.k8s.io/v1","kind":"ResourceSlice","metadata":{"name":"s%1$d"},
    "spec":{"driver":"%2$s","nodeName":"n%1$d",
    "pool":{"name":"n%1$d","generation":1,"resourceSliceCount":1},"devices":[%3$s]}}"""
        .formatted(node, DRIVER, String.join(",", devices));
  }

  private static void pods(KubernetesClient client, Case asked, int count) throws Exception {
    List<Made> claims = new ArrayList<>();
    List<Made> pods = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      claims.add(
          new Made(
              CLAIMS,
              """
              {"apiVersion":"resource.k8s.io/v1","kind":"ResourceClaim","metadata":{"name":"c%d"},
              "spec":{"devices":{"requests":[%s]%s}}}"""
                  .formatted(i, asked.requests, asked.constraints)));
      pods.add(
          new Made(
              "/api/v1/namespaces/default/pods",
              """
              {"apiVersion":"v1","kind":"Pod","metadata":{"name":"p%1$d"},
              "spec":{"resourceClaims":[{"name":"c","resourceClaimName":"c%1$d"}],
              "containers":[{"name":"main","image":"example.com/none","resources":{"claims":[{"name":"c"}]}}]}}"""
                  .formatted(i)));
    }
    ClusterObjects.make(client, claims);
    ClusterObjects.make(client, pods);
    print("{\"pods\": %d}", count);
  }

  private static void await(KubernetesClient client, int count) throws Exception {
    long begin = System.nanoTime();
    Set<String> scheduled = new HashSet<>();
    CountDownLatch done = new CountDownLatch(1);
    Watcher<Pod> watcher =
        new Watcher<>() {
          @Override
          public void eventReceived(Action action, Pod pod) {
            if (pod.getSpec().getNodeName() != null
                && scheduled.add(pod.getMetadata().getName())
                && scheduled.size() == count) {
              done.countDown();
            }
          }

          @Override
          public void onClose(WatcherException cause) {
            done.countDown();
          }
        };
    Watch watch = client.pods().inNamespace("default").watch(watcher);
    try {
      System.out.println("watching");
      if (!done.await(LIMIT_SECONDS, TimeUnit.SECONDS) || scheduled.size() < count) {
        throw new IllegalStateException(
            "%d of %d pods have nodes after %d s"
                .formatted(scheduled.size(), count, LIMIT_SECONDS));
      }
    } finally {
      watch.close();
    }
    print("{\"ms\": %.0f}", (System.nanoTime() - begin) / 1e6);
  }

  private static void remove(KubernetesClient client) throws Exception {
    client.pods().inNamespace("default").withGracePeriod(0).delete();
    while (!client.pods().inNamespace("default").list().getItems().isEmpty()) {
      Thread.sleep(200);
    }
    client.raw(CLAIMS, "DELETE", "{\"kind\":\"DeleteOptions\",\"apiVersion\":\"v1\"}");
    while (client.raw(CLAIMS).contains("\"metadata\":{\"name\"")) { // until the controller lets go
      Thread.sleep(200);
    }
    print("{\"removed\": true}");
  }

  private static void place(Path file, int runs) throws IOException, ManifestException {
    List<KubernetesObject> objects = new ArrayList<>();
    try (InputStream in = new BufferedInputStream(Files.newInputStream(file))) {
      ManifestReader.builder().build().read(file.toString(), in).stream()
          .map(Manifest::object)
          .forEach(objects::add);
    }
    double first = 0;
    double best = Double.MAX_VALUE;
    long placed = 0;
    for (int i = 0; i < runs; i++) {
      long begin = System.nanoTime();
      PodQueue queue = PodQueue.of(objects);
      DeviceInventory inventory = DeviceInventory.of(ClusterSnapshot.of(objects));
      Allocator allocator = Allocator.builder().selectors(CelSelectors.create()).build();
      ClusterOutcome outcome = ClusterRun.builder(allocator).build().place(queue, inventory);
      double millis = (System.nanoTime() - begin) / 1e6;
      first = i == 0 ? millis : first;
      best = Math.min(best, millis);
      placed = outcome.pods().stream().filter(Placed.class::isInstance).count();
    }
    print("{\"placed\": %d, \"first\": %.1f, \"best\": %.1f}", placed, first, best);
  }
}
