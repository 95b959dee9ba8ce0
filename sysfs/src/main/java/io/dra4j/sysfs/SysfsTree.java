package io.dra4j.sysfs;

import io.dra4j.spi.Host;
import io.dra4j.sysfs.text.KernelText;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotLinkException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Reads text from files and links below the root of a host, without interpreting it.
 *
 * <p>Paths are written relative to the root, with slashes. A file is read only if it is a regular
 * one: captured trees may contain pipes, loops and links to other places. A file that exists but
 * cannot be read causes a warning.
 */
final class SysfsTree {

  /** The maximum length of a file; relevant files are shorter, and most have at most a page. */
  private static final int MAX_TEXT = 64 * 1024;

  private static final int PAGE = 4_096;

  private static final Set<OpenOption> NO_LINK =
      Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);

  /** The maximum length of a chain of links; the kernel has chains of at most three. */
  private static final int MAX_LINKS = 8;

  /** The maximum number of directories in a link: PCI trees are at most 64 bridges deep. */
  private static final int MAX_PARTS = 128;

  /** The maximum number of entries of a directory that are read. */
  static final int MAX_ENTRIES = 20_000;

  private final Path root;
  private final Consumer<String> warnings;
  private final ByteBuffer buffer = ByteBuffer.allocateDirect(MAX_TEXT + 1);
  private final Map<String, Directory> followed = new HashMap<>();
  private final boolean onDisk;
  private final KnownDirectories knownDirectories;

  private SysfsTree(Path root, Consumer<String> warnings, KnownDirectories knownDirectories) {
    this.root = root;
    this.knownDirectories = knownDirectories;
    this.warnings = warnings;
    this.onDisk = root.getFileSystem() == FileSystems.getDefault();
  }

  /** Opens the tree of a host; empty, with a warning, if it has no {@code sys}. */
  static Optional<SysfsTree> open(
      Host host, Consumer<String> warnings, KnownDirectories knownDirectories) {
    try {
      Path root = host.root().toRealPath();
      if (Files.isDirectory(root.resolve("sys"))) {
        return Optional.of(new SysfsTree(root, warnings, knownDirectories));
      }
      warnings.accept(
          host.root()
              + " is not the root of a Linux host or of a host capture: it has no directory sys");
    } catch (IOException e) {
      warnings.accept(host.root() + ": cannot be read: " + reason(e));
    }
    return Optional.empty();
  }

  /** {@return a directory, with links followed; empty if it is missing or not below the root} */
  Optional<Directory> directory(String path) {
    try {
      Optional<Directory> directory = follow(path, MAX_LINKS);
      if (directory.isEmpty()) {
        warn(path, "does not lead to a directory below the root");
      }
      return directory;
    } catch (NoSuchFileException e) {
      // Most parts of /sys are not on most hosts, and captured trees leave out many more.
    } catch (IOException | InvalidPathException e) {
      warn(path, "cannot be followed: " + reason(e));
    }
    return Optional.empty();
  }

  /**
   * Returns the directory at the end of a path. Links are followed here, one by one and only by
   * their text, so that none leads out of the root; the kernel would follow them out of it.
   */
  private Optional<Directory> follow(String path, int links) throws IOException {
    Directory known = followed.get(path);
    if (known != null) {
      return Optional.of(known);
    }
    Optional<Directory> as = asBefore(path);
    if (as.isPresent()) {
      return as;
    }
    int slash = path.lastIndexOf('/');
    String plain = path;
    if (slash > 0) {
      Optional<Directory> parent = follow(path.substring(0, slash), links);
      if (parent.isEmpty()) {
        return parent;
      }
      plain = parent.get().path() + path.substring(slash);
    }
    Optional<String> target = holdsLinks(plain) ? target(plain) : Optional.empty();
    Optional<Directory> end = Optional.empty();
    if (target.isEmpty()) {
      Path real = root.resolve(plain);
      BasicFileAttributes attributes = attributes(real);
      if (attributes.isDirectory()) {
        end = Optional.of(new Directory(plain, real, knownDirectories.reached(real, attributes)));
      } else if (attributes.isSymbolicLink() && !holdsLinks(plain)) {
        target = target(plain);
      }
    }
    if (target.isPresent()) {
      if (links == 0) {
        warn(path, "is a loop of links, or a chain of more than " + MAX_LINKS);
        return end;
      }
      end = follow(target.get(), links - 1);
    }
    end.ifPresent(directory -> followed.put(path, directory));
    return end;
  }

  /**
   * Returns a directory that an earlier scan reached without a link, if it is the same directory:
   * then the directories of its path need not be checked again one by one.
   */
  private Optional<Directory> asBefore(String path) {
    Path real = root.resolve(path);
    if (knownDirectories.has(real)) {
      try {
        KnownDirectories.Known known = knownDirectories.same(real, attributes(real));
        if (known != null) {
          Directory directory = new Directory(path, real, known);
          followed.put(path, directory);
          return Optional.of(directory);
        }
      } catch (IOException e) {
        // Gone, or now reached by a link: treat it as not seen before.
      }
    }
    return Optional.empty();
  }

  /** {@return whether most entries of a directory are links: checking their type first is slow} */
  private static boolean holdsLinks(String path) {
    return path.startsWith("sys/class/") || path.startsWith("sys/bus/");
  }

  private static BasicFileAttributes attributes(Path path) throws IOException {
    return Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
  }

  /** Returns the names in a directory, sorted; none if it does not exist. */
  List<String> list(String path) {
    return directory(path).map(Directory::list).orElse(List.of());
  }

  /** Returns the trimmed text of a file, if it exists and can be read. */
  Optional<String> text(String path) {
    int slash = path.lastIndexOf('/');
    return directory(path.substring(0, slash)).flatMap(in -> in.text(path.substring(slash + 1)));
  }

  /** Returns the target of a link, below the root and without dots; empty if it is not a link. */
  Optional<String> target(String path) {
    return linkText(path)
        .flatMap(
            text -> {
              if (text.chars().filter(character -> character == '/').count() > MAX_PARTS) {
                warn(path, "leads through more than " + MAX_PARTS + " directories");
                return Optional.empty();
              }
              Optional<String> target = resolve(path, text);
              if (target.isEmpty()) {
                warn(path, "leads out of the host's root, to " + text);
              }
              return target;
            });
  }

  private Optional<String> linkText(String path) {
    try {
      return Optional.of(Files.readSymbolicLink(root.resolve(path)).toString());
    } catch (NotLinkException | NoSuchFileException e) {
      return Optional.empty();
    } catch (IOException | InvalidPathException e) {
      warn(path, "cannot be read: " + reason(e));
      return Optional.empty();
    }
  }

  /** Returns the text of a link as a path below the root; empty if it leads above the root. */
  static Optional<String> resolve(String link, String text) {
    StringBuilder path = new StringBuilder(link.length() + text.length());
    if (!text.startsWith("/")) {
      path.append(link, 0, Math.max(0, link.lastIndexOf('/')));
    }
    int end;
    for (int from = 0; from < text.length(); from = end + 1) {
      int slash = text.indexOf('/', from);
      end = slash < 0 ? text.length() : slash;
      String part = text.substring(from, end);
      if (part.equals("..")) {
        if (path.isEmpty()) {
          return Optional.empty();
        }
        path.setLength(Math.max(0, path.lastIndexOf("/")));
      } else if (!part.isEmpty() && !part.equals(".")) {
        path.append(path.isEmpty() ? "" : "/").append(part);
      }
    }
    return Optional.of(path.toString());
  }

  void warn(String path, String problem) {
    warnings.accept("/" + path + ": " + problem);
  }

  /** {@return the reason for a failure, even if the JDK's message is only the path} */
  private static String reason(Exception e) {
    if (e instanceof NoSuchFileException) {
      return "no such file or directory";
    }
    if (e instanceof AccessDeniedException) {
      return "permission denied";
    }
    String message = e.getMessage();
    return e.getClass().getSimpleName() + (message == null ? "" : " (" + message + ")");
  }

  /** A directory of the tree. */
  final class Directory {

    private final String path; // without links
    private final Path real;

    private final KnownDirectories.Known known;

    private Directory(String path, Path real, KnownDirectories.Known known) {
      this.path = path;
      this.real = real;
      this.known = known;
    }

    /** Returns the path, without links. */
    String path() {
      return path;
    }

    /** Returns the names in the directory, sorted. */
    List<String> list() {
      List<String> names = onDisk ? listed() : streamed();
      names.sort(null);
      if (names.size() > MAX_ENTRIES) {
        warn(path, "has more than " + MAX_ENTRIES + " entries; the rest is left out");
        return names.subList(0, MAX_ENTRIES);
      }
      return names;
    }

    /**
     * Lists the names with half the time and a third of the memory of a stream. Only a stream
     * reports the reason for a failure.
     */
    private List<String> listed() {
      String[] names = real.toFile().list();
      return names == null ? streamed() : Arrays.asList(names);
    }

    private List<String> streamed() {
      List<String> names = new ArrayList<>();
      try (DirectoryStream<Path> entries = Files.newDirectoryStream(real)) {
        entries.forEach(entry -> names.add(String.valueOf(entry.getFileName())));
      } catch (NoSuchFileException e) {
        // The directory was removed since it was found.
      } catch (IOException | DirectoryIteratorException e) {
        warn(path, "cannot be listed: " + reason(e));
      }
      return names;
    }

    /** Returns the names in a subdirectory, sorted; none if it does not exist. */
    List<String> list(String name) {
      return SysfsTree.this.list(path + "/" + name);
    }

    /** Returns the trimmed text of a file in the directory, if it exists and can be read. */
    Optional<String> text(String name) {
      try {
        return regularText(name);
      } catch (NoSuchFileException e) {
        known.missing().add(name);
        known.regular().remove(name);
        return Optional.empty();
      } catch (IOException | InvalidPathException e) {
        warn(path + "/" + name, "cannot be read: " + reason(e));
        return Optional.empty();
      }
    }

    /** Returns whether a file did not exist when its {@link #text} was requested. */
    boolean wasMissing(String name) {
      return known.missing().contains(name);
    }

    /** {@return the trimmed text of a file; empty also if the kernel refuses to read it} */
    Optional<String> readable(String name) {
      try {
        return regularText(name);
      } catch (IOException | InvalidPathException e) {
        return Optional.empty();
      }
    }

    private Optional<String> regularText(String name) throws IOException {
      Path file = real.resolve(name);
      if (!known.regular().contains(name)) {
        if (isMissingStill(file, name)) {
          return Optional.empty();
        }
        if (!attributes(file).isRegularFile()) {
          warn(path + "/" + name, "is not a regular file");
          return Optional.empty();
        }
        known.regular().add(name);
        known.missing().remove(name);
      }
      return Optional.of(read(file, name));
    }

    /** Checks with a call that needs half the time because it throws nothing. */
    private boolean isMissingStill(Path file, String name) {
      return onDisk && known.missing().contains(name) && !file.toFile().exists();
    }

    private String read(Path file, String name) throws IOException {
      buffer.clear();
      try (SeekableByteChannel in = Files.newByteChannel(file, NO_LINK)) {
        int length = in.read(buffer);
        if (length >= PAGE) { // a file shorter than a page is read by one call
          while (length >= 0 && buffer.hasRemaining()) {
            length = in.read(buffer);
          }
        }
      }
      int end = buffer.position();
      if (end > MAX_TEXT) {
        warn(path + "/" + name, "is longer than " + MAX_TEXT + " bytes; the rest is left out");
        end = MAX_TEXT;
      }
      int from = 0;
      while (from < end && isBlank(buffer.get(from))) {
        from++;
      }
      while (end > from && isBlank(buffer.get(end - 1))) {
        end--;
      }
      byte[] text = new byte[end - from];
      buffer.get(from, text);
      return new String(text, StandardCharsets.UTF_8);
    }

    private static boolean isBlank(byte character) {
      return character >= 0 && character <= ' ';
    }

    /** {@return the decimal number in a file; empty if negative, as the kernel writes for none} */
    OptionalInt number(String name, int max) {
      Optional<String> text = text(name);
      if (text.isEmpty() || text.get().isEmpty() || text.get().startsWith("-")) {
        return OptionalInt.empty();
      }
      OptionalInt number = KernelText.decimal(text.get(), max);
      if (number.isEmpty()) {
        warn(
            path + "/" + name,
            "expected a number up to " + max + ", found " + KernelText.quote(text.get()));
      }
      return number;
    }

    /** Returns the last part of a link in the directory; the link may dangle. */
    Optional<String> linkName(String name) {
      return linkText(path + "/" + name)
          .map(
              text -> {
                int end = text.length();
                while (end > 0 && text.charAt(end - 1) == '/') {
                  end--;
                }
                return text.substring(text.lastIndexOf('/', end - 1) + 1, end);
              });
    }
  }
}
