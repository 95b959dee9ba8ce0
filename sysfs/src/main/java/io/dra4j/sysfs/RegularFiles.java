package io.dra4j.sysfs;

import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Remembers from scan to scan which files were found to be regular ones, so that not each has to be
 * asked again before it is opened. A folder in which a file is replaced gets a new time, and is
 * forgotten.
 */
final class RegularFiles {

  private static final int MAX_FOLDERS = 50_000;

  private record Known(FileTime modified, Set<String> names) {}

  private final Map<Path, Known> folders = new ConcurrentHashMap<>();

  /** The names that are known of a folder, to which more may be added. */
  Set<String> of(Path folder, FileTime modified) {
    Known known = folders.get(folder);
    if (known == null || !known.modified.equals(modified)) {
      if (folders.size() >= MAX_FOLDERS) {
        folders.clear();
      }
      known = new Known(modified, ConcurrentHashMap.newKeySet(8));
      folders.put(folder, known);
    }
    return known.names;
  }
}
