package io.dra4j.cli;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.util.Locale;

/** What to tell of a file that cannot be read, after its name. */
final class FileFaults {

  private FileFaults() {}

  static String describe(IOException e) {
    if (e instanceof NoSuchFileException) {
      return "no such file";
    }
    if (e instanceof AccessDeniedException) {
      return "permission denied";
    }
    String reason = e.getMessage();
    return reason == null || reason.isEmpty()
        ? "cannot be read"
        : reason.substring(0, 1).toLowerCase(Locale.ROOT) + reason.substring(1);
  }
}
