package io.dra4j.runtime.internal.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The ID of a boot of the host, a string that Linux generates at each start. */
public final class BootId {

  private static final Path FILE = Path.of("/proc/sys/kernel/random/boot_id");

  private BootId() {}

  /** {@return the ID of this boot; empty if unknown: an empty ID does not differ from any other} */
  public static String current() {
    try {
      return Files.readString(FILE).strip();
    } catch (IOException e) {
      return "";
    }
  }

  /** Returns whether a boot is an earlier one; false if one of the two IDs is not known. */
  public static boolean isOther(String boot, String current) {
    return !boot.isEmpty() && !current.isEmpty() && !boot.equals(current);
  }
}
