package io.dra4j.netlink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.dra4j.netlink.devlink.Devlink;
import io.dra4j.netlink.ethtool.Ethtool;
import io.dra4j.netlink.generic.GenericNetlink;
import io.dra4j.netlink.rdma.RdmaNetlink;
import io.dra4j.netlink.route.ObjectKind;
import io.dra4j.netlink.route.RouteMonitor;
import io.dra4j.netlink.route.RouteNetlink;
import io.dra4j.netlink.uevent.DeviceEvent;
import io.dra4j.netlink.uevent.DeviceMonitor;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Answers that are broken at random, from a few bits to nothing but noise: every decoder gives a
 * result or a {@link NetlinkException}, and reads nothing beyond the answer.
 */
class HostileMessagesTest {

  private static final int ROUNDS = Integer.getInteger("hostile.rounds", 50);

  /** Answers each request with one datagram, made of whatever looks like an answer. */
  private static final class Liar implements Transport {

    private final Random random;
    private final int[] types;
    private int sequence;
    private boolean answered = true;

    Liar(Random random, int... types) {
      this.random = random;
      this.types = types;
    }

    @Override
    public int port() {
      return 5;
    }

    @Override
    public void send(ByteBuffer datagram) {
      sequence = datagram.order(ByteOrder.nativeOrder()).getInt(8);
      answered = false;
    }

    @Override
    public ByteBuffer receive(long nanoseconds) throws TransportException {
      if (answered && random.nextInt(4) != 0) {
        throw new TransportException("receive", 110);
      }
      boolean last = answered;
      answered = true;
      ByteBuffer datagram = ByteBuffer.allocate(8_192).order(ByteOrder.nativeOrder());
      int messages = last ? 0 : 1 + random.nextInt(3);
      for (int i = 0; i < messages; i++) {
        message(datagram, types[random.nextInt(types.length)]);
      }
      if (random.nextInt(3) != 0) {
        message(datagram, MessageFlags.DONE);
      }
      return datagram.flip();
    }

    private void message(ByteBuffer to, int type) {
      int start = to.position();
      to.putInt(0)
          .putShort((short) type)
          .putShort((short) (random.nextInt(8) == 0 ? random.nextInt() : 2));
      to.putInt(random.nextInt(50) == 0 ? random.nextInt() : sequence);
      to.putInt(5);
      byte[] fixed = new byte[4 * random.nextInt(6)];
      if (random.nextBoolean()) {
        random.nextBytes(fixed);
        if (fixed.length > 0) {
          fixed[0] = (byte) (random.nextBoolean() ? 2 : 10);
        }
      }
      to.put(fixed);
      attributes(to, 0, start + 2_000);
      int length = to.position() - start;
      to.putInt(start, random.nextInt(20) == 0 ? random.nextInt() : length);
      while ((to.position() & 3) != 0) {
        to.put((byte) 0);
      }
    }

    private void attributes(ByteBuffer to, int depth, int end) {
      int count = random.nextInt(6);
      for (int i = 0; i < count && to.position() < end; i++) {
        int start = to.position();
        to.putShort((short) 0).putShort((short) random.nextInt(110));
        if (random.nextInt(3) == 0 && depth < 20) {
          attributes(to, depth + 1, end);
        } else {
          byte[] value = new byte[random.nextInt(3) == 0 ? random.nextInt(40) : 4];
          random.nextBytes(value);
          to.put(value);
        }
        int length = to.position() - start;
        to.putShort(start, (short) (random.nextInt(30) == 0 ? random.nextInt() : length));
        while ((to.position() & 3) != 0) {
          to.put((byte) 0);
        }
      }
    }

    @Override
    public int sender() {
      return random.nextInt(100) == 0 ? 9 : 0;
    }

    @Override
    public void join(int group) {}

    @Override
    public void close() {}
  }

  /** The types of messages of all kinds of objects, and some more. */
  private static int[] types(int... others) {
    return IntStream.concat(
            Arrays.stream(ObjectKind.values())
                .mapToInt(ObjectKind::messageType)
                .flatMap(type -> IntStream.of(type, type + 1)),
            Arrays.stream(others))
        .toArray();
  }

