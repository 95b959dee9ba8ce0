package io.dra4j.spi;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A file that holds one value, as those of {@code /sys} and {@code /proc/sys} do, which a driver
 * changes while a claim is prepared or attached:
 *
 * <pre>{@code
 * FileSetting.change(device.resolve("power/control"), "on", journal);   // in prepare
 * FileSetting.restore(step);                                            // in undo
 * }</pre>
 *
 * <p>The kernel forgets such values when the host is started anew: a driver that changes nothing
 * else overrides {@link PreparingDriver#undoAfterReboot} to do nothing.
 */
public final class FileSetting {

  /** A page is the most that a file of /sys tells, and few of /proc/sys tell more. */
  private static final int MAX_VALUE = 64 * 1024;

  private FileSetting() {}

  /**
   * Writes a value into a file, after what it takes to restore the present one has been recorded. A
   * file that has the value already is left alone, and nothing is recorded.
   *
   * @param file the file, which exists
   * @param value the value, one line without its end
   * @param journal takes the step
   * @throws DriverException if the file is not there ({@link DriverException.Kind#UNAVAILABLE}),
   *     cannot be read or written, holds more than one line, or the step cannot be recorded
   */
  public static void change(Path file, String value, Journal journal) throws DriverException {
    String before = read(file);
    if (before.indexOf('\n') >= 0) {
      throw DriverException.failed(file + " holds more than one value", null);
    }
    if (!before.equals(value)) {
      Step step = new Step("set " + file + " to " + value, before + "\n" + file);
      journal.record(step);
      journal.beginning(step);
      write(file, value);
    }
  }

  /**
   * Writes the value that a file had before {@link #change}. Nothing happens if the file is gone:
   * so is its device, and the setting with it.
   *
   * @param step a step that {@code change} recorded, perhaps in an earlier process
   * @throws DriverException if the file cannot be written, or the step is another one
   */
  public static void restore(Step step) throws DriverException {
    int end = step.undo().indexOf('\n');
    if (end < 0) {
      throw DriverException.failed("step '" + step.name() + "' sets no file", null);
    }
    Path file = Path.of(step.undo().substring(end + 1));
    if (!Files.notExists(file)) {
      write(file, step.undo().substring(0, end));
    }
  }

  /** In one go: files of /proc/sys have no size, and nothing behind the first read. */
  private static String read(Path file) throws DriverException {
    byte[] bytes = new byte[MAX_VALUE];
    int length;
    try (InputStream in = Files.newInputStream(file)) {
      length = Math.max(0, in.read(bytes));
    } catch (NoSuchFileException e) {
      throw DriverException.unavailable(file + " is not there");
    } catch (IOException e) { // whose message is often the path alone
      throw DriverException.failed("cannot read " + file + ": " + e, e);
    }
    if (length == MAX_VALUE) {
      throw DriverException.failed(file + " holds more than one value", null);
    }
    return new String(bytes, 0, length, StandardCharsets.UTF_8).strip();
  }

  /** With the end of its line: nothing at all would not reach the kernel. */
  private static void write(Path file, String value) throws DriverException {
    try {
      Files.writeString(
          file, value + "\n", StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING);
    } catch (NoSuchFileException e) {
      throw DriverException.unavailable(file + " is gone");
    } catch (IOException e) {
      throw DriverException.failed("cannot write " + file + ": " + e, e);
    }
  }
}
