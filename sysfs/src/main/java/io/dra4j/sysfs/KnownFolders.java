package io.dra4j.sysfs;

import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Remembers from scan to scan which folders were reached without a link and what their files were
 * found to be, so that not each has to be asked again before it is opened. A folder that is
 * replaced has another file key, one in which a file is replaced a new time; either is forgotten.
 */
final class KnownFolders {

  private static final int MAX_FOLDERS = 50_000;

  /**
   * A folder and what is in it.
   *
   * @param key which folder it is, whatever way leads to it; null where the file system has none
   * @param modified when an entry of it was last added, removed or replaced
   * @param regular the names of regular files; more may be added
   * @param missing the names that were asked for and not there; more may be added
   */
  record Known(@Nullable Object key, FileTime modified, Set<String> regular, Set<String> missing) {

    /** Whether these are the attributes of that same folder, unchanged since. */
    private boolean is(BasicFileAttributes attributes) {
      return attributes.isDirectory()
          && key != null
          && key.equals(attributes.fileKey())
          && modified.equals(attributes.lastModifiedTime());
    }
  }

  private final Map<Path, Known> folders = new ConcurrentHashMap<>();

  /** Whether a folder was once reached by this path without a link, and may be there still. */
  boolean has(Path folder) {
    return folders.containsKey(folder);
  }

  /** What is known of a folder if it is the same as then; null if it is another by now. */
  @Nullable Known same(Path folder, BasicFileAttributes attributes) {
    Known known = folders.get(folder);
    return known != null && known.is(attributes) ? known : null;
  }

  /** What is known of a folder that was just reached without a link. */
  Known reached(Path folder, BasicFileAttributes attributes) {
    Known known = same(folder, attributes);
    if (known == null) {
      if (folders.size() >= MAX_FOLDERS) {
        folders.clear();
      }
      known =
          new Known(
              attributes.fileKey(),
              attributes.lastModifiedTime(),
              ConcurrentHashMap.newKeySet(8),
              ConcurrentHashMap.newKeySet(8));
      folders.put(folder, known);
    }
    return known;
  }
}
