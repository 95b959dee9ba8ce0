package io.dra4j.kubernetes;

import io.dra4j.inventory.DeviceInventory;
import io.dra4j.manifest.ManifestReader;
import io.dra4j.manifest.Manifests;
import io.dra4j.model.ResourceSlice;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Objects of tests on a real API server, changed at random, and what a list says of all. */
final class LiveObjects {

  private static final int OBJECTS = 8;

  private final KubernetesClient client;
  private final String prefix;

  LiveObjects(KubernetesClient client, String prefix) {
    this.client = client;
    this.prefix = prefix;
  }

  void apply(String yaml) {
    client.resource(yaml).serverSideApply();
  }

  void deleteSlice(String name) {
    client
        .genericKubernetesResources("resource.k8s.io/v1", "ResourceSlice")
        .withName(name)
        .delete();
  }

  static String slice(String name, String node, long generation, int devices) {
    StringBuilder yaml =
        new StringBuilder(
            """
            apiVersion: resource.k8s.io/v1
            kind: ResourceSlice
            metadata: {name: %s}
            spec:
              driver: test.example.com
              nodeName: %s
              pool: {name: %s, generation: %d, resourceSliceCount: 1}
              devices:
            """
                .formatted(name, node, node, generation));
    for (int i = 0; i < devices; i++) {
      yaml.append("  - {name: d%d, attributes: {index: {int: %d}}}\n".formatted(i, i));
    }
    return yaml.toString();
  }

  /** Puts or deletes one of a few objects. */
  void change(Random random) {
    int i = random.nextInt(OBJECTS);
    String yaml =
        switch (random.nextInt(4)) {
          case 0 ->
              slice(prefix + "-r" + i, prefix + "-n" + i, 1 + random.nextInt(9), random.nextInt(9));
          case 1 -> node(i, random.nextInt(9));
          case 2 -> deviceClass(i, random.nextInt(9));
          default -> claim(i, 1 + random.nextInt(3));
        };
    if (random.nextInt(3) == 0) {
      client.resource(yaml).delete();
    } else if (yaml.contains("kind: ResourceClaim")) { // its spec cannot be changed
      client.resource(yaml).delete();
      client.resource(yaml).create();
    } else {
      apply(yaml);
    }
  }

  void deleteAll() {
    for (int i = 0; i < OBJECTS; i++) {
      for (String yaml :
          List.of(
              slice(prefix + "-r" + i, "n", 1, 1), node(i, 1), deviceClass(i, 1), claim(i, 1))) {
        client.resource(yaml).delete();
      }
    }
  }

  private String node(int i, int value) {
    return "apiVersion: v1\nkind: Node\nmetadata: {name: %s-n%d, labels: {value: v%d}}\n"
        .formatted(prefix, i, value);
  }

  private String deviceClass(int i, int value) {
    return """
    apiVersion: resource.k8s.io/v1
    kind: DeviceClass
    metadata: {name: %s-c%d}
    spec:
      selectors:
      - cel: {expression: 'device.attributes["test.example.com"].index == %d'}
    """
        .formatted(prefix, i, value);
  }

  private String claim(int i, int count) {
    return """
    apiVersion: resource.k8s.io/v1
    kind: ResourceClaim
    metadata: {name: %s-k%d, namespace: default}
    spec:
      devices:
        requests:
        - {name: r, exactly: {deviceClassName: %s-c%d, count: %d}}
    """
        .formatted(prefix, i, prefix, i, count);
  }

  /** The inventory of lists that are made now. */
  DeviceInventory listed() throws Exception {
    ByteArrayOutputStream json = new ByteArrayOutputStream();
    ClusterCapture.of(client).write(json);
    return DeviceInventory.of(
        Manifests.snapshotOf(
            ManifestReader.builder()
                .build()
                .read("cluster", new ByteArrayInputStream(json.toByteArray()))));
  }

  static boolean isEqual(DeviceInventory one, DeviceInventory two) {
    Function<DeviceInventory, List<ResourceSlice>> slices =
        inventory ->
            inventory.publishedSlices().stream()
                .sorted(Comparator.comparing(slice -> slice.metadata().name()))
                .toList();
    return slices.apply(one).equals(slices.apply(two))
        && nodes(one).equals(nodes(two))
        && one.deviceClasses().stream().allMatch(name -> isEqual(name, one, two))
        && Set.copyOf(one.deviceClasses()).equals(Set.copyOf(two.deviceClasses()))
        && Set.copyOf(one.holders()).equals(Set.copyOf(two.holders()));
  }

  private static boolean isEqual(String deviceClass, DeviceInventory one, DeviceInventory two) {
    return Objects.equals(one.deviceClass(deviceClass), two.deviceClass(deviceClass));
  }

  private static Set<String> nodes(DeviceInventory inventory) {
    return inventory.nodes().stream()
        .map(node -> node.metadata().name() + node.metadata().labels())
        .collect(Collectors.toSet());
  }
}
