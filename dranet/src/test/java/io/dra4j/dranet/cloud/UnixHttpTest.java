package io.dra4j.dranet.cloud;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.URI;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A webhook at a unix socket. */
class UnixHttpTest {

  private static final String OK = "HTTP/1.0 200 OK\r\n\r\n";

  @TempDir private Path directory;
  private Path socket;
  private ServerSocketChannel server;
  private volatile String answer = OK;
  private volatile boolean isSilent;
  private final List<String> asked = new CopyOnWriteArrayList<>();
  private final List<SocketChannel> open = new CopyOnWriteArrayList<>();

  @BeforeEach
  void start() throws IOException {
    socket = directory.resolve("webhook.sock");
    server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    server.bind(UnixDomainSocketAddress.of(socket));
    Thread thread = new Thread(this::serve, "webhook");
    thread.setDaemon(true);
    thread.start();
  }

  @AfterEach
  void stop() throws IOException {
    server.close();
    for (SocketChannel one : open) {
      one.close();
    }
  }

  private void serve() {
    try {
      while (true) {
        SocketChannel channel = server.accept();
        open.add(channel);
        ByteBuffer request = ByteBuffer.allocate(64 * 1024);
        channel.read(request);
        asked.add(new String(request.array(), 0, request.position(), StandardCharsets.UTF_8));
        if (!isSilent) {
          ByteBuffer bytes = ByteBuffer.wrap(answer.getBytes(StandardCharsets.UTF_8));
          while (bytes.hasRemaining()) {
            channel.write(bytes);
          }
          channel.close();
        }
      }
    } catch (IOException e) {
      // the server has ended, or the client read no further
    }
  }

  private JsonExchange client() {
    return JsonExchange.with(URI.create("unix://" + socket), Duration.ofSeconds(1));
  }

  @Test
  void theProtocolOfTheWebhookGoesThroughASocket() throws Exception {
    answer = OK + "{\"cloudProvider\": true}";

    try (Webhook webhook = Webhook.at(URI.create("unix://" + socket), "dra.net")) {
      assertThat(webhook.abilities()).isEqualTo(new Webhook.Abilities(true, false));
    }
    assertThat(asked)
        .containsExactly(
            """
            GET /health HTTP/1.0
            Host: localhost
            Content-Type: application/json
            Content-Length: 0

            """
                .replace("\n", "\r\n"));
  }

  @Test
  void whatIsSentIsTheBody() throws Exception {
    answer = "HTTP/1.1 404 Not Found\r\nContent-Length: 5\r\nX: y\r\n\r\ngr\u00f6n";

    assertThat(client().send("POST", "/GetDeviceConfig", "{\"name\":\"\u00e4\"}"))
        .isEqualTo(new JsonExchange.Answer(404, "gr\u00f6n"));
    assertThat(asked.get(0)).contains("Content-Length: 13\r\n").endsWith("{\"name\":\"\u00e4\"}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          ''                                                       | expected an HTTP/1.0 response, found 0 characters
          SSH-2.0-x~~                                              | expected an HTTP/1.0 response, found 13 characters
          HTTP/1.0 200 OK~                                         | expected an HTTP/1.0 response, found 17 characters
          HTTP/2 200~~{}                                           | expected an HTTP/1.0 response, found 16 characters
          HTTP/1.1 200 OK~Content-Length: 9~~{}                    | the response ends before its Content-Length of 9 bytes
          HTTP/1.1 200 OK~Transfer-Encoding: chunked~~2            | expected a body without transfer encoding
          """)
  void otherAnswersAreErrors(String text, String error) {
    answer = text.replace("~", "\r\n");

    assertThatExceptionOfType(IOException.class)
        .isThrownBy(() -> client().send("GET", "/health", ""))
        .withMessage("GET unix://" + socket + "/health: " + error);
  }

  @Test
  void anAnswerIsBoundedInBytesAndTime() {
    answer = OK + "x".repeat(2 << 20);
    assertThatExceptionOfType(IOException.class)
        .isThrownBy(() -> client().send("GET", "/health", ""))
        .withMessageEndingWith("the response has more than 1048576 bytes");

    isSilent = true;
    assertThatExceptionOfType(IOException.class)
        .isThrownBy(() -> new UnixHttp(socket, Duration.ofMillis(50)).send("GET", "/health", ""))
        .withMessageEndingWith("no response within 0 s");
  }

  @Test
  void aServerThatIsAwayIsAnError() {
    assertThatExceptionOfType(IOException.class)
        .isThrownBy(
            () ->
                new UnixHttp(directory.resolve("none.sock"), Duration.ofSeconds(1))
                    .send("GET", "/health", ""))
        .withMessageStartingWith("GET unix://" + directory.resolve("none.sock") + "/health: ");
  }

  @ParameterizedTest
  @ValueSource(strings = {"unix:relative", "unix://host/path", "ftp://a/b", "http:///x", "x"})
  void otherAddressesAreRefused(String address) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> JsonExchange.with(URI.create(address), Duration.ofSeconds(1)))
        .withMessageStartingWith("expected http://HOST:PORT, https://HOST:PORT or unix:///PATH");
  }
}
