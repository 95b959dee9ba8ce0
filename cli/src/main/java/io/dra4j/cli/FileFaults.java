package io.dra4j.cli;

import io.dra4j.linux.Errno;
import io.dra4j.linux.LinuxException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.Locale;
import java.util.Objects;

/** What to tell of a file that cannot be read, after its name. */
final class FileFaults {

  private FileFaults() {}

  /** The same with the name of the file, for an exception of which nobody knows the file. */
  static String tell(IOException e) {
    if (e instanceof LinuxException linux) {
      String means =
          linux.is(Errno.ENOENT)
              ? " (no such file)"
              : linux.is(Errno.EACCES) || linux.is(Errno.EPERM) ? " (permission denied)" : "";
      return linux.getMessage() + means;
    }
    boolean onlyTheName =
        e instanceof FileSystemException one && Objects.equals(one.getMessage(), one.getFile());
    return onlyTheName ? e.getMessage() + ": " + describe(e) : String.valueOf(e.getMessage());
  }

  static String describe(IOException e) {
    if (e instanceof NoSuchFileException) {
      return "no such file";
    }
    if (e instanceof AccessDeniedException) {
      return "permission denied";
    }
    if (e instanceof FileAlreadyExistsException || e instanceof NotDirectoryException) {
      return "is no folder";
    }
    String reason = e.getMessage();
    return reason == null || reason.isEmpty()
        ? "cannot be read"
        : reason.substring(0, 1).toLowerCase(Locale.ROOT) + reason.substring(1);
  }
}
