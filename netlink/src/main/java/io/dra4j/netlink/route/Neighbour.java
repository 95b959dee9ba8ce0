package io.dra4j.netlink.route;

/**
 * A neighbour of a host on a link: the hardware address of an IP address ({@code ip neighbour},
 * {@code struct ndmsg}). With flag {@link #PROXY}, an address for which this host answers.
 *
 * <pre>{@code
 * HardwareAddress address = HardwareAddress.parse("02:00:00:00:00:77");
 * route.neighbours().add(Neighbour.permanent(2, IpAddress.parse("192.0.2.9"), address));
 * }</pre>
 */
public final class Neighbour extends MessageView<Neighbour> {

  /** {@code NUD_REACHABLE}: known to work. */
  public static final int REACHABLE = 0x02;

  /** {@code NUD_NOARP}: not needed, as on a loopback link. */
  public static final int NO_ARP = 0x40;

  /** {@code NUD_PERMANENT}: set without an expiry time. */
  public static final int PERMANENT = 0x80;

  /** {@code NTF_PROXY}: this host answers for the address. */
  public static final int PROXY = 0x08;

  /** {@code NTF_OFFLOADED}: the neighbour is offloaded to hardware. */
  public static final int OFFLOADED = 0x20;

  private static final int MANAGED = 1; // NTF_EXT_MANAGED

  Neighbour(Payload payload) {
    super(ObjectKind.NEIGHBOUR, Neighbour::new, payload);
  }

  private static Payload of(int index, IpAddress destination) {
    return Payload.of(NeighbourCodec.LAYOUT)
        .set("family", destination.family())
        .set("ifindex", Links.checkIndex(index))
        .with("DST", destination.toBytes());
  }

  /**
   * {@return a permanent neighbour}
   *
   * @param index the index of the link
   * @param destination the IP address
   * @param address its hardware address, of the same length as the link's address
   * @throws IllegalArgumentException if the index is not positive
   */
  public static Neighbour permanent(int index, IpAddress destination, HardwareAddress address) {
    Payload permanent = of(index, destination).set("state", PERMANENT);
    return new Neighbour(
        address.isEmpty() ? permanent : permanent.with("LLADDR", address.toBytes()));
  }

  /**
   * {@return a proxy: an address for which this host answers on a link}
   *
   * @param index the index of the link
   * @param destination the IP address
   * @throws IllegalArgumentException if the index is not positive
   */
  public static Neighbour proxy(int index, IpAddress destination) {
    return new Neighbour(of(index, destination).set("flags", PROXY));
  }

  /** {@return the index of the link ({@code ndm_ifindex})} */
  public int index() {
    return payload.get("ifindex");
  }

  /** {@return the IP address ({@code NDA_DST})} */
  public IpAddress destination() {
    return payload.address("DST").orElseThrow();
  }

  /**
   * {@return its hardware address ({@code NDA_LLADDR}); {@link HardwareAddress#NONE} if unknown}
   */
  public HardwareAddress address() {
    return attributes().bytes("LLADDR").map(HardwareAddress::of).orElse(HardwareAddress.NONE);
  }

  /** {@return the state ({@code ndm_state}), {@code NUD_...}, for example {@link #PERMANENT}} */
  public int state() {
    return payload.get("state");
  }

  /**
   * {@return the flags ({@code ndm_flags}), {@code NTF_...}, for example {@link #PROXY}; {@link
   * #OFFLOADED} is state of the kernel and is not written}
   */
  public int flags() {
    return payload.get("flags");
  }

  /** {@return whether the neighbour was set without an expiry time} */
  public boolean isPermanent() {
    return (state() & PERMANENT) != 0;
  }

  /**
   * {@return whether the kernel was requested to resolve the hardware address and to keep it
   * resolved ({@code NTF_EXT_MANAGED}, from Linux 5.16 on)}
   */
  public boolean isManaged() {
    return (attributes().number("FLAGS_EXT").orElse(0) & MANAGED) != 0;
  }

  /**
   * {@return the neighbour without {@link #OFFLOADED} and, if it is {@link #isManaged}, without the
   * resolved address, to compare settings}
   */
  @Override
  public Neighbour withoutState() {
    Neighbour still = set("flags", flags() & ~OFFLOADED);
    return isManaged() ? still.of(still.payload.set("state", 0).without("LLADDR")) : still;
  }

  /** Returns the neighbour for people, with its link. */
  @Override
  public String toString() {
    return destination()
        + ((flags() & PROXY) == 0 ? "" : " proxy")
        + (address().isEmpty() ? "" : " at " + address())
        + " on link "
        + index()
        + ((flags() & PROXY) == 0 ? unless(PERMANENT, "state", state()) : "")
        + unless(0, "flags", flags() & ~PROXY)
        + others("DST", "LLADDR");
  }
}
