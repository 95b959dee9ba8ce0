package io.dra4j.netlink.route;

import io.dra4j.linux.NetworkNamespace;
import io.dra4j.netlink.AttributeReader;
import io.dra4j.netlink.AttributeTable;
import io.dra4j.netlink.MessageWriter;
import io.dra4j.netlink.NetlinkException;
import io.dra4j.netlink.NetlinkSocket;
import java.util.OptionalInt;

/**
 * The numbers by which a namespace knows others. With a number, links of the other namespace can be
 * listed, and links moved there, from here. Thread-safe.
 */
public final class NamespaceIds {

  private static final int RTM_NEWNSID = 88;
  private static final int RTM_GETNSID = 90;

  private static final AttributeTable TABLE =
      AttributeTable.of("NETNSA_", "NSID:u32 PID:u32 FD:u32 TARGET_NSID:u32 CURRENT_NSID:u32");
  private static final int NSID = TABLE.type("NSID");
  private static final int FD = TABLE.type("FD");

  private final NetlinkSocket socket;

  NamespaceIds(NetlinkSocket socket) {
    this.socket = socket;
  }

  /**
   * The number of a namespace.
   *
   * @param namespace the namespace
   * @return its number, if it has one here
   * @throws NetlinkException if the kernel refuses, or the conversation fails
   */
  public OptionalInt of(NetworkNamespace namespace) throws NetlinkException {
    MessageWriter request =
        socket.request(RTM_GETNSID, 0, TABLE, new Text("get number of ", namespace));
    request.appendZeros(4).putDescriptor(FD, namespace.descriptor());
    int number =
        socket.get(
            request,
            RTM_NEWNSID,
            message -> {
              AttributeReader reader = message.attributes(4);
              int found = -1;
              while (reader.next()) {
                if (reader.type() == NSID) {
                  found = reader.u32();
                }
              }
              return found;
            });
    return number < 0 ? OptionalInt.empty() : OptionalInt.of(number);
  }

  /**
   * Gives a namespace a number, or the number that it has, whoever gave it. If two do so at once,
   * both get the number that the first has given.
   *
   * @param namespace the namespace
   * @param wanted the number to give; -1 to let the kernel choose
   * @return the number that it has now
   * @throws NetlinkException if the kernel refuses, or the conversation fails; {@link
   *     NetlinkException.Exists} if the number is another's
   */
  public int assign(NetworkNamespace namespace, int wanted) throws NetlinkException {
    OptionalInt known = of(namespace);
    if (known.isPresent()) {
      return known.getAsInt();
    }
    MessageWriter request =
        socket.request(RTM_NEWNSID, 0, TABLE, new Text("give a number to ", namespace));
    request.appendZeros(4).putU32(NSID, wanted);
    request.putDescriptor(FD, namespace.descriptor());
    try {
      socket.execute(request);
    } catch (NetlinkException.Exists e) {
      return of(namespace).orElseThrow(() -> e); // another was faster
    }
    return of(namespace)
        .orElseThrow(() -> new IllegalStateException("the kernel forgot a number it has given"));
  }
}
