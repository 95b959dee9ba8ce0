package io.dra4j.dranet.cloud;

import java.io.IOException;
import java.util.Map;
import java.util.Optional;

/** The way to the metadata service of a cloud: {@link HttpMetadata}, or answers of a test. */
@FunctionalInterface
public interface MetadataPort {

  /**
   * Asks once.
   *
   * @param method {@code GET} or {@code PUT}
   * @param path the path, which begins with a slash, with its query
   * @param headers the headers by name
   * @return what the service answers; empty if it has nothing of that name (status 404)
   * @throws IOException if it does not answer in time, answers too much, or refuses; the message
   *     names the path
   */
  Optional<String> ask(String method, String path, Map<String, String> headers) throws IOException;

  /**
   * Asks for something.
   *
   * @param path the path, which begins with a slash, with its query
   * @param headers the headers by name
   * @return what the service answers; empty if it has nothing of that name
   * @throws IOException as {@link #ask}
   */
  default Optional<String> get(String path, Map<String, String> headers) throws IOException {
    return ask("GET", path, headers);
  }
}