  /** Something that asks a question. */
  @FunctionalInterface
  private interface Question {
    Object ask() throws NetlinkException;
  }

  private static void ask(Question question) {
    try {
      assertThat(question.ask()).isNotNull();
    } catch (NetlinkException e) {
      assertThat(e.getMessage()).isNotEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void routesAreAnsweredOrRefused(long seed) {
    Random random = new Random(seed);
    for (int i = 0; i < ROUNDS; i++) {
      RouteNetlink route = RouteNetlink.over(NetlinkSocket.over(new Liar(random, types(88))));
      for (ObjectKind kind : ObjectKind.values()) {
        ask(() -> route.list(kind).toString()); // reads what is left for later, too
      }
      for (Question question :
          List.<Question>of(
              () -> new Answers(route).links(),
              () -> route.filters().list(LinkKey.of(1)),
              () -> route.neighbours().proxies(),
              () -> route.links().virtualFunctions(LinkKey.of(1)),
              () -> route.links().get("eth0"))) {
        ask(question);
      }
    }
  }

  /** Reads every field, so that nothing is left for later. */
  private record Answers(RouteNetlink route) {
    Object links() throws NetlinkException {
      return route.links().list().stream()
          .map(link -> link + " " + link.address() + link.broadcast() + link.operationalState())
          .toList();
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void othersAreAnsweredOrRefused(long seed) {
    Random random = new Random(seed);
    for (int i = 0; i < ROUNDS; i++) {
      RdmaNetlink rdma =
          RdmaNetlink.over(
              NetlinkSocket.over(new Liar(random, 0x1401, 0x1402, 0x1405, 0x1406, 0x140f)));
      ask(rdma::devices);
      ask(() -> rdma.links(1));
      ask(rdma::isShared);
      ask(rdma::connectionManager);
      GenericNetlink generic =
          GenericNetlink.over(NetlinkSocket.over(new Liar(random, 16, 20, 16)));
      ask(() -> Ethtool.over(generic).features(LinkKey.of(1)));
      ask(() -> Devlink.over(generic).devices());
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void notificationsAreReadOrRefused(long seed) throws NetlinkException {
    Random random = new Random(seed);
    for (int i = 0; i < ROUNDS; i++) {
      Liar liar = new Liar(random, types(3, 99));
      RouteMonitor monitor =
          RouteMonitor.over(NetlinkSocket.over(liar), EnumSet.allOf(ObjectKind.class));
      liar.answered = false;
      ask(() -> monitor.await(Duration.ZERO));
      liar.answered = false;
      DeviceMonitor devices = DeviceMonitor.over(NetlinkSocket.over(liar));
      ask(() -> devices.await(Duration.ZERO, Duration.ZERO));
    }
  }

  /** A driver whose link goes up and down tells the same again and again. */
  @ParameterizedTest
  @ValueSource(longs = {0, 5})
  void aDeviceThatNeverIsQuietHoldsNobodyUp(long quiet) {
    byte[] event = "change@/devices/x\0SUBSYSTEM=net\0".getBytes(StandardCharsets.UTF_8);
    Transport restless =
        new Transport() {
          @Override
          public int port() {
            return 1;
          }

          @Override
          public int sender() {
            return 0;
          }

          @Override
          public void send(ByteBuffer datagram) {}

          @Override
          public ByteBuffer receive(long nanoseconds) {
            return ByteBuffer.wrap(event);
          }

          @Override
          public void join(int group) {}

          @Override
          public void close() {}
        };
    List<DeviceEvent> told =
        assertTimeoutPreemptively(
            Duration.ofSeconds(30),
            () ->
                DeviceMonitor.over(NetlinkSocket.over(restless))
                    .await(Duration.ofSeconds(1), Duration.ofMillis(quiet)));
    assertThat(told).extracting(DeviceEvent::path).containsExactly("/devices/x");
  }
}
