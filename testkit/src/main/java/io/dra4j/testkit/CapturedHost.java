package io.dra4j.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;

/**
 * A host recorded as entries: the files, directories and links of its {@code /sys} (and a few of
 * its {@code /proc}) that describe its devices. Immutable.
 *
 * <p>{@link #expandTo} writes it as a directory tree that a program reads in place of the real one.
 * Records come from the class path ({@link #named}), from {@code e2e/lab/capture} on any machine
 * ({@link #read}) or from an archive of a {@code /sys} ({@link #readTarGz}). They are synthetic for
 * machines without a capture ({@link SyntheticHosts}, {@link SyntheticHost}). {@link #withFile} and
 * similar methods return variants, for example with one broken file.
 */
public final class CapturedHost {

  private static final List<String> NAMES =
      List.of("a4-like", "cascade", "h200-vm", "rdma", "sriov", "two-socket");

  private final String name;
  private final SortedMap<String, HostEntry> entries;

  /** Creates a host from checked entries ({@link HostEntries#checked}). */
  CapturedHost(String name, SortedMap<String, HostEntry> entries) {
    this.name = name;
    this.entries = entries;
  }

  // ---- Sources of records ----

  /** {@return the names of the built-in records, sorted, which {@link #named} accepts} */
  public static List<String> names() {
    return NAMES;
  }

