package io.dra4j.runtime;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a store to one process, and to one user in it. The lock is on a file beside the store,
 * because closing any channel of the store itself would end SQLite's own locks (POSIX). The kernel
 * gives it up when the process ends, however it ends; the file stays.
 */
final class StoreLock implements AutoCloseable {

  /**
   * The lock files of this process. Such a file must not be opened a second time: closing that
   * channel would end the lock, which POSIX keeps for the process and not for the channel.
   */
  private static final Set<Path> OWN = ConcurrentHashMap.newKeySet();

  private final Path file;
  private final FileChannel channel;

  private StoreLock(Path file, FileChannel channel) {
    this.file = file;
    this.channel = channel;
  }

  static StoreLock take(Path store) throws StoreException {
    Path file = lockOf(store);
    if (!OWN.add(file)) {
      throw inUse(store, "process " + ProcessHandle.current().pid());
    }
    StoreLock lock = null;
    try {
      lock = open(store, file);
      return lock;
    } finally {
      if (lock == null) {
        OWN.remove(file);
      }
    }
  }

  /** Beside the file itself, whatever links lead to it. */
  private static Path lockOf(Path store) throws StoreException {
    try {
      Path real =
          Files.exists(store)
              ? store.toRealPath()
              : store.toAbsolutePath().resolveSibling("").toRealPath().resolve(store.getFileName());
      return Path.of(real + ".lock");
    } catch (IOException e) {
      throw new StoreException("store %s: %s".formatted(store, e), e);
    }
  }

  private static StoreLock open(Path store, Path file) throws StoreException {
    FileChannel channel;
    try {
      channel =
          FileChannel.open(
              file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
    } catch (IOException e) {
      throw new StoreException("store %s: cannot open %s: %s".formatted(store, file, e), e);
    }
    try {
      FileLock lock = tryLock(channel);
      if (lock == null) {
        String owner = owner(channel);
        channel.close();
        throw inUse(store, owner);
      }
      byte[] process =
          ("process " + ProcessHandle.current().pid()).getBytes(StandardCharsets.UTF_8);
      channel.truncate(0);
      channel.write(ByteBuffer.wrap(process), 0);
      return new StoreLock(file, channel);
    } catch (StoreException e) {
      throw e;
    } catch (IOException e) { // a full disk cannot take the number of the process; the lock holds
      if (channel.isOpen()) {
        return new StoreLock(file, channel);
      }
      throw new StoreException("store %s: cannot lock %s: %s".formatted(store, file, e), e);
    }
  }

  private static StoreException inUse(Path store, String owner) {
    return new StoreException(
        "store %s is in use by %s; one store serves one process".formatted(store, owner), null);
  }

  private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
    try {
      return channel.tryLock();
    } catch (OverlappingFileLockException e) {
      return null; // somebody else in this process has it
    }
  }

  private static String owner(FileChannel channel) throws IOException {
    ByteBuffer text = ByteBuffer.allocate(64);
    channel.read(text, 0);
    String owner = new String(text.array(), 0, text.position(), StandardCharsets.UTF_8).strip();
    return owner.matches("process [0-9]+") ? owner : "another process";
  }

  @Override
  public void close() throws IOException {
    try {
      channel.close();
    } finally {
      OWN.remove(file);
    }
  }
}
