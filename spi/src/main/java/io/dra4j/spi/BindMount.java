package io.dra4j.spi;

import java.util.List;

/**
 * A file or folder of the host that containers see, after {@code mounts} of the Container Device
 * Interface.
 *
 * @param hostPath where it is on the host
 * @param containerPath where containers see it
 * @param readOnly whether containers can only read it
 * @param options more options of the mount, such as {@code nosuid} and {@code rbind}; neither
 *     {@code ro} nor {@code rw}, which {@code readOnly} says
 */
public record BindMount(
    String hostPath, String containerPath, boolean readOnly, List<String> options) {

  /**
   * Copies the list and refuses paths that are not absolute. {@inheritDoc}
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
            "mount of '%s' at '%s': option '%s': want neither an empty option nor ro or rw"
                .formatted(hostPath, containerPath, option));
      }
    }
  }

  /**
   * A mount without more options.
   *
   * @param hostPath where it is on the host
   * @param containerPath where containers see it
   * @param readOnly whether containers can only read it
   */
  public BindMount(String hostPath, String containerPath, boolean readOnly) {
    this(hostPath, containerPath, readOnly, List.of());
  }
}
