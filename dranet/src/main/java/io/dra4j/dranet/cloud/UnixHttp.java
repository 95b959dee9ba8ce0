package io.dra4j.dranet.cloud;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * HTTP over a unix socket, which the HTTP client of the JDK does not support. Each request has its
 * own connection and uses HTTP/1.0 (RFC 1945), so the response ends with the connection and is
 * never chunked. A response is bounded in time, and to 1 MiB with its headers. Thread-safe.
 */
final class UnixHttp implements JsonExchange {

  private static final int MOST = 1 << 20;
  private static final Pattern STATUS = Pattern.compile("HTTP/1\\.[01] ([1-5][0-9][0-9])(?: .*)?");
  private static final Pattern LENGTH =
      Pattern.compile("(?im)^content-length:[ \\t]*([0-9]{1,9})[ \\t]*$");

  private final Path socket;
  private final Duration time;

  UnixHttp(Path socket, Duration time) {
    this.socket = socket;
    this.time = time;
  }

  @Override
  public Answer send(String method, String path, String json) throws IOException {
    String what = "%s unix://%s%s".formatted(method, socket, path);
    byte[] body = json.getBytes(StandardCharsets.UTF_8);
    String head =
        ("%s %s HTTP/1.0\r\nHost: localhost\r\nContent-Type: "
                + "application/json\r\nContent-Length: %d\r\n\r\n")
            .formatted(method, path, body.length);
    ByteBuffer request =
        ByteBuffer.allocate(head.length() + body.length)
            .put(head.getBytes(StandardCharsets.US_ASCII))
            .put(body)
            .flip();
    long end = System.nanoTime() + time.toNanos();
    try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
        Selector selector = Selector.open()) {
      channel.configureBlocking(false);
      SelectionKey key = channel.register(selector, SelectionKey.OP_CONNECT);
      if (!channel.connect(UnixDomainSocketAddress.of(socket))) {
        await(selector, end);
        channel.finishConnect();
      }
      key.interestOps(SelectionKey.OP_WRITE);
      while (request.hasRemaining()) {
        await(selector, end);
        channel.write(request);
      }
      key.interestOps(SelectionKey.OP_READ);
      return answer(read(channel, selector, end));
    } catch (IOException e) {
      throw new IOException(what + ": " + e.getMessage(), e);
    }
  }

  private void await(Selector selector, long end) throws IOException {
    long millis = Duration.ofNanos(end - System.nanoTime()).toMillis();
    if (millis <= 0 || selector.select(millis) == 0) {
      throw new IOException(
          Thread.currentThread().isInterrupted()
              ? "interrupted"
              : "no response within " + time.toSeconds() + " s");
    }
    selector.selectedKeys().clear();
  }

  private String read(SocketChannel channel, Selector selector, long end) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    ByteBuffer buffer = ByteBuffer.allocate(8192);
    while (true) {
      await(selector, end);
      int count = channel.read(buffer.clear());
      if (count < 0) {
        return bytes.toString(StandardCharsets.UTF_8);
      }
      if (bytes.size() + count > MOST) {
        throw new IOException("the response has more than " + MOST + " bytes");
      }
      bytes.write(buffer.array(), 0, count);
    }
  }

  private static Answer answer(String text) throws IOException {
    int end = text.indexOf("\r\n\r\n");
    int line = text.indexOf("\r\n");
    Matcher status = STATUS.matcher(line < 0 ? "" : text.substring(0, line));
    if (end < 0 || !status.matches()) {
      throw new IOException(
          "expected an HTTP/1.0 response, found " + text.length() + " characters");
    }
    String headers = text.substring(line, end + 2).replace("\r", "");
    if (headers.toLowerCase(Locale.ROOT).contains("\ntransfer-encoding:")) {
      throw new IOException("expected a body without transfer encoding");
    }
    String body = text.substring(end + 4);
    Matcher length = LENGTH.matcher(headers);
    if (length.find()
        && Integer.parseInt(length.group(1)) != body.getBytes(StandardCharsets.UTF_8).length) {
      throw new IOException(
          "the response ends before its Content-Length of " + length.group(1) + " bytes");
    }
    return new Answer(Integer.parseInt(status.group(1)), body);
  }
}
