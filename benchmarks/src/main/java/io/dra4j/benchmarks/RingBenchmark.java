package io.dra4j.benchmarks;

import io.dra4j.common.Budget;
import io.dra4j.common.BudgetExceededException;
import io.dra4j.placement.bandwidth.LinkModel;
import io.dra4j.placement.internal.selection.NvLinkRingSearch;
import io.dra4j.placement.internal.server.Objective;
import io.dra4j.placement.internal.server.ServerModel;
import io.dra4j.placement.internal.server.ServerModelBuilder;
import io.dra4j.topology.DeviceKind;
import io.dra4j.topology.DirectLink;
import io.dra4j.topology.HostTopology;
import io.dra4j.topology.Location;
import io.dra4j.topology.PciAddress;
import io.dra4j.topology.TopologyDevice;
import io.dra4j.topology.TopologySource;
import io.dra4j.topology.TreeOverlay;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** The fastest rings of a DGX-1V, whose GPUs are connected differently. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class RingBenchmark {

  /** NVLinks between the GPUs of a DGX-1V. */
  private static final String[] LINKS = {
    "01122000", "10210200", "12020010", "21200001", "20000112", "02001021", "00101202", "00012120"
  };

  /** How many of the eight GPUs. */
  @Param({"1", "2", "3", "4", "5", "6", "7", "8"})
  public int gpus = 4;

  private final ServerModel kind = kind();

  private static ServerModel kind() {
    List<TopologyDevice> devices = new ArrayList<>();
    List<DirectLink> links = new ArrayList<>();
    for (int i = 0; i < LINKS.length; i++) {
      devices.add(
          TopologyDevice.of(
              new PciAddress(0, 0x10 + i, 0, 0),
              DeviceKind.GPU,
              new Location(
                  "cpu:" + i / 4,
                  List.of(new PciAddress(0, 0xf0 + i / 2, 0, 0)),
                  OptionalInt.of(i / 4))));
      for (int j = 0; j < i; j++) {
        int count = LINKS[i].charAt(j) - '0';
        if (count > 0) {
          links.add(
              new DirectLink(
                  devices.get(i).id(), devices.get(j).id(), DirectLink.Type.NVLINK, count));
        }
      }
    }
    HostTopology host =
        HostTopology.builder()
            .overlay(
                TreeOverlay.builder("dgx-1v", TopologySource.NCCL_XML, TreeOverlay.Levels.SWITCHES)
                    .devices(devices)
                    .links(links)
                    .build())
            .build();
    return new ServerModelBuilder(
            host, LinkModel.nccl(), new ArrayList<>(devices), Collections.nCopies(8, "7.0"))
        .build();
  }

  /**
   * B7: the best ring of so many GPUs.
   *
   * @return the GPUs
   * @throws BudgetExceededException never
   */
  @Benchmark
  public Optional<Long> bestRing() throws BudgetExceededException {
    return new NvLinkRingSearch(kind, Objective.BEST, Budget.unlimited())
        .best(0xffL << 56, gpus, 0xffL << 56, 0);
  }
}
