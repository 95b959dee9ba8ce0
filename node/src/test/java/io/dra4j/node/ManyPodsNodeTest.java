package io.dra4j.node;

import static io.dra4j.node.NodeCluster.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each of many pods gets an interface, at the same time and in a row. */
class ManyPodsNodeTest {

  private static final int AT_ONCE = 20;
  private static final int IN_A_ROW = 100;

  @TempDir private Path folder;

  @Test
  void eachOfTwentyPodsGetsAnInterface() throws Exception {
    try (NodeCluster cluster = NodeCluster.connect();
        TestLinks links = TestLinks.add(cluster, "many", AT_ONCE)) {
      List<String> names = IntStream.range(0, AT_ONCE).mapToObj(i -> "many-" + i).toList();
      try (NodeCluster.Driver driver = cluster.start(folder.resolve("claims.db"))) {
        names.forEach(name -> cluster.create(links.pod(name)));
        for (String name : names) {
          links.awaitWith(name);
        }
        links.deletePods();
        await("all claims are unprepared", () -> driver.runtime().claims().isEmpty());
        assertThat(links.there()).hasSize(AT_ONCE);
      }
    }
  }

  @Test
  void eachOfAHundredPodsInARowGetsTheInterface() throws Exception {
    assumeTrue(NodeCluster.isNightly(), NodeCluster.NOT_NIGHTLY);
    try (NodeCluster cluster = NodeCluster.connect();
        TestLinks links = TestLinks.add(cluster, "row", 1);
        NodeCluster.Driver driver = cluster.start(folder.resolve("claims.db"))) {
      for (int i = 0; i < IN_A_ROW; i++) {
        String name = "row-" + i;
        links.start(name);
        cluster.client.pods().inNamespace(NodeCluster.NAMESPACE).withName(name).delete();
      }
      await("all claims are unprepared", () -> driver.runtime().claims().isEmpty());
      assertThat(links.there()).hasSize(1);
    }
  }
}
