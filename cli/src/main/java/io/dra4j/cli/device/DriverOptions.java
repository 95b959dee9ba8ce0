package io.dra4j.cli.device;

import io.dra4j.linux.NetworkNamespace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Where the driver keeps what has to outlive it. */
final class DriverOptions {

  private static final String DEFAULT = "/var/lib/dra4j";

  @Option(
      names = "--state",
      paramLabel = "DIR",
      defaultValue = DEFAULT,
      description = "Where steps and claims are kept. Default: ${DEFAULT-VALUE}.")
  private Path state = Path.of(DEFAULT);

  /**
   * What is wrong with the folder. That it is not there yet is right where nothing was ever kept;
   * empty also then, unless another one was named.
   */
  Optional<String> problem() {
    if (Files.exists(state) ? Files.isDirectory(state) : state.equals(Path.of(DEFAULT))) {
      return Optional.empty();
    }
    return Optional.of(
        "--state: " + (Files.exists(state) ? state + " is no folder" : "no folder " + state));
  }

  /** What is wrong with the folder for a command that makes it where it is not there. */
  Optional<String> problemOfWriting() {
    Path there = state.toAbsolutePath().normalize();
    while (there.getParent() != null && !Files.exists(there, LinkOption.NOFOLLOW_LINKS)) {
      there = there.getParent();
    }
    return Files.isDirectory(there)
        ? Optional.empty()
        : Optional.of("--state: " + there + " is no folder");
  }

  /**
   * Makes the folder of a file where there is none, so that only its owner has rights to it: the
   * store demands it.
   */
  static Path makeFolderOf(Path file) throws IOException {
    Path folder = file.toAbsolutePath().resolveSibling("");
    return folder.getFileSystem().supportedFileAttributeViews().contains("posix")
        ? Files.createDirectories(
            folder,
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")))
        : Files.createDirectories(folder);
  }

  /** The store of claims. */
  Path store() {
    return state.resolve("claims.db");
  }

  /** Who has which address of the pools. */
  Path leases() {
    return state.resolve("leases.json");
  }

  /** The folder of those that were attached by hand. */
  Path byHand() {
    return state.resolve("attached");
  }

  /** The journal of a link that was attached by hand. */
  Path journal(String link) {
    if (link.isEmpty() || link.indexOf('/') >= 0 || link.equals(".") || link.equals("..")) {
      throw new IllegalArgumentException("'" + link + "' is no name of a network interface");
    }
    return byHand().resolve(link + ".json");
  }

  /** A namespace by its name in {@code /run/netns} or by its path. */
  static NetworkNamespace namespace(String netns) throws IOException {
    return NetworkNamespace.open(path(netns));
  }

  static Path path(String netns) {
    return netns.indexOf('/') >= 0 ? Path.of(netns) : Path.of("/run/netns").resolve(netns);
  }
}
