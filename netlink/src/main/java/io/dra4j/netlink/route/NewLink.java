package io.dra4j.netlink.route;

import io.dra4j.linux.NetworkNamespace;
import io.dra4j.netlink.AttributeTable;
import io.dra4j.netlink.Attributes;
import io.dra4j.netlink.MessageWriter;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * A request to create a link: its name, its kind with the required attributes, and settings.
 * Immutable.
 *
 * <pre>{@code
 * Link vlan = route.links().create(NewLink.vlan("eth0.5", eth0.index(), 5));
 * }</pre>
 */
public final class NewLink {

  /** Kinds that are always Ethernet, unlike bonds (InfiniBand) and tunnels (other addresses). */
  private static final Set<String> ETHERNET =
      Set.of("bridge", "dummy", "ifb", "veth", "vlan", "macvlan", "macvtap", "vxlan", "geneve");

  private final String name;
  private final String kind;
  private final int index;
  private final Attributes attributes;
  private final LinkSettings settings;
  private final List<String> alternativeNames;
  private final Consumer<MessageWriter> data;

  @SuppressWarnings("ParameterNumber") // exactly its fields
  private NewLink(
      String name,
      String kind,
      int index,
      Attributes attributes,
      LinkSettings settings,
      List<String> alternativeNames,
      Consumer<MessageWriter> data) {
    this.name = InterfaceName.check(name);
    this.kind = kind;
    this.index = index;
    this.attributes = attributes;
    this.settings = settings;
    this.alternativeNames = alternativeNames;
    this.data = data;
  }

  private static NewLink of(String name, String kind, int parent, Consumer<MessageWriter> data) {
    return new NewLink(name, kind, 0, on(parent), LinkSettings.none(), List.of(), data);
  }

  /** Returns the attributes of a new link besides name and kind: the link below it, if any. */
  private static Attributes on(int parent) {
    Attributes none = Attributes.none(LinkTables.LINK);
    Numbers.positive("index of the parent", parent);
    return parent == 0 ? none : none.with("LINK", parent);
  }

  /** Returns a link whose kind needs attributes, by its table, which also checks them. */
  private static NewLink of(String name, String kind, int parent, Attributes attributes) {
    return of(name, kind, parent, writer -> writer.putAll(attributes));
  }

  private static Attributes one(String kind, String attribute, int number) {
    AttributeTable table = LinkTables.ofKind(kind);
    return Attributes.none(table).with(attribute, number);
  }

  /**
   * Returns a request that creates a link like the given one: with its kind and all attributes of
   * the kind (also attributes without a name here), parent, queues, names and {@link
   * LinkSettings#of(Link)}. For a pair ({@code veth}, {@code netkit}, {@code vxcan}), the kernel
   * chooses the name of the other end. Properties that the kernel does not report are lost: keys of
   * {@code macsec} and {@code wireguard}, sockets of {@code gtp}, the version of {@code hsr}.
   *
   * @param link a link that is not hardware
   * @return the request
   * @throws IllegalArgumentException if the link is hardware
   */
  public static NewLink like(Link link) {
    if (link.kind().isEmpty()) {
      throw new IllegalArgumentException("link " + link.name() + " is hardware: it has no kind");
    }
    boolean hasParent = !Link.PAIRS.contains(link.kind()) && link.parentNamespace().isEmpty();
    Attributes own = on(hasParent ? link.parentIndex().orElse(0) : 0);
    LinkLimits limits = link.limits();
    if (limits.sendQueues() > 0 && limits.receiveQueues() > 0) {
      own =
          own.with("NUM_TX_QUEUES", limits.sendQueues())
              .with("NUM_RX_QUEUES", limits.receiveQueues());
    }
    Attributes data = Creation.of(link.kind(), link.kindAttributes());
    return new NewLink(
        link.name(),
        link.kind(),
        0,
        own,
        LinkSettings.of(link),
        link.alternativeNames(),
        writer -> writer.putAll(data));
  }

  /** Of an address that is too long the kernel would take the beginning. */
  NewLink checkAddresses() {
    if (ETHERNET.contains(kind)) {
      settings.hardwareAddresses().forEach(one -> Links.checkLength("a " + kind, 6, one));
    }
    return this;
  }

  /**
   * {@return the link with an index ({@code ifi_index}), which the kernel chooses otherwise}
   *
   * @param newIndex the index of the link
   * @throws IllegalArgumentException if the index is not positive
   */
  public NewLink withIndex(int newIndex) {
    int checked = Links.checkIndex(newIndex);
    return new NewLink(name, kind, checked, attributes, settings, alternativeNames, data);
  }

