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
 * A host recorded as entries: the files, folders and links of its {@code /sys} (and a little of its
 * {@code /proc}) that say what devices it has. Immutable.
 *
 * <p>{@link #expandTo} lays it out as a tree that a program reads in place of the real one. Records
 * come from the class path ({@link #named}), from what {@code e2e/lab/capture} wrote on any machine
 * ({@link #read}), from an archive of a {@code /sys} ({@link #readTarGz}), or are made up for
 * machines of which there is no capture ({@link SyntheticHosts}, {@link SyntheticHost}). {@link
 * #withFile} and its siblings give variants, for example with one broken file.
 */
public final class CapturedHost {

  private static final List<String> NAMES =
      List.of("a4-like", "cascade", "h200-vm", "rdma", "sriov", "two-socket");

  private final String name;
  private final SortedMap<String, HostEntry> entries;

  /** The entries are checked ones ({@link HostEntries#checked}). */
  CapturedHost(String name, SortedMap<String, HostEntry> entries) {
    this.name = name;
    this.entries = entries;
  }

  // ---- Where records come from ----

  /**
   * The built-in records.
   *
   * @return the names that {@link #named} takes, sorted
   */
  public static List<String> names() {
    return NAMES;
  }

  /**
   * A built-in record: a machine of the virtual-machine lab, captured by the kernel that ran in it,
   * or {@code h200-vm}, a cloud's virtual machine with an NVIDIA H200.
   *
   * @param name one of {@link #names}
   * @return the host
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
   * @throws CaptureException if the record breaks the format, leaves its root or is larger than 64
   *     MiB
   * @throws IOException if the file cannot be read
   */
  public static CapturedHost read(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      boolean compressed = file.toString().endsWith(".gz");
      return RecordReader.read(file.toString(), compressed ? new GZIPInputStream(in) : in);
    }
  }

  /**
   * Reads a compressed archive that holds {@code sys} at its top. Needs commons-compress, which
   * users of this method add.
   *
   * @param file a {@code .tar.gz}
   * @return the host, named after the file
   * @throws CaptureException if an entry leaves the root, is neither file, folder nor link, or all
   *     is larger than 64 MiB
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
          "no captured host of the name %s; there are %s".formatted(name, NAMES));
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

  // ---- What is in it ----

  /**
   * The host's name.
   *
   * @return the built-in name, or the file it was read from
   */
  public String name() {
    return name;
  }

  /**
   * All paths of the record, relative to the root, sorted. Folders above an entry need no entry of
   * their own.
   *
   * @return for example {@code sys/bus/pci/devices/0000:00:00.0}
   */
  public Collection<String> paths() {
    return entries.keySet();
  }

  /**
   * The content of a file.
   *
   * @param path relative to the root; links are not followed
   * @return the bytes, or empty if the record has no file at this very path
   */
  public Optional<byte[]> file(String path) {
    return entries.get(path) instanceof HostEntry.File file
        ? Optional.of(file.content())
        : Optional.empty();
  }

  /**
   * The target of a link.
   *
   * @param path relative to the root; links are not followed
   * @return the target as the link says it, or empty if the record has no link at this very path
   */
  public Optional<String> link(String path) {
    return entries.get(path) instanceof HostEntry.Link link
        ? Optional.of(link.target())
        : Optional.empty();
  }

  // ---- Variants ----

  /**
   * This host with another content of a file, or one more file.
   *
   * @param path relative to the root
   * @param content its text
   * @return the variant
   * @throws IllegalArgumentException if the path leaves the root or leads through a link or file
   */
  public CapturedHost withFile(String path, String content) {
    return withFile(path, content.getBytes(UTF_8));
  }

  /**
   * This host with another content of a file, or one more file.
   *
   * @param path relative to the root
   * @param content its bytes
   * @return the variant
   * @throws IllegalArgumentException if the path leaves the root or leads through a link or file
   */
  public CapturedHost withFile(String path, byte[] content) {
    return with(path, HostEntry.File.of(content));
  }

  /**
   * This host with another target of a link, or one more link.
   *
   * @param path relative to the root
   * @param target anything: it may dangle, loop or leave the root
   * @return the variant
   * @throws IllegalArgumentException if the path leaves the root or leads through a link or file
   */
  public CapturedHost withLink(String path, String target) {
    return with(path, new HostEntry.Link(target));
  }

  /**
   * This host with a folder, which takes the place of what was at the path.
   *
   * @param path relative to the root
   * @return the variant
   * @throws IllegalArgumentException if the path leaves the root or leads through a link or file
   */
  public CapturedHost withFolder(String path) {
    return with(path, HostEntry.Folder.FOLDER);
  }

  /**
   * This host without what is at a path and below it.
   *
   * @param path relative to the root; nothing need be there
   * @return the variant
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

  // ---- Laying it out ----

  /**
   * Lays the host out as files, folders and links.
   *
   * @param root the folder that becomes {@code /}; made when it is missing; of any file system that
   *     knows symbolic links
   * @throws DirectoryNotEmptyException if the folder holds something, through which an entry might
   *     leave it
   * @throws IOException if something cannot be written
   */
  public void expandTo(Path root) throws IOException {
    Files.createDirectories(root);
    try (Stream<Path> present = Files.list(root)) {
      if (present.findAny().isPresent()) {
        throw new DirectoryNotEmptyException(root.toString());
      }
    }
    Set<Path> folders = new HashSet<>();
    for (var each : entries.entrySet()) {
      Path path = root.resolve(each.getKey());
      Path folder = each.getValue() instanceof HostEntry.Folder ? path : path.getParent();
      if (folders.add(folder)) {
        Files.createDirectories(folder);
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
