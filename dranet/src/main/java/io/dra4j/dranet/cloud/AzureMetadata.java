package io.dra4j.dranet.cloud;

import com.fasterxml.jackson.databind.JsonNode;
import io.dra4j.netlink.route.IpAddress;
import io.dra4j.netlink.route.IpPrefix;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The instance metadata service of Azure. */
final class AzureMetadata {

  private static final String COMPUTE =
      "/metadata/instance/compute?api-version=2025-11-11&format=json";

  private static final String NETWORK =
      "/metadata/instance/network?api-version=2025-11-11&format=json";
  private static final int FIRST_TABLE = 100; // of the first interface, as in DraNet

  private AzureMetadata() {}

  static CloudAttributes read(MetadataPort port) throws IOException {
    String answer =
        port.get(COMPUTE, Map.of("Metadata", "true"))
            .orElseThrow(
                () ->
                    new IOException("the metadata service returned no description of the machine"));
    JsonNode compute = Facts.json(COMPUTE, answer);
    Facts machine = new Facts("azure.dra.net");
    for (String name :
        List.of("vmSize", "placementGroupId", "interconnectGroupId", "interconnectSubgroupId")) {
      machine.text(name, compute.path(name).asText());
    }
    return CloudAttributes.of(machine, Map.of()).withConfigurations(routings(port));
  }

  private static Map<String, Routing> routings(MetadataPort port) throws IOException {
    Map<String, Routing> byAddress = new LinkedHashMap<>();
    JsonNode all =
        Facts.json(NETWORK, port.get(NETWORK, Map.of("Metadata", "true")).orElse("{}"))
            .path("interface");
    for (int i = 0; i < all.size(); i++) {
      String address = all.get(i).path("macAddress").asText().toLowerCase(Locale.ROOT);
      if (address.matches("[0-9a-f]{12}")) {
        byAddress.put(address.replaceAll("(..)(?!$)", "$1:"), routing(FIRST_TABLE + i, all.get(i)));
      }
    }
    return byAddress;
  }

  /**
   * Returns the routing of an interface. Packets from the IPv4 subnet use the first address of the
   * subnet as gateway. Packets from the IPv6 address use the gateway that a router has advertised
   * to the host.
   */
  private static Routing routing(long table, JsonNode described) throws IOException {
    JsonNode subnet = described.path("ipv4").path("subnet").path(0);
    String base = subnet.path("address").asText();
    String length = subnet.path("prefix").asText();
    String gateway = gateway(base, length);
    String own = described.path("ipv6").path("ipAddress").path(0).path("privateIpAddress").asText();
    try {
      IpAddress ipv6 = own.isEmpty() ? null : IpAddress.parse(own);
      return new Routing(
          table,
          gateway.isEmpty() ? null : IpPrefix.parse(base + "/" + length),
          gateway.isEmpty() ? null : IpAddress.parse(gateway),
          ipv6 == null || !ipv6.isV6() || ipv6.isLinkLocal() ? null : ipv6);
    } catch (IllegalArgumentException e) {
      throw new IOException("metadata of " + NETWORK + ": " + e.getMessage(), e);
    }
  }

  /** Returns the first address of a subnet; empty if it is not an IPv4 subnet. */
  private static String gateway(String base, String length) {
    if (!base.matches("[0-9]{1,3}(\\.[0-9]{1,3}){3}") || !length.matches("[0-9]|[12][0-9]|30")) {
      return "";
    }
    int dot = base.lastIndexOf('.');
    int last = Integer.parseInt(base.substring(dot + 1));
    return last % 2 == 0 ? base.substring(0, dot + 1) + (last + 1) : "";
  }
}
