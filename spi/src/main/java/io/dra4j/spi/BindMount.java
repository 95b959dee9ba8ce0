package io.dra4j.spi;

import java.util.List;

/**
 * A file or directory of the host that containers see, after {@code mounts} of the Container Device
 * Interface.
 *
 * @param hostPath the path on the host
 * @param containerPath the path in containers
 * @param readOnly whether containers can only read it
 * @param options further options of the mount, such as {@code nosuid} and {@code rbind}; not {@code
 *     ro} or {@code rw}, which {@code readOnly} sets
 */
public record BindMount(
    String hostPath, String containerPath, boolean readOnly, List<String> options) {

  /**
   * Copies the list and rejects paths that are not absolute. {@inheritDoc}
   *
   * @throws IllegalArgumentException if a path does not begin with a slash, or an option is empty,
   *     {@code ro} or {@code rw}
   */
  public BindMount {
    if (!hostPath.startsWith("/") || !containerPath.startsWith("/")) {
      throw new IllegalArgumentException(
          "mount of '%s' at '%s': both must be absolute paths".formatted(hostPath, containerPath));
    }
    options = List.copyOf(options);
    for (String option : options) {
      if (option.isEmpty() || option.equals("ro") || option.equals("rw")) {
        throw new IllegalArgumentException(
            "mount of '%s' at '%s': option '%s': an option must not be empty, ro or rw"
                .formatted(hostPath, containerPath, option));
      }
    }
  }

  /**
   * Creates a mount without further options.
   *
   * @param hostPath the path on the host
   * @param containerPath the path in containers
   * @param readOnly whether containers can only read it
   */
  public BindMount(String hostPath, String containerPath, boolean readOnly) {
    this(hostPath, containerPath, readOnly, List.of());
  }
}
