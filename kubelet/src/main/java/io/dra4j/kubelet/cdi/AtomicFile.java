package io.dra4j.kubelet.cdi;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * Writes files atomically for their readers. It does not force data to the disk: after a power
 * failure the claims are prepared again, which rewrites their files.
 */
final class AtomicFile {

  static final String TEMPORARY = ".tmp";

  private AtomicFile() {}

  /**
   * Writes or replaces a file, through a temporary file in the same directory whose name starts
   * with {@code prefix}. The permissions have a form like {@code rw-r--r--}.
   */
  static void write(Path directory, String name, String prefix, String text, String permissions)
      throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    Path temporary =
        Files.createTempFile(
            directory,
            prefix,
            TEMPORARY,
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    try {
      try (FileChannel channel = FileChannel.open(temporary, StandardOpenOption.WRITE)) {
        while (bytes.hasRemaining()) {
          channel.write(bytes);
        }
      }
      Files.setPosixFilePermissions(temporary, PosixFilePermissions.fromString(permissions));
      Files.move(temporary, directory.resolve(name), StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(temporary);
    }
  }
}
