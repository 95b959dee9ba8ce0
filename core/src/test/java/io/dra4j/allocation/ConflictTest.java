package io.dra4j.allocation;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.allocation.AllocationOutcome.Allocated;
import io.dra4j.allocation.AllocationOutcome.Unallocatable;
import io.dra4j.allocation.explanation.Explanation;
import io.dra4j.allocation.explanation.PartialResult;
import io.dra4j.allocation.explanation.Requirement;
import io.dra4j.allocation.explanation.Suggestion;
import io.dra4j.allocation.internal.explain.ClaimRelaxation;
import io.dra4j.common.Budget;
import io.dra4j.inventory.DeviceInventory;
import io.dra4j.inventory.InventoryDevice;
import io.dra4j.inventory.InventoryEvent.ClaimRemoved;
import io.dra4j.model.AllocationMode;
import io.dra4j.model.ClaimKey;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceConstraint;
import io.dra4j.model.DeviceRequest;
import io.dra4j.model.DeviceSubRequest;
import io.dra4j.model.DeviceTaint;
import io.dra4j.model.DeviceToleration;
import io.dra4j.model.ExactDeviceRequest;
import io.dra4j.model.ResourceClaim;
import io.dra4j.model.ResourceClaimSpec;
import io.dra4j.model.ResourceSlice;
import io.dra4j.model.TaintEffect;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The smallest conflicts and the suggestions of explanations. */
class ConflictTest {

  private static final int CLUSTERS = Integer.getInteger("conflicts", 400);
  private static final String ROOT = "resource.kubernetes.io/pcieRoot";

  private static Explanation explain(Cluster cluster, ResourceClaim... claims) {
    return ((Unallocatable) cluster.allocate(claims)).explanation();
  }

  private static List<String> textsOf(List<Suggestion> suggestions) {
    return suggestions.stream().map(Suggestion::text).toList();
  }

  private static Allocator.Builder allocator(RandomCluster random) {
    return Allocator.builder()
        .selectors(random.cluster.words)
        .features(random.features)
        .compatibility(random.compatibility)
        .timeout(Duration.ofSeconds(1)); // some of these clusters take longer than anybody waits
  }

  /** Selectors that fail make an error of what a smaller claim would find: these are left aside. */
  private static boolean asksForAll(List<ResourceClaim> claims) {
    return claims.stream()
        .flatMap(claim -> claim.spec().requests().stream())
        .anyMatch(
            request ->
                request.exactly() == null
                    || request.exactly().allocationMode().equals(AllocationMode.ALL));
  }

  @Test
  void aConflictDoesNotFitAndWithoutAnyOfItsPartsItDoes() {
    int conflicts = 0;
    int parts = 0;
    for (long seed = 0; seed < CLUSTERS; seed++) {
      RandomCluster random = RandomCluster.ofAllKinds(seed);
      Allocator allocator = allocator(random).build();
      AllocationOutcome outcome =
          allocator.allocate(random.cluster.inventory(), "n", random.claims);
      if (!(outcome instanceof Unallocatable unallocatable)) {
        continue;
      }
      List<Requirement> conflict = unallocatable.explanation().conflict();
      if (conflict.isEmpty()) {
        continue; // no time
      }
      Set<Requirement> leftOut = new HashSet<>(ClaimRelaxation.requirementsOf(random.claims));
      conflict.forEach(leftOut::remove);
      assertThat(fit(allocator, random, leftOut))
          .as("seed %d: %s", seed, conflict)
          .isInstanceOf(Unallocatable.class);
      for (Requirement part : conflict) {
        leftOut.add(part);
        AllocationOutcome less = fit(allocator, random, leftOut);
        if (!asksForAll(random.claims)) {
          assertThat(less)
              .as("seed %d: %s without %s", seed, conflict, part)
              .isNotInstanceOf(Unallocatable.class);
        }
        leftOut.remove(part);
        parts++;
      }
      conflicts++;
    }
    assertThat(conflicts).isGreaterThan(CLUSTERS / 10);
    assertThat(parts).isGreaterThan(conflicts);
  }

  private static AllocationOutcome fit(
      Allocator allocator, RandomCluster random, Set<Requirement> leftOut) {
    return allocator.allocate(
        random.cluster.inventory(), "n", ClaimRelaxation.without(random.claims, leftOut));
  }

