package io.dra4j.dranet.cloud;

import com.fasterxml.jackson.databind.JsonNode;
import io.dra4j.dranet.config.NetworkConfig;
import io.dra4j.spi.configuration.ConfigurationException;
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
            .orElseThrow(() -> new IOException("the metadata service reports no machine"));
    JsonNode compute = Facts.json(COMPUTE, answer);
    Facts machine = new Facts("azure.dra.net");
    for (String name :
        List.of("vmSize", "placementGroupId", "interconnectGroupId", "interconnectSubgroupId")) {
      machine.text(name, compute.path(name).asText());
    }
    return CloudAttributes.of(machine, Map.of()).withConfigurations(configurations(port));
  }

  /**
   * Packets from the subnet of an interface leave by its gateway, the first address of the subnet.
   */
  private static Map<String, NetworkConfig> configurations(MetadataPort port) throws IOException {
    Map<String, NetworkConfig> byAddress = new LinkedHashMap<>();
    JsonNode all =
        Facts.json(NETWORK, port.get(NETWORK, Map.of("Metadata", "true")).orElse("{}"))
            .path("interface");
    for (int i = 0; i < all.size(); i++) {
      String address = all.get(i).path("macAddress").asText().toLowerCase(Locale.ROOT);
      JsonNode subnet = all.get(i).path("ipv4").path("subnet").path(0);
      String base = subnet.path("address").asText();
      String length = subnet.path("prefix").asText();
      String gateway = address.matches("[0-9a-f]{12}") ? gateway(base, length) : "";
      if (!gateway.isEmpty()) {
        String config =
            """
            {"rules": [{"source": "%s/%s", "table": %d}],
             "routes": [{"destination": "0.0.0.0/0", "gateway": "%s", "table": %3$d}]}
            """
                .formatted(base, length, FIRST_TABLE + i, gateway);
        try {
          byAddress.put(address.replaceAll("(..)(?!$)", "$1:"), NetworkConfig.parse(config));
        } catch (ConfigurationException e) {
          throw new IOException("metadata of " + NETWORK + ": " + e.problems(), e);
        }
      }
    }
    return byAddress;
  }

  /** The first address of a subnet; empty for what is no IPv4 subnet. */
  private static String gateway(String base, String length) {
    if (!base.matches("[0-9]{1,3}(\\.[0-9]{1,3}){3}") || !length.matches("[0-9]|[12][0-9]|30")) {
      return "";
    }
    int dot = base.lastIndexOf('.');
    int last = Integer.parseInt(base.substring(dot + 1));
    return last % 2 == 0 ? base.substring(0, dot + 1) + (last + 1) : "";
  }
}
