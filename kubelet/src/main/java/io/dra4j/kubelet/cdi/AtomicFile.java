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

/** Writes files whole or not at all: they are on the disk before they have their names. */
final class AtomicFile {

  static final String TEMPORARY = ".tmp";

  private AtomicFile() {}

  /**
   * Writes a file, or replaces it.
   *
   * @param prefix the start of the name of the temporary file beside it
   * @param permissions as {@code rw-r--r--}
   */
  static void write(Path folder, String name, String prefix, String text, String permissions)
      throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    Path temporary =
        Files.createTempFile(
            folder,
            prefix,
            TEMPORARY,
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    try {
      try (FileChannel channel = FileChannel.open(temporary, StandardOpenOption.WRITE)) {
        while (bytes.hasRemaining()) {
          channel.write(bytes);
        }
        channel.force(true);
      }
      Files.setPosixFilePermissions(temporary, PosixFilePermissions.fromString(permissions));
      Files.move(temporary, folder.resolve(name), StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(temporary);
    }
    syncFolder(folder);
  }

  /** Brings names to the disk. */
  static void syncFolder(Path folder) throws IOException {
    try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }
}
