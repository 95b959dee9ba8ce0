package io.dra4j.netlink.route;

import io.dra4j.netlink.AttributeReader;
import io.dra4j.netlink.AttributeTable;
import io.dra4j.netlink.Attributes;
import io.dra4j.netlink.Message;
import io.dra4j.netlink.NetlinkException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** Converts neighbours to and from messages ({@code linux/neighbour.h}). */
final class NeighbourCodec implements Codec<Neighbour> {

  static final Layout LAYOUT =
      Layout.of(
              "struct ndmsg",
              "family:8 3 ifindex:32 state:16 flags:8 type:8",
              AttributeTable.of(
                  "NDA_",
                  "DST:ip LLADDR CACHEINFO:state PROBES:state VLAN:u16 PORT:be16 VNI:u32 "
                      + "IFINDEX:u32 MASTER:u32 LINK_NETNSID:u32 SRC_VNI:u32 PROTOCOL:u8 NH_ID:u32 "
                      + "FDB_EXT_ATTRS FLAGS_EXT:u32 NDM_STATE_MASK:state NDM_FLAGS_MASK:state"))
          .linkIn("IFINDEX");

  /**
   * Decodes a neighbour. The kernel reports a type ({@code RTN_UNICAST}), which it does not accept.
   */
  @Override
  public @Nullable Neighbour decode(Message message) throws NetlinkException.Malformed {
    Payload read = Payload.read(LAYOUT, message).set("type", 0);
    if (!read.isIp()) {
      return null;
    }
    IpAddress destination =
        read.address("DST")
            .orElseThrow(() -> new NetlinkException.Malformed("a neighbour without an address"));
    byte[] address = read.attributes().bytes("LLADDR").orElse(new byte[0]);
    if (address.length > HardwareAddress.MAX_LENGTH || destination.isV6() != read.isV6()) {
      throw new NetlinkException.Malformed(
          "neighbour " + destination + " of a hardware address of " + address.length + " bytes");
    }
    return new Neighbour(address.length == 0 ? read.without("LLADDR") : read);
  }

  @Override
  public Payload encode(Neighbour neighbour) {
    return neighbour.withoutState().payload;
  }

  @Override
  public Payload encodeDeleted(Neighbour neighbour) {
    Attributes none = Attributes.none(LAYOUT.attributes());
    return encode(neighbour).with(none.with("DST", neighbour.destination().toBytes()));
  }

  /** The {@code neigh} sysctls in {@code RTM_NEWNEIGHTBL}, named as below {@code /proc/sys/net}. */
  static final class Parameters {

    static final int RTM_NEWNEIGHTBL = 64; // linux/rtnetlink.h
    static final int RTM_GETNEIGHTBL = 66;

    private static final int NDTA_NAME = 1; // linux/neighbour.h
    private static final int NDTA_PARMS = 6;
    private static final int NDTPA_IFINDEX = 1;
    private static final int FIRST = 4; // NDTPA_BASE_REACHABLE_TIME

    /**
     * In the order of {@code NDTPA_...}; {@code -} cannot be written. Times are in milliseconds;
     * the file has seconds with {@code :s} and hundredths of a second with {@code :h}.
     */
    private static final List<String> NAMES =
        List.of(
            ("base_reachable_time_ms retrans_time_ms gc_stale_time:s delay_first_probe_time:s -"
                    + " app_solicit ucast_solicit mcast_solicit anycast_delay:h proxy_delay:h"
                    + " proxy_qlen locktime:h unres_qlen_bytes mcast_resolicit -"
                    + " interval_probe_time_ms")
                .split(" ", -1));

    private static final Map<String, String> DIRECTORIES =
        Map.of("arp_cache", "ipv4/neigh/", "ndisc_cache", "ipv6/neigh/");

    private Parameters() {}

    /** Adds the values in a message to the values of their links. */
    static void read(AttributeReader reader, IntFunction<Map<String, Long>> ofLink)
        throws NetlinkException.Malformed {
      String directory = "";
      while (reader.next()) {
        if (reader.type() == NDTA_NAME) {
          directory = DIRECTORIES.getOrDefault(reader.string(), "");
        } else if (reader.type() == NDTA_PARMS && !directory.isEmpty()) {
          readLink(reader, directory, ofLink);
        }
      }
    }

    /** Reads the values of one link, whose index comes first. */
    private static void readLink(
        AttributeReader reader, String directory, IntFunction<Map<String, Long>> ofLink)
        throws NetlinkException.Malformed {
      Map<String, Long> values = new TreeMap<>(); // of no link: the default for new links
      reader.enter();
      while (reader.next()) {
        int at = reader.type() - FIRST;
        if (reader.type() == NDTPA_IFINDEX) {
          values = ofLink.apply(reader.u32());
        } else if (at >= 0 && at < NAMES.size() && !NAMES.get(at).equals("-")) {
          // Other values are no numbers: NDTPA_PAD is empty, on kernels that align numbers of 64
          // bits.
          put(directory, NAMES.get(at), reader.length() == 8 ? reader.u64() : reader.u32(), values);
        }
      }
    }

    private static void put(String directory, String name, long value, Map<String, Long> values) {
      String[] words = name.split(":", -1);
      long unit = words.length == 1 ? 1 : words[1].equals("s") ? 1_000 : 10;
      values.put(directory + words[0], value < 0 ? value : value / unit);
    }
  }
}
