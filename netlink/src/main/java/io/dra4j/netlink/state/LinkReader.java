package io.dra4j.netlink.state;

import io.dra4j.linux.LinkSysctls;
import io.dra4j.linux.NetworkNamespace;
import io.dra4j.netlink.AttributeReader;
import io.dra4j.netlink.AttributeTable;
import io.dra4j.netlink.Message;
import io.dra4j.netlink.MessageDecoder;
import io.dra4j.netlink.MessageWriter;
import io.dra4j.netlink.NetlinkException;
import io.dra4j.netlink.NetlinkSocket;
import io.dra4j.netlink.ethtool.Ethtool;
import io.dra4j.netlink.route.BpfFilter;
import io.dra4j.netlink.route.InterfaceAddress;
import io.dra4j.netlink.route.Neighbour;
import io.dra4j.netlink.route.NextHopObject;
import io.dra4j.netlink.route.Route;
import io.dra4j.netlink.route.RouteNetlink;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads the state of links of one namespace. Thread-safe. */
final class LinkReader {

  // linux/rtnetlink.h and linux/if_link.h
  private static final int RTM_NEWLINK = 16;
  private static final int RTM_GETLINK = 18;
  private static final int RTM_NEWNEIGHTBL = 64;
  private static final int RTM_GETNEIGHTBL = 66;
  private static final int HEADER = 16; // struct ifinfomsg
  private static final int IFLA_IFNAME = 3;
  private static final int IFLA_LINK = 5;
  private static final int IFLA_QDISC = 6;
  private static final int IFLA_MASTER = 10;
  private static final int IFLA_LINKINFO = 18;
  private static final int IFLA_AF_SPEC = 26;
  private static final int IFLA_EXT_MASK = 29;
  private static final int IFLA_LINK_NETNSID = 37;
  private static final int IFLA_XDP = 43;
  private static final int IFLA_PROP_LIST = 52;
  private static final int IFLA_ALT_IFNAME = 53;
  private static final int SKIP_STATISTICS = 8;

  private static final int KERNEL_RA = 9; // RTPROT_RA
  private static final int KERNEL_LL = 3; // IFAPROT_KERNEL_LL
  private static final int TEMPORARY = 1; // IFA_F_TEMPORARY

  /** Kinds of links that are deleted with the link they are on, and can be made again. */
  private static final Set<String> UPPER = Set.of("vlan", "macvlan", "macvtap", "ipvlan", "ipvtap");

  /** What macvlans tell and do not take: MAC addresses of mode source, and what a queue is now. */
  private static final Set<Integer> MACVLAN_STATE = Set.of(4, 5, 6, 8);

  /** What can be set of a port of a bridge, {@code IFLA_BRPORT_...}; the rest is state. */
  private static final Set<Integer> BRIDGE_PORT =
      Set.of(
          2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 25, 27, 28, 29, 30, 31, 32, 33, 34, 37, 39, 40, 42,
          43, 44);

  /** What can be set of a member of a bond: {@code IFLA_BOND_SLAVE_QUEUE_ID}, {@code _PRIO}. */
  private static final Set<Integer> BOND_MEMBER = Set.of(5, 9);

  private final NetworkNamespace namespace;
  private final NetlinkSocket socket;
  private final RouteNetlink route;
  private final @Nullable Ethtool ethtool;

  LinkReader(
      NetworkNamespace namespace,
      NetlinkSocket socket,
      RouteNetlink route,
      @Nullable Ethtool ethtool) {
    this.namespace = namespace;
    this.socket = socket;
    this.route = route;
    this.ethtool = ethtool;
  }

  /** What the kernel makes itself, some time after a link is up, and takes away itself. */
  static boolean isByKernel(FactKind.Fact<?> fact) {
    if (fact.object() instanceof Route one) {
      return one.protocol() == Route.PROTOCOL_KERNEL || one.protocol() == KERNEL_RA;
    }
    return fact.object() instanceof InterfaceAddress one
        && one.address().address().isV6()
        && one.address().address().isLinkLocal()
        && one.protocol().orElse(KERNEL_LL) == KERNEL_LL;
  }

  /** What a message about a link says, as far as it matters here. */
  private static final class Described {
    private int index;
    private String name = "";
    private int parent;
    private int master;
    private boolean elsewhere;
    private String kind = "";
    private final Map<String, String> values = new TreeMap<>();
  }

  LinkState read(String name) throws IOException {
    return read(route.links().get(name).index());
  }