  private static ResourceClaim[] alike(int number, String deviceClass) {
    return IntStream.range(0, number)
        .mapToObj(
            i -> ResourceClaim.named("c" + i).request("r", r -> r.deviceClass(deviceClass)).build())
        .toArray(ResourceClaim[]::new);
  }

  /** The conflict of claims, and after how many searches it was found. */
  private static List<Requirement> conflict(
      Cluster cluster, AtomicInteger searches, ResourceClaim... claims) {
    AllocationObserver counter = statistics -> searches.incrementAndGet();
    return ((Unallocatable) cluster.allocate(Allocator.builder().observer(counter), claims))
        .explanation()
        .conflict();
  }

  @Test
  void ofManyClaimsThatAskForTheSameOneIsTried() {
    AtomicInteger searches = new AtomicInteger();
    assertThat(conflict(Cluster.withDevices(400), searches, alike(401, "gpu"))).hasSize(401);
    assertThat(searches).hasValueLessThan(10);
  }

  @Test
  void manyClaimsThatDoNotMatterAreLeftOutTogether() {
    AtomicInteger searches = new AtomicInteger();
    ResourceClaim[] claims = alike(401, "gpu");
    claims[200] = ResourceClaim.named("nic").request("r", r -> r.deviceClass("nic")).build();
    assertThat(conflict(Cluster.withDevices(401), searches, claims))
        .containsExactly(new Requirement.Request(ClaimKey.of(claims[200]), "r"));
    assertThat(searches).hasValueLessThan(80);
  }

  @Test
  void withEachSuggestionTheClaimsFit() {
    int suggestions = 0;
    for (long seed = 0; seed < CLUSTERS; seed++) {
      RandomCluster random = RandomCluster.ofAllKinds(seed);
      Allocator allocator = allocator(random).build();
      AllocationOutcome outcome =
          allocator.allocate(random.cluster.inventory(), "n", random.claims);
      if (outcome instanceof Unallocatable unallocatable) {
        for (Suggestion suggestion : unallocatable.explanation().suggestions()) {
          assertThat(allocator.allocate(suggestion.inventory(), "n", suggestion.claims()))
              .as("seed %d: %s", seed, suggestion.text())
              .isInstanceOf(Allocated.class);
          suggestions++;
        }
      }
    }
    assertThat(suggestions).isGreaterThan(CLUSTERS / 20);
  }

  /** Whether one single change is enough, found without looking at any reason. */
  private static Optional<String> singleChange(RandomCluster random, Allocator allocator) {
    DeviceInventory inventory = random.cluster.inventory();
    Map<String, Suggestion> changes = new LinkedHashMap<>();
    Set<DeviceTaint> taints = new LinkedHashSet<>();
    for (InventoryDevice device : inventory.devicesOf("n").orElseThrow().list()) {
      for (ClaimKey holder : device.holders()) {
        DeviceInventory freed = inventory.apply(List.of(new ClaimRemoved(holder)));
        changes.put("release " + holder, new Suggestion("", freed, random.claims));
      }
      taints.addAll(device.device().taints());
    }
    for (int c = 0; c < random.claims.size(); c++) {
      ResourceClaim claim = random.claims.get(c);
      ResourceClaimSpec spec = claim.spec();
      for (int i = 0; i < spec.constraints().size(); i++) {
        List<DeviceConstraint> fewer = new ArrayList<>(spec.constraints());
        fewer.remove(i);
        put(changes, "constraint " + i, inventory, random, c, spec.requests(), fewer);
      }
      for (int i = 0; i < spec.requests().size(); i++) {
        ExactDeviceRequest exactly = spec.requests().get(i).exactly();
        if (exactly == null) {
          continue;
        }
        List<ExactDeviceRequest> others = new ArrayList<>();
        if (exactly.count() > 1 && exactly.allocationMode().equals(AllocationMode.EXACT_COUNT)) {
          others.add(exactly.toBuilder().count(exactly.count() - 1).build());
        }
        for (DeviceTaint taint : taints) {
          others.add(exactly.toBuilder().toleration(DeviceToleration.exists(taint.key())).build());
        }
        for (ExactDeviceRequest other : others) {
          List<DeviceRequest> requests = new ArrayList<>(spec.requests());
          requests.set(i, DeviceRequest.exactly(requests.get(i).name(), other));
          put(changes, "request " + other, inventory, random, c, requests, spec.constraints());
        }
      }
    }
    for (Map.Entry<String, Suggestion> change : changes.entrySet()) {
      if (allocator.allocate(change.getValue().inventory(), "n", change.getValue().claims())
          instanceof Allocated) {
        return Optional.of(change.getKey());
      }
    }
    return Optional.empty();
  }

