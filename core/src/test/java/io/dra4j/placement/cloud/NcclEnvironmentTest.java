package io.dra4j.placement.cloud;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class NcclEnvironmentTest {

  @Test
  void exactNamesAreOfHostsAlone() {
    assertThat(NcclEnvironment.of("", List.of("mlx5_0", "mlx5_3"), false))
        .containsOnlyKeys("NCCL_IB_HCA")
        .containsEntry("NCCL_IB_HCA", "=mlx5_0,mlx5_3");
    assertThat(NcclEnvironment.of("", List.of("mlx5_0", "mlx5_3"), true))
        .containsEntry("NCCL_IB_HCA", "mlx5");
    assertThat(NcclEnvironment.of("", List.of(), false)).isEmpty();
  }

  @Test
  void eachCloudHasItsVariables() {
    assertThat(NcclEnvironment.of("a3-highgpu-8g", List.of("mlx5_0"), false))
        .containsEntry("NCCL_GPUDIRECTTCPX_SOCKET_IFNAME", "eth1,eth2,eth3,eth4")
        .doesNotContainKey("NCCL_IB_HCA");
    assertThat(NcclEnvironment.of("a4-highgpu-8g", List.of(), false))
        .containsEntry("NCCL_NET", "gIB");
    assertThat(NcclEnvironment.of("Standard_ND96isr_H100_v5", List.of(), false))
        .containsEntry("NCCL_TOPO_FILE", "/opt/microsoft/ndv5-topo.xml");
    assertThat(NcclEnvironment.of("BM.GPU.H100.8", List.of("mlx5_0"), false))
        .containsEntry("NCCL_IB_GID_INDEX", "3")
        .containsEntry("NCCL_IB_HCA", "=mlx5_0");
  }
}
