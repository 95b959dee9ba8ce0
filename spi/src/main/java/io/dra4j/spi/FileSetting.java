package io.dra4j.spi;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Changes a file that holds one value, such as a file of {@code /sys} or {@code /proc/sys}, while a
 * claim is prepared or attached:
 *
 * <pre>{@code
 * FileSetting.change(device.resolve("power/control"), "on", journal);   // in prepare
 * FileSetting.restore(step);                                            // in undo
 * }</pre>
 *
 * <p>A file belongs to one claim at a time. If devices share a file, such as the partitions of one
 * disk, the second claim that changes it is rejected with {@link DriverException.Kind#UNAVAILABLE}
 * until the first one is unprepared: restoring the value for one claim would change it for the
 * other. If the devices of a driver need the same value of a shared file, the driver sets it once
 * when it starts. Otherwise it lets the devices consume a shared counter of 1, so that only one of
 * them can be allocated. This also holds across restarts: the runtime reports the steps in its
 * store by {@link #found}.
 *
 * <p>A reboot resets such values: a driver that changes nothing else overrides {@link
 * PreparingDriver#undoAfterReboot} to do nothing.
 */
public final class FileSetting {

  /** The steps that hold a file, by the real path of the file. */
  private static final Map<Path, Step> HOLDERS = new ConcurrentHashMap<>();

  private static final Step RESERVED = new Step("a file that is being set", "");

  /** A file of /sys has at most one page, and few of /proc/sys have more. */
  private static final int MAX_VALUE = 64 * 1024;

  private FileSetting() {}

  /**
   * Writes a value to a file, after a step that restores the present value was recorded. If the
   * file has the value already and no other claim has changed it, nothing is recorded or written.
   *
   * @param file the file, which must exist
   * @param value the value, one line without a line end
   * @param journal receives the step
   * @throws DriverException if the file is not there, or another claim has changed it ({@link
   *     DriverException.Kind#UNAVAILABLE}), or if it cannot be read or written, holds more than one
   *     line, or the step cannot be recorded
   */
  public static void change(Path file, String value, Journal journal) throws DriverException {
    Path real = realPathOf(file);
    boolean isOwn = journal.steps().stream().anyMatch(step -> isOf(step, real));
    Step holder = isOwn ? null : HOLDERS.putIfAbsent(real, RESERVED);
    if (holder != null) {
      throw DriverException.unavailable(
          ("%s is held by another claim ('%s'); one claim at a time can set a file that devices "
                  + "share")
              .formatted(file, holder.name()));
    }
    try {
      String before = read(file);
      if (before.indexOf('\n') >= 0) {
        throw DriverException.failed(file + " holds more than one value", null);
      }
      if (!before.equals(value)) {
        Step step = new Step("set " + file + " to " + value, before + "\n" + file);
        HOLDERS.replace(real, RESERVED, step);
        journal.record(step);
        journal.beginning(step);
        write(file, value);
      }
    } finally {
      if (!isOwn && journal.steps().stream().noneMatch(step -> isOf(step, real))) {
        HOLDERS.remove(real);
      }
    }
  }

  /**
   * Registers that a claim of an earlier process holds a file until a step is undone. The runtime
   * calls this for the steps in its store before it serves claims.
   *
   * @param step a step of any kind; only those that {@link #change} recorded count
   */
  public static void found(Step step) {
    int end = step.undo().indexOf('\n');
    if (end >= 0) {
      String file = step.undo().substring(end + 1);
      if (step.name().startsWith("set " + file + " to ")) {
        HOLDERS.putIfAbsent(realPathOf(Path.of(file)), step);
      }
    }
  }

  /**
   * Releases the file that a step held, and writes nothing: after a reboot, the change of the step
   * is gone.
   *
   * @param step a step of any kind; only those that {@link #change} recorded count
   */
  public static void forget(Step step) {
    HOLDERS.values().removeIf(step::equals); // the file may be gone, and its real path with it
  }

  private static boolean isOf(Step step, Path real) {
    int end = step.undo().indexOf('\n');
    if (end < 0) {
      return false;
    }
    String file = step.undo().substring(end + 1);
    return step.name().startsWith("set " + file + " to ") && realPathOf(Path.of(file)).equals(real);
  }

  /** Different links below /sys lead to the same file. */
  private static Path realPathOf(Path file) {
    try {
      return file.toRealPath();
    } catch (IOException e) { // reading it says why
      return file.toAbsolutePath().normalize();
    }
  }

  /**
   * Writes the value that a file had before {@link #change}. If the file is gone, its device and
   * the setting are gone too, and nothing is written. Afterwards another claim can set the file.
   *
   * @param step a step that {@code change} recorded, perhaps in an earlier process
   * @throws DriverException if the file cannot be written, or the step is not one of {@code change}
   */
  public static void restore(Step step) throws DriverException {
    int end = step.undo().indexOf('\n');
    String name = step.undo().substring(end + 1);
    if (end < 0 || !step.name().startsWith("set " + name + " to ")) {
      throw DriverException.failed("step '" + step.name() + "' does not set a file", null);
    }
    Path file = Path.of(name);
    if (!Files.notExists(file)) {
      write(file, step.undo().substring(0, end));
    }
    forget(step);
  }

  /**
   * Reads with a single call: files of /proc/sys report no size, and a second read returns nothing.
   */
  private static String read(Path file) throws DriverException {
    byte[] bytes = new byte[MAX_VALUE];
    int length;
    try (InputStream in = Files.newInputStream(file)) {
      length = Math.max(0, in.read(bytes));
    } catch (NoSuchFileException e) {
      throw DriverException.unavailable(file + " does not exist");
    } catch (IOException e) { // the message of the exception is often only the path
      throw DriverException.failed("cannot read " + file + ": " + e, e);
    }
    if (length == MAX_VALUE) {
      throw DriverException.failed(file + " holds more than one value", null);
    }
    return new String(bytes, 0, length, StandardCharsets.UTF_8).strip();
  }

  /** Writes the value with a line end: an empty write would not reach the kernel. */
  private static void write(Path file, String value) throws DriverException {
    try {
      Files.writeString(
          file, value + "\n", StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING);
    } catch (NoSuchFileException e) {
      throw DriverException.unavailable(file + " no longer exists");
    } catch (IOException e) {
      throw DriverException.failed("cannot write " + file + ": " + e, e);
    }
  }
}
