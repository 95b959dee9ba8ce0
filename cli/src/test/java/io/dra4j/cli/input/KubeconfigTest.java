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

  @TempDir private Path folder;

  @BeforeEach
  void outsideOfACluster() {
    assumeTrue(System.getenv("KUBERNETES_SERVICE_HOST") == null, "runs in a pod of a cluster");
  }

  @AfterEach
  void forget() {
    System.clearProperty(PROPERTY);
  }

  private void use(String text) throws IOException {
    Path file = folder.resolve("config");
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
    System.setProperty(PROPERTY, folder.resolve("none").toString());
    isRefused(Cli.run(command.toArray(String[]::new)), "no kubeconfig file");
  }

  @ParameterizedTest
  @MethodSource("commands")
  void everyCommandThatReadsALiveClusterRefusesABadFile(List<String> command) throws IOException {
    use("contexts: [\n");
    isRefused(Cli.run(command.toArray(String[]::new)), "cannot be read");
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
        new String[] {"current-context: a", "current-context: b", "none of its contexts a"},
        new String[] {"current-context: a\n", "", "give --context"},
        new String[] {"[{name: a, context", "7 #", "cannot be read"},
        new String[] {"http://127.0.0.1:1", "ht!tp://:::x", "want an address such as https"},
        new String[] {"http://127.0.0.1:1", "https://", "want an address such as https"},
        new String[] {
          "\"http://127.0.0.1:1\"",
          "\"https://127.0.0.1:1\", certificate-authority: /no/ca.pem",
          "/no/ca.pem: no such file"
        },
        new String[] {GOOD, "hello\n", "cannot be read"},
        new String[] {GOOD, "", "no context in the kubeconfig file"});
  }

  @Test
  void aContextThatIsNotThereIsNamedWithThoseThatAre() throws IOException {
    use(GOOD);
    isRefused(
        Cli.run("headroom", "--context", "nope", "job/x"),
        "no context nope in the kubeconfig file; there are a");
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
      isRefused(Cli.run("explain", "pod/x"), "answers no JSON");
    } finally {
      page.stop(0);
    }
  }
}
