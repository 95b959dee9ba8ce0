package io.dra4j.dranet.cloud;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.Map;

/** The instance metadata service of Oracle Cloud, version 2. */
final class OciMetadata {

  private static final String HOST = "/opc/v2/host/";
  private static final int MAX_ID = 60;

  private OciMetadata() {}

  static CloudAttributes read(MetadataPort port) throws IOException {
    String answer =
        port.get(HOST, Map.of("Authorization", "Bearer Oracle"))
            .orElseThrow(
                () -> new IOException("the metadata service returned no description of the host"));
    JsonNode host = Facts.json(HOST, answer);
    JsonNode place = host.path("rdmaTopologyData"); // only if the tenancy has enabled it
    Facts machine = new Facts("oke.dra.net");
    machine.text("networkBlockId", id(host.path("networkBlockId")));
    machine.text("rackId", id(host.path("rackId")));
    machine.text("hpcIslandId", id(place.path("customerHPCIslandId")));
    machine.text("networkBlockId", id(place.path("customerNetworkBlock")));
    machine.text("localBlockId", id(place.path("customerLocalBlock")));
    machine.text("gpuMemoryFabricId", id(place.path("customerGpuMemoryFabric")));
    return CloudAttributes.of(machine, Map.of());
  }

  /** Returns the end of an OCID: OCIDs are longer than attributes may be, and differ at the end. */
  private static String id(JsonNode ocid) {
    String text = ocid.asText();
    String end = text.substring(text.lastIndexOf('.') + 1);
    return end.length() > MAX_ID ? end.substring(end.length() - MAX_ID) : end;
  }
}
