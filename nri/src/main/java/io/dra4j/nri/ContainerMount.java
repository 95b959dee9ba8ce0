package io.dra4j.nri;

import static java.util.Objects.requireNonNull;

import java.util.List;

/**
 * A mount that is added to a container.
 *
 * @param destination the absolute path in the container
 * @param type the type of the file system, such as {@code bind} or {@code tmpfs}
 * @param source the path on the host, or the source that the type of file system requires
 * @param options the options of the mount, such as {@code rbind} and {@code ro}
 */
public record ContainerMount(String destination, String type, String source, List<String> options) {

  /**
   * {@inheritDoc}
   *
   * @throws IllegalArgumentException if {@code destination} is not an absolute path
   */
  public ContainerMount {
    requireNonNull(destination, "destination");
    requireNonNull(type, "type");
    requireNonNull(source, "source");
    options = List.copyOf(requireNonNull(options, "options"));
    if (!destination.startsWith("/")) {
      throw new IllegalArgumentException(
          "destination of a mount: expected an absolute path, found \"" + destination + "\"");
    }
  }
}
