package io.dra4j.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.manifest.ManifestException;
import io.dra4j.manifest.Manifests;
import io.dra4j.model.Node;
import io.dra4j.model.ResourceClaim;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ScheduleClaimsTest {

  private ScheduleClaims scheduler;

  @BeforeEach
  void read() throws ManifestException {
    scheduler = new ScheduleClaims(Manifests.readSnapshot(Path.of("gke-a4-aligned.yaml")));
  }

  private static ResourceClaim gpus(String name, int count) {
    return ResourceClaim.named(name)
        .request("gpu", gpu -> gpu.deviceClass("gpu.nvidia.com").count(count))
        .build();
  }

  @Test
  void aClaimThatWasWrittenKeepsItsDevices() {
    assertThat(scheduler.place(gpus("a", 3), written -> true)).contains("a4-0");
    assertThat(scheduler.left(gpus("b", 4))).startsWith("3 in total");
    assertThat(scheduler.place(gpus("a", 3), written -> true)).contains("has devices already");
  }

  @Test
  void aClaimThatWasNotWrittenGivesThemBack() {
    scheduler.place(gpus("a", 3), written -> false);

    assertThat(scheduler.left(gpus("b", 4))).startsWith("4 in total");
  }

  @Test
  void whatTheClusterReportsCounts() {
    scheduler.follow(Node.named("a4-0").toBuilder().unschedulable(true).build(), "no-such-slice");

    assertThat(scheduler.place(gpus("a", 3), written -> true)).contains("a4-1");
  }

  @Test
  void aBrokenSelectorIsReportedAsSuch() {
    ResourceClaim broken =
        ResourceClaim.named("a")
            .request("gpu", gpu -> gpu.deviceClass("gpu.nvidia.com").selector("device.nothing"))
            .build();

    assertThat(scheduler.place(broken, written -> true))
        .startsWith("not reserved: rejected (EXPRESSION): ");
  }

  @Test
  void aLackOfDevicesIsReportedAsSuch() {
    assertThat(scheduler.place(gpus("a", 20), written -> true)).contains("no node has the devices");
  }
}