  private static void put(
      Map<String, Suggestion> changes,
      String name,
      DeviceInventory inventory,
      RandomCluster random,
      int index,
      List<DeviceRequest> requests,
      List<DeviceConstraint> constraints) {
    List<ResourceClaim> claims = new ArrayList<>(random.claims);
    ResourceClaim claim = claims.get(index);
    claims.set(
        index,
        claim.toBuilder().spec(new ResourceClaimSpec(requests, constraints, List.of())).build());
    changes.put(index + " " + name, new Suggestion("", inventory, claims));
  }

  @Test
  void whereOneSingleChangeIsEnoughSomethingIsSuggested() {
    int refused = 0;
    List<String> missed = new ArrayList<>();
    for (long seed = 0; seed < CLUSTERS; seed++) {
      RandomCluster random = RandomCluster.ofAllKinds(seed);
      Allocator allocator = allocator(random).build();
      AllocationOutcome outcome =
          allocator.allocate(random.cluster.inventory(), "n", random.claims);
      if (outcome instanceof Unallocatable unallocatable) {
        refused++;
        PartialResult<Suggestion> found =
            unallocatable.explanation().findSuggestions(Budget.unlimited());
        if (found.found().isEmpty() && found.complete()) {
          long number = seed;
          singleChange(random, allocator)
              .ifPresent(change -> missed.add("seed " + number + ": " + change));
        }
      }
    }
    assertThat(missed).as("of %d refused", refused).isEmpty();
  }

  private static Cluster onePairPerRoot(int roots) {
    List<Device> gpus = new ArrayList<>();
    List<Device> nics = new ArrayList<>();
    for (int i = 0; i < roots; i++) {
      gpus.add(Device.named("gpu" + i).attribute(ROOT, "r" + i).build());
      nics.add(Device.named("nic" + i).attribute(ROOT, "r" + i).build());
    }
    return Cluster.of(
        ResourceSlice.onNode("gpus", "gpu", "n", gpus),
        ResourceSlice.onNode("nics", "nic", "n", nics));
  }

  private static final ClaimKey CLAIM = new ClaimKey("default", "c");

  @Test
  void aConstraintOverAllDevicesIsToBeSplitIntoPairs() {
    ResourceClaim claim =
        ResourceClaim.named("c")
            .request("gpus", request -> request.deviceClass("gpu").count(2))
            .request("nics", request -> request.deviceClass("nic").count(2))
            .request("more", request -> request.deviceClass("nic"))
            .constraint(DeviceConstraint.matchAttribute(ROOT, "gpus", "nics"))
            .build();
    Explanation explanation = explain(onePairPerRoot(8), claim);
    assertThat(explanation.conflict())
        .containsExactly(
            new Requirement.Request(CLAIM, "gpus"),
            new Requirement.Constraint(CLAIM, 0, claim.spec().constraints().get(0)));
    assertThat(textsOf(explanation.suggestions()))
        .containsExactly(
            "if each of gpus and nics needs to share only with one of the others, write 2 sets of"
                + " requests, each set with its own matchAttribute "
                + ROOT
                + ", instead of one constraint over all 4 devices",
            "leave out the constraint on " + ROOT + ": the devices are then not near each other");
    assertThat(explanation.suggestions().get(0).claims().get(0).spec().constraints())
        .containsExactly(
            DeviceConstraint.matchAttribute(ROOT, "gpus-0", "nics-0"),
            DeviceConstraint.matchAttribute(ROOT, "gpus-1", "nics-1"));
  }

