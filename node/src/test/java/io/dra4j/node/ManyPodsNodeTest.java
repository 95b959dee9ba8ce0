package io.dra4j.node;

import static io.dra4j.node.NodeCluster.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each of many pods gets an interface, at the same time and in a row. */
class ManyPodsNodeTest {

  private static final int AT_ONCE = 20;
  private static final int IN_A_ROW = 100;

  /** After so many pods, connections and files are open that stay open. */
  private static final int WARM = 10;

  /** Connections of clients come and go. */
  private static final int SLACK = 5;

  @TempDir private Path directory;

  /** What is open in this process, in which the driver runs, and which namespaces there are. */
  private record Counts(long descriptors, long namespaces) {

    static Counts now() throws Exception {
      return new Counts(
          countIn(Path.of("/proc/self/fd")), countIn(Path.of(System.getenv("NETNS_DIR"))));
    }

    private static long countIn(Path directory) throws Exception {
      try (Stream<Path> all = Files.list(directory)) {
        return all.count();
      }
    }

    @Override
    public String toString() {
      return "%d descriptors and %d namespaces".formatted(descriptors, namespaces);
    }
  }

  /** The counts when no claim is prepared and the kubelet has removed all sandboxes. */
  private static Counts settled(NodeCluster.Driver driver) throws Exception {
    await("all claims are unprepared", () -> driver.runtime().claims().isEmpty());
    await("no sandbox is there", () -> Counts.now().namespaces() == 0);
    return Counts.now();
  }

  @Test
  void eachOfTwentyPodsGetsAnInterface() throws Exception {
    eachPodGets("many", 1);
  }

  /** Many of them are attached after the container runtime has gone on. */
  @Test
  void eachOfTwentyPodsGetsEightInterfaces() throws Exception {
    assumeTrue(NodeCluster.isNightly(), NodeCluster.NOT_NIGHTLY);
    eachPodGets("eight", 8);
  }

  private void eachPodGets(String prefix, int count) throws Exception {
    try (NodeCluster cluster = NodeCluster.connect();
        TestLinks links = TestLinks.add(cluster, prefix, AT_ONCE * count, count)) {
      List<String> names =
          IntStream.range(0, AT_ONCE).mapToObj(i -> "%s-%d".formatted(prefix, i)).toList();
      try (NodeCluster.Driver driver = cluster.start(directory.resolve("claims.db"))) {
        names.forEach(name -> cluster.create(links.pod(name)));
        for (String name : names) {
          links.awaitWith(name);
        }
        links.deletePods();
        await("all claims are unprepared", () -> driver.runtime().claims().isEmpty());
        assertThat(links.there()).hasSize(AT_ONCE * count);
      }
    }
  }

  @Test
  void eachOfAHundredPodsInARowGetsTheInterface() throws Exception {
    assumeTrue(NodeCluster.isNightly(), NodeCluster.NOT_NIGHTLY);
    try (NodeCluster cluster = NodeCluster.connect();
        TestLinks links = TestLinks.add(cluster, "row", 1);
        NodeCluster.Driver driver = cluster.start(directory.resolve("claims.db"))) {
      Counts before = settled(driver);
      for (int i = 0; i < IN_A_ROW; i++) {
        String name = "row-" + i;
        links.start(name);
        cluster.client.pods().inNamespace(NodeCluster.NAMESPACE).withName(name).delete();
        if (i == WARM) {
          before = settled(driver);
        }
      }
      Counts after = settled(driver);
      System.out.printf("%d pods in a row: %s, then %s%n", IN_A_ROW, before, after);
      assertThat(links.there()).hasSize(1);
      assertThat(after.namespaces()).isEqualTo(before.namespaces());
      assertThat(after.descriptors()).isLessThanOrEqualTo(before.descriptors() + SLACK);
    }
  }
}
