package io.dra4j.netlink.route;

import io.dra4j.netlink.AttributeReader;
import io.dra4j.netlink.NetlinkException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntFunction;

/**
 * The sysctls {@code neigh} of links as {@code RTM_NEWNEIGHTBL} has them, under the names that they
 * have below {@code /proc/sys/net}.
 */
final class NeighbourParameters {

  static final int RTM_NEWNEIGHTBL = 64; // linux/rtnetlink.h
  static final int RTM_GETNEIGHTBL = 66;

  private static final int NDTA_NAME = 1; // linux/neighbour.h
  private static final int NDTA_PARMS = 6;
  private static final int NDTPA_IFINDEX = 1;
  private static final int FIRST = 4; // NDTPA_BASE_REACHABLE_TIME

  /**
   * In the order of {@code NDTPA_...}; {@code -} cannot be written. Times are in milliseconds, of
   * which {@code :s} has seconds and {@code :h} hundredths of a second.
   */
  private static final List<String> NAMES =
      List.of(
          ("base_reachable_time_ms retrans_time_ms gc_stale_time:s delay_first_probe_time:s -"
                  + " app_solicit ucast_solicit mcast_solicit anycast_delay:h proxy_delay:h"
                  + " proxy_qlen locktime:h unres_qlen_bytes mcast_resolicit -"
                  + " interval_probe_time_ms")
              .split(" ", -1));

  private static final Map<String, String> FOLDERS =
      Map.of("arp_cache", "ipv4/neigh/", "ndisc_cache", "ipv6/neigh/");

  private NeighbourParameters() {}

  /** Reads one message into the values of the links that it is about. */
  static void read(AttributeReader reader, IntFunction<Map<String, Long>> ofLink)
      throws NetlinkException.Malformed {
    String folder = "";
    while (reader.next()) {
      if (reader.type() == NDTA_NAME) {
        folder = FOLDERS.getOrDefault(reader.string(), "");
      } else if (reader.type() == NDTA_PARMS && !folder.isEmpty()) {
        readLink(reader, folder, ofLink);
      }
    }
  }

  /** The index of the link comes first. */
  private static void readLink(
      AttributeReader reader, String folder, IntFunction<Map<String, Long>> ofLink)
      throws NetlinkException.Malformed {
    Map<String, Long> values = new TreeMap<>(); // of no link: for those to come
    reader.enter();
    while (reader.next()) {
      int at = reader.type() - FIRST;
      if (reader.type() == NDTPA_IFINDEX) {
        values = ofLink.apply(reader.u32());
      } else if (at >= 0 && at < NAMES.size() && !NAMES.get(at).equals("-")) {
        // Others are no numbers: NDTPA_PAD is empty, on kernels that align those of 64 bits.
        put(folder, NAMES.get(at), reader.length() == 8 ? reader.u64() : reader.u32(), values);
      }
    }
  }

  private static void put(String folder, String name, long value, Map<String, Long> values) {
    String[] words = name.split(":", -1);
    long unit = words.length == 1 ? 1 : words[1].equals("s") ? 1_000 : 10;
    values.put(folder + words[0], value < 0 ? value : value / unit);
  }
}
