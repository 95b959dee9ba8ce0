package io.dra4j.cli;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.dra4j.cli.terminal.ExitCode;
import io.dra4j.kubernetes.ClusterResource;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;

/**
 * Does some of what each command does, so that the JVM can write down which classes that takes. The
 * launcher runs it once for each JVM; its answers go nowhere.
 */
final class ClassDataWarmup {

  /** One line for {@code dra4j cel}, with what common selectors are made of. */
  private static final String QUESTION =
      """
      {"driver": "d", "device": {\
      "attributes": {"i": {"int": 1}, "s": {"string": "x"}, "v": {"version": "1.0.0"}},\
      "capacity": {"c": {"value": "1Gi"}}},\
      "expression": "device.driver == 'd' && device.attributes['d'].i == 1\
       && has(device.attributes['d'].s) && device.attributes['d'].s.matches('^x')\
       && ['x', 'y'].exists(s, s == device.attributes['d'].s)\
       && device.attributes['d'].v.isGreaterThan(semver('0.9.0'))\
       && device.capacity['d'].c.compareTo(quantity('1Mi')) > 0"}
      """;

  /** The property by which the client of the cluster is given a file. */
  private static final String KUBECONFIG = "kubeconfig";

  private static final String CONTEXT =
      """
      apiVersion: v1
      kind: Config
      clusters: [{name: c, cluster: {server: "http://127.0.0.1:%d"}}]
      users: [{name: u, user: {token: t}}]
      contexts: [{name: x, context: {cluster: c, user: u}}]
      current-context: x
      """;

  private ClassDataWarmup() {}

  /**
   * Rehearses, and ends the JVM with the highest exit code of a command.
   *
   * @param args a manifest whose pods can be placed, if there is one
   */
  public static void main(String[] args) {
    Locale.setDefault(Locale.US);
    int code = commands(args).stream().mapToInt(ClassDataWarmup::rehearse).max().orElse(0);
    System.exit(Math.max(code, rehearseLive()));
  }

  /** The command lines, with each of the manifests. */
  static List<List<String>> commands(String... manifests) {
    List<List<String>> commands = new ArrayList<>();
    for (String manifest : manifests) {
      commands.add(List.of("validate", manifest));
      commands.add(List.of("explain", manifest));
      commands.add(List.of("allocate", manifest));
    }
    commands.add(List.of("cel"));
    commands.add(List.of("topology", "-o", "json"));
    return commands;
  }

  /**
   * Reads a cluster without objects: an API server on the loopback address, and what a connection
   * by TLS begins with.
   *
   * @return the exit code
   */
  static int rehearseLive() {
    String before = System.getProperty(KUBECONFIG);
    HttpServer server = null;
    Path file = null;
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
      server.createContext("/", ClassDataWarmup::answer);
      server.start();
      file = Files.createTempFile("dra4j", ".kubeconfig");
      Files.writeString(file, CONTEXT.formatted(server.getAddress().getPort()));
      System.setProperty(KUBECONFIG, file.toString());
      SSLEngine engine = SSLContext.getDefault().createSSLEngine("localhost", 443);
      engine.setUseClientMode(true);
      engine.wrap(ByteBuffer.allocate(0), ByteBuffer.allocate(1 << 16));
      return rehearse(List.of("snapshot"));
    } catch (IOException | NoSuchAlgorithmException e) {
      return ExitCode.LOST.value();
    } finally {
      if (server != null) {
        server.stop(0);
      }
      if (file != null) {
        file.toFile().delete();
      }
      if (before == null) {
        System.clearProperty(KUBECONFIG);
      } else {
        System.setProperty(KUBECONFIG, before);
      }
    }
  }

  /** Answers as an API server that has all resources of a group, and no objects. */
  private static void answer(HttpExchange exchange) throws IOException {
    StringBuilder names = new StringBuilder();
    for (ClusterResource resource : ClusterResource.values()) {
      names
          .append(names.isEmpty() ? "" : ",")
          .append("{\"name\":\"%s\"}".formatted(resource.plural()));
    }
    byte[] body =
        "{\"metadata\":{\"resourceVersion\":\"1\"},\"resources\":[%s],\"items\":[]}"
            .formatted(names)
            .getBytes(StandardCharsets.UTF_8);
    try (exchange) {
      exchange.sendResponseHeaders(200, body.length);
      exchange.getResponseBody().write(body);
    }
  }

  /** Returns the exit code. */
  static int rehearse(List<String> command) {
    return Main.run(
        new ByteArrayInputStream(QUESTION.getBytes(StandardCharsets.UTF_8)),
        OutputStream.nullOutputStream(),
        OutputStream.nullOutputStream(),
        command.toArray(String[]::new));
  }
}
