package io.dra4j.cli.cluster;

import io.dra4j.allocation.Allocator;
import io.dra4j.inventory.DeviceInventory;
import io.dra4j.manifest.ManifestException;
import io.dra4j.manifest.ManifestReader;
import io.dra4j.model.ClusterSnapshot;
import io.dra4j.model.KubernetesObject;
import io.dra4j.scheduling.ClusterRun;
import io.dra4j.scheduling.PodOutcome;
import io.dra4j.scheduling.PodQueue;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;

/** Objects of a live cluster, and what its scheduler and dra4j answer about pods. */
final class LiveScheduler {

  private static final int LIMIT_SECONDS = 60;

  private LiveScheduler() {}

  static List<HasMetadata> make(KubernetesClient client, String yaml) {
    List<HasMetadata> made = new ArrayList<>();
    for (HasMetadata object :
        client.load(new ByteArrayInputStream(yaml.getBytes(StandardCharsets.UTF_8))).items()) {
      made.add(client.resource(object).create());
    }
    return made;
  }

  /** Makes a namespace in which pods can be made. */
  static List<HasMetadata> makeNamespace(KubernetesClient client, String name) {
    List<HasMetadata> made =
        make(client, "apiVersion: v1\nkind: Namespace\nmetadata: {name: " + name + "}\n");
    client
        .serviceAccounts()
        .inNamespace(name)
        .withName("default")
        .waitUntilCondition(Objects::nonNull, LIMIT_SECONDS, TimeUnit.SECONDS);
    return made;
  }

  /**
   * Waits for the answer of the scheduler about a pod.
   *
   * @param read what the message of the condition says; empty if it is no answer yet
   * @return the name of the node, or why there is none
   */
  static String answer(
      KubernetesClient client, String namespace, String name, UnaryOperator<String> read)
      throws InterruptedException {
    String message = "";
    for (int i = 0; i < LIMIT_SECONDS * 20; i++) {
      Pod pod = client.pods().inNamespace(namespace).withName(name).get();
      if (pod.getSpec().getNodeName() != null) {
        return pod.getSpec().getNodeName();
      }
      message =
          pod.getStatus().getConditions().stream()
              .filter(one -> one.getType().equals("PodScheduled"))
              .map(PodCondition::getMessage)
              .map(String::valueOf)
              .findFirst()
              .orElse("");
      String answer = read.apply(message);
      if (!answer.isEmpty()) {
        return answer;
      }
      Thread.sleep(50);
    }
    throw new AssertionError("no answer about " + namespace + "/" + name + ": " + message);
  }

  /** The objects of a text in YAML or JSON. */
  static List<KubernetesObject> objects(String text) throws ManifestException {
    List<KubernetesObject> objects = new ArrayList<>();
    ManifestReader.builder()
        .build()
        .readFile("cluster", new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)))
        .manifests()
        .forEach(manifest -> objects.add(manifest.object()));
    return objects;
  }

  /** The answers of dra4j about the pods of a text in YAML or JSON. */
  static List<PodOutcome> place(Allocator allocator, String text) throws ManifestException {
    List<KubernetesObject> objects = objects(text);
    PodQueue queue = PodQueue.of(objects, claim -> false);
    ClusterSnapshot cluster =
        ClusterSnapshot.of(objects).withResourceClaims(List.copyOf(queue.claims().values()));
    return ClusterRun.builder(allocator).build().place(queue, DeviceInventory.of(cluster)).pods();
  }
}
