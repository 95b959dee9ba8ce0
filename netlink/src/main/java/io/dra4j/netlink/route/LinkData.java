package io.dra4j.netlink.route;

import java.util.Arrays;
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

  /** What this library has no type for: the attributes as they came. Immutable. */
  final class Other implements LinkData {

    private final byte[] attributes;

    /** Takes over the array. */
    Other(byte[] attributes) {
      this.attributes = attributes;
    }

    /**
     * The attributes in {@code IFLA_INFO_DATA}.
     *
     * @return a new array
     */
    public byte[] attributes() {
      return attributes.clone();
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Other data && Arrays.equals(attributes, data.attributes);
    }

    @Override
    public int hashCode() {
      return Arrays.hashCode(attributes);
    }

    @Override
    public String toString() {
      return "Other[" + attributes.length + " bytes]";
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
