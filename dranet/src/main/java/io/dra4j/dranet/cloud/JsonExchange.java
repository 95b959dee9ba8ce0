package io.dra4j.dranet.cloud;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;

/** Sends JSON to one server and takes its answer. Thread-safe. */
interface JsonExchange {

  /**
   * What a server answers.
   *
   * @param status the status of HTTP
   * @param body the body as text
   */
  record Answer(int status, String body) {}

  /**
   * Asks once.
   *
   * @param method {@code GET} or {@code POST}
   * @param path the path, which begins with a slash
   * @param json what is sent; empty for {@code GET}
   * @return the answer, whatever its status
   * @throws IOException if there is none in time, or it is too long
   */
  Answer send(String method, String path, String json) throws IOException;

  /**
   * Finds the way to a server.
   *
   * @param server {@code http://HOST:PORT}, {@code https://HOST:PORT} or {@code unix:///PATH},
   *     without a slash at its end
   * @param time how long a whole answer may take
   * @throws IllegalArgumentException if it is none of these
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
