package io.dra4j.cli.input;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.net.httpserver.HttpServer;
import io.dra4j.cli.Cli;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A live cluster that cannot be reached is bad input, whatever the command and the reason. */
class KubeconfigTest {

  /** The client's own name of the variable KUBECONFIG. */
  private static final String PROPERTY = "kubeconfig";

  private static final String GOOD =
      """
      apiVersion: v1
      kind: Config
      current-context: a
      contexts: [{name: a, context: {cluster: c, user: u, namespace: ml}}]
      clusters: [{name: c, cluster: {server: "http://127.0.0.1:1"}}]
      users: [{name: u, user: {token: x}}]
      """;

  @TempDir private Path directory;

  @BeforeEach
  void outsideOfACluster() {
    assumeTrue(System.getenv("KUBERNETES_SERVICE_HOST") == null, "runs in a pod of a cluster");
  }

  @AfterEach
  void forget() {
    System.clearProperty(PROPERTY);
  }

  private void use(String text) throws IOException {
    Path file = directory.resolve("config");
    Files.writeString(file, text);
    System.setProperty(PROPERTY, file.toString());
  }

  private static void isRefused(Cli answer, String reason) {
    assertThat(answer.code()).isEqualTo(2);
    assertThat(answer.out()).isEmpty();
    assertThat(answer.errLines()).hasSize(1).first().asString().startsWith("dra4j: cluster: ");
    assertThat(answer.err()).contains(reason);
  }

  static Stream<List<String>> commands() {
    return Stream.of(
            "headroom job/x",
            "headroom deploy/x",
            "headroom sts/ns/x",
            "explain pod/x",
            "explain claim/x",
            "explain --from-cluster",
            "allocate --from-cluster",
            "audit --from-cluster",
            "place --from-cluster",
            "topology --from-cluster",
            "validate --from-cluster",
            "snapshot")
        .map(line -> List.of(line.split(" ")));
  }

  @ParameterizedTest
  @MethodSource("commands")
  void everyCommandThatReadsALiveClusterSaysThatThereIsNone(List<String> command) {
    System.setProperty(PROPERTY, directory.resolve("none").toString());
    isRefused(Cli.run(command.toArray(String[]::new)), "no kubeconfig file");
  }

  @ParameterizedTest
  @MethodSource("commands")
  void everyCommandThatReadsALiveClusterRefusesABadFile(List<String> command) throws IOException {
    use("contexts: [\n");
    isRefused(Cli.run(command.toArray(String[]::new)), "cannot read");
  }

  @ParameterizedTest
  @MethodSource("mistakes")
  void aMistakeInTheFileIsNamed(String from, String to, String reason) throws IOException {
    assertThat(GOOD).contains(from);
    use(GOOD.replace(from, to));
    isRefused(Cli.run("headroom", "job/x"), reason);
  }

  static Stream<String[]> mistakes() {
    return Stream.of(
        new String[] {"cluster: c,", "cluster: zzz,", "context a of the kubeconfig file names the"},
        new String[] {"current-context: a", "current-context: b", "is none of its contexts a"},
        new String[] {"current-context: a\n", "", "use --context"},
        new String[] {"[{name: a, context", "7 #", "cannot read"},
        new String[] {"http://127.0.0.1:1", "ht!tp://:::x", "expected an address such as https"},
        new String[] {"http://127.0.0.1:1", "https://", "expected an address such as https"},
        new String[] {
          "\"http://127.0.0.1:1\"",
          "\"https://127.0.0.1:1\", certificate-authority: /no/ca.pem",
          "/no/ca.pem: no such file"
        },
        new String[] {GOOD, "hello\n", "cannot read"},
        new String[] {GOOD, "", "no context in the kubeconfig file"});
  }

  @Test
  void aContextThatIsNotThereIsNamedWithThoseThatAre() throws IOException {
    use(GOOD);
    isRefused(
        Cli.run("headroom", "--context", "nope", "job/x"),
        "no context nope in the kubeconfig file; contexts: a");
  }

  @Test
  void aServerThatIsAwayIsNamed() throws IOException {
    use(GOOD);
    isRefused(Cli.run("headroom", "job/x"), "http://127.0.0.1:1 does not answer: no connection");
  }

