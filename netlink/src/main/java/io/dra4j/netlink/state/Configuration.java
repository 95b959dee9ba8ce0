package io.dra4j.netlink.state;

import io.dra4j.netlink.Attributes;
import io.dra4j.netlink.route.IpAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.IntBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The sysctls of a link that netlink reports with the link: {@code ipv4/conf} and {@code ipv6/conf}
 * in one attribute each ({@code IFLA_INET_CONF}, {@code IFLA_INET6_CONF}); and {@code
 * IFLA_INET6_TOKEN}, the end of addresses from router advertisements in place of the hardware
 * address. Reading a hundred files would take longer than all other steps. The names are the names
 * below {@code /proc/sys}, in the order of {@code linux/ip.h} and {@code linux/ipv6.h}; sysctls
 * that cannot be written are left out ({@code -}), and times are in milliseconds.
 */
final class Configuration {

  private static final List<Parameter> V4 =
      parameters(
          "sysctl ipv4/conf/",
          "forwarding - proxy_arp accept_redirects secure_redirects send_redirects shared_media "
              + "rp_filter accept_source_route bootp_relay log_martians tag arp_filter medium_id "
              + "disable_xfrm disable_policy force_igmp_version arp_announce arp_ignore "
              + "promote_secondaries arp_accept arp_notify accept_local src_valid_mark "
              + "proxy_arp_pvlan route_localnet igmpv2_unsolicited_report_interval "
              + "igmpv3_unsolicited_report_interval ignore_routes_with_linkdown "
              + "drop_unicast_in_l2_multicast drop_gratuitous_arp bc_forwarding "
              + "arp_evict_nocarrier");

  private static final List<Parameter> V6 =
      parameters(
          "sysctl ipv6/conf/",
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

  /** The sysctls that netlink does not report, or not completely. */
  static final List<String> FILES =
      List.of(
          "ipv6/conf/ioam6_id_wide",
          "ipv6/conf/ra_honor_pio_life",
          "ipv6/conf/ra_honor_pio_pflag",
          "ipv6/conf/regen_min_advance");

  private Configuration() {}

  /** A sysctl's name, which all links share, and the number of kernel units in one of its units. */
  private record Parameter(String name, long unit) {

    static final Parameter NONE = new Parameter("", 1);

    void put(long value, Map<String, String> values) {
      if (!name.isEmpty()) {
        values.put(name, Long.toString(value < 0 ? value : value / unit));
      }
    }
  }

  private static List<Parameter> parameters(String place, String text) {
    List<Parameter> all = new ArrayList<>();
    for (String word : text.split(" ", -1)) {
      long unit = word.endsWith(":s") ? 1_000 : 1;
      String name = unit == 1 ? word : word.substring(0, word.length() - 2);
      all.add(name.equals("-") ? Parameter.NONE : new Parameter(place + name, unit));
    }
    return List.copyOf(all);
  }

  /** Reads {@code IFLA_AF_SPEC}. */
  static void read(Attributes families, Map<String, String> values) {
    numbers(families.nested("INET"), V4, values);
    Attributes v6 = families.nested("INET6");
    numbers(v6, V6, values);
    v6.bytes("TOKEN")
        .filter(token -> token.length == 16)
        .ifPresent(token -> values.put("token", IpAddress.of(token).toString()));
  }

  private static void numbers(
      Attributes family, List<Parameter> parameters, Map<String, String> values) {
    IntBuffer numbers =
        ByteBuffer.wrap(family.bytes("CONF").orElse(new byte[0]))
            .order(ByteOrder.nativeOrder())
            .asIntBuffer();
    int count = Math.min(parameters.size(), numbers.limit());
    for (int i = 0; i < count; i++) {
      parameters.get(i).put(numbers.get(i), values);
    }
  }
}
