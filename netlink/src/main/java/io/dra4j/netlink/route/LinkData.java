package io.dra4j.netlink.route;

import io.dra4j.netlink.Attributes;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.OptionalInt;

/**
 * The properties of links of one kind ({@code IFLA_INFO_DATA}), for the kinds that this library has
 * types for; {@link Link#kindAttributes} has all properties of every kind.
 *
 * <pre>{@code
 * if (link.data() instanceof LinkData.Vlan vlan) {
 *   System.out.println("VLAN " + vlan.id() + " on link " + link.parentIndex());
 * }
 * }</pre>
 */
public sealed interface LinkData {

  /** No properties, or none that the kernel reports: veth, dummy, hardware. */
  record None() implements LinkData {}

  /**
   * A VLAN on the link with index {@link Link#parentIndex}.
   *
   * @param id its number
   * @param protocol the EtherType of its tag: {@code 0x8100}, or {@code 0x88a8} for a service tag
   * @param flags {@code enum vlan_flags} of {@code linux/if_vlan.h}
   */
  record Vlan(int id, int protocol, int flags) implements LinkData {}

  /**
   * A link with its own hardware address on the link with index {@link Link#parentIndex}; also
   * macvtap.
   *
   * @param mode how such links communicate with each other
   * @param flags {@code MACVLAN_FLAG_...} of {@code linux/if_link.h}
   */
  record Macvlan(MacvlanMode mode, int flags) implements LinkData {}

  /**
   * A link that shares the hardware address of the link with index {@link Link#parentIndex}; also
   * ipvtap.
   *
   * @param mode the layer at which packets are distributed
   * @param flags 1 private, 2 VEPA, 0 bridge
   */
  record Ipvlan(IpvlanMode mode, int flags) implements LinkData {}

  /**
   * A separate routing table for the links in it.
   *
   * @param table the number of the table ({@code IFLA_VRF_TABLE})
   */
  record Vrf(int table) implements LinkData {}

  /**
   * A bond: several links used as one.
   *
   * @param mode 0 round-robin, 1 active-backup, 2 xor, 3 broadcast, 4 802.3ad, 5 tlb, 6 alb
   * @param activeMember the index of the link in use, in modes that use one
   * @param monitorInterval the interval of link checks, in milliseconds; 0 for none
   * @param hashPolicy the policy that selects the link of a packet, {@code BOND_XMIT_POLICY_...}
   * @param lacpRate 0 slow, 1 fast
   */
  record Bond(int mode, OptionalInt activeMember, int monitorInterval, int hashPolicy, int lacpRate)
      implements LinkData {}

  /**
   * A bridge: a switch in software.
   *
   * @param spanningTree whether it runs the spanning tree protocol
   * @param vlanFiltering whether it keeps VLANs apart
   * @param vlanProtocol the EtherType of their tags
   * @param priority its priority in the spanning tree
   * @param multicastSnooping whether it learns which ports receive multicast
   * @param ageingTime how long it remembers addresses, in hundredths of a second
   */
  record Bridge(
      boolean spanningTree,
      boolean vlanFiltering,
      int vlanProtocol,
      int priority,
      boolean multicastSnooping,
      int ageingTime)
      implements LinkData {}

  /**
   * IP over InfiniBand.
   *
   * @param partitionKey its partition ({@code IFLA_IPOIB_PKEY})
   * @param mode 0 datagram, 1 connected
   * @param userMulticast whether programs may join multicast groups themselves
   */
  record Ipoib(int partitionKey, int mode, boolean userMulticast) implements LinkData {}

  /**
   * A kind without a type in this library: the attributes as received.
   *
   * @param attributes the attributes in {@code IFLA_INFO_DATA}
   */
  record Other(Attributes attributes) implements LinkData {}

  /**
   * {@return the data in {@code IFLA_INFO_DATA}; {@link Other} for a kind that has no type here}
   *
   * @param kind the kind, for example {@code vlan}, as in {@code IFLA_INFO_KIND}
   * @param all its attributes
   */
  static LinkData of(String kind, Attributes all) {
    return switch (kind) {
      case "vlan" -> new Vlan(number(all, "ID", 0), number(all, "PROTOCOL", 0x8100), flags(all));
      case "macvlan", "macvtap" ->
          new Macvlan(MacvlanMode.of(number(all, "MODE", 0)), number(all, "FLAGS", 0));
      case "ipvlan", "ipvtap" ->
          new Ipvlan(IpvlanMode.of(number(all, "MODE", 1)), number(all, "FLAGS", 0));
      case "vrf" -> new Vrf(number(all, "TABLE", 0));
      case "bond" ->
          new Bond(
              number(all, "MODE", 0),
              all.number("ACTIVE_SLAVE"),
              number(all, "MIIMON", 0),
              number(all, "XMIT_HASH_POLICY", 0),
              number(all, "AD_LACP_RATE", 0));
      case "bridge" ->
          new Bridge(
              number(all, "STP_STATE", 0) != 0,
              number(all, "VLAN_FILTERING", 0) != 0,
              number(all, "VLAN_PROTOCOL", 0x8100),
              number(all, "PRIORITY", 0),
              number(all, "MCAST_SNOOPING", 0) != 0,
              number(all, "AGEING_TIME", 0));
      case "ipoib" ->
          new Ipoib(number(all, "PKEY", 0), number(all, "MODE", 0), number(all, "UMCAST", 0) != 0);
      default -> new Other(all);
    };
  }

  private static int number(Attributes from, String name, int otherwise) {
    return from.number(name).orElse(otherwise);
  }

  /** Reads a structure of flags and their mask ({@code struct ifla_vlan_flags}). */
  private static int flags(Attributes from) {
    byte[] flags = from.bytes("FLAGS").orElse(new byte[4]);
    return flags.length < 4 ? 0 : ByteBuffer.wrap(flags).order(ByteOrder.nativeOrder()).getInt();
  }

  /** How links on the same link communicate with each other. */
  enum MacvlanMode {
    /** {@code MACVLAN_MODE_PRIVATE}: not at all. */
    PRIVATE(1),
    /** {@code MACVLAN_MODE_VEPA}: through a switch outside. */
    VEPA(2),
    /** {@code MACVLAN_MODE_BRIDGE}: directly. */
    BRIDGE(4),
    /** {@code MACVLAN_MODE_PASSTHRU}: a single link, which takes over the link below. */
    PASSTHRU(8),
    /** {@code MACVLAN_MODE_SOURCE}: packets of certain addresses only. */
    SOURCE(16);

    private final int number;

    MacvlanMode(int number) {
      this.number = number;
    }

    int number() {
      return number;
    }

    static MacvlanMode of(int number) {
      boolean known = Integer.bitCount(number) == 1 && number <= 16;
      return known ? values()[Integer.numberOfTrailingZeros(number)] : VEPA; // the kernel's default
    }
  }

  /** The layer at which packets are distributed among such links. */
  enum IpvlanMode {
    /** {@code IPVLAN_MODE_L2}: as a switch does. */
    L2(0),
    /** {@code IPVLAN_MODE_L3}: as a router does. */
    L3(1),
    /** {@code IPVLAN_MODE_L3S}: as a router does, through the netfilter of the host. */
    L3S(2);

    private final int number;

    IpvlanMode(int number) {
      this.number = number;
    }

    int number() {
      return number;
    }

    static IpvlanMode of(int number) {
      return number >= 0 && number <= 2 ? values()[number] : L3; // the kernel's own default
    }
  }
}