  @Test
  void otherRequestsAndConstraintsStayWhenAConstraintIsSplit() {
    ResourceClaim claim =
        ResourceClaim.named("c")
            .request("gpus", request -> request.deviceClass("gpu").count(2))
            .request("more", request -> request.deviceClass("nic"))
            .request("nics", request -> request.deviceClass("nic").count(2))
            .constraint(DeviceConstraint.distinctAttribute(ROOT, "gpus"))
            .constraint(DeviceConstraint.matchAttribute(ROOT, "gpus", "nics"))
            .build();
    Suggestion suggestion = explain(onePairPerRoot(8), claim).suggestions().get(0);
    assertThat(suggestion.text()).startsWith("if each of gpus and nics needs to share");
    ResourceClaim spec = suggestion.claims().get(0);
    assertThat(spec.spec().requests())
        .extracting(DeviceRequest::name)
        .containsExactly("gpus-0", "gpus-1", "more", "nics-0", "nics-1");
    assertThat(spec.spec().constraints())
        .containsExactly(
            DeviceConstraint.distinctAttribute(ROOT, "gpus-0", "gpus-1"),
            DeviceConstraint.matchAttribute(ROOT, "gpus-0", "nics-0"),
            DeviceConstraint.matchAttribute(ROOT, "gpus-1", "nics-1"));
  }

  @ParameterizedTest
  @CsvSource({"15, 2", "16, 0"})
  void aConstraintIsSplitIntoAsManyRequestsAsAClaimMayHave(int pairs, int others) {
    ResourceClaim.Builder claim =
        ResourceClaim.named("c")
            .request("gpus", request -> request.deviceClass("gpu").count(pairs))
            .request("nics", request -> request.deviceClass("nic").count(pairs))
            .constraint(DeviceConstraint.matchAttribute(ROOT, "gpus", "nics"));
    for (int i = 0; i < others; i++) {
      claim.request("more" + i, request -> request.deviceClass("nic"));
    }
    assertThat(textsOf(explain(onePairPerRoot(20), claim.build()).suggestions()))
        .anyMatch(text -> text.startsWith("leave out the constraint"))
        .anyMatch(text -> text.startsWith("if each of gpus and nics"));
  }

  @Test
  void holdersAreToGiveBackWhatTheyHave() {
    ResourceClaim two =
        ResourceClaim.named("c").request("r", r -> r.deviceClass("gpu").count(2)).build();
    Cluster cluster =
        Cluster.withDevices(3).add(Cluster.holding("a", "d0"), Cluster.holding("b", "d1"));
    assertThat(textsOf(explain(cluster, two).suggestions()))
        .containsExactly(
            "release the devices of claim default/a",
            "release the devices of claim default/b",
            "ask for 1 instead of 2 devices in request r");
    ResourceClaim three =
        ResourceClaim.named("c").request("r", r -> r.deviceClass("gpu").count(3)).build();
    assertThat(textsOf(explain(cluster, three).suggestions()))
        .containsExactly(
            "release the devices of claims default/a and default/b",
            "ask for 1 instead of 3 devices in request r");
  }

  @Test
  void whatIsToleratedAlreadyIsNotProposed() {
    DeviceTaint known = DeviceTaint.of("known", "", TaintEffect.NO_SCHEDULE);
    DeviceTaint other = DeviceTaint.of("other", "", TaintEffect.NO_SCHEDULE);
    Cluster cluster = Cluster.withDevices(Device.named("d").taint(known).taint(other).build());
    ExactDeviceRequest tolerating =
        ExactDeviceRequest.ofClass("gpu").toleration(DeviceToleration.exists("known")).build();
    List<DeviceRequest> requests =
        List.of(
            DeviceRequest.exactly("r", tolerating),
            DeviceRequest.firstAvailable("r", List.of(new DeviceSubRequest("s", tolerating))));
    for (DeviceRequest request : requests) {
      assertThat(
              textsOf(
                  explain(cluster, ResourceClaim.named("c").request(request).build())
                      .suggestions()))
          .allMatch(text -> text.startsWith("tolerate other:NoSchedule in request r"))
          .hasSize(1);
    }
  }

  @Test
  void taintsAreToBeTolerated() {
    DeviceTaint taint = DeviceTaint.of("gpu/xid", "48", TaintEffect.NO_SCHEDULE);
    ResourceClaim claim = ResourceClaim.named("c").request("r", r -> r.deviceClass("gpu")).build();
    Explanation explanation =
        explain(Cluster.withDevices(Device.named("d").taint(taint).build()), claim);
    assertThat(explanation.summary())
        .isEqualTo(
            "claim default/c, request r: needs 1 device of class gpu, but the node's only one has"
                + " the taint gpu/xid=48:NoSchedule, which the request does not tolerate");
    assertThat(textsOf(explanation.suggestions()))
        .containsExactly("tolerate gpu/xid=48:NoSchedule in request r");
  }

