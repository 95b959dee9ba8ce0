package io.dra4j.netlink.route;

import io.dra4j.linux.Errno;
import io.dra4j.linux.NetworkNamespace;
import io.dra4j.netlink.LinkKey;
import io.dra4j.netlink.MessageDecoder;
import io.dra4j.netlink.MessageFlags;
import io.dra4j.netlink.MessageWriter;
import io.dra4j.netlink.NetlinkException;
import io.dra4j.netlink.NetlinkSocket;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.locks.LockSupport;

/**
 * The links of a network namespace, as in {@code ip link} ({@code RTM_NEWLINK}, {@code
 * linux/if_link.h}). Thread-safe.
 *
 * <pre>{@code
 * Link bridge = route.links().create(NewLink.bridge("br0"));
 * route.links().change(LinkKey.of("eth0"), LinkSettings.none().master(bridge.index()).up());
 * route.links().list(LinkQuery.lean().membersOf(bridge.index())); // eth0
 * }</pre>
 */
public final class Links {

  private static final int RTM_NEWLINKPROP = 108;
  private static final int RTM_DELLINKPROP = 109;
  private static final long LOOK_EVERY = 20_000_000; // nanoseconds

  private final NetlinkSocket socket;
  private final LinkDecoder decoder = new LinkDecoder();

  Links(NetlinkSocket socket) {
    this.socket = socket;
  }

  /**
   * {@return all links by index, with statistics, without virtual functions}
   *
   * @throws NetlinkException if the kernel refuses, or the conversation fails
   */
  public List<Link> list() throws NetlinkException {
    return list(LinkQuery.full());
  }

  /**
   * {@return the links that a query selects, by index}
   *
   * @param query the links to list, and their facts
   * @throws NetlinkException if the kernel refuses, or the conversation fails
   */
  public List<Link> list(LinkQuery query) throws NetlinkException {
    MessageWriter request =
        socket.request(ObjectKind.LINK.getType, 0, LinkTables.LINK, "list links");
    query.write(request.appendZeros(LinkDecoder.HEADER));
    MessageDecoder<Link> wanted =
        message -> {
          Link link = decoder.decode(message, query.statistics());
          return query.wants(link) ? link : null;
        };
    return query.isAmidChanges()
        ? socket.dumpAmidChanges(request, ObjectKind.LINK.newType, wanted)
        : socket.dump(request, ObjectKind.LINK.newType, wanted);
  }

  /**
   * {@return the link with a name, with statistics, without virtual functions}
   *
   * @param name its name, or one of its alternative names
   * @throws NetlinkException if the conversation fails; {@link NetlinkException.NotFound} if none
   * @throws IllegalArgumentException if it is not a valid name of a link
   */
  public Link get(String name) throws NetlinkException {
    return get(LinkKey.of(name));
  }

  /**
   * Waits until a link has a carrier. NICs take seconds to agree with a switch.
   *
   * @param link the link, its name or its index
   * @param timeout the longest time to wait; zero or less to check once
   * @return the last state of the link: without a carrier if the time is over, or if the thread was
   *     interrupted; its interrupt status stays set
   * @throws NetlinkException if the conversation fails; {@link NetlinkException.NotFound} if there
   *     is no such link, or it is removed meanwhile
   */
  public Link awaitCarrier(LinkKey link, Duration timeout) throws NetlinkException {
    long deadline = System.nanoTime() + timeout.toNanos();
    Link found = get(link);
    while (!found.hasCarrier()
        && System.nanoTime() - deadline < 0
        && !Thread.currentThread().isInterrupted()) {
      LockSupport.parkNanos(LOOK_EVERY);
      found = get(found.index());
    }
    return found;
  }

  /**
   * {@return the link with an index, with statistics, without virtual functions}
   *
   * @param index the index
   * @throws NetlinkException if the conversation fails; {@link NetlinkException.NotFound} if none
   * @throws IllegalArgumentException if it is not positive
   */
  public Link get(int index) throws NetlinkException {
    return get(LinkKey.of(index));
  }

  /**
   * {@return the present state of a link, with statistics, without virtual functions}
   *
   * @param link the earlier link, its name or its index
   * @throws NetlinkException if the conversation fails; {@link NetlinkException.NotFound} if none
   */
  public Link get(LinkKey link) throws NetlinkException {
    return one(request(ObjectKind.LINK.getType, 0, "get ", link));
  }

