package io.dra4j.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.testkit.engine.EventConditions.event;
import static org.junit.platform.testkit.engine.EventConditions.finishedWithFailure;
import static org.junit.platform.testkit.engine.TestExecutionResultConditions.instanceOf;
import static org.junit.platform.testkit.engine.TestExecutionResultConditions.message;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ParameterResolutionException;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.testkit.engine.EngineTestKit;

class CapturedHostTreeTest {

  @Test
  void aTestGetsTheHostsItAsksFor(
      @CapturedHostTree("two-socket") Path one, @CapturedHostTree("two-socket") Path other) {
    assertThat(one.resolve("sys/bus/pci/devices")).isDirectory();
    assertThat(other).isNotEqualTo(one);
    assertThat(other.resolve("sys/class/net/eth3/device/numa_node")).hasContent("1");
  }

  @Test
  void directoriesAreDeletedAfterTheTest() {
    Kept.ROOTS.clear();

    EngineTestKit.engine("junit-jupiter")
        .selectors(DiscoverySelectors.selectClass(Kept.class))
        .execute()
        .testEvents()
        .assertStatistics(tests -> tests.succeeded(1).failed(1));

    assertThat(Kept.ROOTS).hasSize(2).noneMatch(Files::exists);
  }

  @Test
  void anUnknownNameFailsTheTestWithTheKnownOnes() {
    EngineTestKit.engine("junit-jupiter")
        .selectors(DiscoverySelectors.selectClass(Unknown.class))
        .execute()
        .testEvents()
        .assertThatEvents()
        .haveExactly(
            1,
            event(
                finishedWithFailure(
                    instanceOf(ParameterResolutionException.class),
                    message("cannot write the host nowhere"))));
  }

  /** Not found by Surefire: run by the tests above. */
  static class Kept {

    static final List<Path> ROOTS = new ArrayList<>();

    @Test
    void passes(@CapturedHostTree("rdma") Path root) {
      assertThat(root.resolve("sys")).isDirectory();
      ROOTS.add(root);
    }

    @Test
    void fails(@CapturedHostTree("rdma") Path root) {
      ROOTS.add(root);
      throw new IllegalStateException("on purpose");
    }
  }

  /** Not found by Surefire: run by the test above. */
  static class Unknown {

    @Test
    void asks(@CapturedHostTree("nowhere") Path root) {
      throw new IllegalStateException("never called with " + root);
    }
  }
}
