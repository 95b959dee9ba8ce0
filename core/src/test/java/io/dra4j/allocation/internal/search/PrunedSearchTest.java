package io.dra4j.allocation.internal.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.allocation.AllocationOutcome;
import io.dra4j.allocation.Allocator;
import io.dra4j.allocation.ClaimRule;
import io.dra4j.allocation.Cluster;
import io.dra4j.allocation.Compatibility;
import io.dra4j.allocation.RandomCluster;
import io.dra4j.allocation.internal.request.RejectedException;
import io.dra4j.allocation.internal.request.SearchContext;
import io.dra4j.allocation.internal.request.SearchPosition;
import io.dra4j.common.BudgetExceededException;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceConstraint;
import io.dra4j.model.DeviceRequest;
import io.dra4j.model.DeviceSubRequest;
import io.dra4j.model.ExactDeviceRequest;
import io.dra4j.model.ResourceClaim;
import io.dra4j.model.ResourceSlice;
import io.dra4j.selector.CompiledAttribute;
import io.dra4j.selector.CompiledSelector;
import io.dra4j.selector.SelectorCompiler;
import io.dra4j.selector.SelectorException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * A search that passes over what need not be tried finds what one that tries everything finds,
 * device for device, or the same fault. {@code -Dpruned.clusters=N} sets on how many random
 * clusters, {@code -Dpruned.seed=S} on which.
 */
class PrunedSearchTest {

  private static final int CLUSTERS = Integer.getInteger("pruned.clusters", 1_000);
  private static final long SEED = Long.getLong("pruned.seed", 1);
  private static final int MAX_STEPS = 20_000;
  private static final long ALWAYS = Long.MAX_VALUE;

  private record Found(String kind, String what, long steps) {}

  private static Found search(RandomCluster random, long patience) throws Exception {
    return search(random, patience, List.of());
  }

  private static Found search(RandomCluster random, long patience, List<ClaimRule> rules)
      throws Exception {
    SearchContext context =
        random.cluster.context(
            random.cluster.inventory(), random.features, random.compatibility, rules);
    SearchPosition position = new SearchPosition("in a test");
    Search search = null;
    try {
      SearchPlan plan = new SearchPlan(context, random.claims, position);
      search = new Search(plan, position, patience).atMost(MAX_STEPS);
      if (!search.run()) {
        return new Found("nothing", "", search.steps());
      }
      return new Found(
          "devices",
          search.results().stream().map(PrunedSearchTest::textOf).collect(Collectors.joining("|")),
          search.steps());
    } catch (RejectedException e) {
      return new Found("fault", e.error(), search == null ? 0 : search.steps());
    } catch (BudgetExceededException e) {
      return new Found("endless", "", MAX_STEPS);
    }
  }

  private static String textOf(List<Search.PlacedDevice> devices) {
    return devices.stream()
        .map(placed -> placed.target().resultName() + ":" + placed.candidate().device().name())
        .collect(Collectors.joining(" "));
  }

  @Test
  void whatIsFoundIsTheSame() throws Exception {
    TreeMap<String, Integer> kinds = new TreeMap<>();
    long all = 0;
    long pruned = 0;
    for (int i = 0; i < CLUSTERS; i++) {
      long seed = SEED * 1_000_000_007L + i;
      Found expected = search(RandomCluster.ofAllKinds(seed), ALWAYS);
      Found atOnce = search(RandomCluster.ofAllKinds(seed), 0);
      Found later = search(RandomCluster.ofAllKinds(seed), 6);
      kinds.merge(expected.kind, 1, Integer::sum);
      if (expected.kind.equals("endless")) {
        continue;
      }
      all += expected.steps;
      pruned += atOnce.steps;
      assertThat(atOnce.what).as("seed %d", seed).isEqualTo(expected.what);
      assertThat(atOnce.kind).as("seed %d", seed).isEqualTo(expected.kind);
      assertThat(later.what).as("seed %d", seed).isEqualTo(expected.what);
      assertThat(later.kind).as("seed %d", seed).isEqualTo(expected.kind);
    }
    System.out.printf(
        "pruned search: %d clusters agree, seed %d, %s, %d steps instead of %d%n",
        CLUSTERS, SEED, kinds, pruned, all);
  }

  /** Selects every device, after some time, and compiles nothing else. */
  private static final class SlowWords implements SelectorCompiler {
    @Override
    public CompiledSelector compileSelector(String expression) {
      return (driver, device) -> {
        LockSupport.parkNanos(1_000_000);
        return true;
      };
    }

    @Override
    public CompiledAttribute compileAttribute(String expression) throws SelectorException {
      throw new SelectorException("no attribute " + expression);
    }
  }

  /**
   * Only the last two devices share a root; selectors on all devices take longer than a pruning.
   */
  @Test
  void aSolutionIsFoundWhereAPruningTakesTooLong() {
    int devices = 400;
    Cluster cluster =
        Cluster.withDevices(
            IntStream.range(0, devices)
                .mapToObj(
                    i ->
                        Device.named("d" + i)
                            .attribute("r", "r" + Math.min(i, devices - 2))
                            .build())
                .toArray(Device[]::new));
    ResourceClaim claim =
        ResourceClaim.named("c")
            .request("a", request -> request.deviceClass("any"))
            .request("b", request -> request.deviceClass("any"))
            .request("c", request -> request.deviceClass("any").selector("slow"))
            .constraint(DeviceConstraint.matchAttribute("gpu/r", "a", "b"))
            .build();
    AllocationOutcome outcome =
        Allocator.builder()
            .selectors(new SlowWords())
            .timeout(Duration.ofMinutes(5))
            .build()
            .allocate(cluster.inventory(), "n", List.of(claim));
    assertThat(Cluster.textOf(outcome)).isEqualTo("d398 d399 d0");
  }

