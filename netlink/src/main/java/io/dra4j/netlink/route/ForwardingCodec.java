package io.dra4j.netlink.route;

import io.dra4j.netlink.Message;
import io.dra4j.netlink.NetlinkException;
import org.jspecify.annotations.Nullable;

/** Converts forwarding entries, which are neighbours of another family, to and from messages. */
final class ForwardingCodec implements Codec<ForwardingEntry> {

  static final int SELF = 0x02; // NTF_SELF
  static final int MASTER = 0x04; // NTF_MASTER
  private static final int OFFLOADED = 0x20; // NTF_OFFLOADED, state

  /** Decodes an entry, whose owner the kernel reports by an attribute but accepts as a flag. */
  @Override
  public @Nullable ForwardingEntry decode(Message message) throws NetlinkException.Malformed {
    Payload read = Payload.read(NeighbourCodec.LAYOUT, message);
    if (read.get("family") != Family.BRIDGE || !read.attributes().has("LLADDR")) {
      return null;
    }
    int length = read.attributes().bytes("LLADDR").orElseThrow().length;
    if (length > HardwareAddress.MAX_LENGTH) {
      throw new NetlinkException.Malformed(
          "forwarding entry of a hardware address of " + length + " bytes");
    }
    // An entry of the bridge itself also has the bridge as the master.
    boolean ofPort =
        read.attributes().number("MASTER").orElse(0) != read.get("ifindex")
            && read.attributes().has("MASTER");
    boolean ofBridge = ofPort || (read.get("flags") & MASTER) != 0;
    int flags = read.get("flags") & ~(OFFLOADED | SELF | MASTER);
    return new ForwardingEntry(
        read.without("MASTER", "LINK_NETNSID").set("flags", flags | (ofBridge ? MASTER : SELF)));
  }

  @Override
  public Payload encode(ForwardingEntry entry) {
    return entry.payload;
  }
}
