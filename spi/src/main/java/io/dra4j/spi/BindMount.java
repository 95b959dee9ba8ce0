package io.dra4j.spi;

/**
 * A file or folder of the host that containers see.
 *
 * @param hostPath where it is on the host
 * @param containerPath where containers see it
 * @param readOnly whether containers can only read it
 */
public record BindMount(String hostPath, String containerPath, boolean readOnly) {

  /**
   * Refuses paths that are not absolute. {@inheritDoc}
   *
   * @throws IllegalArgumentException if a path does not begin with a slash
   */
  public BindMount {
    if (!hostPath.startsWith("/") || !containerPath.startsWith("/")) {
      throw new IllegalArgumentException(
          "mount of '%s' at '%s': both must be absolute paths".formatted(hostPath, containerPath));
    }
  }
}
