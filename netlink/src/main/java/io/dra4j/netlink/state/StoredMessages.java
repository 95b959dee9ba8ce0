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
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * Addresses, routes and the like as the messages that would set them: the form in which they are
 * compared and stored. It stands in for the kernel, so that the codecs of {@link RouteNetlink} are
 * the only ones: what is added to it is kept, and told when it is asked for a list. Not
 * thread-safe.
 */
final class StoredMessages implements Transport {

  private static final int HEADER = 16; // struct nlmsghdr
  private static final int ERROR = 2;
  private static final int DONE = 3;
  private static final int MULTI = 2;
  private static final int DUMP = 0x300;
  private static final int CREATE = 0x400;

  private final List<byte[]> payloads = new ArrayList<>();
  private final int type;
  private ByteBuffer answer = ByteBuffer.allocate(0);

  private StoredMessages(int type) {
    this.type = type;
  }

  /** The payloads of the messages that set objects. */
  static <T extends RouteObject> List<byte[]> pack(
      List<T> objects, Function<RouteNetlink, RouteObjects<T>> of) {
    StoredMessages stored = new StoredMessages(0);
    try (RouteNetlink netlink = RouteNetlink.over(NetlinkSocket.over(stored))) {
      for (T object : objects) {
        of.apply(netlink).add(object);
      }
    } catch (NetlinkException e) {
      throw new IllegalStateException("memory refused a message", e);
    }
    return stored.payloads;
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
    StoredMessages stored = new StoredMessages(type);
    stored.payloads.addAll(payloads);
    try (RouteNetlink netlink = RouteNetlink.over(NetlinkSocket.over(stored))) {
      return of.apply(netlink).list();
    }
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
    int flags = request.getShort(6);
    int sequence = request.getInt(8);
    if ((flags & DUMP) == DUMP) {
      int size = payloads.stream().mapToInt(one -> HEADER + ((one.length + 3) & ~3)).sum();
      answer = ByteBuffer.allocate(size + HEADER + 4).order(ByteOrder.nativeOrder());
      payloads.forEach(one -> message(type, MULTI, sequence, one));
      message(DONE, MULTI, sequence, new byte[4]);
    } else if ((flags & CREATE) == 0) { // about a link, of which there are none
      answer = ByteBuffer.allocate(2 * HEADER + 4).order(ByteOrder.nativeOrder());
      byte[] refusal = new byte[HEADER + 4];
      ByteBuffer.wrap(refusal).order(ByteOrder.nativeOrder()).putInt(-Errno.ENODEV.code());
      message(ERROR, 0, sequence, refusal);
    } else {
      byte[] payload = new byte[request.limit() - HEADER];
      request.get(HEADER, payload);
      payloads.add(payload);
      answer = ByteBuffer.allocate(2 * HEADER + 4).order(ByteOrder.nativeOrder());
      message(ERROR, 0, sequence, new byte[HEADER + 4]);
    }
    answer.flip();
  }

  private void message(int messageType, int flags, int sequence, byte[] payload) {
    answer.putInt(HEADER + payload.length).putShort((short) messageType).putShort((short) flags);
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