  /** Refuses some devices, and some beside others, by names that nobody else looks at. */
  private static ClaimRule byName(long seed) {
    return ClaimRule.of(
        "by-name",
        (given, next) -> {
          int name = next.device().name().hashCode() + (int) seed;
          boolean refused =
              name % 7 == 0
                  || (name + next.request().hashCode()) % 6 == 0
                  || given.stream().anyMatch(it -> (it.device().name().hashCode() + name) % 5 == 0);
          return refused ? Optional.of("its name is wrong") : Optional.empty();
        });
  }

  @Test
  void whatIsFoundIsTheSameWithARuleOfOnesOwn() throws Exception {
    int refused = 0;
    for (int i = 0; i < CLUSTERS / 5; i++) {
      long seed = SEED * 1_000_000_007L + i;
      List<ClaimRule> rules = List.of(byName(seed));
      Found expected = search(RandomCluster.ofAllKinds(seed), ALWAYS, rules);
      Found atOnce = search(RandomCluster.ofAllKinds(seed), 0, rules);
      if (expected.kind.equals("endless")) {
        continue;
      }
      refused += expected.equals(search(RandomCluster.ofAllKinds(seed), ALWAYS)) ? 0 : 1;
      assertThat(atOnce.what).as("seed %d", seed).isEqualTo(expected.what);
      assertThat(atOnce.kind).as("seed %d", seed).isEqualTo(expected.kind);
    }
    assertThat(refused).isGreaterThan(CLUSTERS / 50);
  }

  /**
   * Nine devices of which d6 and d7 may share a root, requests for two that do, and one for a third
   * device, on another board than the second, with a selector that fails on the last device.
   */
  private static String withAFailingSelector(String rootOfSeven) {
    Device[] devices = new Device[9];
    for (int i = 0; i < devices.length; i++) {
      Device.Builder device =
          Device.named("d" + i)
              .attribute("gpu/root", i == 7 ? rootOfSeven : "root" + i)
              .attribute("gpu/board", i < 6 ? "left" : "right");
      devices[i] = (i < 8 ? device.attribute("ready", false) : device).build();
    }
    return Cluster.withDevices(devices)
        .devicesOf(
            ResourceClaim.named("c")
                .request("a", request -> request.deviceClass("gpu"))
                .request("b", request -> request.deviceClass("gpu"))
                .request("c", request -> request.deviceClass("gpu").selector("ready"))
                .constraint(DeviceConstraint.matchAttribute("gpu/root", "a", "b"))
                .constraint(DeviceConstraint.distinctAttribute("gpu/board", "b", "c"))
                .build());
  }

  /** As in the reference: a fault is one where the search comes to the device, however late. */
  @Test
  void aSelectorThatFailsBehindConstraintsIsAFaultOnceTheSearchIsThere() {
    assertThat(withAFailingSelector("root6"))
        .isEqualTo(
            "rejected: claim default/c, request c: selector #0 on device gpu/n/d8: CEL runtime"
                + " error: no such key: ready");
    assertThat(withAFailingSelector("root7")).isEqualTo("does not fit");
  }

  @Test
  void anAlternativeWithAdminAccessNeedsNoDeviceOfItsOwn() throws Exception {
    ResourceClaim all =
        ResourceClaim.named("all").request("r", r -> r.deviceClass("any").count(2)).build();
    ResourceClaim admin =
        ResourceClaim.named("admin")
            .request(
                DeviceRequest.firstAvailable(
                    "r",
                    List.of(
                        new DeviceSubRequest(
                            "watch", ExactDeviceRequest.ofClass("any").adminAccess().build()),
                        new DeviceSubRequest("own", ExactDeviceRequest.ofClass("any").build()))))
            .build();
    Cluster cluster = Cluster.withDevices(2);
    SearchContext context = cluster.context(cluster.inventory(), Compatibility.REFERENCE);
    SearchPosition position = new SearchPosition("in a test");
    for (List<ResourceClaim> claims : List.of(List.of(all, admin), List.of(admin, all))) {
      assertThat(new Search(new SearchPlan(context, claims, position), position, 0).run())
          .as("%s", claims)
          .isEqualTo(new Search(new SearchPlan(context, claims, position), position, ALWAYS).run());
    }
  }

  @Test
  void aGroupWithAdminAccessTakesLessThanOneOfTheSameDevices() throws Exception {
    String root = "resource.kubernetes.io/pcieRoot";
    List<ResourceSlice> slices = new ArrayList<>();
    for (String driver : List.of("gpu", "nic")) {
      List<Device> devices = new ArrayList<>();
      for (int i = driver.equals("gpu") ? 2 : 1; i > 0; i--) {
        devices.add(Device.named(driver + i).attribute(root, "r").build());
      }
      slices.add(ResourceSlice.onNode(driver, driver, "n", devices));
    }
    Cluster cluster = Cluster.of(slices.toArray(new ResourceSlice[0]));
    List<ResourceClaim> claims = new ArrayList<>();
    for (boolean admin : new boolean[] {false, true}) {
      claims.add(
          ResourceClaim.named(admin ? "watching" : "working")
              .request("gpu", r -> r.deviceClass("gpu"))
              .request("nic", r -> (admin ? r.adminAccess() : r).deviceClass("nic"))
              .constraint(DeviceConstraint.matchAttribute(root))
              .build());
    }
    SearchContext context = cluster.context(cluster.inventory(), Compatibility.REFERENCE);
    SearchPosition position = new SearchPosition("in a test");
    assertThat(new Search(new SearchPlan(context, claims, position), position, 0).run()).isTrue();
  }
}
