package io.dra4j.netlink.route;

import io.dra4j.linux.NetworkNamespace;
import io.dra4j.netlink.MessageFlags;
import io.dra4j.netlink.MessageWriter;
import io.dra4j.netlink.NetlinkException;
import io.dra4j.netlink.NetlinkSocket;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/** The links of a network namespace, as {@code ip link} has. Thread-safe. */
public final class Links {

  private static final int RTM_NEWLINKPROP = 108;
  private static final int RTM_DELLINKPROP = 109;

  private static final int EXT_MASK = LinkTables.LINK.type("EXT_MASK");
  private static final int TARGET_NETNSID = LinkTables.LINK.type("TARGET_NETNSID");
  private static final int MASTER = LinkTables.LINK.type("MASTER");
  private static final int LINKINFO = LinkTables.LINK.type("LINKINFO");
  private static final int IFNAME = LinkTables.LINK.type("IFNAME");
  private static final int ALT_IFNAME = LinkTables.LINK.type("ALT_IFNAME");
  private static final int PROP_LIST = LinkTables.LINK.type("PROP_LIST");
  private static final int INFO_KIND = LinkTables.INFO.type("KIND");

  private final NetlinkSocket socket;
  private final LinkDecoder decoder = new LinkDecoder();

  Links(NetlinkSocket socket) {
    this.socket = socket;
  }

  /**
   * Lists all links, with statistics, without virtual functions.
   *
   * @return the links by index
   * @throws NetlinkException if the kernel refuses, or the conversation fails
   */
  public List<Link> list() throws NetlinkException {
    return list(LinkQuery.full());
  }

  /**
   * Lists some links.
   *
   * @param query which, and what of them
   * @return the links by index
   * @throws NetlinkException if the kernel refuses, or the conversation fails
   */
  public List<Link> list(LinkQuery query) throws NetlinkException {
    MessageWriter request =
        socket.request(ObjectKind.LINK.getType, 0, LinkTables.LINK, "list links");
    request.appendZeros(LinkDecoder.HEADER).putU32(EXT_MASK, query.mask());
    query.namespace().ifPresent(number -> request.putU32(TARGET_NETNSID, number));
    if (query.master() != 0) {
      request.putU32(MASTER, query.master());
    }
    if (!query.kind().isEmpty()) {
      int info = request.open(LINKINFO);
      request.putString(INFO_KIND, query.kind()).close(info);
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
   * Reads a link by its name, which may be one of its alternative names.
   *
   * @param name the name
   * @return the link, with statistics, without virtual functions
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
            .request(ObjectKind.LINK.getType, 0, LinkTables.LINK, new Text("get link ", name))
            .appendZeros(16);
    if (isShort) {
      request.putString(IFNAME, name);
    } else {
      request.putString(ALT_IFNAME, name);
    }
    return one(request);
  }

  /**
   * Reads a link by its index.
   *
   * @param index the index
   * @return the link, with statistics, without virtual functions
   * @throws NetlinkException if the conversation fails; {@link NetlinkException.NotFound} if there
   *     is none
   * @throws IllegalArgumentException if it is not positive
   */
  public Link get(int index) throws NetlinkException {
    MessageWriter request =
        socket.request(ObjectKind.LINK.getType, 0, LinkTables.LINK, new Text("get link ", index));
    return one(request.appendZeros(4).appendU32(checkIndex(index)).appendZeros(8));
  }

  private Link one(MessageWriter request) throws NetlinkException {
    request.putU32(EXT_MASK, LinkQuery.full().mask());
    return socket.get(request, ObjectKind.LINK.newType, decoder::decode);
  }

  /**
   * Looks for a link by its name, which may be one of its alternative names.
   *
   * @param name the name
   * @return the link, if there is one
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
   * Reads the virtual functions of a link, which no list and no look-up does: it takes the kernel
   * long where there are many. Their counters are not asked for, so that more of them fit.
   *
   * @param index the index of the physical function's link
   * @return the virtual functions by number; empty if there are none
   * @throws NetlinkException if the conversation fails; {@link NetlinkException.NotFound} if there
   *     is no such link; {@link NetlinkException.Refused} with EMSGSIZE if there are more than the
   *     kernel can fit into a message, which has no other way to read them
   * @throws IllegalArgumentException if the index is not positive
   */
  public List<VirtualFunction> virtualFunctions(int index) throws NetlinkException {
    Text operation =
        new Text("get virtual functions, as many as fit into one message, of link ", index);
    MessageWriter request = socket.request(ObjectKind.LINK.getType, 0, LinkTables.LINK, operation);
    request.appendZeros(4).appendU32(checkIndex(index)).appendZeros(8);
    request.putU32(EXT_MASK, LinkQuery.VIRTUAL_FUNCTIONS | LinkQuery.SKIP_STATISTICS);
    return socket.get(request, ObjectKind.LINK.newType, decoder::functions);
  }

  /**
   * Makes a link.
   *
   * @param link what to make
   * @return the link that was made, read where it is: in the namespace that its settings name, or
   *     this one
   * @throws NetlinkException if the conversation fails; {@link NetlinkException.Exists} if there is
   *     a link of that name; {@link NetlinkException.Unsupported} if the kernel lacks the kind
   */
  public Link create(NewLink link) throws NetlinkException {
    int flags = MessageFlags.CREATE | MessageFlags.EXCLUSIVE;
    MessageWriter request = socket.request(ObjectKind.LINK.newType, flags, LinkTables.LINK, link);
    link.write(request);
    socket.execute(request);
    NetworkNamespace elsewhere = link.settings().target();
    if (elsewhere != null) {
      try (RouteNetlink there = RouteNetlink.open(elsewhere)) {
        return there.links().named(link);
      } catch (NetlinkException e) {
        throw e;
      } catch (IOException e) {
        throw NetlinkException.elsewhere("get link " + link.name() + " in " + elsewhere, e);
      }
    }
    return named(link);
  }

  private Link named(NewLink made) throws NetlinkException {
    int number = made.settings().targetNumber();
    Link link = number < 0 ? get(made.name()) : getIn(number, made.name());
    LinkSettings rest = made.settings().onceMade();
    if (number >= 0 || (made.alternativeNames().isEmpty() && rest.isEmpty())) {
      return link;
    }
    for (String name : made.alternativeNames()) {
      addAlternativeName(link, name);
    }
    if (!rest.isEmpty()) {
      change(link, rest);
    }
    return get(link.index());
  }

  private Link getIn(int namespace, String name) throws NetlinkException {
    Text operation = new Text("get link " + name + " of namespace number ", namespace);
    MessageWriter request =
        socket.request(ObjectKind.LINK.getType, 0, LinkTables.LINK, operation).appendZeros(16);
    return one(request.putU32(TARGET_NETNSID, namespace).putString(IFNAME, name));
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
    MessageWriter request = socket.request(ObjectKind.LINK.newType, 0, LinkTables.LINK, operation);
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
        socket.request(
            ObjectKind.LINK.deleteType, 0, LinkTables.LINK, new Text("delete link ", link.name()));
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
    MessageWriter request = socket.request(type, flags, LinkTables.LINK, operation);
    request.appendZeros(4).appendU32(link.index()).appendZeros(8);
    int properties = request.open(PROP_LIST);
    request.putString(ALT_IFNAME, name).close(properties);
    socket.execute(request);
  }
}
