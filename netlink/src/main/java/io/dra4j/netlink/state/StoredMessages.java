package io.dra4j.netlink.state;

import io.dra4j.linux.Errno;
import io.dra4j.netlink.NetlinkException;
import io.dra4j.netlink.NetlinkSocket;
import io.dra4j.netlink.Transport;
import io.dra4j.netlink.TransportException;
import io.dra4j.netlink.route.RouteNetlink;
import io.dra4j.netlink.route.RouteObject;
import io.dra4j.netlink.route.RouteObjects;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.function.Function;

/**
 * Addresses, routes and the like as the messages that would set them: the form in which they are
 * compared and stored. It stands in for the kernel, so that the codecs of {@link RouteNetlink} are
 * the only ones: asked for a list, it tells the stored ones. Not thread-safe.
 */
final class StoredMessages implements Transport {

  private static final int HEADER = 16; // struct nlmsghdr
  private static final int DONE = 3;
  private static final int MULTI = 2;

  private final List<byte[]> payloads;
  private final int type;
  private ByteBuffer answer = ByteBuffer.allocate(0);

  private StoredMessages(int type, List<byte[]> payloads) {
    this.type = type;
    this.payloads = payloads;
  }

  /** The payloads of the messages that set objects. */
  static <T extends RouteObject> List<byte[]> pack(
      List<T> objects, Function<RouteNetlink, RouteObjects<T>> of) {
    try (RouteNetlink netlink = over(new StoredMessages(0, List.of()))) {
      return objects.stream().map(of.apply(netlink)::messageOf).toList();
    }
  }

  /**
   * The objects of payloads.
   *
   * @param type the type of their messages
   * @throws NetlinkException.Malformed if one of them is none
   */
  static <T extends RouteObject> List<T> unpack(
      int type, List<byte[]> payloads, Function<RouteNetlink, RouteObjects<T>> of)
      throws NetlinkException {
    try (RouteNetlink netlink = over(new StoredMessages(type, payloads))) {
      return of.apply(netlink).list();
    }
  }

  private static RouteNetlink over(StoredMessages stored) {
    return RouteNetlink.over(NetlinkSocket.over(stored));
  }

  @Override
  public int port() {
    return 1;
  }

  @Override
  public int sender() {
    return 0;
  }

  @Override
  public void send(ByteBuffer datagram) {
    ByteBuffer request = datagram.duplicate().order(ByteOrder.nativeOrder());
    int sequence = request.getInt(8);
    int size = payloads.stream().mapToInt(one -> HEADER + ((one.length + 3) & ~3)).sum();
    answer = ByteBuffer.allocate(size + HEADER + 4).order(ByteOrder.nativeOrder());
    payloads.forEach(one -> message(type, sequence, one));
    message(DONE, sequence, new byte[4]);
    answer.flip();
  }

  private void message(int messageType, int sequence, byte[] payload) {
    answer.putInt(HEADER + payload.length).putShort((short) messageType).putShort((short) MULTI);
    answer.putInt(sequence).putInt(port()).put(payload);
    while ((answer.position() & 3) != 0) {
      answer.put((byte) 0);
    }
  }

  @Override
  public ByteBuffer receive(long nanoseconds) throws TransportException {
    if (!answer.hasRemaining()) {
      throw new TransportException("receive", Errno.ETIMEDOUT.code());
    }
    ByteBuffer all = answer;
    answer = ByteBuffer.allocate(0);
    return all;
  }

  @Override
  public void join(int group) throws TransportException {
    throw new TransportException("join group " + group, Errno.EOPNOTSUPP.code());
  }

  @Override
  public void close() {}
}
