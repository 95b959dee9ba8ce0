package io.dra4j.dranet.cloud;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * The metadata service of a cloud over HTTP, without proxies and redirects. A response is bounded
 * to two seconds and 1 MiB. Thread-safe.
 */
public final class HttpMetadata implements MetadataPort {

  /** The usual address of metadata services: {@code http://169.254.169.254}. */
  public static final URI LINK_LOCAL = URI.create("http://169.254.169.254");

  private static final Duration TIME = Duration.ofSeconds(2);

  private final URI service;
  private final BoundedHttp http = new BoundedHttp(TIME);

  private HttpMetadata(URI service) {
    this.service = service;
  }

  /**
   * {@return a port, which has sent no request yet}
   *
   * @param service scheme, host and port of the service, for example {@link #LINK_LOCAL}
   */
  public static HttpMetadata at(URI service) {
    return new HttpMetadata(service);
  }

  @Override
  public Optional<String> ask(String method, String path, Map<String, String> headers)
      throws IOException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(service + path))
            .method(method, HttpRequest.BodyPublishers.noBody());
    headers.forEach(request::header);
    String what = method + " " + service + path;
    HttpResponse<String> response = http.send(request, what);
    if (response.statusCode() == 404) {
      return Optional.empty();
    }
    if (response.statusCode() != 200) {
      throw new IOException(what + ": status " + response.statusCode());
    }
    return Optional.of(response.body());
  }
}
