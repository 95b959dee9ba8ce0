package io.dra4j.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileSettingTest {

  @TempDir private Path folder;
  private Path file;

  private final List<Step> steps = new ArrayList<>();
  private final Journal journal =
      new Journal() {
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
      };

  @BeforeEach
  void write() throws IOException {
    file = Files.writeString(folder.resolve("con trol"), "auto\n");
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
    Path missing = folder.resolve("missing");
    assertThatExceptionOfType(DriverException.class)
        .isThrownBy(() -> FileSetting.change(missing, "on", journal))
        .withMessage(missing + " is not there")
        .satisfies(e -> assertThat(e.kind()).isEqualTo(DriverException.Kind.UNAVAILABLE));

    Path loop = Files.createSymbolicLink(folder.resolve("loop"), Path.of("loop"));
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
        .isThrownBy(() -> FileSetting.change(folder.resolve("none"), "on", journal))
        .withMessageContaining("none");
    assertThatExceptionOfType(DriverException.class)
        .isThrownBy(() -> FileSetting.restore(new Step("wave", "hello")))
        .withMessageContaining("'wave' sets no file");
  }
}
