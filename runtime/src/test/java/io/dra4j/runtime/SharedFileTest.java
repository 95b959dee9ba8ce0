package io.dra4j.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dra4j.model.Device;
import io.dra4j.spi.ClaimedDevices;
import io.dra4j.spi.ContainerEdits;
import io.dra4j.spi.DriverException;
import io.dra4j.spi.FileSetting;
import io.dra4j.spi.HostInventory;
import io.dra4j.spi.Journal;
import io.dra4j.spi.Prepared;
import io.dra4j.spi.PreparedDevice;
import io.dra4j.spi.PreparingDriver;
import io.dra4j.spi.Step;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two parts of a device whose driver keeps the device awake by one file. */
class SharedFileTest {

  private static final String NAME = "disk.example.com";

  @TempDir private Path directory;

  /** Sets one file for either of two devices. */
  private record Disk(Path control) implements PreparingDriver {

    @Override
    public String name() {
      return NAME;
    }

    @Override
    public List<Device> discover(HostInventory host) {
      return List.of(
          Device.named("part-0").build(),
          Device.named("part-1").build(),
          Device.named("part-2").build());
    }

    @Override
    public Prepared prepare(ClaimedDevices claim, Journal journal) throws DriverException {
      FileSetting.change(control, "on", journal);
      return new Prepared(
          claim.devices().stream()
              .map(device -> PreparedDevice.of(device, ContainerEdits.NONE, ""))
              .toList());
    }

    @Override
    public void undo(Step step) throws DriverException {
      FileSetting.restore(step);
    }
  }

  @Test
  void theFileStaysWithTheClaimThatHasItAlsoOverARestart() throws Exception {
    Path control = Files.writeString(directory.resolve("control"), "auto\n");
    Step step;
    try (DriverRuntime first =
        RuntimeFixture.runtime(directory.resolve("store"), new Disk(control)).build()) {
      first.start();
      first.prepare(RuntimeFixture.claimOf(NAME, "one", "part-0"));
      assertRefused(first);
      step = first.claims().get(0).steps().get(0);
    }
    FileSetting.restore(step); // this process forgets it, as a new one does not know it
    Files.writeString(control, "on\n");
    try (DriverRuntime second =
        RuntimeFixture.runtime(directory.resolve("store"), new Disk(control)).build()) {
      second.start();
      assertRefused(second);
      assertThat(control).hasContent("on\n");

      second.unprepare("uid-one");
      assertThat(control).hasContent("auto\n");
      second.prepare(RuntimeFixture.claimOf(NAME, "two", "part-1"));
      assertThat(control).hasContent("on\n");
    }
  }

  /** After a reboot the file is what the kernel makes it, and the next claim may set it. */
  @Test
  void ofThreeDevicesTheNextOneGetsTheFileWhenTheFirstIsDoneOrTheHostIsStartedAnew()
      throws Exception {
    Path control = Files.writeString(directory.resolve("control"), "auto\n");
    Path store = directory.resolve("store");
    try (DriverRuntime first =
        RuntimeFixture.runtime(store, new Disk(control)).bootId("boot-1").build()) {
      first.start();
      first.prepare(RuntimeFixture.claimOf(NAME, "one", "part-0"));
      assertRefused(first);
      first.unprepare("uid-one");
      first.prepare(RuntimeFixture.claimOf(NAME, "three", "part-2"));
      assertRefused(first);
      assertThat(control).hasContent("on\n");
    }
    Files.writeString(control, "auto\n");
    try (DriverRuntime second =
        RuntimeFixture.runtime(store, new Disk(control)).bootId("boot-2").build()) {
      second.start();
      second.prepare(RuntimeFixture.claimOf(NAME, "two", "part-1"));
      assertThat(second.claims()).extracting(StoredClaim::uid).containsExactly("uid-two");
      assertThat(control).hasContent("on\n");
      second.unprepare("uid-two");
      assertThat(control).hasContent("auto\n");
    }
  }

  /** An operator has seen to the file, and no driver undoes anything. */
  @Test
  void theFileOfAForgottenClaimIsForTheNextOne() throws Exception {
    Path control = Files.writeString(directory.resolve("control"), "auto\n");
    try (DriverRuntime runtime =
        RuntimeFixture.runtime(directory.resolve("store"), new Disk(control)).build()) {
      runtime.start();
      runtime.prepare(RuntimeFixture.claimOf(NAME, "one", "part-0"));
      assertRefused(runtime);
      Files.writeString(control, "auto\n");
      runtime.forget("uid-one", NAME);

      runtime.prepare(RuntimeFixture.claimOf(NAME, "two", "part-1"));
      assertThat(control).hasContent("on\n");
      runtime.unprepare("uid-two");
      assertThat(control).hasContent("auto\n");
    }
  }

  private static void assertRefused(DriverRuntime runtime) {
    assertThatThrownBy(() -> runtime.prepare(RuntimeFixture.claimOf(NAME, "two", "part-1")))
        .isInstanceOf(ClaimException.class)
        .hasMessageContaining("is held by another claim")
        .satisfies(
            e ->
                assertThat(((ClaimException) e).kind())
                    .isEqualTo(DriverException.Kind.UNAVAILABLE));
  }
}
