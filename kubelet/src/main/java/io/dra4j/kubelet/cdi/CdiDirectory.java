package io.dra4j.kubelet.cdi;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * The CDI files of one driver in a directory that container runtimes read, normally {@code
 * /var/run/cdi}. Each file has an ID, for example the UID of a claim, and is named {@code
 * DRIVER_ID.json}. Files of other drivers are neither read nor changed.
 *
 * <p>A file is written atomically: under a temporary name first, then renamed. Files have mode
 * 0600. Thread-safe.
 */
public final class CdiDirectory {

  private static final Pattern OWNER = Pattern.compile("[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?");
  private static final Pattern ID = Pattern.compile("[A-Za-z0-9][A-Za-z0-9.-]*");
  private static final int NAME_MAXIMUM = 120;
  private static final String SUFFIX = ".json";

  private final Path directory;
  private final String prefix;

  private CdiDirectory(Path directory, String prefix) {
    this.directory = directory;
    this.prefix = prefix;
  }

  /**
   * {@return the directory for the files of a driver, created if it is missing}
   *
   * @param directory the directory
   * @param driver the name of the driver
   * @throws IOException if the directory cannot be created
   * @throws IllegalArgumentException if the name cannot be the start of a file name
   */
  public static CdiDirectory open(Path directory, String driver) throws IOException {
    check("driver", driver, OWNER);
    Files.createDirectories(directory);
    return new CdiDirectory(directory, driver + "_");
  }

  private static void check(String what, String name, Pattern pattern) {
    Objects.requireNonNull(name, what);
    if (name.length() > NAME_MAXIMUM || !pattern.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "CDI file: %s \"%s\" must match %s and have at most %d characters"
              .formatted(what, name, pattern, NAME_MAXIMUM));
    }
  }

  private Path file(String id) {
    check("id", id, ID);
    return directory.resolve(prefix + id + SUFFIX);
  }

  /**
   * Writes or replaces the file of an ID.
   *
   * @param id the ID: letters, digits, {@code -} and {@code .}, at most 120
   * @param spec the content
   * @return the path of the file
   * @throws IOException if it cannot be written; an older file of the ID is then unchanged
   * @throws IllegalArgumentException if the ID cannot be a part of a file name
   */
  public synchronized Path write(String id, CdiSpec spec) throws IOException {
    Path file = file(id);
    AtomicFile.write(directory, prefix + id + SUFFIX, "." + prefix, spec.toJson(), "rw-------");
    return file;
  }

  /**
   * Removes the file of an ID.
   *
   * @param id the ID
   * @return whether there was a file
   * @throws IOException if it cannot be removed
   * @throws IllegalArgumentException if the ID cannot be a part of a file name
   */
  public synchronized boolean remove(String id) throws IOException {
    return Files.deleteIfExists(file(id));
  }

  /**
   * {@return whether an ID has a file of this driver now}
   *
   * @param id the ID
   * @throws IllegalArgumentException if the ID cannot be a part of a file name
   */
  public boolean contains(String id) {
    return Files.exists(file(id));
  }

  /**
   * {@return the sorted IDs that have a file of this driver}
   *
   * @throws IOException if the directory cannot be read
   */
  public Set<String> ids() throws IOException {
    Set<String> ids = new TreeSet<>();
    for (Path file : files(prefix, SUFFIX)) {
      String name = file.getFileName().toString();
      String id = name.substring(prefix.length(), name.length() - SUFFIX.length());
      if (ID.matcher(id).matches()) {
        ids.add(id);
      }
    }
    return ids;
  }

  private List<Path> files(String start, String end) throws IOException {
    List<Path> files = new ArrayList<>();
    try (DirectoryStream<Path> all = Files.newDirectoryStream(directory)) {
      for (Path file : all) {
        String name = file.getFileName().toString();
        if (name.startsWith(start) && name.endsWith(end)) {
          files.add(file);
        }
      }
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    } catch (NoSuchFileException e) {
      return List.of();
    }
    return files;
  }

  /**
   * Removes the files of this driver for all other IDs, and temporary files of processes that ended
   * during a write. Must not run while another process of the driver writes.
   *
   * @param ids the IDs whose files stay
   * @return the IDs whose files were removed
   * @throws IOException if a file cannot be removed
   */
  public synchronized Set<String> retain(Set<String> ids) throws IOException {
    Set<String> removed = new TreeSet<>();
    for (String id : ids()) {
      if (!ids.contains(id)) {
        Files.deleteIfExists(file(id));
        removed.add(id);
      }
    }
    for (Path file : files("." + prefix, AtomicFile.TEMPORARY)) {
      Files.deleteIfExists(file);
    }
    return removed;
  }
}
