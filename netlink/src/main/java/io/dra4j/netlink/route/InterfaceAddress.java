package io.dra4j.netlink.route;

import io.dra4j.netlink.Attributes;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * An address of a link ({@code ip address}, {@code struct ifaddrmsg}). Immutable: made with {@link
 * #of}, and each {@code with} gives another address. Attributes without a method here are kept in
 * {@link #attributes} and written back; what the kernel says of the address, such as {@link
 * #TENTATIVE}, is {@link #state}, apart from the {@link #flags} that were set.
 *
 * <pre>{@code
 * InterfaceAddress address = InterfaceAddress.of(link.index(), IpPrefix.parse("192.0.2.5/24"));
 * route.addresses().add(address); // ip address add 192.0.2.5/24 dev eth0
 * }</pre>
 */
public final class InterfaceAddress {

  /** {@code IFA_F_PERMANENT}, state: set by somebody, for ever. */
  public static final int PERMANENT = 0x80;

  /** {@code IFA_F_TENTATIVE}, state: not yet in use. */
  public static final int TENTATIVE = 0x40;

  /** {@code IFA_F_NODAD}, a flag: used without asking whether others have it. */
  public static final int NO_DUPLICATE_CHECK = 2;

  /** NODAD, OPTIMISTIC, HOMEADDRESS, MANAGETEMPADDR, NOPREFIXROUTE, MCAUTOJOIN. */
  private static final int SETTINGS = 0x02 | 0x04 | 0x10 | 0x100 | 0x200 | 0x400;

  private static final int LABEL = AddressCodec.TABLE.type("LABEL");
  private static final int BROADCAST = AddressCodec.TABLE.type("BROADCAST");
  private static final int METRIC = AddressCodec.TABLE.type("RT_PRIORITY");
  private static final int PROTO = AddressCodec.TABLE.type("PROTO");

  private final int index;
  private final IpPrefix address;
  private final @Nullable IpAddress peer;
  private final int scope;
  private final int flags;
  private final int state;
  private final int valid;
  private final int preferred;
  private final Attributes attributes;

  /** Lifetimes are those of the kernel: 32 bits, all ones for ever. */
  InterfaceAddress(
      int index,
      IpPrefix address,
      @Nullable IpAddress peer,
      int scope,
      int flags,
      int valid,
      int preferred,
      Attributes attributes) {
    this.index = index;
    this.address = address;
    this.peer = peer;
    this.scope = Numbers.u8("scope", scope);
    this.flags = flags & SETTINGS;
    this.state = flags & ~SETTINGS;
    this.valid = valid;
    this.preferred = preferred;
    this.attributes = attributes;
  }

  /**
   * Makes an address for ever.
   *
   * @param index the index of the link
   * @param address the address and the length of its network
   * @return the address
   * @throws IllegalArgumentException if the index is not positive
   */
  public static InterfaceAddress of(int index, IpPrefix address) {
    Attributes none = Attributes.none(AddressCodec.TABLE);
    return new InterfaceAddress(Links.checkIndex(index), address, null, 0, 0, -1, -1, none);
  }

  private InterfaceAddress with(int newScope, int allFlags, Attributes changed) {
    return new InterfaceAddress(
        index, address, peer, newScope, allFlags, valid, preferred, changed);
  }

  /**
   * Sets the flags.
   *
   * @param newFlags {@code IFA_F_...} of {@code linux/if_addr.h} that can be set; the others are
   *     {@link #state}
   * @return the address with them
   */
  public InterfaceAddress withFlags(int newFlags) {
    return with(scope, (newFlags & SETTINGS) | state, attributes);
  }

  /**
   * Sets how far the address reaches.
   *
   * @param newScope see {@link Scope}, 0 to 255
   * @return the address with it
   * @throws IllegalArgumentException if the number is out of range
   */
  public InterfaceAddress withScope(int newScope) {
    return with(newScope, flags | state, attributes);
  }

  /**
   * Sets the address at the other end ({@code IFA_ADDRESS} beside {@code IFA_LOCAL}).
   *
   * @param newPeer the address
   * @return the address with it
   */
  public InterfaceAddress withPeer(IpAddress newPeer) {
    return new InterfaceAddress(
        index, address, newPeer, scope, flags | state, valid, preferred, attributes);
  }

  /**
   * Sets the address that reaches everyone on the network ({@code IFA_BROADCAST}).
   *
   * @param newBroadcast the address
   * @return the address with it
   */
  public InterfaceAddress withBroadcast(IpAddress newBroadcast) {
    return with(scope, flags | state, attributes.with(BROADCAST, newBroadcast.toBytes()));
  }

  /**
   * Sets the label, which only IPv4 has ({@code IFA_LABEL}).
   *
   * @param newLabel at most 15 bytes, beginning with the name of the link; empty for none
   * @return the address with it
   * @throws IllegalArgumentException if it is too long
   */
  public InterfaceAddress withLabel(String newLabel) {
    return with(scope, flags | state, attributes.with(LABEL, InterfaceName.checkLabel(newLabel)));
  }

  /**
   * Sets the metric of the route to the network ({@code IFA_RT_PRIORITY}).
   *
   * @param newMetric lower ones are preferred
   * @return the address with it
   */
  public InterfaceAddress withMetric(int newMetric) {
    return with(scope, flags | state, attributes.with(METRIC, newMetric));
  }

  /**
   * Sets how long the address is used ({@code IFA_CACHEINFO}).
   *
   * @param validSeconds how long it is valid; empty for ever
   * @param preferredSeconds how long it is preferred, not longer; empty for ever
   * @return the address with these times
   * @throws IllegalArgumentException if a time is not from 0 to 4294967294
   */
  public InterfaceAddress withLifetime(OptionalLong validSeconds, OptionalLong preferredSeconds) {
    return new InterfaceAddress(
        index,
        address,
        peer,
        scope,
        flags | state,
        seconds("valid", validSeconds),
        seconds("preferred", preferredSeconds),
        attributes);
  }

  private static int seconds(String name, OptionalLong seconds) {
    long value = seconds.orElse(0xffff_ffffL);
    if (seconds.isPresent() && (value < 0 || value >= 0xffff_ffffL)) {
      throw new IllegalArgumentException(
          name + " for " + value + " seconds, must be from 0 to 4294967294");
    }
    return (int) value;
  }

  /**
   * Sets the link, for example that into which the old one came back under another number.
   *
   * @param newIndex the index of the link
   * @return the address on it
   * @throws IllegalArgumentException if the index is not positive
   */
  public InterfaceAddress onLink(int newIndex) {
    return new InterfaceAddress(
        Links.checkIndex(newIndex),
        address,
        peer,
        scope,
        flags | state,
        valid,
        preferred,
        attributes);
  }

  /** {@return the index of the link that has the address} */
  public int index() {
    return index;
  }

  /** {@return the address and the length of its network} */
  public IpPrefix address() {
    return address;
  }

  /** {@return the address at the other end ({@code IFA_ADDRESS}), if that is another one} */
  public Optional<IpAddress> peer() {
    return Optional.ofNullable(peer);
  }

  /** {@return the address that reaches everyone ({@code IFA_BROADCAST}), if there is one} */
  public Optional<IpAddress> broadcast() {
    return attributes.bytes(BROADCAST).map(IpAddress::of);
  }

  /** {@return the label that IPv4 gives the address ({@code IFA_LABEL}); empty for none} */
  public String label() {
    return attributes.text(LABEL);
  }

  /** {@return how far the address reaches; see {@link Scope}} */
  public int scope() {
    return scope;
  }

  /** {@return the flags that were set, {@code IFA_F_...}, such as {@link #NO_DUPLICATE_CHECK}} */
  public int flags() {
    return flags;
  }

  /**
   * {@return what the kernel says of the address, {@code IFA_F_...}, such as {@link #TENTATIVE}}
   */
  public int state() {
    return state;
  }

  /** {@return how long the address is valid, in seconds; empty for ever} */
  public OptionalLong validSeconds() {
    return valid == -1 ? OptionalLong.empty() : OptionalLong.of(Integer.toUnsignedLong(valid));
  }

  /** {@return how long the address is preferred, in seconds; empty for ever} */
  public OptionalLong preferredSeconds() {
    return preferred == -1
        ? OptionalLong.empty()
        : OptionalLong.of(Integer.toUnsignedLong(preferred));
  }

  /** {@return the metric of the route to the network ({@code IFA_RT_PRIORITY}), if it was set} */
  public OptionalInt metric() {
    return attributes.number(METRIC);
  }

  /** {@return who set the address, {@code IFAPROT_...} ({@code IFA_PROTO}), if that is known} */
  public OptionalInt protocol() {
    return attributes.number(PROTO);
  }

  /** {@return all other attributes, {@code IFA_...}, unknown ones included} */
  public Attributes attributes() {
    return attributes;
  }

  /** {@return whether somebody set it for ever: addresses that the kernel makes itself are not} */
  public boolean isPermanent() {
    return (state & PERMANENT) != 0;
  }

  /** {@return the address without {@link #state}, to compare what was set} */
  public InterfaceAddress withoutState() {
    return with(scope, flags, attributes);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof InterfaceAddress one
        && index == one.index
        && address.equals(one.address)
        && Objects.equals(peer, one.peer)
        && scope == one.scope
        && flags == one.flags
        && state == one.state
        && valid == one.valid
        && preferred == one.preferred
        && attributes.equals(one.attributes);
  }

  @Override
  public int hashCode() {
    return Objects.hash(index, address, peer, attributes);
  }

  /** For people: the address and its link. */
  @Override
  public String toString() {
    return address + (peer == null ? "" : " peer " + peer) + " on link " + index;
  }
}
