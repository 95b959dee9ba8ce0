package io.dra4j.runtime;

import static io.dra4j.runtime.RuntimeFixture.claim;
import static io.dra4j.runtime.RuntimeFixture.runtime;
import static io.dra4j.runtime.RuntimeFixture.sandbox;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dra4j.runtime.internal.store.BootId;
import io.dra4j.spi.DriverException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What was done before the host was started anew counts as not done. */
class RebootTest {

  @TempDir private Path directory;
  private Path store;
  private LampDriver driver;
  private @Nullable DriverRuntime started;

  @BeforeEach
  void makeDriver() throws Exception {
    store = directory.resolve("store");
    driver = new LampDriver(Files.createDirectory(directory.resolve("lamps")), "a", "b");
  }

  @AfterEach
  void stop() {
    if (started != null) {
      started.close();
    }
  }

  private DriverRuntime boot(String id) throws Exception {
    stop();
    driver.calls.clear();
    DriverRuntime made = runtime(store, driver).bootId(id).build();
    started = made;
    made.start();
    return made;
  }

  /** What the kernel forgets. */
  private void powerOff() throws Exception {
    for (String lamp : driver.state()) {
      Files.delete(directory.resolve("lamps").resolve(lamp));
    }
  }

  @Test
  void aClaimOfTheBootBeforeIsUndoneAndPreparedAgain() throws Exception {
    DriverRuntime first = boot("boot-1");
    first.prepare(claim("x", "a"));
    first.attach("uid-x", sandbox("s1", "p1"));
    first.close();
    powerOff();

    DriverRuntime second = boot("boot-2");
    assertThat(driver.calls)
        .containsExactly("detach x", "after reboot: lit a", "unprepare x", "after reboot: on a");
    assertThat(second.claims()).isEmpty();
    second.prepare(claim("x", "a"));
    assertThat(second.isPrepared(second.claims().get(0))).isTrue();
    assertThat(driver.state()).containsExactly("on-a");
    second.attach("uid-x", sandbox("s2", "p1"));
    assertThat(driver.state()).containsExactly("lit-a", "on-a");
    assertThat(second.claims().get(0).boot()).isEqualTo("boot-2");
  }

  @Test
  void whatCouldNotBeUndoneAtTheStartIsUndoneBeforeItIsPreparedAgain() throws Exception {
    boot("boot-1").prepare(claim("x", "a"));
    driver.fault =
        step -> {
          if (step.equals("unprepare")) {
            throw DriverException.failed("not yet", null);
          }
        };
    DriverRuntime second = boot("boot-2");
    assertThatThrownBy(() -> second.attach("uid-x", sandbox("s1", "p1")))
        .isInstanceOf(ClaimException.class);
    assertThat(second.editsFor("uid-x", null).environment()).isEmpty();
    assertThatThrownBy(() -> second.prepare(claim("y", "a"))).hasMessageContaining("uid-x");

    driver.fault = step -> {};
    driver.calls.clear();
    second.prepare(claim("x", "a"));
    assertThat(driver.calls).containsExactly("unprepare x", "after reboot: on a", "prepare x");
  }

  @Test
  void whatAReleaseOfTheBootBeforeBeganIsTakenBackAsOfThatBoot() throws Exception {
    DriverRuntime first = boot("boot-1");
    driver.fault =
        step -> {
          if (step.equals("end of prepare") || step.equals("unprepare")) {
            throw DriverException.failed("no", null);
          }
        };
    assertThatThrownBy(() -> first.prepare(claim("x", "a"))).isInstanceOf(ClaimException.class);
    first.close();
    driver.fault = step -> {};

    boot("boot-2");
    assertThat(driver.calls).containsExactly("unprepare x", "after reboot: on a");
  }

  @Test
  void undoingOverTwoBootsStillKnowsThatItIsOfAnother() throws Exception {
    boot("boot-1").prepare(claim("x", "a"));
    driver.fault =
        step -> {
          if (step.equals("unprepare")) {
            throw DriverException.failed("not yet", null);
          }
        };
    boot("boot-2");
    driver.fault = step -> {};
    boot("boot-2");
    assertThat(driver.calls).containsExactly("unprepare x", "after reboot: on a");
  }

  @ParameterizedTest
  @CsvSource({"boot-1,boot-1", "boot-1,''", "'',boot-1"})
  void withoutAnotherBootNothingIsUndone(String before, String after) throws Exception {
    DriverRuntime first = boot(before);
    first.prepare(claim("x", "a"));
    first.attach("uid-x", sandbox("s1", "p1"));

    DriverRuntime second = boot(after);
    assertThat(driver.calls).containsExactly("resume x");
    second.prepare(claim("x", "a"));
    assertThat(driver.state()).containsExactly("lit-a", "on-a");
    second.unprepare("uid-x");
    assertThat(driver.calls).noneMatch(call -> call.startsWith("after reboot"));
  }

  @Test
  void whatWasAllocatedHereStaysAllocated() throws Exception {
    DriverRuntime first = boot("boot-1");
    var wish =
        io.dra4j.model.ResourceClaim.named("x")
            .request("light", request -> request.deviceClass("lamp"))
            .build();
    var outcome = first.allocate(wish);
    assertThat(boot("boot-2").allocate(wish)).isEqualTo(outcome);
  }

  @Test
  void thisHostSaysWhichBootItIs() {
    assertThat(BootId.current()).isNotEmpty().isEqualTo(BootId.current());
  }
}
