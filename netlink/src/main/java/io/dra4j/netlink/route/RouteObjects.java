package io.dra4j.netlink.route;

import io.dra4j.linux.Errno;
import io.dra4j.netlink.LinkKey;
import io.dra4j.netlink.MessageFlags;
import io.dra4j.netlink.MessageWriter;
import io.dra4j.netlink.NetlinkException;
import io.dra4j.netlink.NetlinkSocket;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.IntFunction;
import java.util.function.Predicate;

/**
 * The objects of one kind in a network namespace, which can be read, added and deleted; {@link
 * RouteNetlink} has one instance for each kind. Thread-safe.
 *
 * <pre>{@code
 * for (Route one : route.routes().list()) {
 *   route.routes().delete(one);
 *   route.routes().add(one); // what was read can be written back
 * }
 * }</pre>
 *
 * @param <T> the type of the objects
 */
public abstract sealed class RouteObjects<T extends RouteObject>
    permits Addresses,
        Routes,
        Rules,
        Neighbours,
        ForwardingEntries,
        BridgeVlans,
        NextHopObjects,
        TrafficControls {

  final NetlinkSocket socket;
  final ObjectKind kind;
  final Layout layout;
  final Codec<T> codec;
  final Links links;

  RouteObjects(NetlinkSocket socket, Links links, ObjectKind kind, Layout layout, Codec<T> codec) {
    this.socket = socket;
    this.links = links;
    this.kind = kind;
    this.layout = layout;
    this.codec = codec;
  }

  /**
   * {@return all objects of this kind in the kernel's order, IPv4 before IPv6 ({@code NLM_F_DUMP})}
   *
   * @throws NetlinkException if the kernel refuses, or the conversation fails; {@link
   *     NetlinkException.Unsupported} if the kernel does not have such objects
   */
  public List<T> list() throws NetlinkException {
    return list(Payload.of(layout), object -> true);
  }

  /** Lists the objects that match a predicate: the kernel does not filter by everything. */
  List<T> list(Payload question, Predicate<T> wanted) throws NetlinkException {
    MessageWriter request = request(kind.getType, 0, "list ", kind + "s");
    question.write(request);
    return socket.dump(
        request,
        kind.newType,
        message -> {
          T object = codec.decode(message);
          return object != null && wanted.test(object) ? object : null;
        });
  }

  /** Lists the objects of a link; none if there is no such link, or it was removed meanwhile. */
  List<T> listOf(LinkKey link, IntFunction<Payload> question, IntFunction<Predicate<T>> wanted)
      throws NetlinkException {
    OptionalInt found = links.index(link);
    if (found.isEmpty()) {
      return List.of();
    }
    int index = found.getAsInt();
    try {
      return list(question.apply(index), wanted.apply(index));
    } catch (NetlinkException.NotFound e) {
      return List.of();
    }
  }

  T get(Payload question, Object what) throws NetlinkException {
    MessageWriter request = request(kind.getType, 0, "get ", what);
    question.write(request);
    return socket.get(request, kind.newType, codec);
  }

  /**
   * Adds an object ({@code RTM_NEW...} with {@code NLM_F_CREATE} and {@code NLM_F_EXCL}).
   *
   * @param object the object
   * @throws NetlinkException if the kernel refuses, or the conversation fails; {@link
   *     NetlinkException.Exists} if there is such an object; {@link NetlinkException.NotFound} if
   *     there is no link of its index
   */
  public void add(T object) throws NetlinkException {
    write("add ", MessageFlags.CREATE | MessageFlags.EXCLUSIVE, object);
  }

  /**
   * {@return the payload of the message that {@link #add} would send, in this machine's byte order:
   * the kernel's structure, such as {@code struct rtmsg}, then the attributes in the order of their
   * types} Objects with equal settings have equal messages, independent of their state.
   *
   * @param object the object
   */
  public byte[] messageOf(T object) {
    return codec.encode(object).toBytes();
  }

  void write(String verb, int flags, T object) throws NetlinkException {
    write(kind.newType, verb, flags, object);
  }

  void write(int type, String verb, int flags, T object) throws NetlinkException {
    MessageWriter request = request(type, flags, verb + kind + " ", object);
    codec.encode(object).write(request);
    socket.execute(request);
  }

  /**
   * Deletes an object ({@code RTM_DEL...}).
   *
   * @param object the object, as it was read or added
   * @throws NetlinkException if the kernel refuses, or the conversation fails; {@link
   *     NetlinkException.NotFound} if there is none
   */
  public void delete(T object) throws NetlinkException {
    MessageWriter request = request(kind.deleteType, 0, "delete " + kind + " ", object);
    codec.encodeDeleted(object).write(request);
    try {
      socket.execute(request);
    } catch (
        NetlinkException.Refused e) { // the kernel has several error numbers for missing objects
      throw e.errno() != Errno.EADDRNOTAVAIL.code() && isListed(object) ? e : e.asNotFound();
    }
  }

  private boolean isListed(T object) throws NetlinkException {
    Payload wanted = codec.encodeDeleted(object);
    return list().stream().anyMatch(one -> codec.encodeDeleted(one).equals(wanted));
  }

  private MessageWriter request(int type, int flags, String verb, Object what) {
    return socket.request(type, flags, layout.attributes(), new Text(verb, what));
  }
}