  /**
   * {@return a built-in record: a machine of the virtual-machine lab, captured from its running
   * kernel, or {@code h200-vm}, a cloud's virtual machine with an NVIDIA H200}
   *
   * @param name one of {@link #names}
   * @throws IllegalArgumentException if there is none of that name
   */
  public static CapturedHost named(String name) {
    try (InputStream in = resource(name, "sysfs.txt")) {
      return RecordReader.read(name, in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Reads a record that {@code e2e/lab/capture} wrote.
   *
   * @param file the record; compressed by gzip if its name ends in {@code .gz}
   * @return the host, named after the file
   * @throws CaptureException if it violates the format, leaves its root or is larger than 64 MiB
   * @throws IOException if the file cannot be read
   */
  public static CapturedHost read(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      boolean compressed = file.toString().endsWith(".gz");
      return RecordReader.read(file.toString(), compressed ? new GZIPInputStream(in) : in);
    }
  }

  /**
   * Reads a compressed archive with {@code sys} at its top. Callers must add commons-compress.
   *
   * @param file a {@code .tar.gz}
   * @return the host, named after the file
   * @throws CaptureException if an entry leaves the root, is neither a file, a directory nor a
   *     link, or if the archive is larger than 64 MiB
   * @throws IOException if the file cannot be read
   */
  public static CapturedHost readTarGz(Path file) throws IOException {
    try (InputStream in = new GZIPInputStream(Files.newInputStream(file))) {
      return TarReader.read(file.toString(), in);
    }
  }

  /** Opens {@code hosts/NAME.SUFFIX} for a built-in name. */
  static InputStream resource(String name, String suffix) throws IOException {
    if (!NAMES.contains(name)) {
      throw new IllegalArgumentException(
          "no captured host has the name %s; available are %s".formatted(name, NAMES));
    }
    InputStream in = CapturedHost.class.getResourceAsStream(path(name, suffix));
    if (in == null) {
      throw new FileNotFoundException(path(name, suffix));
    }
    return in;
  }

  static boolean hasResource(String name, String suffix) {
    return CapturedHost.class.getResource(path(name, suffix)) != null;
  }

  private static String path(String name, String suffix) {
    return "hosts/%s.%s".formatted(name, suffix);
  }

  // ---- Content ----

  /** {@return the host's name: the built-in name, or the file it was read from} */
  public String name() {
    return name;
  }

  /**
   * {@return all paths of the record, relative to the root, sorted, for example {@code
   * sys/bus/pci/devices/0000:00:00.0}} Parent directories of an entry need no separate entry.
   */
  public Collection<String> paths() {
    return entries.keySet();
  }

  /**
   * {@return the bytes of a file; empty if the record has no file at exactly this path}
   *
   * @param path the path relative to the root; links are not followed
   */
  public Optional<byte[]> file(String path) {
    return entries.get(path) instanceof HostEntry.File file
        ? Optional.of(file.content())
        : Optional.empty();
  }

  /**
   * {@return the target of a link as written in it; empty if no link is at exactly this path}
   *
   * @param path the path relative to the root; links are not followed
   */
  public Optional<String> link(String path) {
    return entries.get(path) instanceof HostEntry.Link link
        ? Optional.of(link.target())
        : Optional.empty();
  }

  // ---- Variants ----

  /**
   * {@return this host with another content of a file, or with an additional file}
   *
   * @param path the path relative to the root
   * @param content the text of the file
   * @throws IllegalArgumentException if the path leaves the root or leads through a link or file
   */
  public CapturedHost withFile(String path, String content) {
    return withFile(path, content.getBytes(UTF_8));
  }

  /**
   * {@return this host with another content of a file, or with an additional file}
   *
   * @param path the path relative to the root
   * @param content the bytes of the file
   * @throws IllegalArgumentException if the path leaves the root or leads through a link or file
   */
  public CapturedHost withFile(String path, byte[] content) {
    return with(path, HostEntry.File.of(content));
  }

  /**
   * {@return this host with another target of a link, or with an additional link}
   *
   * @param path the path relative to the root
   * @param target any target: it may dangle, loop or leave the root
   * @throws IllegalArgumentException if the path leaves the root or leads through a link or file
   */
  public CapturedHost withLink(String path, String target) {
    return with(path, new HostEntry.Link(target));
  }

  /**
   * {@return this host with a directory, which replaces the entry at the path}
   *
   * @param path the path relative to the root
   * @throws IllegalArgumentException if the path leaves the root or leads through a link or file
   */
  public CapturedHost withDirectory(String path) {
    return with(path, HostEntry.Directory.DIRECTORY);
  }

  /**
   * {@return this host without the entries at a path and below it}
   *
   * @param path the path relative to the root; it need not exist
   */
  public CapturedHost without(String path) {
    HostEntries changed = new HostEntries();
    changed.putAll(entries);
    changed.remove(path);
    return new CapturedHost(name, changed.checked());
  }

  private CapturedHost with(String path, HostEntry entry) {
    HostEntries changed = new HostEntries();
    changed.putAll(entries);
    changed.put(path, entry);
    return new CapturedHost(name, changed.checked());
  }

  // ---- Writing ----

  /**
   * Writes the host as files, directories and links.
   *
   * @param root the directory that becomes {@code /}, created if it is missing, on any file system
   *     with symbolic links
   * @throws DirectoryNotEmptyException if the directory is not empty: an entry could leave it
   *     through existing links
   * @throws IOException if something cannot be written
   */
  public void expandTo(Path root) throws IOException {
    Files.createDirectories(root);
    try (Stream<Path> present = Files.list(root)) {
      if (present.findAny().isPresent()) {
        throw new DirectoryNotEmptyException(root.toString());
      }
    }
    Set<Path> directories = new HashSet<>();
    for (var each : entries.entrySet()) {
      Path path = root.resolve(each.getKey());
      Path directory = each.getValue() instanceof HostEntry.Directory ? path : path.getParent();
      if (directories.add(directory)) {
        Files.createDirectories(directory);
      }
      if (each.getValue() instanceof HostEntry.File file) {
        Files.write(path, file.content());
      } else if (each.getValue() instanceof HostEntry.Link link) {
        Files.createSymbolicLink(path, root.getFileSystem().getPath(link.target()));
      }
    }
  }

  @Override
  public String toString() {
    return "%s (%d entries)".formatted(name, entries.size());
  }
}
