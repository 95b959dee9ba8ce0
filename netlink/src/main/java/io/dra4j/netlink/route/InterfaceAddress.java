package io.dra4j.netlink.route;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * An address of a link ({@code ip address}, {@code struct ifaddrmsg}). Immutable: created with
 * {@link #of}, and each {@code with} returns another address. Attributes without a method here are
 * kept in {@link #attributes} and written back. The state that the kernel reports, such as {@link
 * #TENTATIVE}, is {@link #state}; the {@link #flags} are the configured ones.
 *
 * <pre>{@code
 * InterfaceAddress address = InterfaceAddress.of(link.index(), IpPrefix.parse("192.0.2.5/24"));
 * route.addresses().add(address); // ip address add 192.0.2.5/24 dev eth0
 * }</pre>
 */
public final class InterfaceAddress extends MessageView<InterfaceAddress> {

  /** {@code IFA_F_PERMANENT}, state: set without an expiry time. */
  public static final int PERMANENT = 0x80;

  /** {@code IFA_F_TENTATIVE}, state: not yet in use. */
  public static final int TENTATIVE = 0x40;

  /** {@code IFA_F_NODAD}, a flag: used without duplicate address detection. */
  public static final int NO_DUPLICATE_CHECK = 2;

  private static final int TEMPORARY = 1; // IFA_F_TEMPORARY, of IPv4 IFA_F_SECONDARY
  private static final int DUPLICATE = 8; // IFA_F_DADFAILED

  /** NODAD, OPTIMISTIC, HOMEADDRESS, MANAGETEMPADDR, NOPREFIXROUTE, MCAUTOJOIN. */
  private static final int SETTINGS = 0x02 | 0x04 | 0x10 | 0x100 | 0x200 | 0x400;

  InterfaceAddress(Payload payload) {
    super(ObjectKind.ADDRESS, InterfaceAddress::new, payload);
  }

  /**
   * {@return an address without expiry time}
   *
   * @param index the index of the link
   * @param address the address and the length of its network
   * @throws IllegalArgumentException if the index is not positive
   */
  public static InterfaceAddress of(int index, IpPrefix address) {
    byte[] own = address.address().toBytes();
    return new InterfaceAddress(
        Payload.of(AddressCodec.LAYOUT)
            .set("family", address.address().family())
            .set("prefixlen", address.length())
            .set("ifindex", Links.checkIndex(index))
            .with("LOCAL", own)
            .with("ADDRESS", own)
            .with("FLAGS", 0));
  }

  /** Returns the address with lifetimes in the kernel's format: 32 bits, all ones for no limit. */
  InterfaceAddress living(int valid, int preferred) {
    return with(
        valid == -1 && preferred == -1
            ? attributes().without("CACHEINFO")
            : attributes().with("CACHEINFO", AddressCodec.times(valid, preferred)));
  }

  /**
   * {@return this address with the flags}
   *
   * @param newFlags settable {@code IFA_F_...} of {@code linux/if_addr.h}; others: {@link #state}
   */
  public InterfaceAddress withFlags(int newFlags) {
    return with("FLAGS", (newFlags & SETTINGS) | state());
  }

  /**
   * {@return this address with a scope}
   *
   * @param newScope a number of {@link Scope}, 0 to 255
   * @throws IllegalArgumentException if the number is out of range
   */
  public InterfaceAddress withScope(int newScope) {
    return set("scope", newScope);
  }

  /**
   * {@return this address with a peer ({@code IFA_ADDRESS}, in addition to {@code IFA_LOCAL})}
   *
   * @param newPeer the address at the other end
   * @throws IllegalArgumentException if it has another family
   */
  public InterfaceAddress withPeer(IpAddress newPeer) {
    return of(payload.with("ADDRESS", newPeer));
  }

  /**
   * {@return this address with a broadcast address, which only IPv4 has ({@code IFA_BROADCAST})}
   *
   * @param newBroadcast the broadcast address
   * @throws IllegalArgumentException if either address is IPv6
   */
  public InterfaceAddress withBroadcast(IpAddress newBroadcast) {
    return ofIpv4("broadcast address " + newBroadcast, "broadcast addresses")
        .of(payload.with("BROADCAST", newBroadcast));
  }

  private InterfaceAddress ofIpv4(String value, String property) {
    if (payload.isV6()) {
      throw new IllegalArgumentException(
          "%s: address %s is IPv6, and only IPv4 has %s".formatted(value, address(), property));
    }
    return this;
  }

  /**
   * {@return this address with a label, which only IPv4 has ({@code IFA_LABEL})}
   *
   * @param newLabel at most 15 bytes, beginning with the name of the link; empty for none
   * @throws IllegalArgumentException if the label is too long, or the address is IPv6
   */
  public InterfaceAddress withLabel(String newLabel) {
    return ofIpv4("label '" + newLabel + "'", "labels")
        .with(attributes().with("LABEL", InterfaceName.checkLabel(newLabel)));
  }

  /**
   * {@return this address with a metric of the route to the network ({@code IFA_RT_PRIORITY})}
   *
   * @param newMetric lower ones are preferred
   */
  public InterfaceAddress withMetric(int newMetric) {
    return with("RT_PRIORITY", newMetric);
  }

  /**
   * {@return this address with lifetimes ({@code IFA_CACHEINFO})}
   *
   * @param validSeconds how long it is valid; empty for no limit; the kernel refuses 0 (EINVAL)
   * @param preferredSeconds how long the address is preferred, at most as long as it is valid;
   *     empty for no limit; 0 deprecates it at once, so that new connections do not use it
   * @throws IllegalArgumentException if a time is not from 0 to 4294967294
   */
  public InterfaceAddress withLifetime(OptionalLong validSeconds, OptionalLong preferredSeconds) {
    return living(seconds("valid", validSeconds), seconds("preferred", preferredSeconds));
  }

  private static int seconds(String name, OptionalLong seconds) {
    long value = seconds.orElse(0xffff_ffffL);
    if (seconds.isPresent() && (value < 0 || value >= 0xffff_ffffL)) {
      throw new IllegalArgumentException(
          name + " for " + value + " seconds, must be from 0 to 4294967294");
    }
    return (int) value;
  }

  /** {@return the index of the link that has the address} */
  public int index() {
    return payload.get("ifindex");
  }

  /** {@return the address and the length of its network} */
  public IpPrefix address() {
    return payload.prefix("LOCAL", "prefixlen");
  }

  /** {@return the address at the other end ({@code IFA_ADDRESS}), if that is another one} */
  public Optional<IpAddress> peer() {
    IpAddress own = address().address();
    return payload.address("ADDRESS").filter(peer -> !peer.equals(own));
  }

  /** {@return the broadcast address ({@code IFA_BROADCAST}), if there is one} */
  public Optional<IpAddress> broadcast() {
    return payload.address("BROADCAST");
  }

  /** {@return the label of an IPv4 address ({@code IFA_LABEL}); empty for none} */
  public String label() {
    return attributes().text("LABEL");
  }

  /** {@return the scope ({@code ifa_scope}), a number of {@link Scope}} */
  public int scope() {
    return payload.get("scope");
  }

  /** {@return the flags that were set, {@code IFA_F_...}, such as {@link #NO_DUPLICATE_CHECK}} */
  public int flags() {
    return attributes().number("FLAGS").orElse(0) & SETTINGS;
  }

  /** {@return the state that the kernel reports, {@code IFA_F_...}, such as {@link #TENTATIVE}} */
  public int state() {
    return attributes().number("FLAGS").orElse(0) & ~SETTINGS;
  }

  /** {@return for how many seconds it is valid; empty for no limit, 0 if it expires at once} */
  public OptionalLong validSeconds() {
    return seconds(4);
  }

  /**
   * {@return how long the address is preferred, in seconds; empty for no limit, 0 if deprecated}
   */
  public OptionalLong preferredSeconds() {
    return seconds(0);
  }

  private OptionalLong seconds(int at) {
    byte[] times = attributes().bytes("CACHEINFO").orElse(AddressCodec.times(-1, -1));
    int seconds = ByteBuffer.wrap(times).order(ByteOrder.nativeOrder()).getInt(at);
    return seconds == -1 ? OptionalLong.empty() : OptionalLong.of(Integer.toUnsignedLong(seconds));
  }

  /** {@return the metric of the route to the network ({@code IFA_RT_PRIORITY}), if it was set} */
  public OptionalInt metric() {
    return attributes().number("RT_PRIORITY");
  }

  /** {@return the origin of the address, {@code IFAPROT_...} ({@code IFA_PROTO}), if known} */
  public OptionalInt protocol() {
    return attributes().number("PROTO");
  }

  /** {@return whether the address was set without an expiry time, not generated by the kernel} */
  public boolean isPermanent() {
    return (state() & PERMANENT) != 0;
  }

  /** {@return whether the kernel generated a temporary address for IPv6 privacy (RFC 8981)} */
  public boolean isTemporary() {
    return address().address().isV6() && (state() & TEMPORARY) != 0;
  }

  /** {@return whether another host has the IPv6 address ({@code IFA_F_DADFAILED})} */
  public boolean isDuplicate() {
    return address().address().isV6() && (state() & DUPLICATE) != 0;
  }

  /** {@return the address without {@link #state}, to compare settings} */
  @Override
  public InterfaceAddress withoutState() {
    return with("FLAGS", flags());
  }

  /** Returns the address for people, with its link and its unusual properties. */
  @Override
  public String toString() {
    return address()
        + peer().map(peer -> " peer " + peer).orElse("")
        + " on link "
        + index()
        + broadcast().map(to -> " brd " + to).orElse("")
        + (label().isEmpty() ? "" : " label " + label())
        + unless(0, "scope", scope())
        + unless(0, "flags", flags())
        + unless(0, "metric", metric().orElse(0))
        + unless(0, "proto", protocol().orElse(0))
        + (validSeconds().isPresent() ? " for a time" : "")
        + (preferredSeconds().isEmpty()
            ? ""
            : preferredSeconds().getAsLong() == 0 ? " deprecated" : " preferred for a time")
        + others(
            "ADDRESS", "LOCAL", "LABEL", "BROADCAST", "FLAGS", "CACHEINFO", "RT_PRIORITY", "PROTO");
  }
}
