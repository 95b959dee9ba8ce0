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
 * Keeps a store to one process, and to one user in it. The lock is on a file beside the store,
 * because closing any channel of the store itself would end SQLite's own locks (POSIX). The kernel
 * gives it up when the process ends, however it ends; the file stays.
 *
 * <p>A program that only reads, such as a backup, may hold a read lock on that file. It cannot be
 * told from the owner by an exclusive lock alone, but by a shared one, which the owner does not
 * allow: the owner is then who has the lock on the next file ({@code .lock.1}), and holds the
 * shared lock as well, so that a process that comes when the reader has gone meets it.
 */
public final class StoreLock implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(StoreLock.class);

  /**
   * The lock files of this process. Such a file must not be opened a second time: closing that
   * channel would end the lock, which POSIX keeps for the process and not for the channel.
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
            "store %s: other processes read-lock %s and the %d files after it; end them"
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
      Files.setPosixFilePermissions(file, mode); // of a file that an earlier release made
      return channel;
    }
    return FileChannel.open(file, options);
  }

  private static void writeOwner(FileChannel channel) {
    byte[] process = ("process " + ProcessHandle.current().pid()).getBytes(StandardCharsets.UTF_8);
    try {
      channel.truncate(0);
      channel.write(ByteBuffer.wrap(process), 0);
    } catch (IOException e) { // a full disk cannot take the number of the process
      LOG.atDebug().log("the lock holds without the number of the process: {}", e.getMessage());
    }
  }

  private static StoreException inUse(Path store, String owner) {
    return StoreException.inUse(
        "store %s is in use by %s; one store serves one process".formatted(store, owner));
  }

  private static @Nullable FileLock tryLock(FileChannel channel, boolean isShared)
      throws IOException {
    try {
      return channel.tryLock(0, Long.MAX_VALUE, isShared);
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
        LOG.atWarn().log("a file of a lock could not be closed: {}", e.getMessage());
      }
    }
  }
}
