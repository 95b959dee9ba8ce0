package io.dra4j.dranet.cloud;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;

/** Sends JSON to one server and returns its response. Thread-safe. */
interface JsonExchange {

  /**
   * The response of a server.
   *
   * @param status the HTTP status code
   * @param body the body as text
   */
  record Answer(int status, String body) {}

  /**
   * Sends one request, and returns the response with any status.
   *
   * @param method {@code GET} or {@code POST}
   * @param path the path, which begins with a slash
   * @param json the body of the request; empty for {@code GET}
   * @throws IOException if no response arrives in time, or it is too long
   */
  Answer send(String method, String path, String json) throws IOException;

  /**
   * Creates the exchange for a server.
   *
   * @param server {@code http://HOST:PORT}, {@code https://HOST:PORT} or {@code unix:///PATH},
   *     without a slash at its end
   * @param time the time limit of a whole response
   * @throws IllegalArgumentException if the address has none of these forms
   */
  static JsonExchange with(URI server, Duration time) {
    String scheme = server.getScheme() == null ? "" : server.getScheme();
    boolean isHttp = scheme.equals("http") || scheme.equals("https");
    String path = server.getPath() == null ? "" : server.getPath();
    if (isHttp && server.getHost() != null) {
      return overNetwork(server, new BoundedHttp(time));
    } else if (scheme.equals("unix") && server.getAuthority() == null && path.startsWith("/")) {
      return new UnixHttp(Path.of(path), time);
    }
    throw new IllegalArgumentException(
        "expected http://HOST:PORT, https://HOST:PORT or unix:///PATH, found '" + server + "'");
  }

  private static JsonExchange overNetwork(URI server, BoundedHttp http) {
    return (method, path, json) -> {
      HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(server + path));
      if (json.isEmpty()) {
        request.method(method, HttpRequest.BodyPublishers.noBody());
      } else {
        request
            .header("Content-Type", "application/json")
            .method(method, HttpRequest.BodyPublishers.ofString(json));
      }
      HttpResponse<String> answer = http.send(request, method + " " + server + path);
      return new Answer(answer.statusCode(), answer.body());
    };
  }
}
