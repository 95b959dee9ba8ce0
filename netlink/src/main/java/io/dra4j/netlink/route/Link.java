package io.dra4j.netlink.route;

import io.dra4j.netlink.Attributes;
import io.dra4j.netlink.LinkKey;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
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
 * <p>{@link LinkSettings#of(Link)} returns the settings that can be written back, {@link
 * NewLink#like(Link)} a request that recreates the link. It is a plain class and stores numbers
 * instead of objects, because hosts have thousands of links and list them often.
 */
public final class Link implements RouteObject, LinkKey {

  /** Kinds whose {@code IFLA_LINK} is the other end of the pair instead of the link below. */
  static final Set<String> PAIRS = Set.of("veth", "netkit", "vxcan");

  private static final int IFF_UP = 1;
  private static final int IFF_LOOPBACK = 8;

  private final LinkFacts facts;

  Link(LinkFacts facts) {
    this.facts = facts;
  }

  /** {@return the number of the link, unique in its namespace, positive} */
  public int index() {
    return facts.index;
  }

  @Override
  public OptionalInt knownIndex() {
    return OptionalInt.of(facts.index);
  }

  @Override
  public String knownName() {
    return facts.name;
  }

  @Override
  public ObjectKind objectKind() {
    return ObjectKind.LINK;
  }

  /** {@return the name ({@code IFLA_IFNAME}), at most 15 bytes, for example {@code eth0}} */
  public String name() {
    return facts.name;
  }

  /** {@return the alternative names ({@code IFLA_ALT_IFNAME})} */
  public List<String> alternativeNames() {
    return facts.alternativeNames;
  }

  /** {@return the hardware type, {@code ARPHRD_...}: 1 Ethernet, 32 InfiniBand, 772 loopback} */
  public int hardwareType() {
    return facts.hardwareType;
  }

  /** {@return the flags, {@code IFF_...} of {@code linux/if.h}} */
  public int flags() {
    return facts.flags;
  }

  /** {@return whether the link is switched on; {@link #operationalState} shows whether it works} */
  public boolean isUp() {
    return (facts.flags & IFF_UP) != 0;
  }

  /** {@return whether this is the loopback link ({@code IFF_LOOPBACK})} */
  public boolean isLoopback() {
    return (facts.flags & IFF_LOOPBACK) != 0;
  }

  private static HardwareAddress address(long bits, int length, byte @Nullable [] bytes) {
    return bytes == null ? HardwareAddress.of(bits, length) : HardwareAddress.of(bytes);
  }

  private static Optional<HardwareAddress> optional(byte @Nullable [] bytes) {
    return Optional.ofNullable(bytes).map(HardwareAddress::of);
  }

  /**
   * {@return the hardware address ({@code IFLA_ADDRESS}); {@link HardwareAddress#NONE} for none}
   */
  public HardwareAddress address() {
    return address(facts.addressBits, facts.addressLength, facts.rare.longAddress);
  }

  /**
   * {@return the broadcast address, or the address of the other end of a tunnel (IFLA_BROADCAST)}
   */
  public HardwareAddress broadcast() {
    return address(facts.broadcastBits, facts.broadcastLength, facts.rare.longBroadcast);
  }

  /** {@return the permanent address of the hardware ({@code IFLA_PERM_ADDRESS}), if reported} */
  public Optional<HardwareAddress> permanentAddress() {
    return optional(facts.rare.permanentAddress);
  }

  /** {@return the size of the largest packet in bytes ({@code IFLA_MTU})} */
  public int mtu() {
    return facts.mtu;
  }

  /** {@return the operational state ({@code IFLA_OPERSTATE})} */
  public OperationalState operationalState() {
    return OperationalState.of(Byte.toUnsignedInt(facts.operationalState));
  }

  /**
   * {@return how the link becomes operational: 0 by itself, 1 on request ({@code IFLA_LINKMODE})}
   */
  public int linkMode() {
    return facts.linkMode;
  }

  /** {@return whether there is a signal on the wire ({@code IFLA_CARRIER})} */
  public boolean hasCarrier() {
    return facts.carrier != 0;
  }

  /** {@return whether a protocol holds the link down ({@code IFLA_PROTO_DOWN})} */
  public boolean isProtocolDown() {
    return facts.protocolDown != 0;
  }

  private static OptionalInt positive(int value) {
    return value > 0 ? OptionalInt.of(value) : OptionalInt.empty();
  }

  private static OptionalInt known(int namespace) {
    return namespace >= 0 ? OptionalInt.of(namespace) : OptionalInt.empty();
  }

  /**
   * {@return the index of the link that this link is built on, or of the other end of a pair
   * ({@code IFLA_LINK}), in {@link #parentNamespace} if that is present; empty if there is none}
   */
  public OptionalInt parentIndex() {
    return positive(facts.parentIndex);
  }

  /**
   * {@return the index of the link of the same namespace below this link, for example below a VLAN
   * or a VXLAN; empty if there is none there} The other end of a pair does not count.
   */
  public OptionalInt lowerIndex() {
    if (PAIRS.contains(kind()) || parentNamespace().isPresent()) {
      return OptionalInt.empty();
    }
    return kind().equals("vxlan") // which has it among the attributes of its kind
        ? positive(kindAttributes().number("LINK").orElse(0))
        : parentIndex();
  }

  /** {@return the number of the parent's namespace, if different ({@code IFLA_LINK_NETNSID})} */
  public OptionalInt parentNamespace() {
    return known(facts.parentNamespace);
  }

  /** {@return the index of the bridge, bond or VRF of which the link is a member (IFLA_MASTER)} */
  public OptionalInt masterIndex() {
    return positive(facts.masterIndex);
  }

  /** {@return the number of the namespace that the link was moved to (IFLA_NEW_NETNSID)} */
  public OptionalInt newNamespace() {
    return known(facts.rare.newNamespace);
  }

  /** {@return the index in the namespace that the link was moved to ({@code IFLA_NEW_IFINDEX})} */
  public OptionalInt newIndex() {
    return positive(facts.rare.newIndex);
  }

  /** {@return the group of the link, 0 by default ({@code IFLA_GROUP})} */
  public int group() {
    return facts.group;
  }

  /** {@return the number of users that require promiscuous mode ({@code IFLA_PROMISCUITY})} */
  public int promiscuity() {
    return facts.promiscuity;
  }

  /** {@return the number of users that require all multicast ({@code IFLA_ALLMULTI})} */
  public int allMulticast() {
    return facts.allMulticast;
  }

  /** {@return how often the link got a carrier ({@code IFLA_CARRIER_UP_COUNT})} */
  public int carrierUps() {
    return facts.carrierUps;
  }

  /** {@return how often the link lost the carrier ({@code IFLA_CARRIER_DOWN_COUNT})} */
  public int carrierDowns() {
    return facts.carrierDowns;
  }

  /** {@return the number of the XDP program on the link ({@code IFLA_XDP_PROG_ID}), if any} */
  public OptionalInt xdpProgram() {
    return positive(facts.xdpProgram);
  }

  /** {@return the queueing discipline ({@code IFLA_QDISC}), for example {@code fq_codel}} */
  public String queueDiscipline() {
    return facts.queueDiscipline;
  }

  /** {@return the kind ({@code IFLA_INFO_KIND}), for example {@code veth}; empty for hardware} */
  public String kind() {
    return facts.kind;
  }

  /** {@return the kind of the master ({@code IFLA_INFO_SLAVE_KIND}); empty if there is none} */
  public String memberKind() {
    return facts.memberKind;
  }

  /** {@return the properties of links of this kind; {@link LinkData.None} if there are none} */
  public LinkData data() {
    return facts.rare.data;
  }

  /** {@return all attributes of the kind, {@code IFLA_INFO_DATA}, including unknown ones} */
  public Attributes kindAttributes() {
    Attributes own = facts.rare.kind;
    return own == null ? Attributes.none(LinkTables.ofKind(facts.kind)) : own;
  }

  /** {@return the settings as a member, such as those of a bridge's port (IFLA_INFO_SLAVE_DATA)} */
  public Attributes memberAttributes() {
    Attributes own = facts.rare.member;
    return own == null ? Attributes.none(LinkTables.ofMember(facts.memberKind)) : own;
  }

  /** {@return attributes without a name in this library, for example of newer kernels} */
  public Attributes otherAttributes() {
    return facts.rare.others;
  }

  /**
   * {@return how IPv6 generates addresses ({@code IFLA_INET6_ADDR_GEN_MODE}); empty in lean lists}
   */
  public OptionalInt addressGeneration() {
    return known(facts.addressGeneration);
  }

  /**
   * {@return the token ({@code IFLA_INET6_TOKEN}, {@code ip token}): an address with the last 64
   * bits that IPv6 uses with router advertisements; empty if there is none, and in lean lists}
   */
  public Optional<IpAddress> token() {
    return facts.token == 0
        ? Optional.empty()
        : Optional.of(IpAddress.of(ByteBuffer.allocate(16).putLong(8, facts.token).array()));
  }

  /** {@return the configured alias of the link ({@code IFLA_IFALIAS}); empty for none} */
  public String alias() {
    return facts.alias;
  }

  /**
   * {@return the name of the port of a switch or NIC, such as {@code p0}; empty if not reported}
   */
  public String physicalPortName() {
    return facts.physicalPortName;
  }

  /** {@return the ID that all links of one port share ({@code IFLA_PHYS_PORT_ID}), if reported} */
  public Optional<HardwareAddress> physicalPortId() {
    return optional(facts.rare.physicalPortId);
  }

  /** {@return the ID that all links of one switch share (IFLA_PHYS_SWITCH_ID), if reported} */
  public Optional<HardwareAddress> switchId() {
    return optional(facts.rare.switchId);
  }

  /** {@return the device that the link is on, such as {@code 0000:8f:00.0}; empty if on none} */
  public String parentDevice() {
    return facts.parentDevice;
  }

  /** {@return the bus of that device ({@code IFLA_PARENT_DEV_BUS_NAME}), such as {@code pci}} */
  public String parentBus() {
    return facts.parentBus;
  }

  /** {@return sizes and numbers of queues, which are the same for most links} */
  public LinkLimits limits() {
    return facts.limits;
  }

  /** {@return the counters ({@code IFLA_STATS64}), if they were requested} */
  public Optional<LinkStatistics> statistics() {
    return Optional.ofNullable(facts.statistics).map(LinkStatistics::new);
  }

  /** Returns the link for people: index, name, kind, state and address. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder().append(facts.index).append(": ");
    facts.name.chars().forEach(c -> text.append(Character.isISOControl(c) ? '?' : (char) c));
    return text.append(facts.kind.isEmpty() ? "" : " (" + facts.kind + ")")
        .append(isUp() ? " up" : " down")
        .append(", ")
        .append(operationalState())
        .append(", mtu ")
        .append(facts.mtu)
        .append(facts.addressLength == 0 && facts.rare.longAddress == null ? "" : ", " + address())
        .toString();
  }
}
