package io.dra4j.dranet.cloud;

import java.io.IOException;
import java.util.Map;
import java.util.Optional;

/** A connection to a cloud's metadata service: {@link HttpMetadata}, or responses of a test. */
@FunctionalInterface
public interface MetadataPort {

  /**
   * Sends one request.
   *
   * @param method {@code GET} or {@code PUT}
   * @param path the path and query, which begin with a slash
   * @param headers the headers by name
   * @return the body of the response; empty if the path does not exist (status 404)
   * @throws IOException if there is no response in time, it is too long, or the service refuses the
   *     request; the message names the path
   */
  Optional<String> ask(String method, String path, Map<String, String> headers) throws IOException;

  /**
   * Sends a {@code GET} request.
   *
   * @param path the path and query, which begin with a slash
   * @param headers the headers by name
   * @return the body of the response; empty if the path does not exist
   * @throws IOException as {@link #ask}
   */
  default Optional<String> get(String path, Map<String, String> headers) throws IOException {
    return ask("GET", path, headers);
  }
}
