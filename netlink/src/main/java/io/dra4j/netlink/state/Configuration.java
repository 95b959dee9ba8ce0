package io.dra4j.netlink.state;

import io.dra4j.netlink.AttributeReader;
import io.dra4j.netlink.Attributes;
import io.dra4j.netlink.NetlinkException;
import io.dra4j.netlink.route.IpAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.IntBuffer;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntFunction;

/**
 * The sysctls of a link as netlink tells them: {@code ipv4/conf} and {@code ipv6/conf} in one
 * attribute of the link each ({@code IFLA_INET_CONF}, {@code IFLA_INET6_CONF}), {@code neigh} in
 * {@code NDTA_PARMS}; and {@code IFLA_INET6_TOKEN}, what addresses of router advertisements end
 * with in the place of the hardware address. Reading a hundred files takes longer than all else.
 * The names are those below {@code /proc/sys}, in the order of {@code linux/ip.h} and {@code
 * linux/ipv6.h}; those that nobody can write are left out ({@code -}), and times are told in
 * milliseconds.
 */
final class Configuration {

  private static final List<String> V4 =
      words(
          "forwarding - proxy_arp accept_redirects secure_redirects send_redirects shared_media "
              + "rp_filter accept_source_route bootp_relay log_martians tag arp_filter medium_id "
              + "disable_xfrm disable_policy force_igmp_version arp_announce arp_ignore "
              + "promote_secondaries arp_accept arp_notify accept_local src_valid_mark "
              + "proxy_arp_pvlan route_localnet igmpv2_unsolicited_report_interval "
              + "igmpv3_unsolicited_report_interval ignore_routes_with_linkdown "
              + "drop_unicast_in_l2_multicast drop_gratuitous_arp bc_forwarding "
              + "arp_evict_nocarrier");

  private static final List<String> V6 =
      words(
          "forwarding hop_limit mtu accept_ra accept_redirects autoconf dad_transmits "
              + "router_solicitations router_solicitation_interval:s router_solicitation_delay:s "
              + "use_tempaddr temp_valid_lft temp_prefered_lft regen_max_retry max_desync_factor "
              + "max_addresses force_mld_version accept_ra_defrtr accept_ra_pinfo "
              + "accept_ra_rtr_pref router_probe_interval:s accept_ra_rt_info_max_plen proxy_ndp "
              + "optimistic_dad accept_source_route - disable_ipv6 accept_dad force_tllao "
              + "ndisc_notify mldv1_unsolicited_report_interval "
              + "mldv2_unsolicited_report_interval suppress_frag_ndisc accept_ra_from_local "
              + "use_optimistic accept_ra_mtu - use_oif_addrs_only accept_ra_min_hop_limit "
              + "ignore_routes_with_linkdown drop_unicast_in_l2_multicast drop_unsolicited_na "
              + "keep_addr_on_down router_solicitation_max_interval:s seg6_enabled "
              + "seg6_require_hmac enhanced_dad addr_gen_mode disable_policy "
              + "accept_ra_rt_info_min_plen ndisc_tclass rpl_seg_enabled ra_defrtr_metric "
              + "ioam6_enabled ioam6_id - ndisc_evict_nocarrier accept_untracked_na "
              + "accept_ra_min_lft force_forwarding");

  /** From {@code NDTPA_BASE_REACHABLE_TIME}, 4, on; {@code h}: told as hundredths of a second. */
  private static final List<String> NEIGHBOURS =
      words(
          "base_reachable_time_ms retrans_time_ms gc_stale_time:s delay_first_probe_time:s - "
              + "app_solicit ucast_solicit mcast_solicit anycast_delay:h proxy_delay:h proxy_qlen "
              + "locktime:h unres_qlen_bytes mcast_resolicit - interval_probe_time_ms");

  /** What netlink does not tell, or not whole. */
  static final List<String> FILES =
      List.of(
          "ipv6/conf/ioam6_id_wide",
          "ipv6/conf/ra_honor_pio_life",
          "ipv6/conf/ra_honor_pio_pflag",
          "ipv6/conf/regen_min_advance");

  private Configuration() {}

  private static List<String> words(String text) {
    return List.of(text.split(" ", -1));
  }

  /** Reads {@code IFLA_AF_SPEC}. */
  static void read(Attributes families, Map<String, String> values) {
    numbers(families.nested("INET"), "sysctl ipv4/conf/", V4, values);
    Attributes v6 = families.nested("INET6");
    numbers(v6, "sysctl ipv6/conf/", V6, values);
    v6.bytes("TOKEN")
        .filter(token -> token.length == 16)
        .ifPresent(token -> values.put("token", IpAddress.of(token).toString()));
  }

  private static void numbers(
      Attributes family, String place, List<String> names, Map<String, String> values) {
    IntBuffer numbers =
        ByteBuffer.wrap(family.bytes("CONF").orElse(new byte[0]))
            .order(ByteOrder.nativeOrder())
            .asIntBuffer();
    int count = Math.min(names.size(), numbers.limit());
    for (int i = 0; i < count; i++) {
      put(place, names.get(i), numbers.get(i), values);
    }
  }

  private static void put(String place, String word, long value, Map<String, String> values) {
    int colon = word.indexOf(':');
    String name = colon < 0 ? word : word.substring(0, colon);
    long unit = word.endsWith(":s") ? 1_000 : word.endsWith(":h") ? 10 : 1;
    if (!name.equals("-")) {
      values.put(place + name, Long.toString(value < 0 ? value : value / unit));
    }
  }

  /** Reads the parameters out of {@code RTM_NEWNEIGHTBL} into the values of their links. */
  static void readNeighbours(AttributeReader reader, IntFunction<Map<String, String>> ofLink)
      throws NetlinkException.Malformed {
    String place = "";
    while (reader.next()) {
      if (reader.type() == 1) { // NDTA_NAME
        place =
            switch (reader.string()) {
              case "arp_cache" -> "sysctl ipv4/neigh/";
              case "ndisc_cache" -> "sysctl ipv6/neigh/";
              default -> "";
            };
      } else if (reader.type() == 6 && !place.isEmpty()) { // NDTA_PARMS
        readParameters(reader, place, ofLink);
      }
    }
  }

  /** The index of the link comes first. */
  private static void readParameters(
      AttributeReader reader, String place, IntFunction<Map<String, String>> ofLink)
      throws NetlinkException.Malformed {
    Map<String, String> values = new TreeMap<>(); // of no link: for those to come
    reader.enter();
    while (reader.next()) {
      int at = reader.type() - 4;
      if (reader.type() == 1) {
        values = ofLink.apply(reader.u32());
      } else if (at >= 0 && at < NEIGHBOURS.size() && !NEIGHBOURS.get(at).equals("-")) {
        // Others are no numbers: NDTPA_PAD is empty, on kernels that align those of 64 bits.
        long value = reader.length() == 8 ? reader.u64() : reader.u32();
        put(place, NEIGHBOURS.get(at), value, values);
      }
    }
  }
}
