package io.dra4j.cli.device;

import io.dra4j.linux.NetworkNamespace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The options for the persistent state of the driver. */
final class DriverOptions {

  private static final String DEFAULT = "/var/lib/dra4j";

  @Option(
      names = "--state",
      paramLabel = "DIR",
      defaultValue = DEFAULT,
      description = "The directory for steps and claims. Default: ${DEFAULT-VALUE}.")
  private Path state = Path.of(DEFAULT);

  /**
   * Returns the problem of the directory; empty if there is none. The default directory may be
   * missing, because nothing may have been stored yet; another directory must exist.
   */
  Optional<String> problem() {
    if (Files.exists(state) ? Files.isDirectory(state) : state.equals(Path.of(DEFAULT))) {
      return Optional.empty();
    }
    return Optional.of(
        "--state: " + state + (Files.exists(state) ? " is not a directory" : " does not exist"));
  }

  /** Returns the directory's problem for a command that can create it; empty if there is none. */
  Optional<String> problemOfWriting() {
    Path there = state.toAbsolutePath().normalize();
    while (there.getParent() != null && !Files.exists(there, LinkOption.NOFOLLOW_LINKS)) {
      there = there.getParent();
    }
    return Files.isDirectory(there)
        ? Optional.empty()
        : Optional.of("--state: " + there + " is not a directory");
  }

  /** Creates a file's directory if necessary, only for its owner, as the store requires. */
  static Path makeDirectoryOf(Path file) throws IOException {
    Path directory = file.toAbsolutePath().resolveSibling("");
    return directory.getFileSystem().supportedFileAttributeViews().contains("posix")
        ? Files.createDirectories(
            directory,
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")))
        : Files.createDirectories(directory);
  }

  /** Returns the file of the store of claims. */
  Path store() {
    return state.resolve("claims.db");
  }

  /** Returns the file of the addresses of the pools that are in use. */
  Path leases() {
    return state.resolve("leases.json");
  }

  /** Returns the directory of the journals of links that were attached by hand. */
  Path byHand() {
    return state.resolve("attached");
  }

  /** Returns the journal of a link that was attached by hand. */
  Path journal(String link) {
    if (link.isEmpty() || link.indexOf('/') >= 0 || link.equals(".") || link.equals("..")) {
      throw new IllegalArgumentException("'" + link + "' is not a name of a network interface");
    }
    return byHand().resolve(link + ".json");
  }

  /** Opens a namespace by its name in {@code /run/netns} or by its path. */
  static NetworkNamespace namespace(String netns) throws IOException {
    return NetworkNamespace.open(path(netns));
  }

  static Path path(String netns) {
    return netns.indexOf('/') >= 0 ? Path.of(netns) : Path.of("/run/netns").resolve(netns);
  }
}
