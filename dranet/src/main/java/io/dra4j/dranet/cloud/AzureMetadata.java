package io.dra4j.dranet.cloud;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/** The instance metadata service of Azure. */
final class AzureMetadata {

  private static final String COMPUTE =
      "/metadata/instance/compute?api-version=2025-11-11&format=json";

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
    return CloudAttributes.of(machine, Map.of());
  }
}