  /**
   * Reads a link with all attributes that the kernel reports ({@code RTM_GETLINK}).
   *
   * @param link the link, its name or its index
   * @return the link and its attributes, without statistics and virtual functions
   * @throws NetlinkException if the conversation fails; {@link NetlinkException.NotFound} if none
   */
  public LinkDetails details(LinkKey link) throws NetlinkException {
    MessageWriter request = request(ObjectKind.LINK.getType, 0, "get details of ", link);
    request.put("EXT_MASK", LinkQuery.SKIP_STATISTICS);
    return socket.get(request, ObjectKind.LINK.newType, decoder::details);
  }

  /**
   * {@return the link with a name, if there is one}
   *
   * @param name its name, which may be one of its alternative names
   * @throws NetlinkException if the conversation fails
   * @throws IllegalArgumentException if it is not a valid name of a link
   */
  public Optional<Link> find(String name) throws NetlinkException {
    try {
      return Optional.of(get(name));
    } catch (NetlinkException.NotFound e) {
      return Optional.empty();
    }
  }

  private Link one(MessageWriter request) throws NetlinkException {
    request.put("EXT_MASK", LinkQuery.full().mask());
    return socket.get(request, ObjectKind.LINK.newType, decoder);
  }

  /** Starts a request for one link, by its index, or otherwise by its name or alternative name. */
  private MessageWriter request(int type, int flags, String verb, LinkKey link) {
    return request(type, flags, verb, link, LinkSettings.none());
  }

  private MessageWriter request(
      int type, int flags, Object verb, LinkKey link, LinkSettings settings) {
    Text operation = new Text(verb, link);
    MessageWriter request = socket.request(type, flags, LinkTables.LINK, operation);
    request.appendZeros(4).appendU32(link.knownIndex().orElse(0));
    request.appendU32(settings.header().flags()).appendU32(settings.header().changed());
    String name = link.knownName();
    return link.knownIndex().isPresent()
        ? request
        : request.put(InterfaceName.isShort(name) ? "IFNAME" : "ALT_IFNAME", name);
  }

  /** Returns the index of a link, which requires a request if only its name is known. */
  OptionalInt index(LinkKey link) throws NetlinkException {
    return link.knownIndex().isPresent()
        ? link.knownIndex()
        : find(link.knownName()).map(Link::knownIndex).orElse(OptionalInt.empty());
  }

  static int checkIndex(int index) {
    return LinkKey.of(index).knownIndex().orElseThrow();
  }

  /**
   * {@return the virtual functions of a link by number; empty if there are none} Lists and look-ups
   * of links leave them out: reading many of them takes the kernel a long time. Their counters are
   * not requested, so that more functions fit into a message.
   *
   * @param link the physical function's link, its name or its index
   * @throws NetlinkException if the conversation fails; {@link NetlinkException.NotFound} if there
   *     is no such link; {@link NetlinkException.Refused} with EMSGSIZE if there are more than fit
   *     into a message; the kernel offers no other way to read them
   */
  public List<VirtualFunction> virtualFunctions(LinkKey link) throws NetlinkException {
    String verb = "get virtual functions, as many as fit into one message, of ";
    MessageWriter request = request(ObjectKind.LINK.getType, 0, verb, link);
    request.put("EXT_MASK", LinkQuery.VIRTUAL_FUNCTIONS | LinkQuery.SKIP_STATISTICS);
    return socket.get(request, ObjectKind.LINK.newType, decoder::functions);
  }

  /**
   * Creates a link.
   *
   * @param link the link to create
   * @return the created link, read in the namespace of its settings, or in this one
   * @throws NetlinkException if the conversation fails; {@link NetlinkException.Exists} if there is
   *     a link of that name; {@link NetlinkException.Unsupported} if the kernel lacks the kind
   * @throws IllegalArgumentException if its kind is always Ethernet and an address is not 6 bytes
   */
  public Link create(NewLink link) throws NetlinkException {
    int flags = MessageFlags.CREATE | MessageFlags.EXCLUSIVE;
    MessageWriter request = socket.request(ObjectKind.LINK.newType, flags, LinkTables.LINK, link);
    link.checkAddresses().write(request);
    socket.execute(request);
    NetworkNamespace elsewhere = link.settings().header().target();
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
    int number = made.settings().header().targetNumber();
    Link link = number < 0 ? get(made.name()) : getIn(number, made.name());
    LinkSettings rest = made.settings().onceMade(link.mtu());
    if (number >= 0 || (made.alternativeNames().isEmpty() && rest.isEmpty())) {
      return link;
    }
    for (String name : made.alternativeNames()) {
      addAlternativeName(link, name);
    }
    if (!rest.isEmpty()) {
      change(link, rest);
    }
    return get(link);
  }

