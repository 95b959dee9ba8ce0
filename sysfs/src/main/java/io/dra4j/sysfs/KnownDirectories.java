package io.dra4j.sysfs;

import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Remembers from scan to scan which directories were reached without a link and the types of their
 * files, so that these need not be checked again before each file is opened. A directory that was
 * replaced has another file key, and a directory in which a file was replaced has a new
 * modification time; both are forgotten.
 */
final class KnownDirectories {

  private static final int MAX_DIRECTORIES = 50_000;

  /**
   * A directory and its entries.
   *
   * @param key the identity of the directory, independent of its path; null if the file system has
   *     none
   * @param modified the time at which an entry was last added, removed or replaced
   * @param regular the names of regular files; more may be added
   * @param missing the names that were requested and did not exist; more may be added
   */
  record Known(@Nullable Object key, FileTime modified, Set<String> regular, Set<String> missing) {

    /** Returns whether these are the attributes of the same, unchanged directory. */
    private boolean is(BasicFileAttributes attributes) {
      return attributes.isDirectory()
          && key != null
          && key.equals(attributes.fileKey())
          && modified.equals(attributes.lastModifiedTime());
    }
  }

  private final Map<Path, Known> directories = new ConcurrentHashMap<>();

  /** Returns whether a directory was reached by this path without a link, and may still exist. */
  boolean has(Path directory) {
    return directories.containsKey(directory);
  }

  /** Returns the facts about a directory if it is unchanged; null if it was replaced or changed. */
  @Nullable Known same(Path directory, BasicFileAttributes attributes) {
    Known known = directories.get(directory);
    return known != null && known.is(attributes) ? known : null;
  }

  /** Returns the facts about a directory that was just reached without a link. */
  Known reached(Path directory, BasicFileAttributes attributes) {
    Known known = same(directory, attributes);
    if (known == null) {
      if (directories.size() >= MAX_DIRECTORIES) {
        directories.clear();
      }
      known =
          new Known(
              attributes.fileKey(),
              attributes.lastModifiedTime(),
              ConcurrentHashMap.newKeySet(8),
              ConcurrentHashMap.newKeySet(8));
      directories.put(directory, known);
    }
    return known;
  }
}
