package io.dra4j.netlink.route;

import static io.dra4j.netlink.route.LinkAttributes.*;

import io.dra4j.netlink.MessageFlags;
import io.dra4j.netlink.MessageWriter;
import io.dra4j.netlink.NetlinkException;
import io.dra4j.netlink.NetlinkSocket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/** The links of a network namespace. Thread-safe. */
public final class Links {

  private static final int RTM_NEWLINKPROP = 108;
  private static final int RTM_DELLINKPROP = 109;

  private final NetlinkSocket socket;
  private final LinkDecoder decoder = new LinkDecoder();

  Links(NetlinkSocket socket) {
    this.socket = socket;
  }

  /**
   * All links, with statistics and virtual functions.
   *
   * @return the links by index
   * @throws NetlinkException if the kernel refuses, or the conversation fails
   */
  public List<Link> list() throws NetlinkException {
    return list(LinkQuery.full());
  }

  /**
   * Some links.
   *
   * @param query which, and what of them
   * @return the links by index
   * @throws NetlinkException if the kernel refuses, or the conversation fails
   */
  public List<Link> list(LinkQuery query) throws NetlinkException {
    MessageWriter request = socket.request(ObjectKind.LINK.getType, 0, LINK, "list links");
    request.appendZeros(LinkDecoder.HEADER).putU32(IFLA_EXT_MASK, query.mask());
    query.namespace().ifPresent(number -> request.putU32(IFLA_TARGET_NETNSID, number));
    if (query.master() != 0) {
      request.putU32(IFLA_MASTER, query.master());
    }
    if (!query.kind().isEmpty()) {
      int info = request.open(IFLA_LINKINFO);
      request.putString(IFLA_INFO_KIND, query.kind()).close(info);
    }
    return socket.dump(
        request,
        ObjectKind.LINK.newType,
        message -> {
          Link link = decoder.decode(message, query.statistics());
          return query.wants(link) ? link : null;
        });
  }

  /**
   * A link by its name, which may be one of its alternative names.
   *
   * @param name the name
   * @return the link, with statistics and virtual functions
   * @throws NetlinkException if the conversation fails; {@link NetlinkException.NotFound} if there
   *     is none
   * @throws IllegalArgumentException if it cannot be the name of a link
   */
  public Link get(String name) throws NetlinkException {
    InterfaceName.checkAlternative(name);
    boolean isShort =
        name.length() <= InterfaceName.MAX_LENGTH
            && name.getBytes(StandardCharsets.UTF_8).length <= InterfaceName.MAX_LENGTH;
    MessageWriter request =
        socket
            .request(ObjectKind.LINK.getType, 0, LINK, new Text("get link ", name))
            .appendZeros(16);
    if (isShort) {
      request.putString(IFLA_IFNAME, name);
    } else {
      request.putString(IFLA_ALT_IFNAME, name);
    }
    return one(request);
  }

  /**
   * A link by its index.
   *
   * @param index the index
   * @return the link, with statistics and virtual functions
   * @throws NetlinkException if the conversation fails; {@link NetlinkException.NotFound} if there
   *     is none
   * @throws IllegalArgumentException if it is not positive
   */
  public Link get(int index) throws NetlinkException {
    MessageWriter request =
        socket.request(ObjectKind.LINK.getType, 0, LINK, new Text("get link ", index));
    return one(request.appendZeros(4).appendU32(checkIndex(index)).appendZeros(8));
  }

  private Link one(MessageWriter request) throws NetlinkException {
    request.putU32(IFLA_EXT_MASK, LinkQuery.full().mask());
    return socket.get(request, ObjectKind.LINK.newType, decoder::decode);
  }

  /**
   * A link by its name, if there is one.
   *
   * @param name the name
   * @return the link
   * @throws NetlinkException if the conversation fails
   * @throws IllegalArgumentException if it cannot be the name of a link
   */
  public Optional<Link> find(String name) throws NetlinkException {
    try {
      return Optional.of(get(name));
    } catch (NetlinkException.NotFound e) {
      return Optional.empty();
    }
  }

