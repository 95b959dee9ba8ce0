package io.dra4j.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.manifest.ManifestException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class PlaceAGangTest {

  private static final Path CLUSTER = Path.of("gke-a4-aligned.yaml");

  @Test
  void podsOfOneServerNeedNoRails() throws ManifestException {
    assertThat(PlaceAGang.plan(CLUSTER, 2)).contains("on one server, which needs no rails");
  }

  @Test
  void whatDoesNotFitAsAWholeIsNotPlaced() throws ManifestException {
    assertThat(PlaceAGang.plan(CLUSTER, 100)).contains("100 pods do not fit together");
  }
}
