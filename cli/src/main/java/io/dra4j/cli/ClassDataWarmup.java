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
 * Runs typical command lines, so that the JVM can record the classes that they load. The launcher
 * runs it once for each JVM, and discards the output.
 */
final class ClassDataWarmup {

  /** One line for {@code dra4j cel}, with the elements of common selectors. */
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

  /** The property that names the kubeconfig file for the client of the cluster. */
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
   * Runs all command lines, and ends the JVM with the highest exit code of a command.
   *
   * @param args a manifest whose pods can be placed, or nothing
   */
  public static void main(String[] args) {
    Locale.setDefault(Locale.US);
    int code = commands(args).stream().mapToInt(ClassDataWarmup::rehearse).max().orElse(0);
    System.exit(Math.max(code, rehearseLive()));
  }

  /** Returns the command lines for the manifests. */
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

  /** Reads an empty cluster from a loopback server and loads TLS classes; returns the exit code. */
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

  /** Responds like an API server that has all resources of a group, and no objects. */
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

  /** Runs a command line, and returns its exit code. */
  static int rehearse(List<String> command) {
    return Main.run(
        new ByteArrayInputStream(QUESTION.getBytes(StandardCharsets.UTF_8)),
        OutputStream.nullOutputStream(),
        OutputStream.nullOutputStream(),
        command.toArray(String[]::new));
  }
}
