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
 * Captures and restores links of one network namespace over sockets that stay open. Thread-safe;
 * but two that restore the same link at once may report each other's work.
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
   * Opens sockets in a namespace.
   *
   * @param namespace the namespace, which stays open as long as this is used
   * @return captures and restores its links
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
   * Reads the state of a link.
   *
   * @param link the link, its name or its index
   * @return the state
   * @throws NetlinkException if the kernel refuses, or the conversation fails; {@link
   *     NetlinkException.NotFound} if there is no such link
   * @throws IOException if the namespace cannot be entered
   */
  public LinkState capture(LinkKey link) throws IOException {
    return new LinkReader(namespace, route, ethtool, null)
        .read(indexOf(link), new NamespaceContext(route));
  }

  /**
   * Begins to capture several links as of one moment: what the kernel lists for all links of the
   * namespace is read once for all of them.
   *
   * @return for one thread, and for as long as nothing has been changed
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
     * Reads the state of a link.
     *
     * @param link the link, its name or its index
     * @return the state
     * @throws NetlinkException as {@link LinkStates#capture}
     * @throws IOException if the namespace cannot be entered
     */
    public LinkState capture(LinkKey link) throws IOException {
      return new LinkReader(namespace, route, ethtool, null).read(indexOf(link), context);
    }

    /**
     * Lists all links.
     *
     * @return the links, without statistics
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
   * Makes a link what it was, as {@link LinkState#restore} does. If the conversation with the
   * kernel breaks, it is tried once more over new sockets, unless this was closed.
   *
   * @param before what it was
   * @param link the link, the name or the index that it has now
   * @return what is not as it was afterwards, with the kernel's reasons
   * @throws NetlinkException.NotFound if there is no such link, or it goes meanwhile; no other link
   *     is touched
   * @throws NetlinkException.Closed if this is closed
   * @throws IOException if it cannot be read what the link is
   */
  public Restoration restore(LinkState before, LinkKey link) throws IOException {
    int index = indexOf(link); // by which the link is known from here on: names may change hands
    try {
      return new LinkRestorer(namespace, route, ethtool, before).restore(index);
    } catch (NetlinkException.NotFound e) {
      throw e; // nothing is at fault that other sockets would mend
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
   * @param timeout how long to wait at most; zero or less to look once
   * @return whether it has a carrier; {@code false} also if the thread is interrupted, which it
   *     stays
   * @throws NetlinkException.NotFound if there is no such link, or it goes meanwhile
   * @throws NetlinkException if the conversation with the kernel fails
   */
  public boolean awaitCarrier(LinkKey link, Duration timeout) throws NetlinkException {
    return route.links().awaitCarrier(link, timeout).hasCarrier();
  }

  /** Closes the sockets; what is asked afterwards, and what is under way, is refused. */
  @Override
  public void close() {
    isClosed = true;
    route.close();
    if (ethtool != null) {
      ethtool.close();
    }
  }
}
