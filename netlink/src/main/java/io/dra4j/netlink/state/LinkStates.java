package io.dra4j.netlink.state;

import io.dra4j.linux.NetworkNamespace;
import io.dra4j.netlink.LinkKey;
import io.dra4j.netlink.NetlinkException;
import io.dra4j.netlink.ethtool.Ethtool;
import io.dra4j.netlink.route.Link;
import io.dra4j.netlink.route.RouteNetlink;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Captures and restores links of one network namespace over sockets that stay open. Thread-safe,
 * but two concurrent restorations of the same link may report each other's changes.
 *
 * <pre>{@code
 * try (LinkStates states = LinkStates.open(host)) {
 *   LinkState before = states.capture(LinkKey.of("eth0"));
 *   ...
 *   Restoration restoration = states.restore(before, LinkKey.of("eth0"));
 *   if (restoration.waitsForCarrier()
 *       && states.awaitCarrier(LinkKey.of("eth0"), Duration.ofSeconds(10))) {
 *     restoration = states.restore(before, LinkKey.of("eth0"));
 *   }
 * }
 * }</pre>
 */
public final class LinkStates implements AutoCloseable {

  private final NetworkNamespace namespace;
  private final RouteNetlink route;
  private final @Nullable Ethtool ethtool;
  private volatile boolean isClosed;

  private LinkStates(NetworkNamespace namespace, RouteNetlink route, @Nullable Ethtool ethtool) {
    this.namespace = namespace;
    this.route = route;
    this.ethtool = ethtool;
  }

  /**
   * {@return an object that captures and restores the links of a namespace, over new sockets}
   *
   * @param namespace the namespace, which must stay open as long as the result is used
   * @throws IOException if the namespace cannot be entered, or the kernel refuses
   */
  public static LinkStates open(NetworkNamespace namespace) throws IOException {
    RouteNetlink route = RouteNetlink.open(namespace);
    try {
      return new LinkStates(namespace, route, ethtool(namespace));
    } catch (IOException | RuntimeException | Error e) {
      route.close();
      throw e;
    }
  }

  private static @Nullable Ethtool ethtool(NetworkNamespace namespace) throws IOException {
    try {
      return Ethtool.open(namespace);
    } catch (NetlinkException.NotFound e) { // before Linux 5.6
      return null;
    }
  }

  /**
   * {@return the state of a link}
   *
   * @param link the link, its name or its index
   * @throws NetlinkException if the kernel refuses, or the conversation fails; {@link
   *     NetlinkException.NotFound} if there is no such link
   * @throws IOException if the namespace cannot be entered
   */
  public LinkState capture(LinkKey link) throws IOException {
    return new LinkReader(namespace, route, ethtool, null)
        .read(indexOf(link), new NamespaceContext(route));
  }

  /**
   * {@return a snapshot for one thread, valid as long as nothing is changed} It captures several
   * links at one moment: lists that the kernel has for all links are read only once.
   */
  public Snapshot snapshot() {
    return new Snapshot(new NamespaceContext(route));
  }

  /** The links of a namespace at one moment. Not thread-safe. */
  public final class Snapshot {

    private final NamespaceContext context;

    private Snapshot(NamespaceContext context) {
      this.context = context;
    }

    /**
     * {@return the state of a link}
     *
     * @param link the link, its name or its index
     * @throws NetlinkException as {@link LinkStates#capture}
     * @throws IOException if the namespace cannot be entered
     */
    public LinkState capture(LinkKey link) throws IOException {
      return new LinkReader(namespace, route, ethtool, null).read(indexOf(link), context);
    }

    /**
     * {@return all links, without statistics}
     *
     * @throws NetlinkException if the kernel refuses, or the conversation fails
     */
    public List<Link> links() throws NetlinkException {
      return context.links();
    }
  }

  private int indexOf(LinkKey link) throws NetlinkException {
    return link.knownIndex().isPresent()
        ? link.knownIndex().getAsInt()
        : route.links().get(link).index();
  }

  /**
   * Restores the state of a link, as {@link LinkState#restore} does. If the conversation with the
   * kernel fails, it is repeated once over new sockets, unless this object was closed.
   *
   * @param before the earlier state
   * @param link the link, its present name or index
   * @return what is not as it was afterwards, with the kernel's reasons
   * @throws NetlinkException.NotFound if there is no such link, or it is removed meanwhile; no
   *     other link is changed
   * @throws NetlinkException.Closed if this object is closed
   * @throws IOException if the present state of the link cannot be read
   */
  public Restoration restore(LinkState before, LinkKey link) throws IOException {
    int index =
        indexOf(link); // the link is identified by it from here on: another link may get the name
    try {
      return new LinkRestorer(namespace, route, ethtool, before).restore(index);
    } catch (NetlinkException.NotFound e) {
      throw e; // new sockets would not help
    } catch (IOException e) {
      if (isClosed) {
        throw e;
      }
      try (LinkStates fresh = open(namespace)) {
        return new LinkRestorer(namespace, fresh.route, fresh.ethtool, before).restore(index);
      } catch (IOException another) {
        another.addSuppressed(e);
        throw another;
      }
    }
  }

  /**
   * Waits until a link has a carrier. NICs take seconds to agree with a switch.
   *
   * @param link the link, its name or its index
   * @param timeout the longest time to wait; zero or less to check once
   * @return whether it has one; {@code false} also if interrupted; the interrupt status stays set
   * @throws NetlinkException.NotFound if there is no such link, or it is removed meanwhile
   * @throws NetlinkException if the conversation with the kernel fails
   */
  public boolean awaitCarrier(LinkKey link, Duration timeout) throws NetlinkException {
    return route.links().awaitCarrier(link, timeout).hasCarrier();
  }

  /** Closes the sockets; running and later calls fail. */
  @Override
  public void close() {
    isClosed = true;
    route.close();
    if (ethtool != null) {
      ethtool.close();
    }
  }
}
