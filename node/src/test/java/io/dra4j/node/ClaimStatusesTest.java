package io.dra4j.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.dra4j.model.AllocatedDeviceStatus;
import io.dra4j.model.Condition;
import io.dra4j.model.DeviceId;
import io.dra4j.runtime.ClaimException;
import io.dra4j.runtime.DriverRuntime;
import io.dra4j.spi.DriverException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClaimStatusesTest {

  @TempDir private Path directory;
  private final List<List<AllocatedDeviceStatus>> written = new ArrayList<>();

  @Test
  void failureIsAConditionOfTheDeviceUntilTheClaimIsUnprepared() throws Exception {
    PlugDriver driver = new PlugDriver();
    driver.before =
        sandbox -> {
          throw DriverException.failed("the plug is broken", null);
        };
    try (DriverRuntime runtime = PlugDriver.runtime(directory.resolve("claims.db"), driver)) {
      runtime.addClaimListener(
          new ClaimStatuses(
              runtime, Map.of(PlugDriver.NAME, (claim, devices) -> written.add(devices))));
      runtime.prepare(PlugDriver.claim("c", "a", "pod"));
      assertThatExceptionOfType(ClaimException.class)
          .isThrownBy(() -> runtime.attach("uid-c", PlugDriver.sandbox("s1", "pod")));
      AllocatedDeviceStatus status = written.get(0).get(0);
      assertThat(status.device()).isEqualTo("a");
      Condition condition = status.conditions().get(0);
      assertThat(condition.type()).isEqualTo("Ready");
      assertThat(condition.status()).isEqualTo("False");
      assertThat(condition.message()).contains("the plug is broken");
      runtime.unprepare("uid-c");
      assertThat(written.get(written.size() - 1)).isEmpty();
    }
  }

  @Test
  void statusesOfAClaimAreThoseOfAPodThatStillHasIt() throws Exception {
    PlugDriver driver = new PlugDriver();
    try (DriverRuntime runtime = PlugDriver.runtime(directory.resolve("claims.db"), driver)) {
      runtime.addClaimListener(
          new ClaimStatuses(
              runtime, Map.of(PlugDriver.NAME, (claim, devices) -> written.add(devices))));
      runtime.prepare(PlugDriver.claim("c", "a", "pod", "second", "third"));
      driver.statuses = statuses("InFirst");
      runtime.attach("uid-c", PlugDriver.sandbox("s1", "pod"));
      driver.statuses = statuses("InSecond");
      runtime.attach("uid-c", PlugDriver.sandbox("s2", "second"));
      driver.before =
          sandbox -> {
            throw DriverException.failed("the plug is broken", null);
          };
      assertThatExceptionOfType(ClaimException.class)
          .isThrownBy(() -> runtime.attach("uid-c", PlugDriver.sandbox("s3", "third")));
      runtime.detach("uid-c", "s2");
      runtime.detach("uid-c", "s1");
      assertThat(written)
          .containsExactly(
              statuses("InFirst"), statuses("InSecond"), statuses("InFirst"), List.of());
    }
  }

  private static List<AllocatedDeviceStatus> statuses(String reason) {
    return List.of(
        AllocatedDeviceStatus.of(new DeviceId(PlugDriver.NAME, "node-1", "a"))
            .conditions(List.of(Condition.of("Ready", "True").reason(reason).build()))
            .build());
  }

  @Test
  void statusesOfAttachedClaimsAreWrittenAgainWhenTheStoreIsTakenOver() throws Exception {
    PlugDriver driver = new PlugDriver();
    driver.statuses = statuses("Attached");
    Path store = directory.resolve("claims.db");
    try (DriverRuntime first = PlugDriver.runtime(store, driver)) {
      first.prepare(PlugDriver.claim("c", "a", "pod"));
      first.attach("uid-c", PlugDriver.sandbox("s1", "pod"));
    }
    try (DriverRuntime second = PlugDriver.options(store, driver).build()) {
      second.addClaimListener(
          new ClaimStatuses(
              second, Map.of(PlugDriver.NAME, (claim, devices) -> written.add(devices))));
      second.start();
      assertThat(written).containsExactly(driver.statuses);
    }
  }
}
