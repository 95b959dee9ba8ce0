package io.dra4j.spi;

import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A program that the container runtime starts on the host at one moment of a container's life, as
 * in {@code hooks} of the Container Device Interface.
 *
 * @param moment the moment at which it is started
 * @param path the program, an absolute path on the host
 * @param arguments the arguments; by convention, the first is the name of the program
 * @param environment the environment variables by name
 * @param timeout the time limit, in whole seconds; null for no limit
 */
public record ContainerHook(
    Moment moment,
    String path,
    List<String> arguments,
    Map<String, String> environment,
    @Nullable Duration timeout) {

  /** A moment of a container's life (OCI runtime specification, "POSIX-platform Hooks"). */
  public enum Moment {
    /**
     * After the namespaces were created and before the container is created: {@code createRuntime}.
     */
    CREATE_RUNTIME,
    /** As {@link #CREATE_RUNTIME}, in the namespaces of the container: {@code createContainer}. */
    CREATE_CONTAINER,
    /** Before the program of the container starts: {@code startContainer}. */
    START_CONTAINER,
    /** After the program of the container has started: {@code poststart}. */
    POST_START,
    /** After the container was deleted: {@code poststop}. */
    POST_STOP
  }

  /**
   * Copies the collections, keeping their order. {@inheritDoc}
   *
   * @throws IllegalArgumentException if {@code path} does not begin with a slash, or {@code
   *     timeout} is less than one second
   */
  public ContainerHook {
    if (!path.startsWith("/")) {
      throw new IllegalArgumentException("hook '" + path + "' is not an absolute path");
    }
    if (timeout != null && timeout.toSeconds() < 1) {
      throw new IllegalArgumentException(
          "hook '%s': timeout: expected at least 1 second, found %s".formatted(path, timeout));
    }
    arguments = List.copyOf(arguments);
    environment = Collections.unmodifiableMap(new LinkedHashMap<>(environment));
  }

  /**
   * Creates a hook without environment variables and without a time limit.
   *
   * @param moment the moment at which it is started
   * @param path the program, an absolute path on the host
   * @param arguments the arguments; by convention, the first is the name of the program
   */
  public ContainerHook(Moment moment, String path, List<String> arguments) {
    this(moment, path, arguments, Map.of(), null);
  }
}
