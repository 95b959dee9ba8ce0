package io.dra4j.netlink.route;

import io.dra4j.netlink.Attributes;

/**
 * What a host knows of another one on a link: the hardware address of an address ({@code ip
 * neighbour}, {@code struct ndmsg}). Or, with flag {@link #PROXY}, an address for which this host
 * answers.
 *
 * <pre>{@code
 * HardwareAddress address = HardwareAddress.parse("02:00:00:00:00:77");
 * route.neighbours().add(Neighbour.permanent(2, IpAddress.parse("192.0.2.9"), address));
 * }</pre>
 *
 * @param index the index of the link
 * @param destination the IP address
 * @param address its hardware address; {@link HardwareAddress#NONE} if not known
 * @param state {@code NUD_...} of {@code linux/neighbour.h}, for example {@link #PERMANENT}
 * @param flags {@code NTF_...}, for example {@link #PROXY}; {@link #OFFLOADED} is the kernel's own
 *     and not written
 * @param attributes all other attributes, {@code NDA_...}, unknown ones included
 */
public record Neighbour(
    int index,
    IpAddress destination,
    HardwareAddress address,
    int state,
    int flags,
    Attributes attributes) {

  /** {@code NUD_REACHABLE}: known to work. */
  public static final int REACHABLE = 0x02;

  /** {@code NUD_NOARP}: not needed, as on a loopback link. */
  public static final int NO_ARP = 0x40;

  /** {@code NUD_PERMANENT}: set by somebody, for ever. */
  public static final int PERMANENT = 0x80;

  /** {@code NTF_PROXY}: this host answers for the address. */
  public static final int PROXY = 0x08;

  /** {@code NTF_OFFLOADED}: the hardware knows of it. */
  public static final int OFFLOADED = 0x20;

  /** Checks the numbers that have fewer bits than an int. {@inheritDoc} */
  public Neighbour {
    Numbers.u16("state", state);
    Numbers.u8("flags", flags);
  }

  /**
   * Makes a neighbour for ever.
   *
   * @param index the index of the link
   * @param destination the IP address
   * @param address its hardware address
   * @return the neighbour
   * @throws IllegalArgumentException if the index is not positive
   */
  public static Neighbour permanent(int index, IpAddress destination, HardwareAddress address) {
    Attributes none = Attributes.none(NeighbourCodec.TABLE);
    return new Neighbour(Links.checkIndex(index), destination, address, PERMANENT, 0, none);
  }

  /**
   * Makes an address for which this host answers on a link.
   *
   * @param index the index of the link
   * @param destination the IP address
   * @return the proxy
   * @throws IllegalArgumentException if the index is not positive
   */
  public static Neighbour proxy(int index, IpAddress destination) {
    Attributes none = Attributes.none(NeighbourCodec.TABLE);
    int link = Links.checkIndex(index);
    return new Neighbour(link, destination, HardwareAddress.NONE, 0, PROXY, none);
  }

  /** {@return whether somebody set it for ever} */
  public boolean isPermanent() {
    return (state & PERMANENT) != 0;
  }

  /** {@return the neighbour without {@link #OFFLOADED}, to compare what was set} */
  public Neighbour withoutState() {
    return new Neighbour(index, destination, address, state, flags & ~OFFLOADED, attributes);
  }

  /** For people: the address and its link. */
  @Override
  public String toString() {
    return destination
        + ((flags & PROXY) == 0 ? "" : " proxy")
        + (address.isEmpty() ? "" : " at " + address)
        + " on link "
        + index;
  }
}
