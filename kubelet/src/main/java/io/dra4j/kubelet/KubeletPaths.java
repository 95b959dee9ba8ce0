package io.dra4j.kubelet;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The directories of the sockets of a kubelet plugin. The kubelet and the plugin must use the same
 * paths, so a container must mount the directories at their paths on the host.
 *
 * @param registrarDirectory the directory in which the kubelet looks for plugins
 * @param pluginDirectory the directory of the driver, for the socket that the kubelet calls
 */
public record KubeletPaths(Path registrarDirectory, Path pluginDirectory) {

  /** The longest path of a unix socket, in bytes: {@code sun_path} has 108 with the final NUL. */
  static final int SOCKET_PATH_MAXIMUM = 107;

  /**
   * Checks the directories. {@inheritDoc}
   *
   * @throws IllegalArgumentException if one of them is relative
   */
  public KubeletPaths {
    checkAbsolute("registrarDirectory", registrarDirectory);
    checkAbsolute("pluginDirectory", pluginDirectory);
  }

  private static void checkAbsolute(String field, Path path) {
    if (!Objects.requireNonNull(path, field).isAbsolute()) {
      throw new IllegalArgumentException(
          field + " must be an absolute path, which the kubelet uses as well: " + path);
    }
  }

  /**
   * {@return a driver's usual directories: {@code plugins_registry} and {@code plugins/DRIVER}}
   *
   * @param kubeletRoot the root directory of the kubelet, normally {@code /var/lib/kubelet}
   * @param driver the name of the driver
   * @throws IllegalArgumentException if the root is relative, or the name is not a DNS subdomain
   */
  public static KubeletPaths below(Path kubeletRoot, String driver) {
    return new KubeletPaths(
        kubeletRoot.resolve("plugins_registry"),
        kubeletRoot.resolve("plugins").resolve(Names.checkedDriver(driver)));
  }

  /** The names of the sockets of pods in the directory of a driver. */
  static final Pattern PLUGIN_SOCKETS = Pattern.compile("dra-.*");

  /** Returns the names of the sockets of pods of a driver, by UID or hash, in the registry. */
  static Pattern registrarSockets(String driver) {
    return Pattern.compile(
        Pattern.quote(driver)
            + "-([0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|[A-Za-z0-9_-]{11})-reg\\.sock");
  }

  /** Returns the path of the socket at which the kubelet finds the driver. */
  Path registrarSocket(String driver, @Nullable String podUid) {
    if (podUid == null) {
      return first(registrarDirectory, List.of(driver + "-reg.sock"));
    }
    return first(
        registrarDirectory,
        List.of(
            driver + "-" + podUid + "-reg.sock",
            driver + "-" + Names.hash(podUid) + "-reg.sock",
            "dra-" + Names.hash(driver + "/" + podUid) + "-reg.sock"));
  }

  /** Returns the path of the socket at which the kubelet calls the driver. */
  Path pluginSocket(@Nullable String podUid) {
    return podUid == null
        ? first(pluginDirectory, List.of("dra.sock"))
        : first(pluginDirectory, List.of("dra-" + podUid + ".sock", "dra-" + Names.hash(podUid)));
  }

  /** Returns the first name whose path is short enough. */
  private static Path first(Path directory, List<String> names) {
    for (String name : names) {
      Path path = directory.resolve(name);
      if (length(path) <= SOCKET_PATH_MAXIMUM) {
        return path;
      }
    }
    Path shortest = directory.resolve(names.get(names.size() - 1));
    throw new IllegalArgumentException(
        ("%s: the path of a socket has %d bytes, at most %d are allowed; use a directory with a"
                + " shorter path")
            .formatted(shortest, length(shortest), SOCKET_PATH_MAXIMUM));
  }

  private static int length(Path path) {
    return path.toString().getBytes(StandardCharsets.UTF_8).length;
  }
}