  private Link getIn(int namespace, String name) throws NetlinkException {
    Text operation = new Text("get link " + name + " of namespace number ", namespace);
    MessageWriter request =
        socket.request(ObjectKind.LINK.getType, 0, LinkTables.LINK, operation).appendZeros(16);
    return one(request.put("TARGET_NETNSID", namespace).put("IFNAME", name));
  }

  /**
   * Changes a link.
   *
   * @param link the link, its name or its index
   * @param settings the settings to change
   * @throws NetlinkException if the kernel refuses, or the conversation fails; {@link
   *     NetlinkException.NotFound} if there is no such link
   * @throws IllegalArgumentException if the length of a hardware address is not the length of the
   *     link's address
   */
  public void change(LinkKey link, LinkSettings settings) throws NetlinkException {
    // A link cannot be renamed by its name: the kernel would look for the new name.
    LinkKey found = link.knownIndex().isPresent() ? link : get(link);
    if (!settings.hardwareAddresses().isEmpty()) {
      Link known = found instanceof Link one ? one : get(found);
      settings.hardwareAddresses().forEach(address -> checkLength(known, address));
    }
    try {
      set(found, settings);
    } catch (NetlinkException.Unsupported e) { // nothing was changed yet
      if (e.errno() != Errno.EAFNOSUPPORT.code() || !settings.needsMtuFirst()) {
        throw e;
      }
      set(found, settings.ofIpv6(false));
      set(found, settings.ofIpv6(true));
    }
  }

  /** Checks the length of an address: the kernel would truncate an address that is too long. */
  static void checkLength(Link link, HardwareAddress address) {
    checkLength("link " + link.name(), link.address().length(), address);
  }

  static void checkLength(String link, int length, HardwareAddress address) {
    if (address.length() != length) {
      throw new IllegalArgumentException(
          "hardware address %s has %d bytes, but the hardware addresses of %s have %d"
              .formatted(address, address.length(), link, length));
    }
  }

  private void set(LinkKey found, LinkSettings settings) throws NetlinkException {
    Text verb = new Text("set ", new Text(settings, " on "));
    MessageWriter request = request(ObjectKind.LINK.newType, 0, verb, found, settings);
    settings.write(request);
    socket.execute(request);
  }

  /**
   * Deletes a link.
   *
   * @param link the link, its name or its index
   * @throws NetlinkException if the conversation fails; {@link NetlinkException.NotFound} if there
   *     is none; {@link NetlinkException.Unsupported} if it is hardware
   */
  public void delete(LinkKey link) throws NetlinkException {
    socket.execute(request(ObjectKind.LINK.deleteType, 0, "delete ", link));
  }

  /**
   * Adds an alternative name to a link ({@code IFLA_ALT_IFNAME}).
   *
   * @param link the link, its name or its index
   * @param name the alternative name, at most 127 bytes of UTF-8
   * @throws NetlinkException if the conversation fails; {@link NetlinkException.Exists} if it is
   *     the name of a link; {@link NetlinkException.NotFound} if there is no such link
   * @throws IllegalArgumentException if it is not a valid name of a link
   */
  public void addAlternativeName(LinkKey link, String name) throws NetlinkException {
    int flags = MessageFlags.CREATE | MessageFlags.EXCLUSIVE | MessageFlags.APPEND;
    alternativeName(RTM_NEWLINKPROP, flags, "add", link, name);
  }

  /**
   * Removes an alternative name of a link ({@code IFLA_ALT_IFNAME}).
   *
   * @param link the link, its name or its index
   * @param name the alternative name
   * @throws NetlinkException if the conversation fails; {@link NetlinkException.NotFound} if there
   *     is no such link, or it has no such alternative name
   * @throws IllegalArgumentException if it is not a valid name of a link
   */
  public void removeAlternativeName(LinkKey link, String name) throws NetlinkException {
    try {
      alternativeName(RTM_DELLINKPROP, 0, "remove", link, name);
    } catch (NetlinkException.Refused e) { // EINVAL if another link has it
      throw get(link).alternativeNames().contains(name) ? e : e.asNotFound();
    }
  }

  private void alternativeName(int type, int flags, String verb, LinkKey link, String name)
      throws NetlinkException {
    InterfaceName.checkAlternative(name);
    String operation = verb + " alternative name " + name + " of ";
    MessageWriter request = request(type, flags, operation, link);
    int properties = request.open("PROP_LIST");
    request.put("ALT_IFNAME", name).close(properties);
    socket.execute(request);
  }
}
