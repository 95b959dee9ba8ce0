package io.dra4j.netlink.route;

import io.dra4j.netlink.Attributes;
import io.dra4j.netlink.LinkKey;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * A link, that is a network interface, as the kernel described it at one moment ({@code ip link},
 * {@code struct ifinfomsg}, {@code linux/if_link.h}). Immutable.
 *
 * <pre>{@code
 * Link link = route.links().get("eth0");
 * System.out.println(link.name() + " " + link.address() + " mtu " + link.mtu());
 * }</pre>
 *
 * <p>{@link LinkSettings#of(Link)} gives what can be set of it again, {@link NewLink#like(Link)}
 * what it takes to make it again. It is a plain class and holds numbers where an object would do,
 * because hosts have thousands of them and lists of them are made often.
 */
public final class Link implements RouteObject, LinkKey {

  private static final int IFF_UP = 1;
  private static final int IFF_LOOPBACK = 8;
  private static final LinkData NONE = new LinkData.None();

  private static final int IFNAME = LinkTables.LINK.type("IFNAME");
  private static final int QDISC = LinkTables.LINK.type("QDISC");
  private static final int IFALIAS = LinkTables.LINK.type("IFALIAS");
  private static final int PHYS_PORT_NAME = LinkTables.LINK.type("PHYS_PORT_NAME");
  private static final int PARENT_DEV_NAME = LinkTables.LINK.type("PARENT_DEV_NAME");
  private static final int PARENT_DEV_BUS_NAME = LinkTables.LINK.type("PARENT_DEV_BUS_NAME");
  private static final int MTU = LinkTables.LINK.type("MTU");
  private static final int LINK = LinkTables.LINK.type("LINK");
  private static final int LINK_NETNSID = LinkTables.LINK.type("LINK_NETNSID");
  private static final int MASTER = LinkTables.LINK.type("MASTER");
  private static final int NEW_NETNSID = LinkTables.LINK.type("NEW_NETNSID");
  private static final int NEW_IFINDEX = LinkTables.LINK.type("NEW_IFINDEX");
  private static final int GROUP = LinkTables.LINK.type("GROUP");
  private static final int PROMISCUITY = LinkTables.LINK.type("PROMISCUITY");
  private static final int ALLMULTI = LinkTables.LINK.type("ALLMULTI");
  private static final int CARRIER_UP_COUNT = LinkTables.LINK.type("CARRIER_UP_COUNT");
  private static final int CARRIER_DOWN_COUNT = LinkTables.LINK.type("CARRIER_DOWN_COUNT");
  private static final int OPERSTATE = LinkTables.LINK.type("OPERSTATE");
  private static final int CARRIER = LinkTables.LINK.type("CARRIER");
  private static final int PROTO_DOWN = LinkTables.LINK.type("PROTO_DOWN");
  private static final int LINKMODE = LinkTables.LINK.type("LINKMODE");

  private final int index;
  private final int hardwareType;
  private final int flags;
  private final long addressBits;
  private final long broadcastBits;
  private final byte addressLength;
  private final byte broadcastLength;
  private final byte addressGeneration;
  private final long token;
  private final byte operationalState;
  private final byte carrier;
  private final byte protocolDown;
  private final byte linkMode;
  private final byte @Nullable [] longAddress;
  private final byte @Nullable [] longBroadcast;
  private final byte @Nullable [] permanentAddress;
  private final byte @Nullable [] physicalPortId;
  private final byte @Nullable [] switchId;
  private final int mtu;
  private final int parentIndex;
  private final int parentNamespace;
  private final int masterIndex;
  private final int newNamespace;
  private final int newIndex;
  private final int group;
  private final int promiscuity;
  private final int allMulticast;
  private final int carrierUps;
  private final int carrierDowns;
  private final int xdpProgram;
  private final String name;
  private final String queueDiscipline;
  private final String alias;
  private final String physicalPortName;
  private final String parentDevice;
  private final String parentBus;
  private final String kind;
  private final String memberKind;
  private final LinkLimits limits;
  private final List<String> alternativeNames;
  private final @Nullable Kept kept;
  private final long @Nullable [] statistics;

  /** What few links have: attributes of their kind, as members, and those of newer kernels. */
  private record Kept(
      @Nullable Attributes kind, LinkData data, @Nullable Attributes member, Attributes others) {}

  Link(LinkDecoder from, LinkLimits limits) {
    this.index = from.index;
    this.hardwareType = from.hardwareType;
    this.flags = from.flags;
    this.addressBits = from.addressBits;
    this.broadcastBits = from.broadcastBits;
    this.addressLength = (byte) from.addressLength;
    this.broadcastLength = (byte) from.broadcastLength;
    this.addressGeneration = (byte) from.addressGeneration;
    this.token = from.token;
    this.longAddress = from.longAddress;
    this.longBroadcast = from.longBroadcast;
    this.permanentAddress = from.permanentAddress;
    this.physicalPortId = from.physicalPortId;
    this.switchId = from.switchId;
    this.xdpProgram = from.xdpProgram;
    this.kind = from.kind;
    this.memberKind = from.memberKind;
    this.limits = limits;
    this.alternativeNames = from.alternativeNames();
    this.kept =
        from.kindAttributes == null && from.memberAttributes == null && !from.hasOthers
            ? null
            : new Kept(
                from.kindAttributes,
                from.kindAttributes == null ? NONE : LinkData.of(kind, from.kindAttributes),
                from.memberAttributes,
                from.others());
    this.statistics = from.statistics;
    int[] numbers = from.numbers;
    this.operationalState = (byte) numbers[OPERSTATE];
    this.carrier = (byte) numbers[CARRIER];
    this.protocolDown = (byte) numbers[PROTO_DOWN];
    this.linkMode = (byte) numbers[LINKMODE];
    this.mtu = numbers[MTU];
    this.parentIndex = numbers[LINK];
    this.parentNamespace = numbers[LINK_NETNSID];
    this.masterIndex = numbers[MASTER];
    this.newNamespace = numbers[NEW_NETNSID];
    this.newIndex = numbers[NEW_IFINDEX];
    this.group = numbers[GROUP];
    this.promiscuity = numbers[PROMISCUITY];
    this.allMulticast = numbers[ALLMULTI];
    this.carrierUps = numbers[CARRIER_UP_COUNT];
    this.carrierDowns = numbers[CARRIER_DOWN_COUNT];
    this.name = from.texts[IFNAME];
    this.queueDiscipline = from.texts[QDISC];
    this.alias = from.texts[IFALIAS];
    this.physicalPortName = from.texts[PHYS_PORT_NAME];
    this.parentDevice = from.texts[PARENT_DEV_NAME];
    this.parentBus = from.texts[PARENT_DEV_BUS_NAME];
  }

  /** {@return the number of the link, unique in its namespace, positive} */
  public int index() {
    return index;
  }

  @Override
  public OptionalInt knownIndex() {
    return OptionalInt.of(index);
  }

  @Override
  public String knownName() {
    return name;
  }

  @Override
  public ObjectKind objectKind() {
    return ObjectKind.LINK;
  }

  /** {@return the name ({@code IFLA_IFNAME}), at most 15 bytes, for example {@code eth0}} */
  public String name() {
    return name;
  }

  /** {@return names that the link can be found by, too ({@code IFLA_ALT_IFNAME})} */
  public List<String> alternativeNames() {
    return alternativeNames;
  }

  /** {@return the hardware type, {@code ARPHRD_...}: 1 Ethernet, 32 InfiniBand, 772 loopback} */
  public int hardwareType() {
    return hardwareType;
  }

  /** {@return the flags, {@code IFF_...} of {@code linux/if.h}} */
  public int flags() {
    return flags;
  }

  /** {@return whether the link is switched on; if it works is its {@link #operationalState}} */
  public boolean isUp() {
    return (flags & IFF_UP) != 0;
  }

  /** {@return whether this is the loopback link ({@code IFF_LOOPBACK})} */
  public boolean isLoopback() {
    return (flags & IFF_LOOPBACK) != 0;
  }

  private static HardwareAddress address(long bits, int length, byte @Nullable [] bytes) {
    return bytes == null ? HardwareAddress.of(bits, length) : HardwareAddress.of(bytes);
  }

  private static Optional<HardwareAddress> optional(byte @Nullable [] bytes) {
    return Optional.ofNullable(bytes).map(HardwareAddress::of);
  }

  /** {@return the hardware address ({@code IFLA_ADDRESS}); {@link HardwareAddress#NONE} if none} */
  public HardwareAddress address() {
    return address(addressBits, addressLength, longAddress);
  }

  /** {@return the address that reaches everyone, the other end's on tunnels (IFLA_BROADCAST)} */
  public HardwareAddress broadcast() {
    return address(broadcastBits, broadcastLength, longBroadcast);
  }

  /** {@return the address that the hardware was built with ({@code IFLA_PERM_ADDRESS}), if told} */
  public Optional<HardwareAddress> permanentAddress() {
    return optional(permanentAddress);
  }

  /** {@return the size of the largest packet in bytes ({@code IFLA_MTU})} */
  public int mtu() {
    return mtu;
  }

  /** {@return what the link can do at the moment ({@code IFLA_OPERSTATE})} */
  public OperationalState operationalState() {
    return OperationalState.of(Byte.toUnsignedInt(operationalState));
  }

  /** {@return how it becomes operational: 0 by itself, 1 when told to ({@code IFLA_LINKMODE})} */
  public int linkMode() {
    return linkMode;
  }

  /** {@return whether there is a signal on the wire ({@code IFLA_CARRIER})} */
  public boolean hasCarrier() {
    return carrier != 0;
  }

  /** {@return whether a protocol holds the link down ({@code IFLA_PROTO_DOWN})} */
  public boolean isProtocolDown() {
    return protocolDown != 0;
  }

  private static OptionalInt positive(int value) {
    return value > 0 ? OptionalInt.of(value) : OptionalInt.empty();
  }

  private static OptionalInt known(int namespace) {
    return namespace >= 0 ? OptionalInt.of(namespace) : OptionalInt.empty();
  }

  /**
   * Gives the link that this one is built on, or the other end of a pair ({@code IFLA_LINK}).
   *
   * @return the index, in {@link #parentNamespace} if that is present; empty if there is none
   */
  public OptionalInt parentIndex() {
    return positive(parentIndex);
  }

  /** {@return the number of the parent's namespace, if another ({@code IFLA_LINK_NETNSID})} */
  public OptionalInt parentNamespace() {
    return known(parentNamespace);
  }

  /** {@return the index of the bridge, bond or VRF of which the link is a member (IFLA_MASTER)} */
  public OptionalInt masterIndex() {
    return positive(masterIndex);
  }

  /** {@return the number of the namespace that a link that has left went to (IFLA_NEW_NETNSID)} */
  public OptionalInt newNamespace() {
    return known(newNamespace);
  }

  /** {@return the index that a link that has left has there ({@code IFLA_NEW_IFINDEX})} */
  public OptionalInt newIndex() {
    return positive(newIndex);
  }

  /** {@return the group of the link, 0 by default ({@code IFLA_GROUP})} */
  public int group() {
    return group;
  }

  /** {@return how many want the link to receive everything ({@code IFLA_PROMISCUITY})} */
  public int promiscuity() {
    return promiscuity;
  }

  /** {@return how many want the link to receive all multicast ({@code IFLA_ALLMULTI})} */
  public int allMulticast() {
    return allMulticast;
  }

  /** {@return how often the signal came ({@code IFLA_CARRIER_UP_COUNT})} */
  public int carrierUps() {
    return carrierUps;
  }

  /** {@return how often the signal went ({@code IFLA_CARRIER_DOWN_COUNT})} */
  public int carrierDowns() {
    return carrierDowns;
  }

  /** {@return the number of the XDP program on the link ({@code IFLA_XDP_PROG_ID}), if any} */
  public OptionalInt xdpProgram() {
    return positive(xdpProgram);
  }

  /** {@return the queueing discipline ({@code IFLA_QDISC}), for example {@code fq_codel}} */
  public String queueDiscipline() {
    return queueDiscipline;
  }

  /** {@return the kind ({@code IFLA_INFO_KIND}), for example {@code veth}; empty for hardware} */
  public String kind() {
    return kind;
  }

  /** {@return the kind of the master ({@code IFLA_INFO_SLAVE_KIND}); empty if there is none} */
  public String memberKind() {
    return memberKind;
  }

  /** {@return what links of this kind have beyond others; {@link LinkData.None} if nothing} */
  public LinkData data() {
    return kept == null ? NONE : kept.data;
  }

  /** {@return all attributes of the kind, {@code IFLA_INFO_DATA}, unknown ones included} */
  public Attributes kindAttributes() {
    return kept == null || kept.kind == null ? Attributes.none(LinkTables.ofKind(kind)) : kept.kind;
  }

  /** {@return the settings as a member, such as those of a bridge's port (IFLA_INFO_SLAVE_DATA)} */
  public Attributes memberAttributes() {
    return kept == null || kept.member == null
        ? Attributes.none(LinkTables.ofMember(memberKind))
        : kept.member;
  }

  /** {@return attributes that this library has no name for, as newer kernels have} */
  public Attributes otherAttributes() {
    return kept == null ? Attributes.none(LinkTables.LINK) : kept.others;
  }

  /** {@return how IPv6 makes addresses ({@code IFLA_INET6_ADDR_GEN_MODE}); empty in lean lists} */
  public OptionalInt addressGeneration() {
    return known(addressGeneration);
  }

  /**
   * Gives what addresses that IPv6 makes of router advertisements end with ({@code
   * IFLA_INET6_TOKEN}, {@code ip token}).
   *
   * @return an address of which the last 64 bits count; empty if the link has no token, and in lean
   *     lists
   */
  public Optional<IpAddress> token() {
    return token == 0
        ? Optional.empty()
        : Optional.of(IpAddress.of(ByteBuffer.allocate(16).putLong(8, token).array()));
  }

  /** {@return the alias that somebody gave the link ({@code IFLA_IFALIAS}); empty for none} */
  public String alias() {
    return alias;
  }

  /** {@return the name of the port of a switch or NIC, such as {@code p0}; empty if not told} */
  public String physicalPortName() {
    return physicalPortName;
  }

  /** {@return what all links of one port have in common ({@code IFLA_PHYS_PORT_ID}), if told} */
  public Optional<HardwareAddress> physicalPortId() {
    return optional(physicalPortId);
  }

  /** {@return what all links of one switch have in common (IFLA_PHYS_SWITCH_ID), if told} */
  public Optional<HardwareAddress> switchId() {
    return optional(switchId);
  }

  /** {@return the device that the link is on, such as {@code 0000:8f:00.0}; empty if on none} */
  public String parentDevice() {
    return parentDevice;
  }

  /** {@return the bus of that device ({@code IFLA_PARENT_DEV_BUS_NAME}), such as {@code pci}} */
  public String parentBus() {
    return parentBus;
  }

  /** {@return sizes and numbers of queues, which most links have in common} */
  public LinkLimits limits() {
    return limits;
  }

  /** {@return the counters ({@code IFLA_STATS64}), if they were asked for} */
  public Optional<LinkStatistics> statistics() {
    return statistics == null ? Optional.empty() : Optional.of(new LinkStatistics(statistics));
  }

  /** For people: index, name, kind, state and address. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder().append(index).append(": ");
    name.chars().forEach(c -> text.append(Character.isISOControl(c) ? '?' : (char) c));
    return text.append(kind.isEmpty() ? "" : " (" + kind + ")")
        .append(isUp() ? " up" : " down")
        .append(", ")
        .append(operationalState())
        .append(", mtu ")
        .append(mtu)
        .append(addressLength == 0 && longAddress == null ? "" : ", " + address())
        .toString();
  }
}
