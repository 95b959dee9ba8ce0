package io.dra4j.runtime;

import static io.dra4j.runtime.RuntimeFixture.claim;
import static io.dra4j.runtime.RuntimeFixture.runtime;
import static io.dra4j.runtime.RuntimeFixture.sandbox;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/** The disk of a store, a file system of 1 MiB, fills up between any two writes. */
@EnabledIf("mayMount")
class FullDiskTest {

  @TempDir private Path directory;
  private Path disk;
  private Path store;
  private LampDriver driver;
  private DriverRuntime runtime;

  static boolean mayMount() throws Exception {
    Path directory = Files.createTempDirectory("disk");
    try {
      return run("mount", "-t", "tmpfs", "none", directory.toString()) == 0
          && run("umount", directory.toString()) == 0;
    } catch (IOException e) {
      return false; // without the program mount
    } finally {
      Files.delete(directory);
    }
  }

  private static int run(String... command) throws Exception {
    Process process =
        new ProcessBuilder(command)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
    return process.exitValue();
  }

  @BeforeEach
  void mount() throws Exception {
    disk = Files.createDirectory(directory.resolve("disk"));
    assertThat(run("mount", "-t", "tmpfs", "-o", "size=1m,mode=0700", "none", disk.toString()))
        .isZero();
    store = disk.resolve("store");
    driver = new LampDriver(Files.createDirectory(directory.resolve("lamps")), "a", "b");
    start();
  }

  private void start() throws Exception {
    runtime = runtime(store, driver).build();
    runtime.start();
  }

  @AfterEach
  void unmount() throws Exception {
    runtime.close();
    assertThat(run("umount", disk.toString())).isZero();
  }

  private void fill() {
    try (OutputStream out = Files.newOutputStream(disk.resolve("filler"))) {
      while (true) {
        out.write(new byte[512]);
      }
    } catch (IOException e) {
      assertThat(e).hasMessageContaining("No space left on device");
    }
  }

  private void free() throws IOException {
    Files.delete(disk.resolve("filler"));
  }

  private void assertTold(ThrowingCallable call, String claim) {
    assertThatThrownBy(call)
        .isInstanceOf(ClaimException.class)
        .hasMessageContaining(claim)
        .hasMessageContaining("store " + store + ": the disk is full");
  }

  @Test
  void aClaimIsNotPrepared() throws Exception {
    fill();
    assertTold(() -> runtime.prepare(claim("x", "a")), "claim default/x");
    assertThat(driver.state()).isEmpty();
    assertThat(runtime.claims()).isEmpty();
    assertThat(runtime.health().isReady()).isFalse();
    assertThat(runtime.health().problems())
        .containsExactly("store " + store + ": the disk is full");

    free();
    runtime.prepare(claim("x", "a"));
    assertThat(driver.state()).containsExactly("on-a");
    assertThat(runtime.health().isReady()).isTrue();
  }

  @Test
  void aClaimIsNotAttachedAndWhatWasIsDetachedLater() throws Exception {
    runtime.prepare(claim("x", "a"));
    fill();
    assertTold(() -> runtime.attach("uid-x", sandbox("s1", "p1")), "claim default/x");
    assertThat(driver.state()).containsExactly("on-a");

    free();
    runtime.attach("uid-x", sandbox("s1", "p1"));
    fill();
    assertTold(() -> runtime.detach("uid-x", "s1"), "claim default/x");
    assertTold(() -> runtime.unprepare("uid-x"), "claim default/x");

    free();
    runtime.unprepare("uid-x");
    assertThat(driver.state()).isEmpty();
    runtime.close();
    assertThat(ClaimStore.read(store)).isEmpty();
    start();
  }

  /** Recording a step, and writing down the end, after others have been written. */
  @Test
  void whereverItFillsUpNothingIsHalfDone() throws Exception {
    for (String last : List.of("on b", "end of prepare", "lit b", "end of attach")) {
      boolean attaching = last.equals("lit b") || last.endsWith("attach");
      driver.fault =
          step -> {
            if (step.equals(last)) {
              fill();
            }
          };
      if (attaching) {
        runtime.prepare(claim("x", "a", "b"));
      }
      // "lit b" itself is recorded by then: the next write is that of the end.
      assertTold(
          attaching
              ? () -> runtime.attach("uid-x", sandbox("s1", "p1"))
              : () -> runtime.prepare(claim("x", "a", "b")),
          "claim default/x");

      driver.fault = step -> {};
      runtime.close(); // as a killed process: what it could not write is not there
      free();
      start();

      assertThat(driver.state())
          .as(last)
          .isEqualTo(attaching ? List.of("on-a", "on-b") : List.of());
      assertThat(runtime.health().problems()).as(last).isEmpty();
      runtime.unprepare("uid-x");
      assertThat(driver.state()).as(last).isEmpty();
    }
  }
}
