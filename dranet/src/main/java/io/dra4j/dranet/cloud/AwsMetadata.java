package io.dra4j.dranet.cloud;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** The instance metadata service of AWS, version 2, which requires a token. */
final class AwsMetadata {

  private static final String DOMAIN = "aws.dra.net";
  private static final String IDENTITY = "/latest/dynamic/instance-identity/document";
  private static final String INTERFACES = "/latest/meta-data/network/interfaces/macs/";
  private static final int MAX_INTERFACES = 128;
  private static final Pattern MAC = Pattern.compile("[0-9a-fA-F]{2}(:[0-9a-fA-F]{2}){5}");

  private AwsMetadata() {}

  static CloudAttributes read(MetadataPort port) throws IOException {
    String token =
        port.ask("PUT", "/latest/api/token", Map.of("X-aws-ec2-metadata-token-ttl-seconds", "60"))
            .orElseThrow(() -> new IOException("the metadata service returned no token"));
    Map<String, String> headers = Map.of("X-aws-ec2-metadata-token", token.strip());
    Facts machine = new Facts(DOMAIN);
    JsonNode identity = Facts.json(IDENTITY, port.get(IDENTITY, headers).orElse("{}"));
    String type = identity.path("instanceType").asText();
    machine.text("instanceType", type);
    machine.text("availabilityZone", identity.path("availabilityZone").asText());
    Map<String, Facts> interfaces = new LinkedHashMap<>();
    List<String> addresses =
        port.get(INTERFACES, headers)
            .orElse("")
            .lines()
            .map(line -> line.strip().replaceFirst("/$", ""))
            .filter(line -> MAC.matcher(line).matches())
            .limit(MAX_INTERFACES)
            .toList();
    for (String address : addresses) {
      String place = INTERFACES + address + "/";
      Facts facts = new Facts(DOMAIN);
      facts.text("interfaceId", port.get(place + "interface-id", headers).orElse(""));
      facts.text("subnetId", port.get(place + "subnet-id", headers).orElse(""));
      facts.text("vpcId", port.get(place + "vpc-id", headers).orElse(""));
      facts.number("deviceNumber", port.get(place + "device-number", headers).orElse(""));
      facts.number("networkCard", port.get(place + "network-card", headers).orElse(""));
      interfaces.put(address, facts);
    }
    return CloudAttributes.of(machine, interfaces).withGroups(NeuronGroups.of(type));
  }
}
