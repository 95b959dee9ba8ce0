package io.dra4j.dranet;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.dranet.attach.MemoryJournal;
import io.dra4j.dranet.attach.TestHost;
import io.dra4j.spi.DriverException;
import io.dra4j.spi.PreparedClaim;
import io.dra4j.spi.Sandbox;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

/**
 * Pods that start and stop at once, each with several links. {@code -Dpods=20 -Dlinks=8} is a large
 * server.
 */
@EnabledIf("io.dra4j.dranet.attach.TestHost#canMakeNamespaces")
class ManyPodsTest {

  private static final int PODS = Integer.getInteger("pods", 5);
  private static final int LINKS = Integer.getInteger("links", 3);

  /** The links of one pod. */
  private record Pod(
      TestHost namespace,
      Sandbox sandbox,
      List<String> links,
      PreparedClaim claim,
      MemoryJournal steps) {}

  private interface Work {
    void run(Pod pod) throws DriverException;
  }

  @Test
  void noneIsLost() throws Exception {
    List<Pod> pods = new ArrayList<>();
    try (TestNode node = new TestNode()) {
      StringBuilder lines = new StringBuilder();
      for (int i = 0; i < PODS * LINKS; i++) {
        lines.append("link add nic%d type veth peer name peer%d\n".formatted(i, i));
        lines.append("link set peer%d up\nlink set nic%d up\n".formatted(i, i));
        lines.append("addr add 10.0.%d.5/24 dev nic%d\n".formatted(i, i));
      }
      node.host().ip(lines.toString());
      for (int i = 0; i < PODS; i++) {
        List<String> links = new ArrayList<>();
        for (int j = 0; j < LINKS; j++) {
          links.add("nic" + (i * LINKS + j));
        }
        TestHost namespace = node.newPod();
        PreparedClaim claim =
            node.prepare("{'interface': {'name': 'net%d'}}", links.toArray(new String[0]));
        Sandbox sandbox =
            Sandbox.ofPod("s" + i, "uid-" + i)
                .networkNamespace(TestNode.sandbox(namespace).networkNamespace())
                .build();
        pods.add(new Pod(namespace, sandbox, links, claim, new MemoryJournal()));
      }
      String before = addresses(node.host());

      long start = System.nanoTime();
      inParallel(pods, pod -> node.driver().attach(pod.claim, pod.sandbox, pod.steps));
      long attached = System.nanoTime();
      for (Pod pod : pods) {
        for (int j = 0; j < LINKS; j++) {
          String address = "10.0." + pod.links.get(j).substring("nic".length()) + ".5/24";
          assertThat(pod.namespace.run("ip -br -4 addr show dev net" + j)).contains(address);
        }
      }
      assertThat(addresses(node.host())).isEmpty();
      long detaching = System.nanoTime();
      inParallel(pods, pod -> node.driver().detach(pod.claim, pod.sandbox, pod.steps));
      long home = System.nanoTime();
      inParallel(pods, pod -> node.driver().settle(pod.claim, pod.sandbox, pod.steps));

      System.out.printf(
          "%d pods with %d links: attached in %d ms, home in %d ms, restored in %d ms, lost: 0%n",
          PODS,
          LINKS,
          (attached - start) / 1_000_000,
          (home - detaching) / 1_000_000,
          (System.nanoTime() - home) / 1_000_000);
      assertThat(addresses(node.host())).isEqualTo(before);
      assertThat(pods).allSatisfy(pod -> assertThat(pod.steps.steps()).isEmpty());
    }
  }

  private static String addresses(TestHost host) throws IOException {
    return host.run("ip -br -4 addr show");
  }

  private static void inParallel(List<Pod> pods, Work work) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(pods.size());
    try {
      List<Future<?>> all = new ArrayList<>();
      for (Pod pod : pods) {
        all.add(
            threads.submit(
                () -> {
                  try {
                    work.run(pod);
                  } catch (DriverException e) {
                    throw new CompletionException(e);
                  }
                }));
      }
      for (Future<?> one : all) {
        one.get();
      }
    } finally {
      threads.shutdown();
    }
  }
}
