package io.dra4j.cli;

import io.dra4j.linux.NetworkNamespace;
import java.io.IOException;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** Where the driver keeps what has to outlive it. */
final class DriverOptions {

  @Option(
      names = "--state",
      paramLabel = "DIR",
      defaultValue = "/var/lib/dra4j",
      description = "Where steps and claims are kept. Default: ${DEFAULT-VALUE}.")
  private Path state = Path.of("/var/lib/dra4j");

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
