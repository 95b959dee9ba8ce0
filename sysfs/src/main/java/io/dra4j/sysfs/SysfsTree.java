package io.dra4j.sysfs;

import io.dra4j.spi.Host;
import io.dra4j.sysfs.text.KernelText;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.NotLinkException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Text from the files and links below the root of a host. Nothing here knows what the text means.
 *
 * <p>Paths are written relative to the root, with slashes. A file is read only if it is a regular
 * file whose folder lies, with all links followed, below the root: captured trees may hold pipes,
 * loops and links to elsewhere. What cannot be read for another reason than not being there is
 * worth a warning.
 */
final class SysfsTree {

  /** No file that matters here is longer; the kernel itself gives at most a page of most. */
  private static final int MAX_TEXT = 64 * 1024;

  /** Folders with more entries than this are read up to here. */
  static final int MAX_ENTRIES = 20_000;

  private static final Set<OpenOption> OPTIONS =
      Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);

  private final Path root;
  private final Consumer<String> warnings;
  private final ByteBuffer buffer = ByteBuffer.allocate(MAX_TEXT + 1);

  private SysfsTree(Path root, Consumer<String> warnings) {
    this.root = root;
    this.warnings = warnings;
  }

  /** Opens the tree of a host; nothing, and a warning, if it has no {@code sys}. */
  static Optional<SysfsTree> open(Host host, Consumer<String> warnings) {
    try {
      Path root = host.root().toRealPath();
      if (Files.isDirectory(root.resolve("sys"))) {
        return Optional.of(new SysfsTree(root, warnings));
      }
      warnings.accept(
          host.root() + ": has no folder sys: not the root of a Linux host or of a captured one");
    } catch (IOException e) {
      warnings.accept(host.root() + ": cannot be read: " + reason(e));
    }
    return Optional.empty();
  }

  /** A folder below the root that may be read, with all links followed. */
  Optional<Folder> folder(String path) {
    try {
      Path real = root.resolve(path).toRealPath();
      if (!real.startsWith(root)) {
        warn(path, "leads out of the host's root, to " + real);
      } else if (Files.isDirectory(real, LinkOption.NOFOLLOW_LINKS)) {
        return Optional.of(new Folder(path, real));
      } else {
        warn(path, "is no folder");
      }
    } catch (NoSuchFileException e) {
      // Most parts of /sys are not on most hosts, and captured trees leave out many more.
    } catch (IOException | InvalidPathException e) {
      warn(path, "cannot be followed: " + reason(e));
    }
    return Optional.empty();
  }

  /** The names in a folder, sorted; none if it is not there. */
  List<String> list(String path) {
    return folder(path).map(Folder::list).orElse(List.of());
  }

  /** The trimmed text of a file, if it is there and can be read. */
  Optional<String> text(String path) {
    int slash = path.lastIndexOf('/');
    return folder(path.substring(0, slash)).flatMap(in -> in.text(path.substring(slash + 1)));
  }

  /** Where a link leads, below the root and without dots; nothing if it is no link. */
  Optional<String> target(String path) {
    return linkText(path)
        .flatMap(
            text -> {
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

  /** The text of a link as a path below the root; nothing if it leads above it. */
  static Optional<String> resolve(String link, String text) {
    Deque<String> parts = new ArrayDeque<>();
    if (!text.startsWith("/")) {
      String[] from = link.split("/", -1);
      parts.addAll(Arrays.asList(from).subList(0, from.length - 1));
    }
    for (String part : text.split("/", -1)) {
      if (part.equals("..")) {
        if (parts.pollLast() == null) {
          return Optional.empty();
        }
      } else if (!part.isEmpty() && !part.equals(".")) {
        parts.addLast(part);
      }
    }
    return Optional.of(String.join("/", parts));
  }

  void warn(String path, String problem) {
    warnings.accept("/" + path + ": " + problem);
  }

  private static String reason(Exception e) {
    String message = e.getMessage();
    return e.getClass().getSimpleName() + (message == null ? "" : " (" + message + ")");
  }

  /** A folder of the tree. */
  final class Folder {

    private final String path;
    private final Path real;

    private Folder(String path, Path real) {
      this.path = path;
      this.real = real;
    }

    /** Its path as it was asked for. */
    String path() {
      return path;
    }

    /** The names in it, sorted. */
    List<String> list() {
      List<String> names = new ArrayList<>();
      try (DirectoryStream<Path> entries = Files.newDirectoryStream(real)) {
        for (Path entry : entries) {
          if (names.size() == MAX_ENTRIES) {
            warn(path, "has more than " + MAX_ENTRIES + " entries; the rest is left out");
            break;
          }
          names.add(String.valueOf(entry.getFileName()));
        }
      } catch (NotDirectoryException | NoSuchFileException e) {
        return List.of();
      } catch (IOException | DirectoryIteratorException e) {
        warn(path, "cannot be listed: " + reason(e));
      }
      names.sort(null);
      return names;
    }

    /** The names in a folder in it, sorted; none if it is not there. */
    List<String> list(String name) {
      return SysfsTree.this.list(path + "/" + name);
    }

    /** The trimmed text of a file in it, if it is there and can be read. */
    Optional<String> text(String name) {
      try {
        Path file = real.resolve(name);
        BasicFileAttributes attributes =
            Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        if (!attributes.isRegularFile()) {
          warn(path + "/" + name, "is no regular file");
          return Optional.empty();
        }
        return Optional.of(read(file, path + "/" + name));
      } catch (NoSuchFileException e) {
        return Optional.empty();
      } catch (IOException | InvalidPathException e) {
        warn(path + "/" + name, "cannot be read: " + reason(e));
        return Optional.empty();
      }
    }

    private String read(Path file, String name) throws IOException {
      buffer.clear();
      try (SeekableByteChannel channel = Files.newByteChannel(file, OPTIONS)) {
        while (buffer.hasRemaining() && channel.read(buffer) > 0) {
          // Files of sysfs come in one piece, captured ones perhaps not.
        }
      }
      int length = buffer.position();
      if (length > MAX_TEXT) {
        warn(name, "is longer than " + MAX_TEXT + " bytes; the rest is left out");
        length = MAX_TEXT;
      }
      byte[] bytes = buffer.array();
      int from = 0;
      while (from < length && bytes[from] <= ' ' && bytes[from] >= 0) {
        from++;
      }
      while (length > from && bytes[length - 1] <= ' ' && bytes[length - 1] >= 0) {
        length--;
      }
      return new String(bytes, from, length - from, StandardCharsets.UTF_8);
    }

    /** The decimal number in a file; a negative one, as the kernel writes for none, is none. */
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

    /** The last part of a link in it; the link may dangle. */
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
