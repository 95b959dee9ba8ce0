package io.dra4j.netlink.route;

import java.util.Optional;
import java.util.OptionalInt;

/**
 * An entry of a forwarding database ({@code bridge fdb}, {@code struct ndmsg} of {@code
 * PF_BRIDGE}): the port of a bridge, or the remote end of a vxlan, that leads to a hardware
 * address. Immutable. Attributes without a method here are kept in {@link #attributes} and written
 * back.
 *
 * <pre>{@code
 * HardwareAddress address = HardwareAddress.parse("02:00:00:00:00:77");
 * route.forwardingEntries().add(ForwardingEntry.ofPort(port.index(), address));
 * }</pre>
 */
public final class ForwardingEntry extends MessageView<ForwardingEntry> {

  private static final int PERMANENT = 0x80; // NUD_PERMANENT
  private static final int STATIC = 0x40; // NUD_NOARP

  ForwardingEntry(Payload payload) {
    super(ObjectKind.FORWARDING_ENTRY, ForwardingEntry::new, payload);
  }

  /**
   * {@return a static entry of a bridge, in all its VLANs}
   *
   * @param port the index of the port that leads to the address
   * @param address the hardware address
   * @throws IllegalArgumentException if the index is not positive
   */
  public static ForwardingEntry ofPort(int port, HardwareAddress address) {
    return new ForwardingEntry(
        Payload.of(NeighbourCodec.LAYOUT)
            .set("family", Family.BRIDGE)
            .set("ifindex", Links.checkIndex(port))
            .set("state", STATIC)
            .set("flags", ForwardingCodec.MASTER)
            .with("LLADDR", address.toBytes()));
  }

  /** {@return the index of the port, or of the vxlan ({@code ndm_ifindex})} */
  public int index() {
    return payload.get("ifindex");
  }

  /** {@return the hardware address ({@code NDA_LLADDR})} */
  public HardwareAddress address() {
    return attributes().bytes("LLADDR").map(HardwareAddress::of).orElse(HardwareAddress.NONE);
  }

  /** {@return the VLAN of the address ({@code NDA_VLAN}); empty for none} */
  public OptionalInt vlan() {
    return attributes().number("VLAN");
  }

  /** {@return the remote end of a vxlan ({@code NDA_DST}); empty for ports of bridges} */
  public Optional<IpAddress> destination() {
    return payload.address("DST");
  }

  /**
   * {@return whether the entry belongs to a bridge ({@code NTF_MASTER}) instead of the link itself}
   */
  public boolean isOfBridge() {
    return (payload.get("flags") & ForwardingCodec.MASTER) != 0;
  }

  /** {@return whether it is permanent ({@code NUD_PERMANENT}): the bridge's own, or configured} */
  public boolean isPermanent() {
    return (payload.get("state") & PERMANENT) != 0;
  }

  /**
   * {@return whether the entry was configured ({@code NUD_PERMANENT}, {@code NUD_NOARP}): not
   * learned, neither by the kernel nor by a control plane ({@code NTF_EXT_LEARNED})}
   */
  public boolean isSet() {
    return (payload.get("state") & (PERMANENT | STATIC)) != 0;
  }

  /** Returns the entry for people, in the format of {@code bridge fdb}. */
  @Override
  public String toString() {
    return address()
        + " link "
        + index()
        + destination().map(to -> " dst " + to).orElse("")
        + (vlan().isPresent() ? " vlan " + vlan().getAsInt() : "")
        + (isOfBridge() ? " master" : " self")
        + unless(PERMANENT, "state", payload.get("state"))
        + unless(
            0, "flags", payload.get("flags") & ~(ForwardingCodec.MASTER | ForwardingCodec.SELF))
        + others("LLADDR", "DST", "VLAN");
  }
}
