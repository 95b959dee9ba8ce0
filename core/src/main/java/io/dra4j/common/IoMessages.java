package io.dra4j.common;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Messages about a file that cannot be read. */
public final class IoMessages {

  private IoMessages() {}

  /**
   * {@return why a file cannot be read, to follow its name, for example {@code no such file}}
   *
   * @param e the exception
   */
  public static String describe(IOException e) {
    Objects.requireNonNull(e, "e");
    if (e instanceof NoSuchFileException missing) {
      return isBelowAFile(missing.getFile()) ? "not a directory" : "no such file";
    } else if (e instanceof AccessDeniedException) {
      return "permission denied";
    } else if (e instanceof FileAlreadyExistsException || e instanceof NotDirectoryException) {
      return "not a directory";
    }
    String reason = e instanceof FileSystemException one ? one.getReason() : e.getMessage();
    return reason == null || reason.isEmpty()
        ? "cannot be read"
        : reason.substring(0, 1).toLowerCase(Locale.ROOT) + reason.substring(1);
  }

  /** JDK 17 has a separate exception for ENOTDIR, JDK 25 uses the exception of ENOENT. */
  private static boolean isBelowAFile(@Nullable String file) {
    Path above = file == null ? null : Path.of(file).getParent();
    while (above != null && !Files.exists(above)) {
      above = above.getParent();
    }
    return above != null && !Files.isDirectory(above);
  }
}
