package io.dra4j.dranet;

import io.dra4j.dranet.attach.TestHost;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.DatagramChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;

/**
 * A DHCP server on a link of a test, with one address to give, by UDP sockets of Java: it has no
 * code in common with the client.
 */
final class DhcpServer implements AutoCloseable {

  static final String OWN = "192.0.2.1";
  static final String GIVEN = "192.0.2.50";

  private final TestHost lan = new TestHost();
  private final Map<Integer, byte[]> options = new TreeMap<>();
  private final BlockingQueue<String> heard = new LinkedBlockingQueue<>();
  private final List<UnaryOperator<byte[]>> before = new ArrayList<>();
  private volatile String given = GIVEN;
  private volatile int deaf;
  private volatile int refusals;
  private DatagramChannel in;
  private DatagramChannel out;

  /** Makes a link of the host whose other end the server has. */
  DhcpServer(TestHost host, String link) throws IOException {
    host.ip(
        "link add %s type veth peer name srv0 netns /proc/%d/fd/%d"
            .formatted(link, ProcessHandle.current().pid(), lan.namespace().descriptor().number()));
    lan.ip("address add " + OWN + "/24 dev srv0", "link set srv0 up");
    option(1, 255, 255, 255, 0).option(51, 0, 0, 14, 16).option(54, 192, 0, 2, 1);
    in = lan.namespace().call(() -> bound("0.0.0.0"));
    out = lan.namespace().call(() -> bound(OWN));
    for (DatagramChannel channel : List.of(in, out)) { // to everybody, and to the server alone
      Thread thread = new Thread(() -> serve(channel), "dhcp server");
      thread.setDaemon(true);
      thread.start();
    }
  }

  private static DatagramChannel bound(String address) throws IOException {
    DatagramChannel channel = DatagramChannel.open(StandardProtocolFamily.INET);
    channel.setOption(StandardSocketOptions.SO_REUSEADDR, true);
    channel.setOption(StandardSocketOptions.SO_BROADCAST, true);
    return channel.bind(new InetSocketAddress(InetAddress.getByName(address), 67));
  }

  DhcpServer option(int number, int... bytes) {
    byte[] value = new byte[bytes.length];
    for (int i = 0; i < bytes.length; i++) {
      value[i] = (byte) bytes[i];
    }
    options.put(number, value);
    return this;
  }

  /** Waits until the link has a signal, before which questions and answers are lost. */
  void awaitSignal() throws IOException, InterruptedException {
    for (int i = 0; i < 200 && !lan.run("ip link show dev srv0").contains("state UP"); i++) {
      Thread.sleep(10);
    }
  }

  /** Ignores a number of messages. */
  DhcpServer deaf(int count) {
    deaf = count;
    return this;
  }

  /** Gives the last byte of its address another value. */
  DhcpServer giving(int last) {
    given = "192.0.2." + last;
    return this;
  }

  /** Refuses a number of requests. */
  DhcpServer refusing(int count) {
    refusals = count;
    return this;
  }

  /** Sends a malformed copy before each correct response. */
  DhcpServer lying(UnaryOperator<byte[]> lie) {
    before.add(lie);
    return this;
  }

  /** Returns the next received message. */
  String heard() throws InterruptedException {
    return String.valueOf(heard.poll(5, TimeUnit.SECONDS));
  }

  boolean heardNoMore() {
    return heard.isEmpty();
  }

  private void serve(DatagramChannel channel) {
    ByteBuffer buffer = ByteBuffer.allocate(2048);
    try {
      while (true) {
        channel.receive(buffer.clear());
        answer(Arrays.copyOf(buffer.array(), buffer.position()));
      }
    } catch (ClosedChannelException e) {
      // the test is over
    } catch (IOException e) {
      heard.add(e.toString());
    }
  }

  private synchronized void answer(byte[] question) throws IOException {
    Map<Integer, byte[]> asked = new TreeMap<>();
    for (int at = 240; (question[at] & 0xff) != 255; at += 2 + question[at + 1]) {
      asked.put(
          question[at] & 0xff, Arrays.copyOfRange(question, at + 2, at + 2 + question[at + 1]));
    }
    int type = Objects.requireNonNull(asked.get(53))[0];
    byte[] id = Objects.requireNonNull(asked.get(61));
    String who = new String(id, 1, id.length - 1, StandardCharsets.UTF_8);
    if (deaf > 0) {
      deaf--;
      heard.add("missed");
    } else if (type == 1) {
      heard.add("discover by " + who);
      reply(question, 2);
    } else if (type == 3) {
      heard.add(
          "request "
              + InetAddress.getByAddress(Objects.requireNonNull(asked.get(50))).getHostAddress());
      reply(question, refusals-- > 0 ? 6 : 5);
    } else {
      byte[] address = Arrays.copyOfRange(question, 12, 16);
      heard.add("type " + type + " " + InetAddress.getByAddress(address).getHostAddress());
    }
  }

  private void reply(byte[] question, int type) throws IOException {
    ByteBuffer reply = ByteBuffer.allocate(1024);
    reply.put(Arrays.copyOf(question, 240)).put(0, (byte) 2);
    reply.put(16, InetAddress.getByName(given).getAddress());
    reply.put(new byte[] {53, 1, (byte) type});
    options.forEach(
        (number, value) -> reply.put((byte) (int) number).put((byte) value.length).put(value));
    reply.put((byte) 255);
    byte[] right = Arrays.copyOf(reply.array(), reply.position());
    for (UnaryOperator<byte[]> lie : before) {
      send(lie.apply(right.clone()));
    }
    send(right);
  }

  private void send(byte[] message) throws IOException {
    out.send(ByteBuffer.wrap(message), new InetSocketAddress("255.255.255.255", 68));
  }

  @Override
  public void close() throws IOException {
    in.close();
    out.close();
    lan.close();
  }
}
