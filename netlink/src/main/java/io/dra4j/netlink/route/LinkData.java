package io.dra4j.netlink.route;

import io.dra4j.netlink.Attributes;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.OptionalInt;

/** What links of a kind have beyond what all links have. */
public sealed interface LinkData {

  /** Nothing, or nothing that the kernel tells: veth, dummy, hardware. */
  record None() implements LinkData {}

  /**
   * A VLAN on the link that {@link Link#parentIndex} tells.
   *
   * @param id its number
   * @param protocol the EtherType of its tag: {@code 0x8100}, or {@code 0x88a8} for a service tag
   * @param flags {@code enum vlan_flags} of {@code linux/if_vlan.h}
   */
  record Vlan(int id, int protocol, int flags) implements LinkData {}

  /**
   * A link with an address of its own on the link that {@link Link#parentIndex} tells; also
   * macvtap.
   *
   * @param mode how such links reach each other
   * @param flags {@code MACVLAN_FLAG_...} of {@code linux/if_link.h}
   */
  record Macvlan(MacvlanMode mode, int flags) implements LinkData {}

  /**
   * A link with the address of the link that {@link Link#parentIndex} tells; also ipvtap.
   *
   * @param mode where packets are divided
   * @param flags 1 private, 2 VEPA, 0 bridge
   */
  record Ipvlan(IpvlanMode mode, int flags) implements LinkData {}

  /**
   * A routing table of its own for the links in it.
   *
   * @param table the number of the table
   */
  record Vrf(int table) implements LinkData {}

  /**
   * Several links as one.
   *
   * @param mode 0 round-robin, 1 active-backup, 2 xor, 3 broadcast, 4 802.3ad, 5 tlb, 6 alb
   * @param activeMember the index of the link in use, in modes that use one
   * @param monitorInterval how often links are looked at, in milliseconds; 0 never
   * @param hashPolicy what a packet's link is chosen by, {@code BOND_XMIT_POLICY_...}
   * @param lacpRate 0 slow, 1 fast
   */
  record Bond(int mode, OptionalInt activeMember, int monitorInterval, int hashPolicy, int lacpRate)
      implements LinkData {}

  /**
   * A switch in software.
   *
   * @param spanningTree whether it runs the spanning tree protocol
   * @param vlanFiltering whether it keeps VLANs apart
   * @param vlanProtocol the EtherType of their tags
   * @param priority its priority in the spanning tree
   * @param multicastSnooping whether it learns who wants multicast
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
   * @param partitionKey its partition
   * @param mode 0 datagram, 1 connected
   * @param userMulticast whether programs may join multicast groups themselves
   */
  record Ipoib(int partitionKey, int mode, boolean userMulticast) implements LinkData {}

  /**
   * What this library has no type for: the attributes as they came.
   *
   * @param attributes those in {@code IFLA_INFO_DATA}
   */
  record Other(Attributes attributes) implements LinkData {}

  /**
   * Reads what a kind of link has in {@code IFLA_INFO_DATA}.
   *
   * @param kind the kind, for example {@code vlan}, as in {@code IFLA_INFO_KIND}
   * @param all its attributes
   * @return the data; {@link Other} for a kind that this library has no type for
   */
  static LinkData of(String kind, Attributes all) {
    return switch (kind) {
      case "vlan" ->
          new Vlan(
              Of.number(kind, all, "ID", 0),
              Of.number(kind, all, "PROTOCOL", 0x8100),
              Of.flags(kind, all));
      case "macvlan", "macvtap" ->
          new Macvlan(
              MacvlanMode.of(Of.number(kind, all, "MODE", 0)), Of.number(kind, all, "FLAGS", 0));
      case "ipvlan", "ipvtap" ->
          new Ipvlan(
              IpvlanMode.of(Of.number(kind, all, "MODE", 1)), Of.number(kind, all, "FLAGS", 0));
      case "vrf" -> new Vrf(Of.number(kind, all, "TABLE", 0));
      case "bond" ->
          new Bond(
              Of.number(kind, all, "MODE", 0),
              all.number(LinkTables.ofKind(kind).type("ACTIVE_SLAVE")),
              Of.number(kind, all, "MIIMON", 0),
              Of.number(kind, all, "XMIT_HASH_POLICY", 0),
              Of.number(kind, all, "AD_LACP_RATE", 0));
      case "bridge" ->
          new Bridge(
              Of.number(kind, all, "STP_STATE", 0) != 0,
              Of.number(kind, all, "VLAN_FILTERING", 0) != 0,
              Of.number(kind, all, "VLAN_PROTOCOL", 0x8100),
              Of.number(kind, all, "PRIORITY", 0),
              Of.number(kind, all, "MCAST_SNOOPING", 0) != 0,
              Of.number(kind, all, "AGEING_TIME", 0));
      case "ipoib" ->
          new Ipoib(
              Of.number(kind, all, "PKEY", 0),
              Of.number(kind, all, "MODE", 0),
              Of.number(kind, all, "UMCAST", 0) != 0);
      default -> new Other(all);
    };
  }

  /** Numbers of a kind by their names. */
  final class Of {

    private Of() {}

    private static int number(String kind, Attributes from, String name, int otherwise) {
      return from.number(LinkTables.ofKind(kind).type(name)).orElse(otherwise);
    }

    /** A structure of flags and which of them count ({@code struct ifla_vlan_flags}). */
    private static int flags(String kind, Attributes from) {
      byte[] flags = from.bytes(LinkTables.ofKind(kind).type("FLAGS")).orElse(new byte[4]);
      return flags.length < 4 ? 0 : ByteBuffer.wrap(flags).order(ByteOrder.nativeOrder()).getInt();
    }
  }

  /** How links on the same link reach each other. */
  enum MacvlanMode {
    /** Not at all. */
    PRIVATE(1),
    /** Through a switch outside. */
    VEPA(2),
    /** Directly. */
    BRIDGE(4),
    /** There is only one, which takes over the link below. */
    PASSTHRU(8),
    /** Those from certain addresses only. */
    SOURCE(16);

    private final int number;

    MacvlanMode(int number) {
      this.number = number;
    }

    int number() {
      return number;
    }

    static MacvlanMode of(int number) {
      return switch (number) {
        case 1 -> PRIVATE;
        case 4 -> BRIDGE;
        case 8 -> PASSTHRU;
        case 16 -> SOURCE;
        default -> VEPA; // the kernel's own default
      };
    }
  }

  /** Where packets are divided among such links. */
  enum IpvlanMode {
    /** As a switch does. */
    L2,
    /** As a router does. */
    L3,
    /** As a router does, through the netfilter of the host. */
    L3S;

    static IpvlanMode of(int number) {
      return switch (number) {
        case 0 -> L2;
        case 2 -> L3S;
        default -> L3; // the kernel's own default
      };
    }
  }
}
