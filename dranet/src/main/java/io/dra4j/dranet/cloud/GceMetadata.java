package io.dra4j.dranet.cloud;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The metadata server of Google Compute Engine. */
final class GceMetadata {

  private static final String DOMAIN = "gce.dra.net";
  private static final String INSTANCE = "/computeMetadata/v1/instance/";
  private static final String INTERFACES = INSTANCE + "network-interfaces/?recursive=true";
  private static final Map<String, String> HEADERS = Map.of("Metadata-Flavor", "Google");
  private static final Pattern NETWORK = Pattern.compile("projects/([0-9]{1,18})/networks/(.+)");

  private GceMetadata() {}

  static CloudAttributes read(MetadataPort port) throws IOException {
    Facts machine = new Facts(DOMAIN);
    String type = port.get(INSTANCE + "machine-type", HEADERS).orElse("");
    machine.text("machineType", type.substring(type.lastIndexOf('/') + 1));
    String place = port.get(INSTANCE + "attributes/physical_host", HEADERS).orElse("").strip();
    String[] parts = place.replaceFirst("^/", "").split("/", -1);
    if (parts.length == 3) {
      machine.text("block", parts[0]);
      machine.text("subBlock", parts[1]);
      machine.text("host", parts[2]);
    }
    Map<String, Facts> interfaces = new LinkedHashMap<>();
    for (JsonNode one : Facts.json(INTERFACES, port.get(INTERFACES, HEADERS).orElse("[]"))) {
      Facts facts = new Facts(DOMAIN);
      Matcher network = NETWORK.matcher(one.path("network").asText());
      if (network.matches()) {
        facts.number("networkProjectNumber", network.group(1));
        facts.text("networkName", network.group(2));
      }
      List<String> aliases = new ArrayList<>();
      one.path("ipAliases").forEach(alias -> aliases.add(alias.asText()));
      facts.text("ipAliases", String.join(",", aliases));
      interfaces.put(one.path("mac").asText(), facts);
    }
    return CloudAttributes.of(machine, interfaces);
  }
}
