package io.dra4j.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileSettingTest {

  @TempDir private Path directory;
  private Path file;

  private final MemoryJournal journal = new MemoryJournal();
  private final List<Step> steps = journal.steps;

  /** The journal of one claim. */
  private static final class MemoryJournal implements Journal {

    private final List<Step> steps = new ArrayList<>();

    @Override
    public void record(List<Step> more) {
      steps.addAll(more);
    }

    @Override
    public List<Step> steps() {
      return List.copyOf(steps);
    }

    @Override
    public void keep(int count) {
      steps.subList(count, steps.size()).clear();
    }
  }

  @BeforeEach
  void write() throws IOException {
    file = Files.writeString(directory.resolve("con trol"), "auto\n");
  }

  @Test
  void aValueIsChangedAndRestored() throws Exception {
    FileSetting.change(file, "on", journal);
    assertThat(file).hasContent("on\n");

    journal.undo(FileSetting::restore);

    assertThat(file).hasContent("auto\n");
  }

  @Test
  void anEmptyValueIsRestored() throws Exception {
    Files.writeString(file, "\n");
    FileSetting.change(file, "8080", journal);

    journal.undo(FileSetting::restore);

    assertThat(file).hasContent("\n");
  }

  @Test
  void aFileThatCannotBeChangedIsToldWithTheReason() throws Exception {
    Path missing = directory.resolve("missing");
    assertThatExceptionOfType(DriverException.class)
        .isThrownBy(() -> FileSetting.change(missing, "on", journal))
        .withMessage(missing + " does not exist")
        .satisfies(e -> assertThat(e.kind()).isEqualTo(DriverException.Kind.UNAVAILABLE));

    Path loop = Files.createSymbolicLink(directory.resolve("loop"), Path.of("loop"));
    assertThatExceptionOfType(DriverException.class)
        .isThrownBy(() -> FileSetting.change(loop, "on", journal))
        .withMessageStartingWith("cannot read " + loop + ": java.nio.file.FileSystemException");
    assertThat(steps).isEmpty();
  }

  /** Such a file says that it is empty, and tells what it holds in the first read only. */
  @Test
  void aFileOfTheKernelIsReadWhole() throws Exception {
    Path kernel = Path.of("/proc/sys/kernel/pid_max");
    String value = Files.readAllLines(kernel).get(0);
    assertThat(value).hasSizeGreaterThan(1);

    FileSetting.change(kernel, value, journal);

    assertThat(steps).isEmpty();
  }

  @Test
  void theStepIsRecordedBeforeTheFileIsWritten() {
    Journal full =
        new Journal() {
          @Override
          public void record(List<Step> more) throws DriverException {
            throw DriverException.failed("the disk is full", null);
          }

          @Override
          public List<Step> steps() {
            return List.of();
          }

          @Override
          public void keep(int count) {}
        };

    assertThatExceptionOfType(DriverException.class)
        .isThrownBy(() -> FileSetting.change(file, "on", full));
    assertThat(file).hasContent("auto\n");
  }

  @Test
  void aValueThatIsThereAlreadyIsNoStep() throws Exception {
    FileSetting.change(file, "auto", journal);

    assertThat(steps).isEmpty();
  }

  @Test
  void restoringTwiceOrAfterTheDeviceIsGoneIsNoError() throws Exception {
    FileSetting.change(file, "on", journal);

    FileSetting.restore(steps.get(0));
    FileSetting.restore(steps.get(0));
    assertThat(file).hasContent("auto\n");
    Files.delete(file);
    FileSetting.restore(steps.get(0));

    assertThat(file).doesNotExist();
  }

  @Test
  void aFileThatIsMissingIsNamed() {
    assertThatExceptionOfType(DriverException.class)
        .isThrownBy(() -> FileSetting.change(directory.resolve("none"), "on", journal))
        .withMessageContaining("none");
    assertThatExceptionOfType(DriverException.class)
        .isThrownBy(() -> FileSetting.restore(new Step("wave", "hello")))
        .withMessageContaining("'wave' does not set a file");
  }

  // A file that two devices share.

  private void assertHeld(Path path, String value) {
    MemoryJournal other = new MemoryJournal();
    assertThatExceptionOfType(DriverException.class)
        .isThrownBy(() -> FileSetting.change(path, value, other))
        .withMessageContaining("is held by another claim ('set ")
        .satisfies(e -> assertThat(e.kind()).isEqualTo(DriverException.Kind.UNAVAILABLE));
    assertThat(other.steps()).isEmpty();
  }

  @Test
  void aFileBelongsToOneClaimUntilThatIsUnprepared() throws Exception {
    FileSetting.change(file, "on", journal);

    assertHeld(file, "on"); // the value that it has: restoring it would take it from both
    assertHeld(file, "off");
    assertThat(file).hasContent("on\n");

    journal.undo(FileSetting::restore);
    MemoryJournal other = new MemoryJournal();
    FileSetting.change(file, "off", other);
    other.undo(FileSetting::restore);
    assertThat(file).hasContent("auto\n");
  }

  @Test
  void aFileIsTheSameByAnyLink() throws Exception {
    Path link = Files.createSymbolicLink(directory.resolve("link"), file);
    FileSetting.change(link, "on", journal);

    assertHeld(file, "on");
    assertHeld(directory.resolve("../" + directory.getFileName() + "/link"), "on");

    Files.delete(link);
    Files.delete(file); // the device goes
    journal.undo(FileSetting::restore);
    Files.writeString(file, "auto\n");
    FileSetting.change(file, "on", new MemoryJournal());
  }

  @Test
  void aClaimSetsItsFileAgain() throws Exception {
    FileSetting.change(file, "on", journal);
    FileSetting.change(file, "on", journal);
    assertThat(steps).hasSize(1);
    FileSetting.change(file, "off", journal);

    journal.undo(FileSetting::restore);

    assertThat(file).hasContent("auto\n");
    FileSetting.change(file, "on", new MemoryJournal());
  }

  @Test
  void aFileOfAClaimOfAnEarlierProcessIsHeldToo() throws Exception {
    Files.writeString(file, "on\n");
    Step before = new Step("set " + file + " to on", "auto\n" + file);

    FileSetting.found(new Step("create key", "auto\n" + file)); // of another kind
    FileSetting.found(new Step("create key", ""));
    FileSetting.change(file, "on", new MemoryJournal());
    FileSetting.found(before);
    FileSetting.found(before);

    assertHeld(file, "on");
    steps.add(before); // the claim itself, prepared again
    FileSetting.change(file, "on", journal);
    assertThat(steps).containsExactly(before);
    journal.undo(FileSetting::restore);
    assertThat(file).hasContent("auto\n");
    FileSetting.change(file, "on", new MemoryJournal());
  }

  @Test
  void afterARebootAFileIsHeldByNoClaimAndItsValueStays() throws Exception {
    FileSetting.change(file, "on", journal);
    Files.writeString(file, "of this boot\n");

    steps.forEach(FileSetting::forget);

    assertThat(file).hasContent("of this boot\n");
    FileSetting.change(file, "on", new MemoryJournal());
  }

  @Test
  void aChangeThatFailsHoldsNothing() throws Exception {
    Path lines = Files.writeString(directory.resolve("lines"), "one\ntwo\n");
    assertThatExceptionOfType(DriverException.class)
        .isThrownBy(() -> FileSetting.change(lines, "on", journal))
        .withMessageContaining("more than one value");
    Files.writeString(lines, "one\n");

    FileSetting.change(lines, "on", new MemoryJournal());

    assertHeld(lines, "on");
  }

  @Test
  void ofManyClaimsAtOnceOneGetsTheFileAndItsValueComesBack() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(8);
    try {
      List<Callable<Boolean>> calls = new ArrayList<>();
      for (int i = 0; i < 200; i++) {
        String value = "v" + i;
        calls.add(
            () -> {
              MemoryJournal own = new MemoryJournal();
              try {
                FileSetting.change(file, value, own);
              } catch (DriverException e) {
                return false;
              }
              boolean isKept = Files.readString(file).equals(value + "\n");
              own.undo(FileSetting::restore);
              return isKept;
            });
      }
      int kept = 0;
      for (Future<Boolean> answer : threads.invokeAll(calls)) {
        kept += answer.get() ? 1 : 0;
      }
      assertThat(kept).isPositive();
    } finally {
      threads.shutdownNow();
    }
    assertThat(file).hasContent("auto\n");
  }
}