  /**
   * {@return a link of a kind that needs no attributes, such as {@code dummy} or {@code bridge}}
   *
   * @param name its name
   * @param kind its kind
   * @throws IllegalArgumentException if the name is not a valid name of a link
   */
  public static NewLink ofKind(String name, String kind) {
    return of(name, kind, 0, writer -> {});
  }

  /**
   * {@return a link of a kind with the attributes that the kernel reported for another link}
   * Attributes that the kernel does not accept in this form are left out or converted.
   *
   * @param name its name
   * @param kind its kind, for example {@code vlan}
   * @param parent the index of the link that it is on; 0 for none
   * @param reported the values of attributes in {@code IFLA_INFO_DATA}, by type
   * @throws IllegalArgumentException if the name is not valid, or the index is negative
   */
  public static NewLink ofKind(
      String name, String kind, int parent, Map<Integer, byte[]> reported) {
    Attributes attributes = Attributes.none(LinkTables.ofKind(kind));
    for (Map.Entry<Integer, byte[]> one : reported.entrySet()) {
      attributes = attributes.with(one.getKey(), one.getValue());
    }
    return of(name, kind, parent, Creation.of(kind, attributes));
  }

  /**
   * {@return a pair of connected links ({@code veth})}
   *
   * @param name the name of the link
   * @param peer the name of the other end
   * @throws IllegalArgumentException if a name is not a valid name of a link
   */
  public static NewLink veth(String name, String peer) {
    return veth(name, peer, LinkSettings.none());
  }

  /**
   * {@return a pair of connected links ({@code veth}) with the other end in another namespace}
   *
   * @param name the name of the link
   * @param peer the name of the other end
   * @param namespace the namespace of the other end
   * @throws IllegalArgumentException if a name is not a valid name of a link
   */
  public static NewLink veth(String name, String peer, NetworkNamespace namespace) {
    return veth(name, peer, LinkSettings.none().namespace(namespace));
  }

  /**
   * {@return a pair of connected links ({@code veth}) with settings of the other end}
   *
   * @param name the name of the link
   * @param peer the name of the other end
   * @param peerSettings the settings of the other end
   * @throws IllegalArgumentException if a name is not a valid name of a link
   */
  public static NewLink veth(String name, String peer, LinkSettings peerSettings) {
    LinkSettings all = peerSettings.name(peer);
    return of(
        name,
        "veth",
        0,
        writer -> {
          int opened = writer.open("PEER");
          LinkSettings.Header header = all.header();
          writer.appendZeros(8).appendU32(header.flags()).appendU32(header.changed());
          all.write(writer);
          writer.close(opened);
        });
  }

  /**
   * {@return a bridge, a switch in software ({@code bridge})}
   *
   * @param name its name
   * @throws IllegalArgumentException if the name is not a valid name of a link
   */
  public static NewLink bridge(String name) {
    return ofKind(name, "bridge");
  }

  /**
   * {@return a VLAN on a link ({@code vlan})}
   *
   * @param name its name
   * @param parent the index of the link that it is on
   * @param id the number of the VLAN, 0 to 4094
   * @throws IllegalArgumentException if the name is not valid, or a number is out of range
   */
  public static NewLink vlan(String name, int parent, int id) {
    return of(name, "vlan", parent, one("vlan", "ID", Numbers.check("vlan id", id, 0, 4094)));
  }

  /**
   * {@return a link with its own hardware address on another link ({@code macvlan})}
   *
   * @param name its name
   * @param parent the index of the link that it is on
   * @param mode how such links communicate with each other
   * @throws IllegalArgumentException if the name is not a valid name of a link
   */
  public static NewLink macvlan(String name, int parent, LinkData.MacvlanMode mode) {
    return of(name, "macvlan", parent, one("macvlan", "MODE", mode.number()));
  }

  /**
   * {@return a link that shares the hardware address of another link ({@code ipvlan})}
   *
   * @param name its name
   * @param parent the index of the link that it is on
   * @param mode the layer at which packets are distributed
   * @throws IllegalArgumentException if the name is not a valid name of a link
   */
  public static NewLink ipvlan(String name, int parent, LinkData.IpvlanMode mode) {
    return of(name, "ipvlan", parent, one("ipvlan", "MODE", mode.number()));
  }

