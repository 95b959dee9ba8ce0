package io.dra4j.runtime.internal.store;

import io.dra4j.runtime.StoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/**
 * Checks that only the user of this process has access to a store. The store has the steps to undo,
 * which this process executes with its own permissions.
 */
public final class StoreRights {

  private static final Set<PosixFilePermission> OTHERS =
      PosixFilePermissions.fromString("---rwxrwx");

  private StoreRights() {}

  /**
   * Refuses a directory in which other users could read, change or replace the store.
   *
   * @param file the store, which need not exist yet; its directory must exist
   */
  public static void checkDirectory(Path file) throws StoreException {
    try {
      Path real = Files.exists(file) ? file.toRealPath() : file.toAbsolutePath();
      Path directory = real.getParent();
      if (directory != null && knowsRights(real)) {
        check(file, directory.toRealPath(), "700", "directory");
      }
    } catch (StoreException e) {
      throw e;
    } catch (IOException e) {
      throw new StoreException("store %s: %s".formatted(file, e), e);
    }
  }

  /** Refuses a store that other users can read or change. */
  public static void checkFiles(Path file) throws StoreException {
    try {
      Path real = file.toRealPath();
      for (String suffix : new String[] {"", "-wal", "-shm"}) {
        Path one = Path.of(real + suffix);
        if (knowsRights(real) && Files.isRegularFile(one, LinkOption.NOFOLLOW_LINKS)) {
          check(file, one, "600", "file");
        }
      }
    } catch (StoreException e) {
      throw e;
    } catch (IOException e) {
      throw new StoreException("store %s: %s".formatted(file, e), e);
    }
  }

  private static boolean knowsRights(Path file) {
    return file.getFileSystem().supportedFileAttributeViews().contains("unix");
  }

  private static void check(Path store, Path path, String mode, String kind) throws IOException {
    Object owner = Files.getAttribute(path, "unix:uid");
    Object user = user();
    Set<PosixFilePermission> rights = Files.getPosixFilePermissions(path);
    if (!owner.equals(user)) {
      throw new StoreException(
          "store %s: %s %s belongs to user %s; expected the user of this process, %s"
              .formatted(store, kind, path, owner, user),
          null);
    }
    if (rights.stream().anyMatch(OTHERS::contains)) {
      throw new StoreException(
          "store %s: users other than its owner have access to %s %s (%s); run chmod %s %s"
              .formatted(store, kind, path, PosixFilePermissions.toString(rights), mode, path),
          null);
    }
  }

  /** The effective user of this process; the owner of /proc/self may be root instead. */
  private static Object user() throws IOException {
    for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
      if (line.startsWith("Uid:")) {
        return Integer.parseUnsignedInt(line.split("\\s+", -1)[2]);
      }
    }
    throw new IOException("/proc/self/status has no line Uid:");
  }
}
