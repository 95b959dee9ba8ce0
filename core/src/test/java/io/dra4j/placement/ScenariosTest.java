package io.dra4j.placement;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.allocation.AllocationOutcome;
import io.dra4j.allocation.AllocationOutcome.Unallocatable;
import io.dra4j.allocation.policy.AllocationPolicy;
import io.dra4j.model.DeviceConstraint;
import io.dra4j.model.ResourceClaim;
import io.dra4j.model.StandardAttributes;
import io.dra4j.topology.PathType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Where the first devices that fit are not the best ones: what Kubernetes' allocator gives, which
 * was run for each of these, and what the policy {@code best} gives. The table in docs/placement.md
 * is these rows.
 */
class ScenariosTest {

  private static final Path TABLE = Path.of("../docs/placement.md");
  private static final DeviceConstraint ONE_ROOT =
      DeviceConstraint.matchAttribute(StandardAttributes.PCIE_ROOT);

  /**
   * A row.
   *
   * @param firstFit the devices that Kubernetes' allocator gives
   * @param best those that the policy {@code best} gives
   */
  private record Scenario(
      String name,
      String state,
      Servers server,
      String wish,
      ResourceClaim claim,
      String firstFit,
      String best) {

    @Override
    public String toString() {
      return name;
    }

    AllocationOutcome bestOutcome() {
      return outcome(PlacementPolicy.best());
    }

    AllocationOutcome firstFitOutcome() {
      return outcome(PlacementPolicy.firstFit());
    }

    /** Of a server with roots it is known that there is a switch on each. */
    private AllocationOutcome outcome(PlacementPolicy policy) {
      int perRoot = state.startsWith("8") ? 1 : 2;
      return server.allocate(
          state.startsWith("Azure")
              ? policy
              : policy.withOverlays(node -> List.of(Servers.switches(perRoot))),
          claim);
    }

    String row() {
      return "| %s | %s | %s | %s | %s | %s | %s |"
          .formatted(
              name,
              state,
              wish,
              shown(firstFit),
              rate(firstFitOutcome()),
              shown(best),
              rate(bestOutcome()));
    }

    private static String shown(String devices) {
      return devices.equals("Unallocatable") ? "nothing" : devices;
    }

    private static String rate(AllocationOutcome outcome) {
      if (outcome instanceof Unallocatable) {
        return "-";
      }
      double rate = Servers.score(outcome).gigabytesPerSecond();
      return rate == 0 ? "-" : rate == Math.rint(rate) ? Long.toString((long) rate) : "" + rate;
    }
  }

