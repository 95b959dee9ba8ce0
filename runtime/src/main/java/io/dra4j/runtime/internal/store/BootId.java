package io.dra4j.runtime.internal.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Which boot of the host it is: a text that Linux makes anew each time that it starts. */
public final class BootId {

  private static final Path FILE = Path.of("/proc/sys/kernel/random/boot_id");

  private BootId() {}

  /**
   * The boot of this host; empty where the kernel does not report it, which is no boot of another.
   */
  public static String current() {
    try {
      return Files.readString(FILE).strip();
    } catch (IOException e) {
      return "";
    }
  }

  /** Whether something is of a boot that is over; not if one of both is not known. */
  public static boolean isOther(String boot, String current) {
    return !boot.isEmpty() && !current.isEmpty() && !boot.equals(current);
  }
}