  LinkState read(int index) throws IOException {
    Described link = request("get link " + index, index, false, LinkReader::details).get(0);
    List<String> uppers = new ArrayList<>();
    List<String> masters = new ArrayList<>();
    request(
        "list links on " + link.name,
        0,
        true,
        message -> {
          Described other = outline(message);
          if (other.parent == link.index && !other.elsewhere && UPPER.contains(other.kind)) {
            uppers.add(other.name);
          }
          if (other.index == link.master) {
            masters.add(other.name);
          }
          return null;
        });
    masters.forEach(master -> link.values.put("master", master));
    sysctls(link);
    features(link);
    for (BpfFilter filter : route.filters().list(link.index)) {
      String place = filter.parent() == BpfFilter.INGRESS ? "ingress" : "egress";
      String what = "filter " + place + " " + filter.priority() + " handle " + filter.handle();
      link.values.put(what, "bpf " + filter.name());
    }
    List<LinkState> states = new ArrayList<>();
    for (String upper : uppers) {
      states.add(read(upper));
    }
    long now = System.currentTimeMillis() / 1_000;
    return new LinkState(now, link.index, link.name, link.values, facts(link), states);
  }

  private <T> List<T> request(String operation, int index, boolean all, MessageDecoder<T> decoder)
      throws NetlinkException {
    MessageWriter request = socket.request(RTM_GETLINK, 0, AttributeTable.NONE, operation);
    request.appendZeros(4).appendU32(index).appendZeros(HEADER - 8);
    request.putU32(IFLA_EXT_MASK, SKIP_STATISTICS);
    return all
        ? socket.dump(request, RTM_NEWLINK, decoder)
        : List.of(socket.get(request, RTM_NEWLINK, decoder));
  }

  private static Described outline(Message message) throws NetlinkException.Malformed {
    Described link = new Described();
    link.index = message.u32(4);
    AttributeReader reader = message.attributes(HEADER);
    while (reader.next()) {
      switch (reader.type()) {
        case IFLA_IFNAME -> link.name = reader.string();
        case IFLA_LINK -> link.parent = reader.u32();
        case IFLA_LINK_NETNSID -> link.elsewhere = true;
        case IFLA_LINKINFO -> {
          reader.enter();
          while (reader.next()) {
            if (reader.type() == 1) {
              link.kind = reader.string();
            }
          }
        }
        default -> {
          // told in details
        }
      }
    }
    return link;
  }

  private static Described details(Message message) throws NetlinkException.Malformed {
    Described link = outline(message);
    int flags = message.u32(8);
    Setting.FLAGS.forEach((flag, bit) -> link.values.put(flag, (flags & bit) != 0 ? "on" : "off"));
    AttributeReader reader = message.attributes(HEADER);
    while (reader.next()) {
      switch (reader.type()) {
        case IFLA_MASTER -> link.master = reader.u32();
        case IFLA_QDISC -> link.values.put("qdisc", reader.string());
        case IFLA_AF_SPEC -> Configuration.read(reader, link.values);
        case IFLA_PROP_LIST -> {
          reader.enter();
          while (reader.next()) {
            if (reader.type() == IFLA_ALT_IFNAME) {
              link.values.put("altname " + reader.string(), "on");
            }
          }
        }
        case IFLA_LINKINFO -> kindData(reader, link);
        case IFLA_XDP -> xdp(reader, link);
        default -> Setting.read(reader, link.values);
      }
    }
    return link;
  }

  /** The kind comes before its data ({@code rtnl_link_fill}). */
  private static void kindData(AttributeReader reader, Described link)
      throws NetlinkException.Malformed {
    String memberKind = "";
    reader.enter();
    while (reader.next()) {
      switch (reader.type()) {
        case 1 -> link.values.put("kind", reader.string());
        case 4 -> memberKind = reader.string();
        case 2 -> {
          boolean macvlan = link.kind.startsWith("macv");
          if (UPPER.contains(link.kind)) {
            data(reader, "data ", macvlan ? MACVLAN_STATE : Set.of(), Set.of(), link);
          }
        }
        case 5 -> {
          Set<Integer> only =
              switch (memberKind) {
                case "bridge" -> BRIDGE_PORT;
                case "bond" -> BOND_MEMBER;
                default -> Set.of(0); // a VRF's members have the table of the VRF
              };
          data(reader, "member " + memberKind + " data ", Set.of(), only, link);
        }
        default -> {
          // statistics
        }
      }
    }
  }

  private static void data(
      AttributeReader reader, String name, Set<Integer> but, Set<Integer> only, Described link)
      throws NetlinkException.Malformed {
    reader.enter();
    while (reader.next()) {
      if (!but.contains(reader.type()) && (only.isEmpty() || only.contains(reader.type()))) {
        link.values.put(name + reader.type(), HexFormat.of().formatHex(reader.bytes()));
      }
    }
  }

