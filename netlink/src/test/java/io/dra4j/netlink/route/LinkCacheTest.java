package io.dra4j.netlink.route;

import static io.dra4j.netlink.Recording.attribute;
import static io.dra4j.netlink.Recording.concat;
import static io.dra4j.netlink.Recording.text;
import static io.dra4j.netlink.Recording.u16;
import static io.dra4j.netlink.Recording.u32;
import static io.dra4j.netlink.Recording.u8;
import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.linux.Errno;
import io.dra4j.netlink.MessageFlags;
import io.dra4j.netlink.NetlinkSocket;
import io.dra4j.netlink.Recording;
import io.dra4j.netlink.Transport;
import io.dra4j.netlink.TransportException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What a cache of links makes of losses, in an order that a kernel cannot be made to repeat. */
class LinkCacheTest {

  private static final int RTM_NEWLINK = 16;
  private static final int RTM_GETLINK = 18;

  private static byte[] link(int index, String name) {
    byte[] header = concat(u8(0), u8(0), u16(1), u32(index), u32(0x1043), u32(0));
    return concat(header, attribute(3, text(name)));
  }

  private static Recording listing(Recording recording, byte[]... links) {
    recording.sent(RTM_GETLINK, MessageFlags.DUMP, new byte[16], attribute(29, u32(0)));
    for (byte[] link : links) {
      recording.received(RTM_NEWLINK, MessageFlags.MULTI, link);
    }
    return recording.done();
  }

  @Test
  void whatWasToldBeforeALossDoesNotBringBackLinksThatHaveGone() throws Exception {
    Recording answers = listing(new Recording(), link(1, "lo"), link(5, "gone"));
    listing(answers, link(1, "lo"), link(6, "new"));
    // The kernel tells of a loss at once, and afterwards what it had queued before.
    Recording told = new Recording().lost().received(RTM_NEWLINK, 0, link(5, "gone"));
    UntilDry monitor = new UntilDry(told.play());

    try (LinkCache cache =
        LinkCache.follow(
            RouteNetlink.over(NetlinkSocket.over(answers.play())),
            RouteMonitor.over(NetlinkSocket.over(monitor), Set.of(RouteEvent.Topic.LINKS)))) {
      assertThat(monitor.dry.await(20, TimeUnit.SECONDS)).isTrue();

      assertThat(cache.snapshot().links()).extracting(Link::name).containsExactly("lo", "new");
    }
  }

  /** Waits, as the kernel does, when everything has been told. */
  private static final class UntilDry implements Transport {

    private final Transport recorded;
    private final CountDownLatch dry = new CountDownLatch(1);
    private final CountDownLatch closed = new CountDownLatch(1);

    UntilDry(Transport recorded) {
      this.recorded = recorded;
    }

    @Override
    public ByteBuffer receive(long nanoseconds) throws TransportException {
      try {
        return recorded.receive(nanoseconds);
      } catch (TransportException e) {
        if (e.errno() == Errno.ETIMEDOUT.code() && nanoseconds > Duration.ofHours(1).toNanos()) {
          dry.countDown();
          awaitClosing();
        }
        throw e;
      }
    }

    private void awaitClosing() throws TransportException {
      try {
        closed.await();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
      throw new TransportException("receive", Errno.EBADF.code());
    }

    @Override
    public int port() {
      return recorded.port();
    }

    @Override
    public int sender() {
      return recorded.sender();
    }

    @Override
    public void send(ByteBuffer datagram) throws TransportException {
      recorded.send(datagram);
    }

    @Override
    public void join(int group) throws TransportException {
      recorded.join(group);
    }

    @Override
    public void close() {
      recorded.close();
      closed.countDown();
    }
  }
}
