package io.dra4j.netlink.route;

import io.dra4j.netlink.AttributeTable;
import io.dra4j.netlink.Attributes;
import io.dra4j.netlink.Message;
import io.dra4j.netlink.NetlinkException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Converts addresses to and from messages ({@code linux/if_addr.h}). */
final class AddressCodec implements Codec<InterfaceAddress> {

  private static final int FOR_EVER = -1; // INFINITY_LIFE_TIME
  private static final int DEPRECATED = 0x20; // IFA_F_DEPRECATED

  static final Layout LAYOUT =
      Layout.of(
          "struct ifaddrmsg",
          "family:8 prefixlen:8 flags:8 scope:8 ifindex:32",
          AttributeTable.of(
              "IFA_",
              "ADDRESS:ip LOCAL:ip LABEL:text BROADCAST:ip ANYCAST:ip CACHEINFO MULTICAST:ip "
                  + "FLAGS:u32 RT_PRIORITY:u32 TARGET_NETNSID:u32 PROTO:u8 MC_USERS:state"));

  /**
   * Decodes an address. The kernel has two places for flags, and one for both addresses if they are
   * equal; with a peer, {@code IFA_ADDRESS} is the address of the peer. An IPv4 address that is
   * valid forever is also reported as preferred forever ({@code inet_fill_ifaddr}); only a flag
   * reports that it is deprecated.
   */
  @Override
  public @Nullable InterfaceAddress decode(Message message) throws NetlinkException.Malformed {
    Payload read = Payload.read(LAYOUT, message);
    if (!read.isIp()) {
      return null;
    }
    Attributes reported = read.attributes();
    Optional<byte[]> peer = reported.bytes("ADDRESS");
    byte[] own =
        reported
            .bytes("LOCAL")
            .or(() -> peer)
            .orElseThrow(
                () -> new NetlinkException.Malformed("an address message without an address"));
    Payload address =
        read.with("LOCAL", own)
            .with("ADDRESS", peer.orElse(own))
            .with("FLAGS", reported.number("FLAGS").orElse(read.get("flags")))
            .set("flags", 0)
            .checked("LOCAL", "prefixlen");
    if (address.get("prefixlen") == 0) { // not a network, but still an address
      address = address.with("LOCAL", own);
    }
    byte[] times = reported.bytes("CACHEINFO").orElse(times(FOR_EVER, FOR_EVER));
    if (times.length < 8) {
      throw new NetlinkException.Malformed(
          "IFA_CACHEINFO has " + times.length + " bytes, expected at least 8");
    }
    ByteBuffer both = ByteBuffer.wrap(times).order(ByteOrder.nativeOrder());
    int valid = both.getInt(4);
    boolean isDeprecated = (address.attributes().number("FLAGS").orElse(0) & DEPRECATED) != 0;
    return new InterfaceAddress(address)
        .living(valid, isDeprecated && valid == FOR_EVER && !read.isV6() ? 0 : both.getInt(0));
  }

  /** Returns a {@code struct ifa_cacheinfo}; its last two fields belong to the kernel. */
  static byte[] times(int valid, int preferred) {
    ByteBuffer times = ByteBuffer.allocate(16).order(ByteOrder.nativeOrder());
    return times.putInt(preferred).putInt(valid).array();
  }

  @Override
  public Payload encode(InterfaceAddress address) {
    return address.withoutState().payload.set("flags", address.flags() & 0xff);
  }

  @Override
  public Payload encodeDeleted(InterfaceAddress address) {
    return encode(address).without("FLAGS", "CACHEINFO");
  }
}