  /** With index 0 the kernel would choose by other criteria. */
  static int checkIndex(int index) {
    if (index <= 0) {
      throw new IllegalArgumentException("index " + index + " of a link, must be positive");
    }
    return index;
  }

  /**
   * Makes a link.
   *
   * @param link what to make
   * @throws NetlinkException if the conversation fails; {@link NetlinkException.Exists} if there is
   *     a link of that name; {@link NetlinkException.Unsupported} if the kernel lacks the kind
   */
  public void create(NewLink link) throws NetlinkException {
    int flags = MessageFlags.CREATE | MessageFlags.EXCLUSIVE;
    MessageWriter request = socket.request(ObjectKind.LINK.newType, flags, LINK, link);
    LinkSettings settings = link.settings();
    request.appendZeros(8).appendU32(settings.flags()).appendU32(settings.changedFlags());
    link.write(request);
    socket.execute(request);
  }

  /**
   * Changes a link.
   *
   * @param link the link
   * @param settings what to set
   * @throws NetlinkException if the kernel refuses, or the conversation fails
   */
  public void change(Link link, LinkSettings settings) throws NetlinkException {
    change(link.index(), new Text("set " + settings + " on ", link.name()), settings);
  }

  /**
   * Changes a link.
   *
   * @param index the index of the link
   * @param settings what to set
   * @throws NetlinkException if the kernel refuses, or the conversation fails
   * @throws IllegalArgumentException if the index is not positive
   */
  public void change(int index, LinkSettings settings) throws NetlinkException {
    change(checkIndex(index), new Text("set " + settings + " on link ", index), settings);
  }

  private void change(int index, Text operation, LinkSettings settings) throws NetlinkException {
    MessageWriter request = socket.request(ObjectKind.LINK.newType, 0, LINK, operation);
    request.appendZeros(4).appendU32(index);
    request.appendU32(settings.flags()).appendU32(settings.changedFlags());
    settings.write(request);
    socket.execute(request);
  }

  /**
   * Deletes a link.
   *
   * @param link the link
   * @throws NetlinkException if the conversation fails; {@link NetlinkException.Unsupported} if it
   *     is hardware
   */
  public void delete(Link link) throws NetlinkException {
    MessageWriter request =
        socket.request(ObjectKind.LINK.deleteType, 0, LINK, new Text("delete link ", link.name()));
    socket.execute(request.appendZeros(4).appendU32(link.index()).appendZeros(8));
  }

  /**
   * Gives a link another name beside its own.
   *
   * @param link the link
   * @param name the name, at most 127 bytes
   * @throws NetlinkException if the conversation fails; {@link NetlinkException.Exists} if it is
   *     taken
   * @throws IllegalArgumentException if it cannot be the name of a link
   */
  public void addAlternativeName(Link link, String name) throws NetlinkException {
    int flags = MessageFlags.CREATE | MessageFlags.EXCLUSIVE | MessageFlags.APPEND;
    alternativeName(RTM_NEWLINKPROP, flags, "add", link, name);
  }

  /**
   * Takes another name from a link.
   *
   * @param link the link
   * @param name the name
   * @throws NetlinkException if the conversation fails, or the link has no such name
   * @throws IllegalArgumentException if it cannot be the name of a link
   */
  public void removeAlternativeName(Link link, String name) throws NetlinkException {
    alternativeName(RTM_DELLINKPROP, 0, "remove", link, name);
  }

  private void alternativeName(int type, int flags, String verb, Link link, String name)
      throws NetlinkException {
    InterfaceName.checkAlternative(name);
    Text operation = new Text(verb + " alternative name " + name + " of ", link.name());
    MessageWriter request = socket.request(type, flags, LINK, operation);
    request.appendZeros(4).appendU32(link.index()).appendZeros(8);
    int properties = request.open(IFLA_PROP_LIST);
    request.putString(IFLA_ALT_IFNAME, name).close(properties);
    socket.execute(request);
  }
}
