package io.dra4j.runtime;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a store to one process. The lock is on a file beside the store, because closing any channel
 * of the store itself would end SQLite's own locks (POSIX). The kernel gives it up when the process
 * ends, however it ends; the file stays.
 */
final class StoreLock implements AutoCloseable {

  private final FileChannel channel;

  private StoreLock(FileChannel channel) {
    this.channel = channel;
  }

  static StoreLock take(Path store) throws StoreException {
    Path file = Path.of(store + ".lock");
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
        throw new StoreException(
            "store %s is in use by %s; one store serves one process".formatted(store, owner), null);
      }
      byte[] process =
          ("process " + ProcessHandle.current().pid()).getBytes(StandardCharsets.UTF_8);
      channel.truncate(0);
      channel.write(ByteBuffer.wrap(process), 0);
      return new StoreLock(channel);
    } catch (StoreException e) {
      throw e;
    } catch (IOException e) { // a full disk cannot take the number of the process; the lock holds
      if (channel.isOpen()) {
        return new StoreLock(channel);
      }
      throw new StoreException("store %s: cannot lock %s: %s".formatted(store, file, e), e);
    }
  }

  private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
    try {
      return channel.tryLock();
    } catch (OverlappingFileLockException e) {
      return null; // this process has it
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
    channel.close();
  }
}
