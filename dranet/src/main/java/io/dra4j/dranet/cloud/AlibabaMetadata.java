package io.dra4j.dranet.cloud;

import java.io.IOException;
import java.util.Map;

/** The metadata service of Alibaba Cloud, in its hardened mode, which requires a token. */
final class AlibabaMetadata {

  private static final String DOMAIN = "alibaba.dra.net";

  private AlibabaMetadata() {}

  static CloudAttributes read(MetadataPort port) throws IOException {
    String token =
        port.ask(
                "PUT", "/latest/api/token", Map.of("X-aliyun-ecs-metadata-token-ttl-seconds", "60"))
            .orElseThrow(() -> new IOException("the metadata service returned no token"));
    Map<String, String> headers = Map.of("X-aliyun-ecs-metadata-token", token.strip());
    Facts machine = new Facts(DOMAIN);
    machine.text(
        "instanceType", port.get("/latest/meta-data/instance/instance-type", headers).orElse(""));
    return CloudAttributes.of(machine, Map.of()).withRdma("erdma", DOMAIN + "/erdma");
  }
}
