package io.dra4j.netlink.route;

import io.dra4j.netlink.LinkKey;
import io.dra4j.netlink.MessageFlags;
import io.dra4j.netlink.NetlinkException;
import io.dra4j.netlink.NetlinkSocket;
import java.util.ArrayList;
import java.util.List;

/**
 * The queueing disciplines, classes or filters of the links of a network namespace ({@code tc}).
 * Thread-safe.
 *
 * <pre>{@code
 * for (TrafficControl filter : route.filters().list(LinkKey.of("eth0"), TrafficControl.INGRESS)) {
 *   route.filters().delete(filter);
 * }
 * }</pre>
 *
 * <p>A BPF filter that was read cannot be added: the kernel reports the number of its program, but
 * requires an open file of the program. If a filter is deleted, its program stays loaded as long as
 * other objects hold it.
 */
public final class TrafficControls extends RouteObjects<TrafficControl> {

  private static final int ANY_PARENT = 0;

  TrafficControls(NetlinkSocket socket, Links links, ObjectKind kind) {
    super(socket, links, kind, TrafficCodec.LAYOUT, new TrafficCodec(kind));
  }

  /** Lists all objects. The kernel lists all disciplines, but classes and filters of one link. */
  @Override
  public List<TrafficControl> list() throws NetlinkException {
    if (kind == ObjectKind.QUEUE_DISCIPLINE) {
      return super.list();
    }
    List<TrafficControl> all = new ArrayList<>();
    for (Link link : links.list(LinkQuery.lean())) {
      all.addAll(list(link));
    }
    return List.copyOf(all);
  }

  /**
   * {@return the objects of a link; for filters, the filters of incoming packets, of outgoing
   * packets, and of the root discipline; empty if the link has none, or there is no such link}
   *
   * @param link the link, its name or its index
   * @throws NetlinkException if the kernel refuses, or the conversation fails
   */
  public List<TrafficControl> list(LinkKey link) throws NetlinkException {
    if (kind != ObjectKind.TRAFFIC_FILTER) {
      return list(link, ANY_PARENT);
    }
    List<TrafficControl> all = new ArrayList<>();
    for (int parent : new int[] {TrafficControl.INGRESS, TrafficControl.EGRESS, ANY_PARENT}) {
      all.addAll(list(link, parent));
    }
    return List.copyOf(all);
  }

  /**
   * {@return the objects of a link with one parent; empty if there are none}
   *
   * @param link the link, its name or its index
   * @param parent the parent, for example {@link TrafficControl#INGRESS}; 0 for the root discipline
   *     if these are filters, and for all objects otherwise
   * @throws NetlinkException if the kernel refuses, or the conversation fails
   */
  public List<TrafficControl> list(LinkKey link, int parent) throws NetlinkException {
    List<TrafficControl> found =
        listOf(
            link,
            index -> Payload.of(layout).set("ifindex", index).set("parent", parent),
            index -> object -> object.index() == index);
    boolean isOfEgress = kind == ObjectKind.TRAFFIC_FILTER && parent == TrafficControl.EGRESS;
    return isOfEgress && !found.isEmpty() && !hasClsact(link) ? List.of() : found;
  }

  /**
   * Returns whether a link has {@code clsact}. The older {@code ingress} has one place for filters,
   * which it reports for both directions.
   */
  private boolean hasClsact(LinkKey link) throws NetlinkException {
    return new TrafficControls(socket, links, ObjectKind.QUEUE_DISCIPLINE)
        .list(link).stream().anyMatch(one -> one.type().equals("clsact"));
  }

  /**
   * Adds an object, or replaces the object with its handle ({@code NLM_F_REPLACE}).
   *
   * @param object the object
   * @throws NetlinkException if the kernel refuses, or the conversation fails
   */
  public void replace(TrafficControl object) throws NetlinkException {
    write("set ", MessageFlags.CREATE | MessageFlags.REPLACE, object);
  }
}
