package io.dra4j.spi;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.model.DeviceId;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The {@code toString} of a prepared device, as logs show it. */
class PreparedDeviceTextTest {

  private static final DeviceId ID = new DeviceId("gpu.example.com", "node-1", "gpu-0");

  @Test
  void aDeviceShowsTheFieldsThatAreSet() {
    assertThat(new PreparedDevice(ID, null, List.of("gpu"), ContainerEdits.NONE, ""))
        .hasToString("gpu.example.com/node-1/gpu-0 for [gpu]");
  }

  @Test
  void valuesOfTheEnvironmentAndTheStateAreNotShown() {
    ContainerEdits edits =
        new ContainerEdits(
            Map.of("TOKEN", "secret"),
            List.of(new DeviceNode("/dev/gpu0", DeviceNode.Kind.CHARACTER, 195, 0)),
            List.of());

    assertThat(new PreparedDevice(ID, "share-1", List.of("gpu"), edits, "{\"key\":\"secret\"}"))
        .hasToString(
            "gpu.example.com/node-1/gpu-0 for [gpu], share share-1,"
                + " edits: environment [TOKEN]; device files [/dev/gpu0], state of 16 characters");
  }
}
