package io.dra4j.scheduling.reservation;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.allocation.AllocationOutcome.Undecided;
import io.dra4j.allocation.Allocator;
import io.dra4j.allocation.ClusterQuery;
import io.dra4j.common.Budget;
import io.dra4j.inventory.DeviceInventory;
import io.dra4j.inventory.InventoryEvent.ClaimPut;
import io.dra4j.inventory.InventoryEvent.ClaimRemoved;
import io.dra4j.inventory.InventoryEvent.SlicePut;
import io.dra4j.inventory.InventoryEvent.SliceRemoved;
import io.dra4j.model.ClaimKey;
import io.dra4j.model.ClusterSnapshot;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceClass;
import io.dra4j.model.DeviceId;
import io.dra4j.model.KubernetesObject;
import io.dra4j.model.Node;
import io.dra4j.model.ResourceClaim;
import io.dra4j.model.ResourceSlice;
import io.dra4j.scheduling.reservation.ReservationOutcome.AlreadyHeld;
import io.dra4j.scheduling.reservation.ReservationOutcome.Nowhere;
import io.dra4j.scheduling.reservation.ReservationOutcome.Refused;
import io.dra4j.scheduling.reservation.ReservationOutcome.Reserved;
import io.dra4j.selector.CompiledAttribute;
import io.dra4j.selector.CompiledSelector;
import io.dra4j.selector.SelectorCompiler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ReservationsTest {

  /** How many operations the threads do together; 1,000,000 in the night. */
  private static final int OPERATIONS = Integer.getInteger("reservations.operations", 20_000);

  private static final int THREADS = 8;
  private static final int NODES = 4;

  private static final class Everything implements SelectorCompiler {
    @Override
    public CompiledSelector compileSelector(String expression) {
      return (driver, device) -> true;
    }

    @Override
    public CompiledAttribute compileAttribute(String expression) {
      throw new UnsupportedOperationException();
    }
  }

  private static final Allocator ALLOCATOR =
      Allocator.builder().selectors(new Everything()).build();

  private static DeviceInventory inventory(int devices) {
    List<KubernetesObject> objects = new ArrayList<>();
    objects.add(DeviceClass.named("any"));
    for (int i = 0; i < NODES; i++) {
      objects.add(Node.named("n" + i));
      objects.add(
          ResourceSlice.onNode(
              "s" + i,
              "gpu",
              "n" + i,
              IntStream.range(0, devices).mapToObj(d -> Device.named("d" + d).build()).toList()));
    }
    return DeviceInventory.of(ClusterSnapshot.of(objects));
  }

  private static ResourceClaim claim(String name, int count) {
    return ResourceClaim.named(name).request("r", r -> r.deviceClass("any").count(count)).build();
  }

  private static Reservation reserved(ReservationOutcome outcome) {
    assertThat(outcome).isInstanceOf(Reserved.class);
    return ((Reserved) outcome).reservation();
  }

  private static List<DeviceId> devicesOf(Reservation reservation) {
    return reservation.allocations().stream()
        .flatMap(allocation -> allocation.result().results().stream())
        .map(result -> new DeviceId(result.driver(), result.pool(), result.device()))
        .toList();
  }

  @Test
  void whatIsReservedNobodyElseGets() {
    Reservations reservations = new Reservations(ALLOCATOR, inventory(2));
    Reservation first = reserved(reservations.reserve("n0", List.of(claim("a", 1))));
    Reservation second = reserved(reservations.reserve("n0", List.of(claim("b", 1))));
    assertThat(devicesOf(first)).doesNotContainAnyElementsOf(devicesOf(second));
    assertThat(reservations.reserve("n0", List.of(claim("c", 1)))).isInstanceOf(Refused.class);
    assertThat(reservations.open()).containsExactlyInAnyOrder(first, second);
    reservations.release(first);
    assertThat(devicesOf(reserved(reservations.reserve("n0", List.of(claim("c", 1))))))
        .isEqualTo(devicesOf(first));
  }

  @Test
  void aReservationOfNoClaimsIsOpenUntilItEnds() {
    Reservations reservations = new Reservations(ALLOCATOR, inventory(1));
    Reservation first = reserved(reservations.reserve("n0", List.of()));
    Reservation second = reserved(reservations.reserve("n0", List.of()));
    Reservation other = reserved(reservations.reserve("n0", List.of(claim("a", 1))));
    reservations.apply(List.of());
    assertThat(reservations.open()).containsExactlyInAnyOrder(first, second, other);
    reservations.commit(first);
    reservations.release(other);
    assertThat(reservations.open()).containsExactly(second);
    reservations.release(second);
    reservations.release(second);
    assertThat(reservations.open()).isEmpty();
  }

  @Test
  void whatIsCommittedCannotBeReleased() {
    Reservations reservations = new Reservations(ALLOCATOR, inventory(1));
    Reservation reservation = reserved(reservations.reserve("n0", List.of(claim("a", 1))));
    reservations.commit(reservation);
    reservations.release(reservation);
    assertThat(reservations.open()).isEmpty();
    assertThat(reservations.reserve("n0", List.of(claim("b", 1)))).isInstanceOf(Refused.class);
    assertThat(reservations.reserve("n1", List.of(claim("a", 1))))
        .isEqualTo(new AlreadyHeld(new ClaimKey("default", "a")));
  }

  @Test
  void theFirstNodeWithDevicesIsTaken() {
    Reservations reservations = new Reservations(ALLOCATOR, inventory(1));
    for (int i = 0; i < NODES; i++) {
      assertThat(
              reserved(reservations.reserve(ClusterQuery::first, List.of(claim("c" + i, 1))))
                  .node())
          .isEqualTo("n" + i);
    }
    assertThat(reservations.reserve(ClusterQuery::first, List.of(claim("last", 1))))
        .isEqualTo(new Nowhere());
  }

  @Test
  void aReservationOutlivesWhatTheClusterSaysOfAPendingClaim() {
    Reservations reservations = new Reservations(ALLOCATOR, inventory(1));
    ResourceClaim claim = claim("a", 1);
    Reservation reservation = reserved(reservations.reserve("n0", List.of(claim)));
    reservations.apply(List.of(new ClaimPut(claim)));
    assertThat(reservations.reserve("n0", List.of(claim("b", 1)))).isInstanceOf(Refused.class);
    // Gone, its devices are free, and the reservation is none any more.
    reservations.apply(List.of(new ClaimRemoved(ClaimKey.of(claim))));
    Reservation other = reserved(reservations.reserve("n0", List.of(claim("b", 1))));
    reservations.release(reservation);
    assertThat(reservations.open()).containsExactly(other);
    assertThat(reservations.inventory().holdersOf(devicesOf(other).get(0))).hasSize(1);
  }

  @Test
  void whatTheClusterSaysOfAnAllocationEndsTheReservation() {
    Reservations reservations = new Reservations(ALLOCATOR, inventory(1));
    Reservation reservation = reserved(reservations.reserve("n0", List.of(claim("a", 1))));
    reservations.apply(List.of(new ClaimPut(reservation.allocations().get(0).allocatedClaim())));
    reservations.release(reservation);
    assertThat(reservations.open()).isEmpty();
    assertThat(reservations.reserve("n0", List.of(claim("b", 1)))).isInstanceOf(Refused.class);
  }

  @Test
  void aPlanThatWasKeptGivesNobodysDevicesAway() {
    Reservations reservations = new Reservations(ALLOCATOR, inventory(1));
    ResourceClaim late = claim("late", 1);
    Optional<ClusterQuery.OnNode> kept =
        ALLOCATOR.query(reservations.inventory(), List.of(late)).first();
    Reservation first = reserved(reservations.reserve("n0", List.of(claim("a", 1))));
    assertThat(reservations.reserve(fit -> kept, List.of(late))).isInstanceOf(Refused.class);
    reservations.commit(first);
    assertThat(reservations.reserve(fit -> kept, List.of(late))).isInstanceOf(Refused.class);
    // A plan for others is none for this claim.
    reservations.apply(List.of(new ClaimRemoved(new ClaimKey("default", "a"))));
    ResourceClaim other = claim("other", 1);
    assertThat(reserved(reservations.reserve(fit -> kept, List.of(other))).keys())
        .containsExactly(ClaimKey.of(other));
  }

  @Test
  void aPlanOfDevicesThatAreGoneIsMadeAnew() {
    Reservations reservations = new Reservations(ALLOCATOR, inventory(2));
    ResourceClaim claim = claim("a", 1);
    Optional<ClusterQuery.OnNode> kept =
        ALLOCATOR.query(reservations.inventory(), List.of(claim)).first();
    reservations.apply(
        List.of(
            new SlicePut(
                ResourceSlice.onNode("s0", "gpu", "n0", List.of(Device.named("d1").build())))));
    assertThat(devicesOf(reserved(reservations.reserve(fit -> kept, List.of(claim)))).toString())
        .contains("d1");
    reservations.apply(List.of(new SliceRemoved("s0")));
    assertThat(reservations.reserve(fit -> kept, List.of(claim("b", 1))))
        .isInstanceOf(Refused.class);
  }

  @Test
  void aCommittedClaimKeepsItsDevicesWhileTheClusterTellsOfThePast() {
    Reservations reservations = new Reservations(ALLOCATOR, inventory(1));
    ResourceClaim claim = claim("a", 1);
    Reservation reservation = reserved(reservations.reserve("n0", List.of(claim)));
    reservations.commit(reservation);
    reservations.apply(List.of(new ClaimPut(claim))); // a change from before the allocation
    assertThat(reservations.reserve("n0", List.of(claim("b", 1)))).isInstanceOf(Refused.class);
    reservations.apply(List.of(new ClaimPut(reservation.allocations().get(0).allocatedClaim())));
    assertThat(reservations.reserve("n0", List.of(claim("b", 1)))).isInstanceOf(Refused.class);
    reservations.apply(List.of(new ClaimPut(claim))); // now it is given back
    reserved(reservations.reserve("n0", List.of(claim("b", 1))));
  }

  @Test
  void anotherClaimOfTheSameNameIsNoNewsOfTheFirst() {
    Reservations reservations = new Reservations(ALLOCATOR, inventory(1));
    ResourceClaim first = withUid(claim("a", 1), "1");
    reservations.commit(reserved(reservations.reserve("n0", List.of(first))));
    reservations.apply(List.of(new ClaimPut(withUid(claim("a", 1), "2"))));
    reserved(reservations.reserve("n0", List.of(claim("b", 1))));
  }

  private static ResourceClaim withUid(ResourceClaim claim, String uid) {
    return claim.toBuilder().metadata(claim.metadata().toBuilder().uid(uid).build()).build();
  }

  @Test
  void aCommittedClaimThatHoldsNothingIsNotReservedAgain() {
    Reservations reservations = new Reservations(ALLOCATOR, inventory(1));
    ResourceClaim admin =
        ResourceClaim.named("a").request("r", r -> r.deviceClass("any").adminAccess()).build();
    reservations.commit(reserved(reservations.reserve("n0", List.of(admin))));
    assertThat(reservations.reserve("n0", List.of(admin)))
        .isEqualTo(new AlreadyHeld(ClaimKey.of(admin)));
    reservations.apply(List.of(new ClaimRemoved(ClaimKey.of(admin))));
    reserved(reservations.reserve("n0", List.of(admin)));
  }

  @Test
  void anAllocatedClaimThatHoldsNothingIsNotReservedAgain() {
    Reservations reservations = new Reservations(ALLOCATOR, inventory(1));
    ResourceClaim admin =
        ResourceClaim.named("a").request("r", r -> r.deviceClass("any").adminAccess()).build();
    ResourceClaim empty = ResourceClaim.named("empty").build();
    for (ResourceClaim claim : List.of(admin, empty)) {
      Reservation reservation = reserved(reservations.reserve("n0", List.of(claim)));
      reservations.commit(reservation);
      reservations.apply(List.of(new ClaimPut(reservation.allocations().get(0).allocatedClaim())));
      assertThat(reservations.reserve("n0", List.of(claim)))
          .isEqualTo(new AlreadyHeld(ClaimKey.of(claim)));
      reservations.apply(List.of(new ClaimPut(claim))); // given back
      reserved(reservations.reserve("n0", List.of(claim)));
    }
  }

  @Test
  void aClaimMadeAnewIsReservedAsSoonAsTheInventoryHasItsEnd() {
    List<ReservationOutcome> outcomes = new ArrayList<>();
    AtomicReference<Reservations> self = new AtomicReference<>();
    ResourceClaim claim = claim("a", 1);
    Reservations reservations =
        new Reservations(
            ALLOCATOR,
            inventory(1),
            (current, before, after) -> {
              current.set(after);
              if (before.committed().size() > after.committed().size()) {
                outcomes.add(
                    Objects.requireNonNull(self.get())
                        .reserve("n0", List.of(claim))); // by another thread
              }
              return true;
            });
    self.set(reservations);
    reservations.commit(reserved(reservations.reserve("n0", List.of(claim))));
    reservations.apply(List.of(new ClaimRemoved(ClaimKey.of(claim))));
    assertThat(outcomes).singleElement().isInstanceOf(Reserved.class);
  }

  @Test
  void whoHasNoTimeGetsNothing() {
    Reservations reservations = new Reservations(ALLOCATOR, inventory(1));
    ReservationOutcome over =
        reservations.reserve("n0", List.of(claim("a", 1)), Budget.of(Duration.ZERO));
    assertThat(over).isInstanceOf(Refused.class);
    assertThat(((Refused) over).outcome()).isInstanceOf(Undecided.class);
    AtomicInteger tries = new AtomicInteger();
    Reservations outrun =
        new Reservations(ALLOCATOR, inventory(1), (current, before, after) -> false);
    ReservationOutcome never =
        outrun.reserve(
            ClusterQuery::first,
            List.of(claim("a", 1)),
            Budget.unlimited().orUntil(() -> tries.incrementAndGet() > 50));
    assertThat(((Refused) never).outcome()).isInstanceOf(Undecided.class);
  }

  /**
   * Threads that reserve, commit and release at random, and keep a ledger of who has what: a device
   * enters it after it was given, and leaves it before it is given back.
   *
   * @return devices that were given while somebody had them, and reservations that were lost
   */
  private static List<String> faultsOf(Reservations reservations, int operations)
      throws InterruptedException {
    Map<DeviceId, ClaimKey> ledger = new ConcurrentHashMap<>();
    ConcurrentLinkedQueue<String> faults = new ConcurrentLinkedQueue<>();
    List<Thread> threads = new ArrayList<>();
    for (int t = 0; t < THREADS; t++) {
      int number = t;
      Thread thread =
          new Thread(
              () -> {
                SplittableRandom random = new SplittableRandom(number);
                List<Reservation> mine = new ArrayList<>();
                List<ClusterQuery.OnNode> kept = new ArrayList<>();
                for (int i = 0; i < operations / THREADS; i++) {
                  if (mine.isEmpty() || random.nextInt(3) > 0) {
                    ResourceClaim claim = claim("t" + number + "-" + i, random.nextInt(1, 4));
                    if (reserve(reservations, claim, random, kept) instanceof Reserved reserved) {
                      mine.add(reserved.reservation());
                      for (DeviceId device : devicesOf(reserved.reservation())) {
                        ClaimKey other = ledger.putIfAbsent(device, ClaimKey.of(claim));
                        if (other != null) {
                          faults.add(device + " for " + claim.displayName() + " and " + other);
                        }
                      }
                      continue;
                    }
                  }
                  if (!mine.isEmpty()) {
                    Reservation last = mine.remove(random.nextInt(mine.size()));
                    devicesOf(last).forEach(ledger::remove);
                    if (random.nextBoolean()) {
                      reservations.release(last);
                    } else {
                      reservations.commit(last);
                      reservations.apply(
                          last.allocations().stream()
                              .map(allocation -> new ClaimRemoved(ClaimKey.of(allocation.claim())))
                              .toList());
                    }
                  }
                }
                for (Reservation left : mine) {
                  for (DeviceId device : devicesOf(left)) {
                    if (!reservations
                        .inventory()
                        .holdersOf(device)
                        .contains(ClaimKey.of(left.allocations().get(0).claim()))) {
                      faults.add(device + " was lost");
                    }
                  }
                }
              });
      thread.setUncaughtExceptionHandler((any, e) -> faults.add(e.toString()));
      threads.add(thread);
    }
    threads.forEach(Thread::start);
    for (Thread thread : threads) {
      thread.join();
    }
    return List.copyOf(faults);
  }

  /** On a node by its name, or by a plan that is one of the last eight. */
  private static ReservationOutcome reserve(
      Reservations reservations,
      ResourceClaim claim,
      SplittableRandom random,
      List<ClusterQuery.OnNode> kept) {
    if (random.nextInt(4) > 0) {
      return reservations.reserve("n" + random.nextInt(NODES), List.of(claim));
    }
    ALLOCATOR.query(reservations.inventory(), List.of(claim)).first().ifPresent(kept::add);
    if (kept.size() > 8) {
      kept.remove(0);
    }
    return reservations.reserve(
        fit ->
            kept.isEmpty() ? Optional.empty() : Optional.of(kept.get(random.nextInt(kept.size()))),
        List.of(claim));
  }

  @Test
  void noDeviceIsGivenTwice() throws InterruptedException {
    assertThat(faultsOf(new Reservations(ALLOCATOR, inventory(8)), OPERATIONS)).isEmpty();
  }

  @Test
  void theLedgerSeesADeviceThatIsGivenTwice() throws InterruptedException {
    // What is published is published, whatever was published meanwhile.
    Reservations careless =
        new Reservations(
            ALLOCATOR,
            inventory(8),
            (current, before, after) -> {
              current.set(after);
              return true;
            });
    List<String> faults = List.of();
    for (int i = 0; i < 50 && faults.isEmpty(); i++) {
      faults = faultsOf(careless, 20_000);
    }
    assertThat(faults).isNotEmpty();
  }

  @Test
  void aClaimThatWasMadeAnewWaitsUntilTheOldOneIsSaidToBeGone() {
    Reservations reservations = new Reservations(ALLOCATOR, inventory(2));
    Reservation old = reserved(reservations.reserve("n0", List.of(withUid(claim("a", 1), "old"))));
    reservations.apply(List.of(new ClaimPut(old.allocations().get(0).allocatedClaim())));
    ResourceClaim anew = withUid(claim("a", 1), "new");
    assertThat(reservations.reserve("n0", List.of(anew)))
        .isEqualTo(new AlreadyHeld(ClaimKey.of(anew)));
    reservations.apply(List.of(new ClaimPut(anew)));
    assertThat(reservations.reserve("n0", List.of(anew))).isInstanceOf(Reserved.class);
  }
}
