package io.dra4j.netlink.route;

import static io.dra4j.netlink.Recording.attribute;
import static io.dra4j.netlink.Recording.concat;
import static io.dra4j.netlink.Recording.text;
import static io.dra4j.netlink.Recording.u16;
import static io.dra4j.netlink.Recording.u32;
import static io.dra4j.netlink.Recording.u8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.dra4j.linux.Errno;
import io.dra4j.netlink.MessageFlags;
import io.dra4j.netlink.NetlinkException;
import io.dra4j.netlink.NetlinkSocket;
import io.dra4j.netlink.Recording;
import io.dra4j.netlink.Transport;
import io.dra4j.netlink.TransportException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
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
            RouteMonitor.over(NetlinkSocket.over(monitor), Set.of(ObjectKind.LINK)))) {
      assertThat(monitor.dry.await(20, TimeUnit.SECONDS)).isTrue();

      assertThat(cache.snapshot().links()).extracting(Link::name).containsExactly("lo", "new");
    }
  }

  @Test
  @SuppressWarnings("NullAway") // as a caller without such checks would
  void aListenerIsOne() throws Exception {
    Recording told = new Recording();
    try (LinkCache cache =
        LinkCache.follow(
            RouteNetlink.over(NetlinkSocket.over(listing(new Recording(), link(1, "lo")).play())),
            RouteMonitor.over(
                NetlinkSocket.over(new UntilDry(told.play())), Set.of(ObjectKind.LINK)))) {
      assertThatNullPointerException().isThrownBy(() -> cache.listen(null));
    }
  }

  private static LinkCache follow(Recording answers, Transport monitor) throws Exception {
    return LinkCache.follow(
        RouteNetlink.over(NetlinkSocket.over(answers.play())),
        RouteMonitor.over(NetlinkSocket.over(monitor), Set.of(ObjectKind.LINK)));
  }

  /** Listens before the first change: a monitor that tells nothing until this is ready. */
  private static final class Starting implements Transport {

    private final UntilDry told;
    private final CountDownLatch start = new CountDownLatch(1);

    Starting(Recording told) {
      this.told = new UntilDry(told.play());
    }

    @Override
    public ByteBuffer receive(long nanoseconds) throws TransportException {
      try {
        start.await();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
      return told.receive(nanoseconds);
    }

    @Override
    public int port() {
      return told.port();
    }

    @Override
    public int sender() {
      return told.sender();
    }

    @Override
    public void send(ByteBuffer datagram) throws TransportException {
      told.send(datagram);
    }

    @Override
    public void join(int group) throws TransportException {
      told.join(group);
    }

    @Override
    public void close() {
      told.close();
      start.countDown();
    }
  }

  /** Remembers what it is told. */
  private static final class Heard implements LinkCache.Listener {

    private final List<String> heard = new CopyOnWriteArrayList<>();

    @Override
    public void changed(LinkSnapshot before, LinkSnapshot after) {
      heard.add(after.links().stream().map(Link::name).collect(Collectors.joining(" ")));
    }

    @Override
    public void failed(Throwable failure, boolean following) {
      heard.add(failure.getClass().getSimpleName() + (following ? ", goes on" : ", ends"));
    }
  }

  @Test
  void anErrorOfAListenerIsToldAndTheCacheGoesOn() throws Exception {
    Starting monitor =
        new Starting(
            new Recording()
                .received(RTM_NEWLINK, 0, link(2, "a"))
                .quiet()
                .received(RTM_NEWLINK, 0, link(3, "b")));
    Heard heard = new Heard();
    try (LinkCache cache = follow(listing(new Recording(), link(1, "lo")), monitor)) {
      cache.listen(
          (before, after) -> {
            if (after.links().size() == 2) {
              throw new StackOverflowError("on purpose");
            }
          });
      cache.listen(heard);
      monitor.start.countDown();
      assertThat(monitor.told.dry.await(20, TimeUnit.SECONDS)).isTrue();

      assertThat(heard.heard).containsExactly("StackOverflowError, goes on", "lo a", "lo a b");
      assertThat(cache.failure()).isEmpty();
      assertThat(cache.isFollowing()).isTrue();
    }
  }

  @Test
  void aListingThatFailsIsToldAndTriedAgain() throws Exception {
    Recording answers = listing(new Recording(), link(1, "lo"));
    for (int attempt = 0; attempt < 40; attempt++) { // what one listing tries before it gives up
      answers.sent(RTM_GETLINK, MessageFlags.DUMP, new byte[16], attribute(29, u32(0)));
      answers.received(3, MessageFlags.MULTI | MessageFlags.DUMP_INTERRUPTED, u32(0));
    }
    answers.sent(RTM_GETLINK, MessageFlags.DUMP, new byte[16], attribute(29, u32(0)));
    answers.answered(Errno.ENOMEM.code());
    listing(answers, link(1, "lo"), link(3, "new"));
    Starting monitor = new Starting(new Recording().lost());
    Heard heard = new Heard();
    try (LinkCache cache = follow(answers, monitor)) {
      cache.listen(heard);
      monitor.start.countDown();
      assertThat(monitor.told.dry.await(20, TimeUnit.SECONDS)).isTrue();

      assertThat(heard.heard)
          .containsExactly("DumpInterrupted, goes on", "Refused, goes on", "lo new");
      assertThat(cache.failure()).isEmpty();
    }
  }

  @Test
  void aSocketThatFailsEndsTheCacheAndListenersHearOfIt() throws Exception {
    Recording answers = listing(new Recording(), link(1, "lo"));
    answers.sent(RTM_GETLINK, MessageFlags.DUMP, new byte[16], attribute(29, u32(0)));
    Starting monitor = new Starting(new Recording().lost()); // and then there is no answer
    CountDownLatch told = new CountDownLatch(1);
    Heard heard = new Heard();
    try (LinkCache cache = follow(answers, monitor)) {
      cache.listen(heard);
      cache.listen(
          new LinkCache.Listener() {
            @Override
            public void changed(LinkSnapshot before, LinkSnapshot after) {}

            @Override
            public void failed(Throwable failure, boolean following) {
              told.countDown();
            }
          });
      monitor.start.countDown();
      assertThat(told.await(20, TimeUnit.SECONDS)).isTrue();

      assertThat(heard.heard).containsExactly("TimedOut, ends");
      assertThat(cache.isFollowing()).isFalse();
      assertThat(cache.failure()).containsInstanceOf(NetlinkException.TimedOut.class);
      assertThat(cache.snapshot().links()).extracting(Link::name).containsExactly("lo");
    }
  }

  @Test
  void closingWaitsForTheListenerThatIsBeingCalled() throws Exception {
    Starting monitor = new Starting(new Recording().received(RTM_NEWLINK, 0, link(2, "a")));
    CountDownLatch called = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    List<String> order = new CopyOnWriteArrayList<>();
    LinkCache cache = follow(listing(new Recording(), link(1, "lo")), monitor);
    cache.listen(
        (before, after) -> {
          called.countDown();
          try {
            release.await();
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
          order.add("listener");
        });
    cache.listen((before, after) -> order.add("a listener after closing"));
    monitor.start.countDown();
    called.await();
    Thread closing =
        new Thread(
            () -> {
              cache.close();
              order.add("closed");
            });
    closing.start();
    closing.join(200); // it would be over by now, if it did not wait
    release.countDown();
    closing.join();

    assertThat(order).containsExactly("listener", "closed");
    assertThat(cache.isFollowing()).isFalse();
    assertThat(cache.failure()).isEmpty();
  }

  @Test
  void aListenerMayCloseTheCache() throws Exception {
    Starting monitor = new Starting(new Recording().received(RTM_NEWLINK, 0, link(2, "a")));
    CountDownLatch closed = new CountDownLatch(1);
    LinkCache cache = follow(listing(new Recording(), link(1, "lo")), monitor);
    cache.listen(
        (before, after) -> {
          cache.close();
          closed.countDown();
        });
    monitor.start.countDown();

    assertThat(closed.await(20, TimeUnit.SECONDS)).isTrue();
    cache.close(); // waits for the thread, which ends
    assertThat(cache.failure()).isEmpty();
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