  private static void xdp(AttributeReader reader, Described link)
      throws NetlinkException.Malformed {
    reader.enter();
    while (reader.next()) {
      if (reader.type() == 4) { // IFLA_XDP_PROG_ID
        link.values.put("xdp program", Integer.toUnsignedString(reader.u32()));
      }
    }
  }

  private void sysctls(Described link) throws IOException {
    MessageWriter request =
        socket.request(RTM_GETNEIGHTBL, 0, AttributeTable.NONE, "list neighbour tables");
    socket.<Boolean>dump(
        request.appendZeros(4),
        RTM_NEWNEIGHTBL,
        message -> {
          Configuration.readNeighbours(message.attributes(4), link.index, link.values);
          return null;
        });
    List<String> files = new ArrayList<>(Configuration.FILES);
    if (link.values.getOrDefault("sysctl ipv6/conf/addr_gen_mode", "").equals("2")) {
      files.add("ipv6/conf/stable_secret"); // which no other mode uses
    }
    LinkSysctls.of(namespace, link.name)
        .getAll(files)
        .forEach((parameter, value) -> link.values.put("sysctl " + parameter, value));
  }

  private void features(Described link) throws NetlinkException {
    if (ethtool == null) {
      return;
    }
    ethtool
        .features(link.index)
        .values()
        .forEach(
            feature -> {
              if (feature.changeable()) {
                link.values.put("feature " + feature.name(), feature.wanted() ? "on" : "off");
              }
            });
    try {
      ethtool
          .privateFlags(link.index)
          .forEach((flag, set) -> link.values.put("private flag " + flag, set ? "on" : "off"));
    } catch (NetlinkException.Unsupported e) {
      // most drivers have none
    }
  }

  private Map<FactKind<?>, List<FactKind.Fact<?>>> facts(Described link) throws NetlinkException {
    int index = link.index;
    List<NextHopObject> hops = nextHops(index);
    Set<Integer> numbers = new HashSet<>();
    hops.forEach(hop -> numbers.add(hop.id()));
    Map<FactKind<?>, List<FactKind.Fact<?>>> facts = new HashMap<>();
    facts.put(
        FactKind.ADDRESS,
        List.copyOf(
            FactKind.ADDRESS.facts(
                route.addresses().list(index).stream()
                    .filter(one -> (one.flags() & TEMPORARY) == 0)
                    .toList())));
    facts.put(FactKind.NEXT_HOP, List.copyOf(FactKind.NEXT_HOP.facts(hops)));
    facts.put(
        FactKind.ROUTE,
        List.copyOf(
            FactKind.ROUTE.facts(
                route.routes().list().stream()
                    .filter(one -> isThrough(one, index, numbers) && !isOfAddress(one))
                    .toList())));
    facts.put(
        FactKind.NEIGHBOUR,
        List.copyOf(
            FactKind.NEIGHBOUR.facts(
                Stream.concat(
                        route.neighbours().list(index).stream().filter(Neighbour::isPermanent),
                        route.neighbours().proxies().stream().filter(one -> one.index() == index))
                    .toList())));
    facts.put(
        FactKind.RULE,
        List.copyOf(
            FactKind.RULE.facts(
                route.rules().list().stream()
                    .filter(
                        one ->
                            one.inputLink().equals(link.name) || one.outputLink().equals(link.name))
                    .toList())));
    return facts;
  }

  private List<NextHopObject> nextHops(int index) throws NetlinkException {
    List<NextHopObject> all;
    try {
      all = route.nextHopObjects().list();
    } catch (NetlinkException.Unsupported e) { // before Linux 5.3
      return List.of();
    }
    List<NextHopObject> ours = new ArrayList<>();
    Set<Integer> numbers = new HashSet<>();
    for (NextHopObject one : all) {
      if (one.index().orElse(0) == index) {
        ours.add(one);
        numbers.add(one.id());
      }
    }
    for (NextHopObject one : all) {
      if (one.group().keySet().stream().anyMatch(numbers::contains)) {
        ours.add(one);
      }
    }
    return ours;
  }

  /** The kernel makes these of addresses, when it has looked for duplicates, and nobody else. */
  private static boolean isOfAddress(Route one) {
    return one.table() == Route.LOCAL_TABLE && one.protocol() == Route.PROTOCOL_KERNEL;
  }

  private static boolean isThrough(Route one, int index, Set<Integer> hops) {
    return one.index().orElse(0) == index
        || (one.nextHopObject().isPresent() && hops.contains(one.nextHopObject().getAsInt()))
        || one.nextHops().stream().anyMatch(hop -> hop.index().orElse(0) == index);
  }
}
