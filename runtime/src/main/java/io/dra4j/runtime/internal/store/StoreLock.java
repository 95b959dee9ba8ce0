package io.dra4j.runtime.internal.store;

import io.dra4j.runtime.StoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Restricts a store to one process, and to one user in that process. The lock is on a separate file
 * next to the store, because closing any channel of the store itself would release SQLite's own
 * locks (POSIX). The kernel releases the lock when the process ends in any way; the file stays.
 *
 * <p>A program that only reads, such as a backup, may hold a read lock on that file. A failed
 * exclusive lock does not distinguish such a reader from the owner. A shared lock does: it fails
 * only if there is an owner. With a reader present, the owner is the process that has the lock on
 * the next file ({@code .lock.1}). It also holds the shared lock, so that a process that comes
 * after the reader has ended detects the owner.
 */
public final class StoreLock implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(StoreLock.class);

  /**
   * The lock files of this process. Such a file must not be opened twice: closing the second
   * channel would release the lock, since POSIX locks belong to the process and not to the channel.
   */
  private static final Set<Path> OWN = ConcurrentHashMap.newKeySet();

  private static final int MOST_READERS = 8;

  private final Path file;
  private final List<FileChannel> channels;

  private StoreLock(Path file, List<FileChannel> channels) {
    this.file = file;
    this.channels = List.copyOf(channels);
  }

  public static StoreLock take(Path store) throws StoreException {
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

  /**
   * Returns the lock file, which is next to the real file of the store even if links lead to it.
   */
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
    List<FileChannel> channels = new ArrayList<>();
    boolean isOwner = false;
    try {
      for (int i = 0; i <= MOST_READERS && !isOwner; i++) {
        Path next = i == 0 ? file : Path.of(file + "." + i);
        FileChannel channel = openFile(next);
        channels.add(channel);
        isOwner = tryLock(channel, false) != null;
        if (!isOwner && tryLock(channel, true) == null) {
          throw inUse(store, owner(channel));
        }
      }
      if (!isOwner) {
        throw new StoreException(
            "store %s: other processes hold read locks on %s and the %d files after it; end them"
                .formatted(store, file, MOST_READERS),
            null);
      }
      writeOwner(channels.get(channels.size() - 1));
      return new StoreLock(file, channels);
    } catch (StoreException e) {
      close(channels);
      throw e;
    } catch (IOException e) {
      close(channels);
      throw new StoreException("store %s: cannot lock %s: %s".formatted(store, file, e), e);
    }
  }

  private static FileChannel openFile(Path file) throws IOException {
    Set<StandardOpenOption> options =
        Set.of(StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
    if (file.getFileSystem().supportedFileAttributeViews().contains("posix")) {
      Set<PosixFilePermission> mode = PosixFilePermissions.fromString("rw-------");
      FileChannel channel =
          FileChannel.open(file, options, PosixFilePermissions.asFileAttribute(mode));
      Files.setPosixFilePermissions(file, mode); // for a file of an earlier release
      return channel;
    }
    return FileChannel.open(file, options);
  }

  private static void writeOwner(FileChannel channel) {
    byte[] process = ("process " + ProcessHandle.current().pid()).getBytes(StandardCharsets.UTF_8);
    try {
      channel.truncate(0);
      channel.write(ByteBuffer.wrap(process), 0);
    } catch (IOException e) { // on a full disk, the process ID cannot be written
      LOG.atDebug().log(
          "the lock is held, but the process ID could not be written: {}", e.getMessage());
    }
  }

  private static StoreException inUse(Path store, String owner) {
    return StoreException.inUse(
        "store %s is in use by %s; only one process can use a store".formatted(store, owner));
  }

  private static @Nullable FileLock tryLock(FileChannel channel, boolean isShared)
      throws IOException {
    try {
      return channel.tryLock(0, Long.MAX_VALUE, isShared);
    } catch (OverlappingFileLockException e) {
      return null; // this process has the lock already
    }
  }

  private static String owner(FileChannel channel) throws IOException {
    ByteBuffer text = ByteBuffer.allocate(64);
    channel.read(text, 0);
    String owner = new String(text.array(), 0, text.position(), StandardCharsets.UTF_8).strip();
    return owner.matches("process [0-9]+") ? owner : "another process";
  }

  @Override
  public void close() {
    try {
      close(channels);
    } finally {
      OWN.remove(file);
    }
  }

  private static void close(List<FileChannel> channels) {
    for (FileChannel channel : channels) {
      try {
        channel.close();
      } catch (IOException e) {
        LOG.atWarn().log("cannot close a lock file: {}", e.getMessage());
      }
    }
  }
}
