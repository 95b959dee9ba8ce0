package io.dra4j.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.model.Device;
import org.junit.jupiter.api.Test;

class DescribeDevicesTest {

  @Test
  void theNextGenerationHasTheSameDevices() {
    assertThat(DescribeDevices.slice().devices()).extracting(Device::name).containsExactly("gpu-0");
    assertThat(DescribeDevices.slice().pool().generation()).isEqualTo(2);
  }
}
