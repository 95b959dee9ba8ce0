package io.dra4j.netlink.route;

/**
 * What a host knows of another one on a link: the hardware address of an address.
 *
 * @param index the index of the link
 * @param destination the address
 * @param address its hardware address; {@link HardwareAddress#NONE} if not known
 * @param state {@code NUD_...} of {@code linux/neighbour.h}, for example {@link #PERMANENT}
 * @param flags {@code NTF_...}
 */
public record Neighbour(
    int index, IpAddress destination, HardwareAddress address, int state, int flags) {

  /** Known to work. */
  public static final int REACHABLE = 0x02;

  /** Not needed, as on a loopback link. */
  public static final int NO_ARP = 0x40;

  /** Set by somebody, for ever. */
  public static final int PERMANENT = 0x80;

  /**
   * A neighbour for ever.
   *
   * @param index the index of the link
   * @param destination the address
   * @param address its hardware address
   * @return the neighbour
   */
  public static Neighbour permanent(int index, IpAddress destination, HardwareAddress address) {
    return new Neighbour(index, destination, address, PERMANENT, 0);
  }

  /**
   * Whether somebody set it for ever.
   *
   * @return whether it is
   */
  public boolean isPermanent() {
    return (state & PERMANENT) != 0;
  }
}
