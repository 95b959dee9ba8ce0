package io.dra4j.netlink.generic;

import io.dra4j.linux.NetworkNamespace;
import io.dra4j.netlink.AttributeTable;
import io.dra4j.netlink.Attributes;
import io.dra4j.netlink.Message;
import io.dra4j.netlink.MessageDecoder;
import io.dra4j.netlink.MessageHandler;
import io.dra4j.netlink.MessageWriter;
import io.dra4j.netlink.NetlinkException;
import io.dra4j.netlink.NetlinkSocket;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A socket of generic netlink, which looks up the numbers of families by their names and remembers
 * them ({@code linux/genetlink.h}). Thread-safe.
 *
 * <pre>{@code
 * try (GenericNetlink netlink = GenericNetlink.open()) {
 *   GenericFamily family = netlink.family("nl80211");
 *   netlink.dump(family, netlink.request(family, 1, TABLE, "list radios"), decoder);
 * }
 * }</pre>
 */
public final class GenericNetlink implements AutoCloseable {

  /** The length of the header of all its messages ({@code struct genlmsghdr}). */
  public static final int HEADER = 4;

  private static final int CONTROL = 16; // GENL_ID_CTRL
  private static final int CTRL_CMD_GETFAMILY = 3;
  private static final AttributeTable TABLE =
      AttributeTable.of(
              "CTRL_ATTR_",
              "FAMILY_ID:u16 FAMILY_NAME:text VERSION:u32 HDRSIZE:u32 MAXATTR:u32 OPS "
                  + "MCAST_GROUPS:nest")
          .with(
              "MCAST_GROUPS",
              AttributeTable.listOf(
                  AttributeTable.of("CTRL_ATTR_MCAST_GRP_", "NAME:text ID:u32 FLAGS:u32")));

  private final NetlinkSocket socket;
  private final Map<String, GenericFamily> families = new ConcurrentHashMap<>();

  private GenericNetlink(NetlinkSocket socket) {
    this.socket = socket;
  }

  /**
   * {@return a new instance with a socket that stays in the calling thread's network namespace}
   *
   * @throws NetlinkException if the kernel refuses
   */
  public static GenericNetlink open() throws NetlinkException {
    return over(NetlinkSocket.open(NetlinkSocket.GENERIC));
  }

  /**
   * {@return a new instance with a socket that stays in a network namespace}
   *
   * @param namespace the namespace; may be closed afterwards
   * @throws IOException if the namespace cannot be entered, or the kernel refuses
   */
  public static GenericNetlink open(NetworkNamespace namespace) throws IOException {
    return over(NetlinkSocket.open(NetlinkSocket.GENERIC, namespace));
  }

  /**
   * {@return an instance that uses an open socket, or a recorded conversation}
   *
   * @param socket a socket of protocol {@link NetlinkSocket#GENERIC}; closed with this object
   */
  public static GenericNetlink over(NetlinkSocket socket) {
    return new GenericNetlink(socket);
  }

  /**
   * {@return the family of a name}
   *
   * @param name its name
   * @throws NetlinkException if the conversation fails; {@link NetlinkException.NotFound} if the
   *     kernel does not have it
   */
  public GenericFamily family(String name) throws NetlinkException {
    GenericFamily known = families.get(name);
    if (known != null) {
      return known;
    }
    MessageWriter request = socket.request(CONTROL, 0, TABLE, "look up netlink family " + name);
    request.appendU8(CTRL_CMD_GETFAMILY).appendU8(1).appendZeros(2);
    request.put("FAMILY_NAME", name);
    GenericFamily family = socket.get(request, CONTROL, message -> decode(name, message));
    families.put(name, family);
    return family;
  }

  private static GenericFamily decode(String name, Message message)
      throws NetlinkException.Malformed {
    Attributes reported = Attributes.read(TABLE, message.attributes(HEADER));
    int id = reported.number("FAMILY_ID").orElse(0);
    if (id < CONTROL) {
      throw new NetlinkException.Malformed("netlink family " + name + " has number " + id);
    }
    Map<String, Integer> groups = new HashMap<>();
    for (Attributes group : reported.each("MCAST_GROUPS")) {
      groups.put(group.text("NAME"), group.number("ID").orElse(0));
    }
    return new GenericFamily(name, id, reported.number("VERSION").orElse(0), groups);
  }

  /**
   * {@return a writer for the attributes of a new request}
   *
   * @param family its family
   * @param command its command, a number of the family
   * @param names the names of its attributes, for errors
   * @param operation the operation; converted to text only if it fails
   */
  public MessageWriter request(
      GenericFamily family, int command, AttributeTable names, Object operation) {
    MessageWriter request = socket.request(family.id(), 0, names, operation);
    return request.appendU8(command).appendU8(family.version()).appendZeros(2);
  }

  /**
   * {@return the decoded single reply to a request, which this method sends}
   *
   * @param <T> the type of the object
   * @param family the family
   * @param request the request
   * @param decoder converts the reply to an object
   * @throws NetlinkException as {@link NetlinkSocket#get}
   */
  public <T> T get(GenericFamily family, MessageWriter request, MessageDecoder<T> decoder)
      throws NetlinkException {
    return socket.get(request, family.id(), decoder);
  }

  /**
   * {@return all replies to a dump request, which this method sends}
   *
   * @param <T> the type of the objects
   * @param family the family
   * @param request the request
   * @param decoder converts each reply to an object
   * @throws NetlinkException as {@link NetlinkSocket#dump}
   */
  public <T> List<T> dump(GenericFamily family, MessageWriter request, MessageDecoder<T> decoder)
      throws NetlinkException {
    return socket.dump(request, family.id(), decoder);
  }

  /**
   * Sends a request for a change.
   *
   * @param request the request
   * @param replies handles the replies
   * @throws NetlinkException as {@link NetlinkSocket#execute}
   */
  public void execute(MessageWriter request, MessageHandler replies) throws NetlinkException {
    socket.execute(request, replies);
  }

  /** {@return the socket, closed with this object, for warnings, recordings and own messages} */
  public NetlinkSocket socket() {
    return socket;
  }

  /** Closes the socket. */
  @Override
  public void close() {
    socket.close();
  }
}
