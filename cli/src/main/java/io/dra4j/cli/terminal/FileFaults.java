package io.dra4j.cli.terminal;

import io.dra4j.common.IoMessages;
import io.dra4j.linux.Errno;
import io.dra4j.linux.LinuxException;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.util.Objects;

/** Describes I/O exceptions without a known file. */
public final class FileFaults {

  private FileFaults() {}

  public static String describe(IOException e) {
    if (e instanceof LinuxException linux) {
      String means =
          linux.is(Errno.ENOENT)
              ? " (no such file)"
              : linux.is(Errno.EACCES) || linux.is(Errno.EPERM) ? " (permission denied)" : "";
      return linux.getMessage() + means;
    }
    boolean onlyTheName =
        e instanceof FileSystemException one && Objects.equals(one.getMessage(), one.getFile());
    return onlyTheName
        ? e.getMessage() + ": " + IoMessages.describe(e)
        : String.valueOf(e.getMessage());
  }
}
