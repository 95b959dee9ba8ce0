package io.dra4j.netlink.route;

import io.dra4j.linux.NetworkNamespace;
import io.dra4j.netlink.AttributeTable;
import io.dra4j.netlink.Attributes;
import io.dra4j.netlink.MessageWriter;
import io.dra4j.netlink.NetlinkException;
import io.dra4j.netlink.NetlinkSocket;
import java.util.List;
import java.util.OptionalInt;

/**
 * The numbers (IDs) of other namespaces in a namespace. With a number, links of the other namespace
 * can be listed, and links can be moved there, from this namespace ({@code ip netns set}).
 * Thread-safe.
 *
 * <pre>{@code
 * int number = route.namespaceIds().assign(pod);
 * List<Link> links = route.links().list(LinkQuery.lean().inNamespace(number));
 * }</pre>
 */
public final class NamespaceIds {

  private static final int RTM_NEWNSID = 88;
  private static final int RTM_GETNSID = 90;

  private static final AttributeTable TABLE =
      AttributeTable.of("NETNSA_", "NSID:u32 PID:u32 FD:u32 TARGET_NSID:u32 CURRENT_NSID:u32");

  private final NetlinkSocket socket;

  NamespaceIds(NetlinkSocket socket) {
    this.socket = socket;
  }

  /**
   * {@return the number of a namespace ({@code RTM_GETNSID}), if it has one here}
   *
   * @param namespace the namespace
   * @throws NetlinkException if the kernel refuses, or the conversation fails
   */
  public OptionalInt of(NetworkNamespace namespace) throws NetlinkException {
    MessageWriter request =
        socket.request(RTM_GETNSID, 0, TABLE, new Text("get number of ", namespace));
    request.appendZeros(4).put("FD", namespace.descriptor());
    Attributes reported =
        socket.get(request, RTM_NEWNSID, message -> Attributes.read(TABLE, message.attributes(4)));
    int number = reported.number("NSID").orElse(-1); // NETNSA_NSID_NOT_ASSIGNED
    return number < 0 ? OptionalInt.empty() : OptionalInt.of(number);
  }

  /**
   * {@return the numbers that namespaces have here ({@code RTM_GETNSID}, {@code NLM_F_DUMP})}
   *
   * @throws NetlinkException if the kernel refuses, or the conversation fails
   */
  public List<Integer> list() throws NetlinkException {
    MessageWriter request = socket.request(RTM_GETNSID, 0, TABLE, "list numbers of namespaces");
    return socket.dump(
        request.appendZeros(4),
        RTM_NEWNSID,
        message -> {
          int number = Attributes.read(TABLE, message.attributes(4)).number("NSID").orElse(-1);
          return number < 0 ? null : number;
        });
  }

  /**
   * Assigns a number that the kernel chooses ({@code RTM_NEWNSID}), unless the namespace has one.
   *
   * @param namespace the namespace
   * @return its number
   * @throws NetlinkException if the kernel refuses, or the conversation fails
   */
  public int assign(NetworkNamespace namespace) throws NetlinkException {
    return assigned(namespace, -1);
  }

  /**
   * Assigns a number to a namespace, unless it has a number already. If two processes do this at
   * the same time, both get the number of the first one.
   *
   * @param namespace the namespace
   * @param number the number to assign, from 0
   * @return its number
   * @throws NetlinkException if the kernel refuses, or the conversation fails; {@link
   *     NetlinkException.Exists} if another namespace has the number
   * @throws IllegalArgumentException if the number is negative
   */
  public int assign(NetworkNamespace namespace, int number) throws NetlinkException {
    return assigned(namespace, Numbers.positive("number of a namespace", number));
  }

  private int assigned(NetworkNamespace namespace, int number) throws NetlinkException {
    OptionalInt known = of(namespace);
    if (known.isPresent()) {
      return known.getAsInt();
    }
    MessageWriter request =
        socket.request(RTM_NEWNSID, 0, TABLE, new Text("give a number to ", namespace));
    request.appendZeros(4).put("NSID", number);
    request.put("FD", namespace.descriptor());
    try {
      socket.execute(request);
    } catch (NetlinkException.Exists e) {
      return of(namespace).orElseThrow(() -> e); // another process was faster
    }
    return of(namespace)
        .orElseThrow(
            () ->
                new IllegalStateException(
                    "the kernel reports no ID for the namespace although it has just assigned "
                        + "one"));
  }
}