  /**
   * {@return a VRF, a separate routing table for links ({@code vrf})}
   *
   * @param name its name
   * @param table the number of the table
   * @throws IllegalArgumentException if the name is not a valid name of a link
   */
  public static NewLink vrf(String name, int table) {
    return of(name, "vrf", 0, one("vrf", "TABLE", table));
  }

  /**
   * {@return a bond, which uses several links as one ({@code bond})}
   *
   * @param name its name
   * @param mode 0 round-robin, 1 active-backup, 2 xor, 3 broadcast, 4 802.3ad, 5 tlb, 6 alb
   * @throws IllegalArgumentException if the name is not a valid name of a link
   */
  public static NewLink bond(String name, int mode) {
    return of(name, "bond", 0, one("bond", "MODE", Numbers.check("bond mode", mode, 0, 6)));
  }

  /**
   * {@return a link of IP over InfiniBand in a partition ({@code ipoib})}
   *
   * @param name its name
   * @param parent the index of the link that it is on
   * @param partitionKey the partition
   * @throws IllegalArgumentException if the name is not a valid name of a link
   */
  public static NewLink ipoib(String name, int parent, int partitionKey) {
    Numbers.u16("partition key", partitionKey);
    return of(name, "ipoib", parent, one("ipoib", "PKEY", partitionKey));
  }

  /**
   * {@return the new link with settings}
   *
   * @param newSettings the settings, without a name
   */
  public NewLink with(LinkSettings newSettings) {
    return new NewLink(name, kind, index, attributes, newSettings, alternativeNames, data);
  }

  LinkSettings settings() {
    return settings;
  }

  String name() {
    return name;
  }

  List<String> alternativeNames() {
    return alternativeNames;
  }

  void write(MessageWriter writer) {
    writer.appendZeros(4).appendU32(index);
    LinkSettings taken = settings.whileMade();
    writer.appendU32(taken.header().flags()).appendU32(taken.header().changed());
    writer.put("IFNAME", name).putAll(attributes);
    int info = writer.open("LINKINFO");
    writer.put("KIND", kind);
    int opened = writer.open("DATA", LinkTables.ofKind(kind));
    data.accept(writer);
    writer.close(opened).close(info);
    taken.write(writer);
  }

  @Override
  public String toString() {
    return "create " + kind + " " + name;
  }

  /** Converts attributes of kinds that the kernel accepts in another form than it reports. */
  static final class Creation {

    private static final byte[] SET = // MACVLAN_MACADDR_SET
        ByteBuffer.allocate(4).order(ByteOrder.nativeOrder()).putInt(3).array();

    private static final int VLAN_FLAGS = 15; // the flags of enum vlan_flags that every kernel has

    private Creation() {}

    static Attributes of(String kind, Attributes read) {
      return switch (kind) {
        case "bond" -> bond(read);
        case "geneve" -> geneve(read);
        case "macvlan", "macvtap" -> macvlan(read);
        case "vlan" -> vlan(read);
        case "vxlan" -> vxlan(read);
        case "bridge" -> bridge(read);
        case "hsr" -> hsr(read);
        case "macsec" -> macsec(read);
        case "gretap", "erspan", "ip6gretap", "ip6erspan" -> tunnel(read);
        default -> read;
      };
    }

    /** For tunnels that carry frames, the kernel refuses the empty remote end that it reports. */
    private static Attributes tunnel(Attributes read) {
      byte[] remote = read.bytes("REMOTE").orElse(new byte[0]);
      return Arrays.equals(remote, new byte[remote.length]) ? read.without("REMOTE") : read;
    }

    /** The kernel reports the supervision address and accepts its last byte. */
    private static Attributes hsr(Attributes read) {
      byte[] address = read.bytes("SUPERVISION_ADDR").orElse(new byte[0]);
      Attributes taken = read.without("SUPERVISION_ADDR");
      return address.length == 6
          ? taken.with("MULTICAST_SPEC", Byte.toUnsignedInt(address[5]))
          : taken;
    }

    /** Leaves out a channel identifier that is derived from the hardware address. */
    private static Attributes macsec(Attributes read) {
      boolean isOfAddress = read.number("ES").orElse(0) != 0 || read.number("SCB").orElse(0) != 0;
      return isOfAddress ? read.without("SCI") : read;
    }