  @Test
  void aLoginPageIsNoApiServer() throws IOException {
    HttpServer page =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    byte[] body = "<html><body>Log in</body></html>".getBytes(StandardCharsets.UTF_8);
    page.createContext(
        "/",
        exchange -> {
          exchange.sendResponseHeaders(200, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    page.start();
    try {
      use(GOOD.replace("127.0.0.1:1", "127.0.0.1:" + page.getAddress().getPort()));
      isRefused(Cli.run("explain", "pod/x"), "returned a response that is not JSON");
    } finally {
      page.stop(0);
    }
  }

  /** Answers each path with a status and a body. */
  private interface Answers {
    String of(String path);
  }

  private static HttpServer server(int refusal, Answers answers) throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          String found = answers.of(exchange.getRequestURI().getPath());
          byte[] body = found.getBytes(StandardCharsets.UTF_8);
          int status = found.contains("\"Status\"") ? refusal : 200;
          exchange.sendResponseHeaders(status, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.start();
    return server;
  }

  private void useServer(HttpServer server) throws IOException {
    use(GOOD.replace("127.0.0.1:1", "127.0.0.1:" + server.getAddress().getPort()));
  }

  @Test
  void refusedCredentialsAreNamedSo() throws IOException {
    HttpServer server =
        server(401, path -> "{\"kind\":\"Status\",\"message\":\"Unauthorized\",\"code\":401}");
    try {
      useServer(server);
      isRefused(
          Cli.run("explain", "pod/x"),
          "GET /api/v1/pods?limit=500: the server refused the credentials (401): Unauthorized");
    } finally {
      server.stop(0);
    }
  }

  @Test
  void allRightsThatAreMissingAreNamedAtOnce() throws IOException {
    HttpServer server =
        server(
            403,
            path -> {
              if (path.matches(".*/(pods|nodes|resourceclaims)")) {
                return "{\"kind\":\"Status\",\"message\":\"no list of " + path + "\"}";
              }
              return path.matches("/apis/[^/]+/[^/]+")
                  ? "{\"resources\":[{\"name\":\"resourceclaims\"},{\"name\":\"deviceclasses\"}]}"
                  : "{\"metadata\":{},\"items\":[]}";
            });
    try {
      useServer(server);
      for (String command : List.of("allocate --from-cluster", "explain pod/x", "snapshot")) {
        Cli answer = Cli.run(command.split(" "));
        assertThat(answer.code()).isEqualTo(2);
        assertThat(answer.errLines())
            .containsExactly(
                "dra4j: cluster: access is denied (403); rights that are missing: list pods,"
                    + " resourceclaims.resource.k8s.io, nodes; the API server says: GET"
                    + " /api/v1/pods?limit=500: access is denied (403): no list of /api/v1/pods",
                "dra4j: use --print-rbac to print the required permissions");
      }
    } finally {
      server.stop(0);
    }
  }

  /** An object of a live cluster has a name, and no line of a file. */
  @Test
  void problemsOfObjectsOfAClusterHaveNoLines() throws IOException {
    String pod =
        """
        {"metadata":{"name":"x","namespace":"ml"},"spec":{"containers":[],"schedulingGates":[{"name":"g"}],
        "resourceClaims":[{"name":"c","resourceClaimTemplateName":"none"}]}}
        """;
    HttpServer server =
        server(
            500,
            path ->
                path.matches("/apis/[^/]+/[^/]+")
                    ? "{\"resources\":[]}"
                    : "{\"metadata\":{},\"items\":[" + (path.endsWith("pods") ? pod : "") + "]}");
    try {
      useServer(server);
      Cli all = Cli.run("allocate", "--from-cluster");
      assertThat(all.errLines())
          .contains(
              "dra4j: warning: cluster: Pod \"ml/x\": spec.schedulingGates: ignored: the pod"
                  + " is placed although its gates are not removed yet",
              "dra4j: cluster: pod ml/x: spec.resourceClaims[c]: no ResourceClaimTemplate ml/none");
      assertThat(all.err()).doesNotContainPattern("cluster:[0-9]");
      Cli one = Cli.run("explain", "pod", "x");
      assertThat(one.out()).startsWith("ml/x: ").contains("no ResourceClaimTemplate ml/none");
    } finally {
      server.stop(0);
    }
  }

  @Test
  void aFileCanBeGiven() throws IOException {
    Path file = directory.resolve("given");
    Files.writeString(file, GOOD);
    System.setProperty(PROPERTY, directory.resolve("none").toString());
    String given = file.toString();
    isRefused(Cli.run("explain", "--kubeconfig", given, "pod/x"), "http://127.0.0.1:1 does not");
    isRefused(
        Cli.run("explain", "--kubeconfig", given, "--context", "nope", "pod/x"),
        "no context nope in the kubeconfig file; contexts: a");
    isRefused(Cli.run("snapshot", "--kubeconfig", given + "-not"), "cannot read");
    assertThat(Cli.run("explain", "--kubeconfig", given, "a.yaml").err())
        .contains("--kubeconfig requires --from-cluster");
  }

  @ParameterizedTest
  @MethodSource("plugins")
  void aCredentialPluginThatFailsIsOneLine(String script, String said) throws IOException {
    Path plugin = directory.resolve("plugin");
    Files.writeString(plugin, "#!/bin/sh\n" + script + "\n");
    assumeTrue(plugin.toFile().setExecutable(true), "no files that can be run");
    use(
        GOOD.replace(
            "token: x",
            "exec: {apiVersion: client.authentication.k8s.io/v1, command: %s, interactiveMode: Never}"
                .formatted(plugin)));
    isRefused(
        Cli.run("explain", "pod/x"),
        "the credential plugin %s of user u in the kubeconfig file returned no credentials; its output: %s"
            .formatted(plugin, said));
  }

  static Stream<String[]> plugins() {
    return Stream.of(
        new String[] {
          "printf 'log in: \\033[31mexpired\\nagain\\n' >&2; exit 3",
          "log in: \\u001b[31mexpired; again"
        },
        new String[] {"exit 1", "nothing"},
        new String[] {
          "echo '{\"kind\": \"ExecCredential\", \"status\": {\"token\": \"hunter2\"}}'; exit 1",
          "an ExecCredential, but the exit code reports an error"
        });
  }
}
