package io.dra4j.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.cli.Cli;
import org.junit.jupiter.api.Test;

/** {@code dra4j headroom}: how many more, and what limits. */
class HeadroomCommandTest {

  private static final String TWO = "../examples/two-nodes-scale-out.yaml";

  @Test
  void itCountsWholeJobsAndSaysWhatTheNextOneLacks() {
    Cli cli = Cli.run("headroom", "job/third", TWO, "--add-node", "server-0=3");

    assertThat(cli.code()).isZero();
    assertThat(cli.out())
        .isEqualTo(
            """
            6 more of job default/third fit, each of 2 pods
            the next one lacks a node for default/third-more-7-0: does not fit: 5 nodes: fewer than 2 free
              devices of class gpu.nvidia.com

            NODE              MORE PODS
            server-0-added-1  4
            server-0-added-2  4
            server-0-added-3  4
            """);
  }

  @Test
  void aLimitEndsTheCounting() {
    Cli cli = Cli.run("headroom", "job/third", TWO, "--add-node", "server-0=3", "--limit", "5");

    assertThat(cli.out()).startsWith("at least 5 more of job default/third fit, each of 2 pods\n");
  }

  @Test
  void halfOfAJobIsNone() {
    Cli cli = Cli.run("headroom", "job/first", TWO, "--add-node", "server-0=2", "-o", "json");

    assertThat(cli.code()).isZero();
    assertThat(cli.out()).contains("\"more\":2", "\"podsOfEach\":1", "\"limited\":true");
  }

  @Test
  void aJobHasToBeNamed() {
    assertThat(Cli.run("headroom", TWO).errLines().get(0))
        .isEqualTo("dra4j: want a job among the FILEs, such as statefulset/NAME or job/NAME");
    assertThat(Cli.run("headroom", "sts/third", TWO).errLines().get(0))
        .isEqualTo(
            "dra4j: no statefulset default/third in the input; there are job/default/first,"
                + " job/default/second, job/default/third");
    assertThat(Cli.run("headroom", "job/third", TWO, "--limit", "0").code()).isEqualTo(2);
  }
}
