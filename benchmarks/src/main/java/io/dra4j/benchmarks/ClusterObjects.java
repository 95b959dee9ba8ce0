package io.dra4j.benchmarks;

import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Makes many objects of a live cluster. */
final class ClusterObjects {

  private static final int WRITERS = 8;

  private ClusterObjects() {}

  /**
   * An object to be made.
   *
   * @param path the collection that it is made in
   * @param json the object
   */
  record Made(String path, String json) {}

  /** Makes objects, several at a time; ends with the first one that the server refuses. */
  static void make(KubernetesClient client, List<Made> objects) throws Exception {
    ExecutorService writers = Executors.newFixedThreadPool(WRITERS);
    List<Future<?>> written = new ArrayList<>();
    try {
      for (Made object : objects) {
        written.add(writers.submit(() -> client.raw(object.path(), "POST", object.json())));
      }
      for (Future<?> one : written) {
        one.get();
      }
    } finally {
      writers.shutdownNow();
    }
  }

  /** A node that is ready, without a kubelet. */
  static Made node(String name) {
    return new Made(
        "/api/v1/nodes",
        """
        {"apiVersion":"v1","kind":"Node","metadata":{"name":"%1$s","labels":{"kubernetes.io/hostname":"%1$s"}},
        "status":{"capacity":{"cpu":"64","memory":"512Gi","pods":"110"},
        "allocatable":{"cpu":"64","memory":"512Gi","pods":"110"},
        "conditions":[{"type":"Ready","status":"True","reason":"Measured"}]}}"""
            .formatted(name));
  }
}
