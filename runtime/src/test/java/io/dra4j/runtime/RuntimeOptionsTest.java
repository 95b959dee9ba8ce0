package io.dra4j.runtime;

import static io.dra4j.runtime.RuntimeFixture.claim;
import static io.dra4j.runtime.RuntimeFixture.runtime;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.dra4j.model.DeviceClass;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a builder is given is checked where it is given. */
class RuntimeOptionsTest {

  @TempDir private Path directory;

  @Test
  @SuppressWarnings("NullAway")
  void nullIsNamed() {
    RuntimeOptions builder = DriverRuntime.builder();
    assertThatNullPointerException().isThrownBy(() -> builder.store(null)).withMessage("store");
    assertThatNullPointerException().isThrownBy(() -> builder.node(null)).withMessage("node");
    assertThatNullPointerException().isThrownBy(() -> builder.host(null)).withMessage("host");
    assertThatNullPointerException().isThrownBy(() -> builder.driver(null)).withMessage("driver");
    assertThatNullPointerException().isThrownBy(() -> builder.readers(null)).withMessage("readers");
    assertThatNullPointerException()
        .isThrownBy(() -> builder.selectors(null))
        .withMessage("selectors");
    assertThatNullPointerException().isThrownBy(() -> builder.metrics(null)).withMessage("metrics");
    assertThatNullPointerException().isThrownBy(() -> builder.bootId(null)).withMessage("bootId");
  }

  @ParameterizedTest
  @ValueSource(strings = {"Not A Node", "", "node_1", "-node", "node-", "a..b", "NODE"})
  void aNodeIsADnsSubdomain(String name) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DriverRuntime.builder().node(name))
        .withMessageContaining("'" + name + "'");
  }

  @ParameterizedTest
  @ValueSource(strings = {"node-1", "10.0.0.1", "a.b.example.com"})
  void nodesOfAClusterAreTaken(String name) {
    assertThat(DriverRuntime.builder().node(name)).isNotNull();
  }

  @Test
  void timesAreMoreThanZero() {
    RuntimeOptions builder = DriverRuntime.builder();
    for (Duration time : List.of(Duration.ZERO, Duration.ofSeconds(-1))) {
      assertThatIllegalArgumentException().isThrownBy(() -> builder.callLimit(time));
      assertThatIllegalArgumentException().isThrownBy(() -> builder.stopLimit(time));
      assertThatIllegalArgumentException().isThrownBy(() -> builder.standby(time));
      assertThat(Deadline.after(time).hasPassed()).isTrue();
    }
    assertThat(Deadline.none().hasPassed()).isFalse();
    assertThat(Deadline.after(Duration.ofSeconds(Long.MAX_VALUE)).hasPassed()).isFalse();
  }

  @Test
  void twoClassesOfOneNameAreRefused() {
    RuntimeOptions builder =
        DriverRuntime.builder().deviceClasses(List.of(DeviceClass.named("disk")));
    builder.deviceClasses(List.of(DeviceClass.named("disk"))); // the same again
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> builder.deviceClasses(List.of(DeviceClass.named("disk", "device.driver == 'x'"))))
        .withMessage(
            "two device classes are named disk, number 1 and number 2; expected each name once");
  }

  @Test
  void aBuilderMakesSeveralRuntimes() throws Exception {
    LampDriver driver = new LampDriver(Files.createDirectory(directory.resolve("lamps")), "a");
    RuntimeOptions builder = runtime(directory.resolve("store"), driver);
    try (DriverRuntime first = builder.build()) {
      builder.node("node-2");
      first.start();
      assertThat(first.node()).isEqualTo("node-1");
      first.prepare(claim("x", "a"));
    }
    try (DriverRuntime second = builder.build()) {
      assertThat(second.node()).isEqualTo("node-2");
    }
  }
}
