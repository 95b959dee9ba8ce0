package io.dra4j.placement;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.allocation.AllocationOutcome;
import io.dra4j.allocation.AllocationOutcome.Undecided;
import io.dra4j.allocation.Allocator;
import io.dra4j.common.Budget;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceConstraint;
import io.dra4j.model.ResourceClaim;
import io.dra4j.model.StandardAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is chosen when the steps or the time are over. */
class SearchLimitsTest {

  /** A server of so many GPUs and NICs, on 16 roots, whose NICs differ in their rates. */
  private static Servers ofManyRates(int size) {
    SplittableRandom random = new SplittableRandom(3);
    List<Device> gpus = new ArrayList<>();
    List<Device> nics = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      gpus.add(device("gpu-" + i, random.nextInt(16), "numa").build());
      nics.add(
          device("nic-" + i, random.nextInt(16), "dra.net/numaNode")
              .attribute("host.dra4j.io/megabitsPerSecond", 100_000 + random.nextInt(300_000))
              .build());
    }
    return Servers.of(gpus, nics);
  }

  private static Device.Builder device(String name, int root, String numaAttribute) {
    return Device.named(name)
        .attribute(StandardAttributes.PCIE_ROOT, "pci00%02x:00".formatted(root))
        .attribute("example.com/colour", root % 3)
        .attribute(numaAttribute, root % 8);
  }

  private static List<ResourceClaim> claims(int count, int size) {
    List<ResourceClaim> claims = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      claims.add(
          ResourceClaim.named("c" + i)
              .request("gpus", request -> request.deviceClass("gpu").count(size))
              .request("nics", request -> request.deviceClass("nic").count(size))
              .build());
    }
    return claims;
  }

  private static AllocationOutcome allocate(
      Servers server, List<ResourceClaim> claims, BooleanSupplier cancelled) {
    return Allocator.builder()
        .selectors(Servers.SELECTORS)
        .policy(PlacementPolicy.best())
        .build()
        .allocate(server.inventory(), "n", claims, Budget.unlimited().orUntil(cancelled));
  }

  private static boolean isIn(String type) {
    return StackWalker.getInstance()
        .walk(frames -> frames.anyMatch(frame -> frame.getClassName().endsWith("." + type)));
  }

  @Test
  void largeSetsCountAsManySteps() {
    AtomicInteger looks = new AtomicInteger();
    AllocationOutcome outcome =
        allocate(
            ofManyRates(64),
            claims(4, 14),
            () -> {
              looks.addAndGet(isIn("ConstrainedSetSearch") && !isIn("PairFlow") ? 1 : 0);
              return false;
            });

    assertThat(outcome).isInstanceOf(AllocationOutcome.Allocated.class);
    // 20,000 steps would be 625 looks, and as many pairings of up to 56 GPUs and NICs.
    assertThat(looks.get()).isLessThan(200);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aScoreSaysThatTheSearchEndedAtALimit(boolean fastFirst) {
    // Fast NICs are across NUMA nodes: one pair fills the link, seven others are slow ones.
    List<Device> gpus = new ArrayList<>();
    List<Device> nics = new ArrayList<>();
    for (int i = 0; i < 16; i++) {
      gpus.add(device("gpu-" + i, 0, "numa").build());
    }
    for (int i = 0; i < 32; i++) {
      boolean fast = i < 16 == fastFirst;
      nics.add(
          device("nic-" + i, fast ? 1 : 0, "dra.net/numaNode")
              .attribute("host.dra4j.io/megabitsPerSecond", fast ? 400_000 : 100_000)
              .build());
    }
    Servers server = Servers.of(gpus, nics);
    PlacementScore score = Servers.score(allocate(server, claims(1, 8), () -> false));
    assertThat(score.gigabytesPerSecond()).isEqualTo(7 * 12.5 + 22);
    assertThat(score.explanation())
        .endsWith(
            "; the search ended at a limit before all sets were compared, so that there may be a"
                + " better one");

    PlacementScore one = Servers.score(allocate(server, claims(1, 1), () -> false));
    assertThat(one.explanation()).doesNotContain("ended at a limit");
  }

  @Test
  void whereNothingIsSharedFlowsShowThatNoOtherSetIsFaster() {
    PlacementScore score = Servers.score(allocate(ofManyRates(64), claims(1, 4), () -> false));

    assertThat(score.explanation()).doesNotContain("ended at a limit");
  }

  @ParameterizedTest
  @ValueSource(strings = {"ConstrainedSetSearch", "PairFlow", "PairSwapSearch"})
  void whenItsShareOfTheTimeIsOverASearchGivesWhatItHas(String search) {
    AtomicInteger looks = new AtomicInteger();
    AllocationOutcome outcome =
        allocate(ofManyRates(16), claims(2, 7), () -> isIn(search) && looks.incrementAndGet() == 2);

    assertThat(outcome).isInstanceOf(AllocationOutcome.Allocated.class);
    assertThat(looks.get()).isGreaterThanOrEqualTo(2);
    assertThat(Servers.score(outcome).explanation())
        .endsWith(
            "the time ended before all sets were compared, so that there may be a better" + " one");
  }

  @Test
  void theSameWithTiesOnAServerOfManyDevices() {
    List<Device> gpus = new ArrayList<>();
    List<Device> nics = new ArrayList<>();
    for (int i = 0; i < 80; i++) {
      gpus.add(device("gpu-" + i, i / 5, "numa").build());
      nics.add(device("nic-" + i, (i + 40) % 80 / 5, "dra.net/numaNode").build());
    }
    List<ResourceClaim> claims =
        List.of(
            Servers.claim(4, 4)
                .constraint(DeviceConstraint.matchAttribute("example.com/colour"))
                .build());
    AtomicInteger looks = new AtomicInteger();
    AllocationOutcome outcome =
        allocate(
            Servers.of(gpus, nics), claims, () -> isIn("PairFlow") && looks.incrementAndGet() == 2);

    assertThat(outcome).isInstanceOf(AllocationOutcome.Allocated.class);
    assertThat(Servers.score(outcome).explanation()).contains("the time ended before all sets");
  }

  @Test
  void whoCancelsGetsNoAnswer() {
    AtomicBoolean cancelled = new AtomicBoolean();
    AllocationOutcome outcome =
        allocate(
            ofManyRates(16),
            claims(2, 7),
            () -> {
              cancelled.compareAndSet(false, isIn("ConstrainedSetSearch"));
              return cancelled.get();
            });

    assertThat(outcome).isInstanceOf(Undecided.class);
  }
}