  static List<Scenario> scenarios() {
    List<Scenario> all = new ArrayList<>();
    all.add(
        new Scenario(
            "E1",
            "8 roots of 1+1",
            Servers.onRoots(1),
            "2+2 on one root",
            Servers.claim(2, 2).constraint(ONE_ROOT).build(),
            "Unallocatable",
            "Unallocatable"));
    all.add(
        new Scenario(
            "E1, preferred",
            "8 roots of 1+1",
            Servers.onRoots(1),
            "2+2",
            Servers.claim(2, 2).build(),
            "gpu-0 gpu-1 nic-0 nic-1",
            "gpu-0 gpu-1 nic-0 nic-1"));
    all.add(
        new Scenario(
            "E1, 4 roots",
            "4 roots of 2+2",
            Servers.onRoots(2),
            "2+2 on one root",
            Servers.claim(2, 2).constraint(ONE_ROOT).build(),
            "gpu-0 gpu-1 nic-0 nic-1",
            "gpu-0 gpu-1 nic-0 nic-1"));
    all.add(
        new Scenario(
            "E2",
            "8 roots of 1+1; gpu-0 is in use",
            Servers.onRoots(1).busy("gpu-0"),
            "1+1",
            Servers.claim(1, 1).build(),
            "gpu-1 nic-0",
            "gpu-1 nic-1"));
    all.add(
        new Scenario(
            "E3",
            "8 roots of 1+1; gpu-0, gpu-1, nic-2, nic-3 are in use",
            Servers.onRoots(1).busy("gpu-0", "gpu-1").busy("nic-2", "nic-3"),
            "4+4",
            Servers.claim(4, 4).build(),
            "gpu-2 gpu-3 gpu-4 gpu-5 nic-0 nic-1 nic-4 nic-5",
            "gpu-4 gpu-5 gpu-6 gpu-7 nic-4 nic-5 nic-6 nic-7"));
    all.add(
        new Scenario(
            "E4",
            "4 roots of 2+2; gpu-2, nic-2 are in use",
            Servers.onRoots(2).busy("gpu-2", "nic-2"),
            "1+1 on one root",
            Servers.claim(1, 1).constraint(ONE_ROOT).build(),
            "gpu-0 nic-0",
            "gpu-3 nic-3"));
    all.add(
        new Scenario(
            "E5",
            "8 roots of 1+1; nic-7 is in use",
            Servers.onRoots(1).busy("nic-7"),
            "1+0",
            Servers.claim(1, 0).build(),
            "gpu-0",
            "gpu-7"));
    all.add(
        new Scenario(
            "E6",
            "Azure: no roots",
            Servers.azure(),
            "1+1 on one root",
            Servers.claim(1, 1).constraint(ONE_ROOT).build(),
            "Unallocatable",
            "Unallocatable"));
    all.add(
        new Scenario(
            "E6, by NUMA node",
            "Azure; gpu-0, gpu-1, gpu-2, gpu-3 are in use",
            Servers.azure().busy("gpu-0", "gpu-1", "gpu-2", "gpu-3"),
            "1+1",
            Servers.claim(1, 1).build(),
            "gpu-4 nic-0",
            "gpu-4 nic-4"));
    all.add(
        new Scenario(
            "E6b",
            "Azure; gpu-0 is in use",
            Servers.azure().busy("gpu-0"),
            "4+4",
            Servers.claim(4, 4).build(),
            "gpu-1 gpu-2 gpu-3 gpu-4 nic-0 nic-1 nic-2 nic-3",
            "gpu-4 gpu-5 gpu-6 gpu-7 nic-4 nic-5 nic-6 nic-7"));
    all.add(
        new Scenario(
            "E6c",
            "Azure",
            Servers.azure(),
            "1+1 with one dra.net/numaNode",
            Servers.claim(1, 1)
                .constraint(DeviceConstraint.matchAttribute("dra.net/numaNode"))
                .build(),
            "Unallocatable",
            "Unallocatable"));
    all.add(
        new Scenario(
            "E7",
            "8 roots of 1+1; nic-1, nic-2, nic-3 are in use",
            Servers.onRoots(1).busy("nic-1", "nic-2", "nic-3"),
            "2 pairs",
            Servers.pairs(2),
            "gpu-0 nic-0 gpu-4 nic-4",
            "gpu-4 nic-4 gpu-5 nic-5"));
    all.add(
        new Scenario(
            "E7c",
            "8 roots of 1+1; 6 NICs are in use",
            Servers.onRoots(1).busy("nic-0", "nic-1", "nic-2", "nic-3", "nic-4", "nic-5"),
            "4 pairs",
            Servers.pairs(4),
            "Unallocatable",
            "Unallocatable"));
    return all;
  }

  @ParameterizedTest
  @MethodSource("scenarios")
  void kubernetesTakesTheFirstDevices(Scenario scenario) {
    assertThat(scenario.server.devices(AllocationPolicy.firstFit(), scenario.claim))
        .isEqualTo(scenario.firstFit);
  }

  @ParameterizedTest
  @MethodSource("scenarios")
  void theBestDevicesAreFound(Scenario scenario) {
    assertThat(Servers.names(scenario.bestOutcome())).isEqualTo(scenario.best);
  }

  @ParameterizedTest
  @MethodSource("scenarios")
  void theTableInTheDocumentationHasTheRow(Scenario scenario) throws IOException {
    assertThat(Files.readString(TABLE)).contains(scenario.row());
  }

  @Test
  void aMisalignedPairIsPredictedToBeSlower() {
    Scenario shifted = scenarios().get(3);

    assertThat(Servers.score(shifted.firstFitOutcome()).gigabytesPerSecond()).isEqualTo(40);
    assertThat(Servers.score(shifted.bestOutcome()).gigabytesPerSecond()).isEqualTo(48);
    assertThat(Servers.score(shifted.firstFitOutcome()).paths())
        .isEqualTo(Map.of(PathType.NUMA_NODE, 1));
    assertThat(Servers.score(shifted.bestOutcome()).paths()).isEqualTo(Map.of(PathType.SWITCH, 1));
  }
}
