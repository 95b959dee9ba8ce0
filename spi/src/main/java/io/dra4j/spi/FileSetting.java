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
 * A file that holds one value, as those of {@code /sys} and {@code /proc/sys} do, which a driver
 * changes while a claim is prepared or attached:
 *
 * <pre>{@code
 * FileSetting.change(device.resolve("power/control"), "on", journal);   // in prepare
 * FileSetting.restore(step);                                            // in undo
 * }</pre>
 *
 * <p>A file belongs to one claim at a time. Where devices share a file, such as the parts of one
 * disk, the second claim that changes it is refused with {@link DriverException.Kind#UNAVAILABLE}
 * until the first one is unprepared: restoring the value for one claim would take it from the
 * other. A driver whose devices need the same value of a shared file sets it once when it starts,
 * or draws on a counter of one so that only one of them can be allocated. The runtime keeps to this
 * over restarts; it reports the steps in its store by {@link #found}.
 *
 * <p>The kernel forgets such values when the host is started anew: a driver that changes nothing
 * else overrides {@link PreparingDriver#undoAfterReboot} to do nothing.
 */
public final class FileSetting {

  /** The steps that hold files now, by the real path of the file. */
  private static final Map<Path, Step> HOLDERS = new ConcurrentHashMap<>();

  private static final Step RESERVED = new Step("a file that is being set", "");

  /** A file of /sys has at most one page, and few of /proc/sys have more. */
  private static final int MAX_VALUE = 64 * 1024;

  private FileSetting() {}

  /**
   * Writes a value into a file, after what it takes to restore the present one has been recorded. A
   * file that has the value already, and that no other claim has changed, is left alone, and
   * nothing is recorded.
   *
   * @param file the file, which exists
   * @param value the value, one line without its end
   * @param journal takes the step
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
          "%s is held by another claim ('%s'); one claim at a time can set a file that devices share"
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
   * Says that a claim of an earlier process holds a file until a step is undone. The runtime calls
   * this for the steps in its store before it serves claims.
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
   * Says that a claim holds no file by a step any more, and writes nothing: what the step changed
   * is gone, because the host was started anew.
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

  /** Devices name the same file by different links below /sys. */
  private static Path realPathOf(Path file) {
    try {
      return file.toRealPath();
    } catch (IOException e) { // reading it says why
      return file.toAbsolutePath().normalize();
    }
  }

  /**
   * Writes the value that a file had before {@link #change}. Nothing happens if the file is gone:
   * so is its device, and the setting with it. Another claim can set the file then.
   *
   * @param step a step that {@code change} recorded, perhaps in an earlier process
   * @throws DriverException if the file cannot be written, or the step is another one
   */
  public static void restore(Step step) throws DriverException {
    int end = step.undo().indexOf('\n');
    String name = step.undo().substring(end + 1);
    if (end < 0 || !step.name().startsWith("set " + name + " to ")) {
      throw DriverException.failed("step '" + step.name() + "' sets no file", null);
    }
    Path file = Path.of(name);
    if (!Files.notExists(file)) {
      write(file, step.undo().substring(0, end));
    }
    forget(step);
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
