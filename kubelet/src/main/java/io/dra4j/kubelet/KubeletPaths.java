package io.dra4j.kubelet;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Where the sockets of a kubelet plugin are. Paths have to be the same for the kubelet and for the
 * plugin, so that a container mounts the folders at their own places.
 *
 * @param registrarFolder the folder in which the kubelet looks for plugins
 * @param pluginFolder the folder of the driver, for the socket that the kubelet calls
 */
public record KubeletPaths(Path registrarFolder, Path pluginFolder) {

  /** The longest path of a unix socket, in bytes: {@code sun_path} has 108 with the final NUL. */
  static final int SOCKET_PATH_MAXIMUM = 107;

  /**
   * Checks the folders. {@inheritDoc}
   *
   * @throws IllegalArgumentException if one of them is relative
   */
  public KubeletPaths {
    checkAbsolute("registrarFolder", registrarFolder);
    checkAbsolute("pluginFolder", pluginFolder);
  }

  private static void checkAbsolute(String field, Path path) {
    if (!Objects.requireNonNull(path, field).isAbsolute()) {
      throw new IllegalArgumentException(
          field + " has to be an absolute path, since the kubelet uses it too: " + path);
    }
  }

  /**
   * Returns the usual folders of a driver: {@code plugins_registry} and {@code plugins/DRIVER}.
   *
   * @param kubeletRoot the root directory of the kubelet, normally {@code /var/lib/kubelet}
   * @param driver the name of the driver
   * @return the folders
   * @throws IllegalArgumentException if the root is relative, or the name is no DNS subdomain
   */
  public static KubeletPaths below(Path kubeletRoot, String driver) {
    return new KubeletPaths(
        kubeletRoot.resolve("plugins_registry"),
        kubeletRoot.resolve("plugins").resolve(Names.checkedDriver(driver)));
  }

  /** The names of the sockets of pods in the folder of a driver. */
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
      return first(registrarFolder, List.of(driver + "-reg.sock"));
    }
    return first(
        registrarFolder,
        List.of(
            driver + "-" + podUid + "-reg.sock",
            driver + "-" + Names.hash(podUid) + "-reg.sock",
            "dra-" + Names.hash(driver + "/" + podUid) + "-reg.sock"));
  }

  /** Returns the path of the socket at which the kubelet calls the driver. */
  Path pluginSocket(@Nullable String podUid) {
    return podUid == null
        ? first(pluginFolder, List.of("dra.sock"))
        : first(pluginFolder, List.of("dra-" + podUid + ".sock", "dra-" + Names.hash(podUid)));
  }

  /** Returns the first name whose path is short enough. */
  private static Path first(Path folder, List<String> names) {
    for (String name : names) {
      Path path = folder.resolve(name);
      if (length(path) <= SOCKET_PATH_MAXIMUM) {
        return path;
      }
    }
    Path shortest = folder.resolve(names.get(names.size() - 1));
    throw new IllegalArgumentException(
        "%s: path of a socket has %d bytes, at most %d are possible; use a shorter folder"
            .formatted(shortest, length(shortest), SOCKET_PATH_MAXIMUM));
  }

  private static int length(Path path) {
    return path.toString().getBytes(StandardCharsets.UTF_8).length;
  }
}