  @Test
  void anAttributeThatNoDeviceHasIsReplacedByOneOfANearName() {
    ResourceClaim claim =
        ResourceClaim.named("c")
            .request("g", r -> r.deviceClass("gpu"))
            .request("n", r -> r.deviceClass("nic"))
            .constraint(DeviceConstraint.matchAttribute("resource.kubernetes.io/pcieroot"))
            .build();
    Explanation explanation = explain(onePairPerRoot(2), claim);
    assertThat(explanation.summary())
        .isEqualTo(
            "claim default/c: no device for request g has the attribute"
                + " resource.kubernetes.io/pcieroot, which a constraint compares; did you mean "
                + ROOT
                + "?");
    assertThat(textsOf(explanation.suggestions()).get(0))
        .isEqualTo("compare " + ROOT + " instead of resource.kubernetes.io/pcieroot");
  }

  @Test
  void othersMayHaveIdeasThatAreTriedToo() {
    ResourceClaim claim =
        ResourceClaim.named("c").request("r", r -> r.deviceClass("gpu").count(2)).build();
    ResourceClaim smaller =
        ResourceClaim.named("c").request("r", r -> r.deviceClass("gpu")).build();
    Allocator.Builder allocator =
        Allocator.builder()
            .addAdvisor(
                problem ->
                    List.of(
                        new Suggestion("useless", problem.inventory(), problem.claims()),
                        new Suggestion("smaller", problem.inventory(), List.of(smaller))));
    AllocationOutcome outcome = Cluster.withDevices(1).allocate(allocator, claim);
    assertThat(textsOf(((Unallocatable) outcome).explanation().suggestions()))
        .containsExactly("ask for 1 instead of 2 devices in request r", "smaller");
  }

  @Test
  void namesThatWereMeantAreFoundInAlternativesToo() {
    Cluster cluster = onePairPerRoot(1);
    ResourceClaim claim =
        ResourceClaim.named("c")
            .request(
                DeviceRequest.firstAvailable(
                    "r",
                    List.of(new DeviceSubRequest("a", ExactDeviceRequest.ofClass("gpuu").build()))))
            .build();
    assertThat(
            Allocator.builder()
                .selectors(cluster.words)
                .build()
                .explain(cluster.inventory(), "n", List.of(claim))
                .orElseThrow()
                .suggestions())
        .extracting(Suggestion::text)
        .contains("ask for class gpu instead of gpuu in request r/a");
  }

  @Test
  void aChangeIsSuggestedOnce() {
    ResourceClaim.Builder claim = ResourceClaim.named("c");
    for (int i = 0; i < 3; i++) {
      String gpu = "g" + i;
      String nic = "n" + i;
      claim.request(gpu, r -> r.deviceClass("gpu"));
      claim.request(nic, r -> r.deviceClass("nic"));
      claim.constraint(DeviceConstraint.matchAttribute(ROOT, gpu, nic));
    }
    assertThat(textsOf(explain(onePairPerRoot(2), claim.build()).suggestions()))
        .containsExactly("leave out requests g2 and n2");
  }

  @Test
  void claimsReducedToAConflictHaveNothingElse() {
    Cluster cluster = Cluster.withDevices(1);
    ResourceClaim two =
        ResourceClaim.named("two")
            .request("r", request -> request.deviceClass("any").count(2))
            .request("s", request -> request.deviceClass("any"))
            .constraint(DeviceConstraint.distinctAttribute("gpu/a", "s"))
            .build();
    Explanation explanation =
        ((AllocationOutcome.Unallocatable) cluster.allocate(claim("one"), two)).explanation();
    List<Requirement> conflict = explanation.conflict();
    assertThat(conflict).hasSize(1);
    List<ResourceClaim> reduced = explanation.reducedTo(conflict);
    assertThat(cluster.allocate(reduced.toArray(new ResourceClaim[0])))
        .isInstanceOf(AllocationOutcome.Unallocatable.class);
    assertThat(reduced.stream().mapToInt(claim -> claim.spec().requests().size()).sum())
        .isEqualTo(1);
    assertThat(explanation.reducedTo(List.of())).isEmpty();
  }

  private static ResourceClaim claim(String name) {
    return ResourceClaim.named(name).request("r", request -> request.deviceClass("any")).build();
  }
}
