package io.dra4j.allocation.internal.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.allocation.Cluster;
import io.dra4j.allocation.Compatibility;
import io.dra4j.allocation.internal.request.SearchContext;
import io.dra4j.allocation.internal.request.SearchPosition;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceConstraint;
import io.dra4j.model.ResourceClaim;
import io.dra4j.model.ResourceSlice;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Claims for pairs of GPU and NIC, of which there are too few, end soon. In steps, not in time. */
class PairsTest {

  private static final String ROOT = "resource.kubernetes.io/pcieRoot";
  private static final String NUMA = "resource.kubernetes.io/numaNode";

  private record Answer(boolean found, long steps, double millis) {}

  private static Cluster server(int gpus, int nics) {
    List<Device> gpuDevices = new ArrayList<>();
    List<Device> nicDevices = new ArrayList<>();
    for (int i = 0; i < Math.max(gpus, nics); i++) {
      if (i < gpus) {
        gpuDevices.add(on("gpu" + i, i, 0));
      }
      if (i < nics) {
        nicDevices.add(on("nic" + i, i, 0));
      }
    }
    return cluster(gpuDevices, nicDevices);
  }

  private static Device on(String name, int root, int numa) {
    return Device.named(name).attribute(ROOT, "root" + root).attribute(NUMA, numa).build();
  }

  private static Cluster cluster(List<Device> gpus, List<Device> nics) {
    return Cluster.of(
        ResourceSlice.onNode("gpus", "gpu", "n", gpus),
        ResourceSlice.onNode("nics", "nic", "n", nics));
  }

  private static ResourceClaim.Builder pairs(int pairs) {
    ResourceClaim.Builder claim = ResourceClaim.named("c");
    for (int i = 0; i < pairs; i++) {
      claim.request("gpu" + i, r -> r.deviceClass("gpu"));
      claim.request("nic" + i, r -> r.deviceClass("nic"));
      claim.constraint(DeviceConstraint.matchAttribute(ROOT, "gpu" + i, "nic" + i));
    }
    return claim;
  }

  private static Answer answer(Cluster cluster, ResourceClaim claim, long patience)
      throws Exception {
    SearchContext context = cluster.context(cluster.inventory(), Compatibility.REFERENCE);
    SearchPosition position = new SearchPosition("in a test");
    long start = System.nanoTime();
    Search search =
        new Search(new SearchPlan(context, List.of(claim), position), position, patience)
            .atMost(1_000_000);
    boolean found = search.run();
    return new Answer(found, search.steps(), (System.nanoTime() - start) / 1e6);
  }

  private static long stepsInVain(Cluster cluster, ResourceClaim claim) throws Exception {
    Answer answer = answer(cluster, claim, 6);
    assertThat(answer.found).isFalse();
    return answer.steps;
  }

  @Test
  void pairsThatAreMissingAreSeenAtOnce() throws Exception {
    assertThat(stepsInVain(server(8, 6), pairs(7).build())).isZero();
    assertThat(stepsInVain(server(8, 7), pairs(8).build())).isZero();
    assertThat(stepsInVain(server(9, 9), pairs(10).build())).isZero();
    assertThat(stepsInVain(server(16, 15), pairs(16).build())).isZero();
  }

  @Test
  void sixteenPairsOfSixteenAreFoundAtOnce() throws Exception {
    Answer answer = answer(server(16, 16), pairs(16).build(), 6);
    assertThat(answer.found).isTrue();
    assertThat(answer.steps).isEqualTo(66);
  }

  @Test
  void groupsOfDifferentSizesShareRoots() throws Exception {
    // Two GPUs and a NIC on one root, three times, and a pair that needs a root of its own.
    ResourceClaim.Builder claim = pairs(2);
    for (int i = 0; i < 3; i++) {
      claim.request("gpus" + i, r -> r.deviceClass("gpu").count(2));
      claim.request("with" + i, r -> r.deviceClass("nic"));
      claim.constraint(DeviceConstraint.matchAttribute(ROOT, "gpus" + i, "with" + i));
    }
    List<Device> gpus = new ArrayList<>();
    List<Device> nics = new ArrayList<>();
    for (int root = 0; root < 4; root++) {
      gpus.add(on("gpu" + 2 * root, root, 0));
      gpus.add(on("gpu" + (2 * root + 1), root, 0));
      nics.add(on("nic" + root, root, 0));
    }
    assertThat(stepsInVain(cluster(gpus, nics), claim.build())).isLessThan(50);
  }

  @Test
  void randomClaimsOnServersWithMissingDevicesEndSoon() throws Exception {
    SplittableRandom random = new SplittableRandom(1);
    double slowest = 0;
    long mostSteps = 0;
    int many = 0;
    int found = 0;
    for (int i = 0; i < 100; i++) {
      int roots = random.nextInt(8, 17);
      int each = random.nextInt(1, 3);
      int missing = random.nextInt(5, 30);
      List<Device> gpus = new ArrayList<>();
      List<Device> nics = new ArrayList<>();
      for (int root = 0; root < roots; root++) {
        for (int n = 0; n < each; n++) {
          if (random.nextInt(100) >= missing) {
            gpus.add(on("gpu" + root + "-" + n, root, root * 2 / roots));
          }
          if (random.nextInt(100) >= missing) {
            nics.add(on("nic" + root + "-" + n, root, root * 2 / roots));
          }
        }
      }
      ResourceClaim.Builder claim = pairs(random.nextInt(8, 17));
      if (random.nextInt(3) == 0) {
        claim.constraint(DeviceConstraint.matchAttribute(NUMA));
      }
      Answer answer = answer(cluster(gpus, nics), claim.build(), 6);
      found += answer.found ? 1 : 0;
      mostSteps = Math.max(mostSteps, answer.steps);
      many += answer.steps >= 150 ? 1 : 0;
      slowest = Math.max(slowest, i < 20 ? 0 : answer.millis);
    }
    // A search that gets no processor for long goes on without bounds for a while.
    assertThat(many).isLessThan(10);
    System.out.printf(
        "pairs: 100 random claims, %d fit, at most %d steps and %.2f ms%n",
        found, mostSteps, slowest);
  }
}
