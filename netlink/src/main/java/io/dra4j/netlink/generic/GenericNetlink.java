package io.dra4j.netlink.generic;

import io.dra4j.linux.NetworkNamespace;
import io.dra4j.netlink.AttributeReader;
import io.dra4j.netlink.AttributeTable;
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

/** A socket of generic netlink, which knows the numbers of the families it has met. Thread-safe. */
public final class GenericNetlink implements AutoCloseable {

  /** The length of the header that all its messages begin with ({@code struct genlmsghdr}). */
  public static final int HEADER = 4;

  private static final int CONTROL = 16; // GENL_ID_CTRL
  private static final int CTRL_CMD_GETFAMILY = 3;
  private static final int CTRL_ATTR_FAMILY_ID = 1;
  private static final int CTRL_ATTR_FAMILY_NAME = 2;
  private static final int CTRL_ATTR_VERSION = 3;
  private static final int CTRL_ATTR_MCAST_GROUPS = 7;
  private static final int CTRL_ATTR_MCAST_GRP_NAME = 1;
  private static final int CTRL_ATTR_MCAST_GRP_ID = 2;

  private static final AttributeTable NAMES =
      AttributeTable.of(
          "CTRL_ATTR_", "FAMILY_ID FAMILY_NAME VERSION HDRSIZE MAXATTR OPS MCAST_GROUPS");

  private final NetlinkSocket socket;
  private final Map<String, GenericFamily> families = new ConcurrentHashMap<>();

  private GenericNetlink(NetlinkSocket socket) {
    this.socket = socket;
  }

  /**
   * Opens a socket in the network namespace of the calling thread.
   *
   * @return stays in that namespace
   * @throws NetlinkException if the kernel refuses
   */
  public static GenericNetlink open() throws NetlinkException {
    return over(NetlinkSocket.open(NetlinkSocket.GENERIC));
  }

  /**
   * Opens a socket in a network namespace.
   *
   * @param namespace the namespace; may be closed afterwards
   * @return stays in that namespace
   * @throws IOException if the namespace cannot be entered, or the kernel refuses
   */
  public static GenericNetlink open(NetworkNamespace namespace) throws IOException {
    return over(NetlinkSocket.open(NetlinkSocket.GENERIC, namespace));
  }

  /**
   * Uses a socket that is open, or a recorded conversation.
   *
   * @param socket a socket of protocol {@link NetlinkSocket#GENERIC}; closed with this object
   * @return uses the socket
   */
  public static GenericNetlink over(NetlinkSocket socket) {
    return new GenericNetlink(socket);
  }

  /**
   * Looks up a family.
   *
   * @param name its name
   * @return the family
   * @throws NetlinkException if the conversation fails; {@link NetlinkException.NotFound} if the
   *     kernel does not have it
   */
  public GenericFamily family(String name) throws NetlinkException {
    GenericFamily known = families.get(name);
    if (known != null) {
      return known;
    }
    MessageWriter request = socket.request(CONTROL, 0, NAMES, "look up netlink family " + name);
    request.appendU8(CTRL_CMD_GETFAMILY).appendU8(1).appendZeros(2);
    request.putString(CTRL_ATTR_FAMILY_NAME, name);
    GenericFamily family = socket.get(request, CONTROL, message -> decode(name, message));
    families.put(name, family);
    return family;
  }

  private static GenericFamily decode(String name, Message message)
      throws NetlinkException.Malformed {
    int id = 0;
    int version = 0;
    Map<String, Integer> groups = new HashMap<>();
    AttributeReader reader = message.attributes(HEADER);
    while (reader.next()) {
      switch (reader.type()) {
        case CTRL_ATTR_FAMILY_ID -> id = reader.u16();
        case CTRL_ATTR_VERSION -> version = reader.u32();
        case CTRL_ATTR_MCAST_GROUPS -> {
          reader.enter();
          while (reader.next()) {
            group(reader, groups);
          }
        }
        default -> {
          // its operations
        }
      }
    }
    if (id < CONTROL) {
      throw new NetlinkException.Malformed("netlink family " + name + " has number " + id);
    }
    return new GenericFamily(name, id, version, groups);
  }

  private static void group(AttributeReader reader, Map<String, Integer> groups)
      throws NetlinkException.Malformed {
    String name = "";
    int id = 0;
    reader.enter();
    while (reader.next()) {
      switch (reader.type()) {
        case CTRL_ATTR_MCAST_GRP_NAME -> name = reader.string();
        case CTRL_ATTR_MCAST_GRP_ID -> id = reader.u32();
        default -> {
          // flags
        }
      }
    }
    groups.put(name, id);
  }

  /**
   * Starts a request.
   *
   * @param family its family
   * @param command its command, as the family numbers them
   * @param names the names of its attributes, for errors
   * @param operation what is asked for
   * @return takes the attributes
   */
  public MessageWriter request(
      GenericFamily family, int command, AttributeTable names, Object operation) {
    MessageWriter request = socket.request(family.id(), 0, names, operation);
    return request.appendU8(command).appendU8(family.version()).appendZeros(2);
  }

  /**
   * Asks for one thing.
   *
   * @param <T> what it is
   * @param family the family
   * @param request the request
   * @param decoder makes an object of the reply
   * @return the object
   * @throws NetlinkException as {@link NetlinkSocket#get}
   */
  public <T> T get(GenericFamily family, MessageWriter request, MessageDecoder<T> decoder)
      throws NetlinkException {
    return socket.get(request, family.id(), decoder);
  }

  /**
   * Asks for everything.
   *
   * @param <T> what it consists of
   * @param family the family
   * @param request the request
   * @param decoder makes an object of each reply
   * @return the objects
   * @throws NetlinkException as {@link NetlinkSocket#dump}
   */
  public <T> List<T> dump(GenericFamily family, MessageWriter request, MessageDecoder<T> decoder)
      throws NetlinkException {
    return socket.dump(request, family.id(), decoder);
  }

  /**
   * Asks for a change.
   *
   * @param request the request
   * @param replies takes the replies
   * @throws NetlinkException as {@link NetlinkSocket#execute}
   */
  public void execute(MessageWriter request, MessageHandler replies) throws NetlinkException {
    socket.execute(request, replies);
  }

  /**
   * Returns the socket that all of this goes through, for what is the same in every family:
   * warnings of the kernel, recordings, messages of one's own.
   *
   * @return the socket, which is closed with this object
   */
  public NetlinkSocket socket() {
    return socket;
  }

  /** Closes the socket. */
  @Override
  public void close() {
    socket.close();
  }
}
