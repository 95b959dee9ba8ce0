package io.dra4j.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.InputStream;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A resource in the version in which a cluster serves it.
 *
 * @param resource the resource
 * @param apiVersion group and version, for example {@code resource.k8s.io/v1}
 */
record ServedResource(ClusterResource resource, String apiVersion) {

  private static final int PAGE = 500;

  /** Returns the document at a path; null if there is none. */
  interface Documents {
    @Nullable JsonNode document(String path) throws ClusterException, InterruptedException;
  }

  /**
   * {@return the resource's first version that a cluster serves; null if it serves none}
   *
   * @param documents the groups and versions of the server
   * @throws ClusterException if the server refuses the request or does not respond
   */
  static @Nullable ServedResource find(ClusterResource resource, Documents documents)
      throws ClusterException, InterruptedException {
    if (resource.group().isEmpty()) {
      return new ServedResource(resource, resource.versions().get(0));
    }
    for (String version : resource.versions()) {
      String apiVersion = resource.group() + "/" + version;
      JsonNode served = documents.document("/apis/" + apiVersion);
      if (served != null) {
        for (JsonNode one : served.path("resources")) {
          if (one.path("name").asText().equals(resource.plural())) {
            return new ServedResource(resource, apiVersion);
          }
        }
      }
    }
    return null;
  }

  /** Returns the path of all objects. */
  String path() {
    return (resource.group().isEmpty() ? "/api/" : "/apis/") + apiVersion + "/" + resource.plural();
  }

  /** Returns the path of one object. */
  String path(String namespace, String name) {
    String all = path();
    int plural = all.lastIndexOf('/');
    String start =
        resource.isNamespaced()
            ? all.substring(0, plural) + "/namespaces/" + encode(namespace) + all.substring(plural)
            : all;
    return start + "/" + encode(name);
  }

  /**
   * Lists all objects, page by page.
   *
   * @param selection more parameters of the query, such as {@code &fieldSelector=…}; may be empty
   * @param opened receives the body of each page before it is read, and null afterwards
   * @param sink takes the objects
   * @return the version of the list
   * @throws ClusterException if the server refuses, does not respond, or ends a page too early
   */
  String list(
      ApiServer server,
      String selection,
      Consumer<@Nullable InputStream> opened,
      ObjectStream.Sink sink)
      throws ClusterException, InterruptedException {
    Pages pages = new Pages(server, selection);
    try {
      while (true) {
        String path = pages.path();
        try (InputStream body = pages.take().await()) {
          opened.accept(body);
          ObjectStream.Page page = ObjectStream.list(body, pages::begin, sink);
          if (page.next().isEmpty()) {
            return page.resourceVersion();
          }
        } catch (IOException e) {
          throw server.unanswered("GET " + path, e);
        } finally {
          opened.accept(null);
        }
      }
    } finally {
      pages.close();
    }
  }

  /** The pages of a list. The next page is requested while the current one is read. */
  private final class Pages {

    private final ApiServer server;
    private final String selection;
    private String path;
    private ApiServer.@Nullable Pending ahead;

    Pages(ApiServer server, String selection) {
      this.server = server;
      this.selection = selection;
      this.path = ServedResource.this.path() + "?limit=" + PAGE + selection;
      this.ahead = server.begin(path);
    }

    /** Returns the path and query of the page that is taken next. */
    String path() {
      return path;
    }

    void begin(String token) {
      close(); // of a page with two tokens
      path =
          ServedResource.this.path() + "?limit=" + PAGE + selection + "&continue=" + encode(token);
      ahead = server.begin(path);
    }

    ApiServer.Pending take() {
      ApiServer.Pending taken = Objects.requireNonNull(ahead, "no page was requested");
      ahead = null;
      return taken;
    }

    void close() {
      if (ahead != null) {
        ahead.cancel();
        ahead = null;
      }
    }
  }

  static String encode(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }
}
