package io.dra4j.netlink.fuzz;

import io.dra4j.netlink.LinkKey;
import io.dra4j.netlink.NetlinkException;
import io.dra4j.netlink.NetlinkSocket;
import io.dra4j.netlink.route.ObjectKind;
import io.dra4j.netlink.route.RouteNetlink;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Something that is asked of the kernel, and decodes what it answers. */
interface Question {

  /** All of them: the conversations, and a list of each kind of objects, whichever there are. */
  static List<Question> all() {
    List<Question> all = new ArrayList<>(List.of(Conversation.values()));
    Arrays.stream(ObjectKind.values()).map(Listing::new).forEach(all::add);
    return List.copyOf(all);
  }

  /** Its name in {@code seeds.txt}. */
  String name();

  /** Asks through a socket and gives what was answered. */
  Object ask(NetlinkSocket socket) throws NetlinkException;

  /** What the kernel answers before it comes to the point: the number of a family. */
  default Optional<byte[]> preface() {
    return Optional.empty();
  }

  /** Asks for all objects of a kind, or for all of a link where the kernel tells no others. */
  record Listing(ObjectKind kind) implements Question {

    @Override
    public String name() {
      return "LIST_" + kind.name();
    }

    @Override
    public Object ask(NetlinkSocket socket) throws NetlinkException {
      RouteNetlink route = RouteNetlink.over(socket);
      return switch (kind) {
        case TRAFFIC_CLASS -> route.trafficClasses().list(LinkKey.of(1), 0);
        case TRAFFIC_FILTER -> route.filters().list(LinkKey.of(1), 0);
        default -> route.list(kind);
      };
    }
  }
}
