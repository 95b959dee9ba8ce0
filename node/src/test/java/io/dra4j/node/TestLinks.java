package io.dra4j.node;

import static io.dra4j.node.NodeCluster.await;
import static io.dra4j.node.NodeCluster.run;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;

/**
 * Links of the node for the pods of one test, with a class and a template of claims for them. Each
 * pod gets one or more of them, as {@code nic0} and so on, and its containers print whether they
 * see the last one when they begin: {@code WITH} or {@code LOST}.
 */
final class TestLinks implements AutoCloseable {

  /** What a container runs: it says what it sees, and stays. */
  static final String LOOK = "ip link show nic0 >/dev/null 2>&1 && echo WITH || echo LOST";

  private static final String SETUP =
      """
      apiVersion: resource.k8s.io/v1
      kind: DeviceClass
      metadata: {name: %1$s}
      spec: {selectors: [{cel: {expression: 'device.driver == "dra.net" && device.attributes["dra.net"].ifName.startsWith("%1$s-")'}}]}
      ---
      apiVersion: resource.k8s.io/v1
      kind: ResourceClaimTemplate
      metadata: {name: %1$s, namespace: default}
      spec:
        spec:
          devices:
            requests: [{name: nic, exactly: {deviceClassName: %1$s, count: %2$d}}]
            config:
            - opaque: {driver: dra.net, parameters: {interface: {name: nic%%d}}}
      """;

  private static final String POD =
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: %1$s, namespace: default, labels: {test: %2$s}}
      spec:
        restartPolicy: %3$s
        terminationGracePeriodSeconds: %4$d
        resourceClaims: [{name: nic, resourceClaimTemplateName: %2$s}]
        containers:
        - name: main
          image: %5$s
          imagePullPolicy: Never
          command: [sh, -c, "%6$s; exec sleep 600"]
          resources: {claims: [{name: nic}]}
      """;

  private final NodeCluster cluster;
  private final String name;
  private final int count;
  private final int perPod;
  private int with;
  private int lost;

  private TestLinks(NodeCluster cluster, String name, int count, int perPod) {
    this.cluster = cluster;
    this.name = name;
    this.count = count;
    this.perPod = perPod;
  }

  /**
   * Adds links {@code NAME-0}, {@code NAME-1}, and so on, and a class and a template of that name.
   */
  static TestLinks add(NodeCluster cluster, String name, int count) throws Exception {
    return add(cluster, name, count, 1);
  }

  /** Adds links, of which each pod gets several. */
  static TestLinks add(NodeCluster cluster, String name, int count, int perPod) throws Exception {
    TestLinks links = new TestLinks(cluster, name, count, perPod);
    links.addLinks();
    cluster.create(SETUP.formatted(name, perPod));
    return links;
  }

  /** Adds the links, also after the node has lost them. */
  void addLinks() throws Exception {
    String cable = "c-" + name;
    run("ip", "link", "add", cable, "type", "veth", "peer", "name", cable + "p");
    run("ip", "link", "set", cable + "p", "up");
    run("ip", "link", "set", cable, "up");
    for (int i = 0; i < count; i++) {
      addLink(i);
    }
  }

  private void addLink(int number) throws Exception {
    String link = name + "-" + number;
    run("ip", "link", "add", link, "link", "c-" + name, "type", "macvlan", "mode", "bridge");
  }

  /**
   * Adds the one link again if it does not come back within seconds. One of hardware is brought
   * home by the kernel when its namespace ends; these end with it.
   */
  void renew() throws Exception {
    for (int i = 0; i < 50 && there().isEmpty(); i++) {
      Thread.sleep(100);
    }
    if (there().isEmpty()) {
      addLink(0);
    }
  }

  /** Takes the links away, those in pods too. */
  void removeLinks() throws IOException, InterruptedException {
    run("ip", "link", "del", "c-" + name);
  }

  /** The manifest of a pod with its links. */
  String pod(String pod) {
    return pod(pod, "Never", 0);
  }

  String pod(String pod, String restartPolicy, int graceSeconds) {
    String look = LOOK.replace("nic0", "nic" + (perPod - 1)); // all of them come at once
    return POD.formatted(pod, name, restartPolicy, graceSeconds, NodeCluster.IMAGE, look);
  }

  /** Starts a pod, and waits until it has seen its link. */
  void start(String pod) throws Exception {
    cluster.create(pod(pod));
    awaitWith(pod);
  }

  /** Waits until a pod runs and has seen its link. */
  void awaitWith(String pod) throws Exception {
    await(pod + " runs", () -> cluster.phase(pod).equals("Running"));
    await(pod + " has looked", () -> !cluster.log(pod).isEmpty());
    String log = cluster.log(pod);
    with += log.contains("WITH") ? 1 : 0;
    lost += log.contains("LOST") ? 1 : 0;
    assertThat(log).as(pod).isEqualToIgnoringNewLines("WITH");
  }

  /**
   * Prints how many pods have run with their link, and how many without; nightly runs sum it up.
   */
  static void report(String test, int with, int lost) {
    System.out.printf("pods of %s: %d with their link, %d lost%n", test, with, lost);
  }

  /** Deletes the pods of this test. */
  void deletePods() {
    cluster.client.pods().inNamespace(NodeCluster.NAMESPACE).withLabel("test", name).delete();
  }

  /** Waits until all links are on the node again. */
  void awaitBack() throws Exception {
    await("the links are back", () -> there().size() == count);
  }

  /** The links that are on the node. */
  List<String> there() throws IOException, InterruptedException {
    return run("ip", "-o", "link").lines().filter(line -> line.contains(" " + name + "-")).toList();
  }

  @Override
  public void close() throws IOException {
    report(name, with, lost);
    try {
      removeLinks();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    cluster
        .client
        .genericKubernetesResources("resource.k8s.io/v1", "ResourceClaimTemplate")
        .inNamespace(NodeCluster.NAMESPACE)
        .withName(name)
        .delete();
    cluster
        .client
        .genericKubernetesResources("resource.k8s.io/v1", "DeviceClass")
        .withName(name)
        .delete();
  }
}
