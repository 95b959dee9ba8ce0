package io.dra4j.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.spi.Host;
import io.dra4j.testkit.SyntheticHosts;
import io.dra4j.topology.TopologyDevice;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReadTopologyTest {

  @Test
  void anOverlayTellsThePairsOfAMachineThatHidesItsSwitches(@TempDir Path root) throws Exception {
    SyntheticHosts.ndH100v5().expandTo(root);

    List<List<TopologyDevice>> groups =
        ReadTopology.onOneSwitch(Host.captured(root), Path.of("nd-h100-v5.nccl.xml"));

    assertThat(groups).hasSize(8).allMatch(group -> group.size() == 2);
    assertThat(groups.get(0))
        .extracting(TopologyDevice::id)
        .containsExactly("0001:00:00.0", "0101:00:00.0");
  }
}