    /** Returns the attributes of an existing link that the kernel accepts in a change. */
    static Attributes changing(String kind, Attributes read) {
      Attributes known = Attributes.ofBytes(LinkTables.ofKind(kind), read.toBytes());
      return switch (kind) {
        case "geneve" -> geneve(known);
        case "macvlan", "macvtap" -> macvlan(known);
        case "vlan" -> known.has("FLAGS") ? vlan(known) : read;
        default -> read;
      };
    }

    /**
     * The kernel reports MAC addresses of mode source in one attribute, and accepts them in two.
     */
    private static Attributes macvlan(Attributes read) {
      return read.has("MACADDR_DATA") ? read.with("MACADDR_MODE", SET) : read;
    }

    /**
     * The kernel reports the flags with a mask of all bits, but refuses bits that it does not have.
     * It reports nothing if no flag is on, although a new VLAN has the first flag ({@code
     * vlan_fill_info}, {@code vlan_dev_change_flags} of the kernel's net/8021q).
     */
    private static Attributes vlan(Attributes read) {
      byte[] reported = read.bytes("FLAGS").orElse(new byte[8]); // struct ifla_vlan_flags
      if (reported.length != 8) {
        return read;
      }
      ByteBuffer written = ByteBuffer.wrap(reported).order(ByteOrder.nativeOrder());
      written.putInt(4, VLAN_FLAGS | written.getInt(0));
      return read.with("FLAGS", reported);
    }

    /** The kernel ignores a time to live if its inheritance is present ({@code geneve_nl2info}). */
    private static Attributes geneve(Attributes read) {
      boolean inherits = read.number("TTL_INHERIT").orElse(0) != 0;
      return inherits || !read.has("TTL") ? read : read.without("TTL_INHERIT");
    }

    /** The kernel reports some flags as numbers, but accepts them by their presence. */
    private static Attributes vxlan(Attributes read) {
      Attributes taken = read;
      for (String name : List.of("TTL_INHERIT", "REMCSUM_TX", "REMCSUM_RX")) {
        byte[] reported = read.bytes(name).orElse(new byte[1]);
        if (reported.length == 1 && reported[0] == 0) {
          taken = taken.without(name);
        }
      }
      return taken.has("TTL_INHERIT") ? taken.with("TTL_INHERIT", new byte[0]) : taken;
    }

    /** Leaves out options that are off: a kernel without such an option would refuse it. */
    private static Attributes bridge(Attributes read) {
      Attributes taken =
          read.number("VLAN_FILTERING").orElse(0) == 0 ? read.without("VLAN_FILTERING") : read;
      byte[] reported = read.bytes("MULTI_BOOLOPT").orElse(new byte[0]);
      if (reported.length != 8) { // struct br_boolopt_multi: values and a mask
        return taken;
      }
      System.arraycopy(reported, 0, reported, 4, 4);
      return Arrays.equals(reported, new byte[8])
          ? taken.without("MULTI_BOOLOPT")
          : taken.with("MULTI_BOOLOPT", reported);
    }

    /** Leaves out settings that a bond's mode lacks: the kernel refuses them even unchanged. */
    private static Attributes bond(Attributes read) {
      int mode = read.number("MODE").orElse(0);
      String refused =
          "ACTIVE_SLAVE"
              + (mode == 0 ? "" : " PACKETS_PER_SLAVE")
              + (mode == 5 ? "" : " TLB_DYNAMIC_LB")
              + (mode < 4
                  ? ""
                  : " ARP_INTERVAL ARP_IP_TARGET ARP_VALIDATE MISSED_MAX NS_IP6_TARGET")
              + (mode == 1 || mode > 4 ? "" : " PRIMARY PRIMARY_RESELECT")
              + (mode == 4
                  ? ""
                  : " AD_LACP_RATE AD_SELECT AD_LACP_ACTIVE AD_ACTOR_SYS_PRIO AD_USER_PORT_KEY"
                      + " AD_ACTOR_SYSTEM COUPLED_CONTROL BROADCAST_NEIGH LACP_STRICT");
      if (read.number("MIIMON").orElse(0) == 0) {
        refused += " UPDELAY DOWNDELAY PEER_NOTIF_DELAY";
      }
      if (read.number("ARP_INTERVAL").orElse(0) == 0) {
        refused += " ARP_INTERVAL ARP_IP_TARGET ARP_VALIDATE NS_IP6_TARGET";
      }
      byte[] system = read.bytes("AD_ACTOR_SYSTEM").orElse(new byte[6]);
      if (Arrays.equals(system, new byte[6])) {
        refused += " AD_ACTOR_SYSTEM";
      }
      return read.without(refused.split(" ", -1));
    }
  }
}
