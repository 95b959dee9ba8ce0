package io.dra4j.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.model.AllocatedDeviceStatus;
import io.dra4j.model.DeviceId;
import io.dra4j.spi.ClaimReference;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class ClaimStatusWriterTest {

  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final ClaimReference CLAIM = new ClaimReference("default", "c", "uid-1");

  @Test
  void statusIsWrittenInAVersionThatTheClusterServes() throws Exception {
    try (WritableApiServer server = new WritableApiServer();
        KubernetesClient client = server.client(0);
        ClaimStatusWriter writer = ClaimStatusWriter.start(client, "d.example.com")) {
      server.put("resourceclaims", "{\"metadata\":{\"name\":\"c\",\"namespace\":\"default\"}}");
      AllocatedDeviceStatus status =
          AllocatedDeviceStatus.of(new DeviceId("d.example.com", "pool", "device")).build();
      for (String version : List.of("v1beta2", "v1beta1", "v1")) {
        server.serves(version);
        writer.write(CLAIM, List.of(status));
        assertThat(writer.awaitWritten(LIMIT)).isTrue();
        assertThat(server.requestsOf("PATCH", "/" + version + "/")).as(version).hasSize(1);
      }
    }
  }
}
