package io.dra4j.allocation.internal.request;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.allocation.Allocator;
import io.dra4j.allocation.Bench;
import io.dra4j.allocation.Cluster;
import io.dra4j.allocation.Compatibility;
import io.dra4j.common.Budget;
import io.dra4j.common.Feature;
import io.dra4j.common.KubernetesVersion;
import io.dra4j.inventory.DeviceInventory;
import io.dra4j.inventory.internal.InventoryAccess;
import io.dra4j.inventory.internal.NodeView;
import io.dra4j.model.CapacityRequestPolicy;
import io.dra4j.model.CapacityRequestPolicyRange;
import io.dra4j.model.CapacityRequirements;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceCapacity;
import io.dra4j.model.Features;
import io.dra4j.model.Quantity;
import io.dra4j.model.ResourceClaim;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What a request for 10 of a shareable device's capacity consumes, by request policy (KEP-5075).
 */
class CapacityPolicyTest {

  private static @Nullable CapacityRequestPolicy policy(String name) {
    return switch (name) {
      case "none" -> null;
      case "range" -> range("4", "2", "8", "2");
      case "range without step" -> range(null, "2", "8", null);
      case "fractional range" -> range(null, "500m", "8", "500m");
      case "values" ->
          new CapacityRequestPolicy(
              null, List.of(Quantity.of(1), Quantity.of(4), Quantity.of(8)), null);
      case "default" -> new CapacityRequestPolicy(Quantity.of(3), List.of(), null);
      case "default too big" -> new CapacityRequestPolicy(Quantity.of(40), List.of(), null);
      case "step 0" -> range(null, "2", null, "0");
      case "step without min" -> range(null, null, null, "2");
      default -> throw new IllegalArgumentException(name);
    };
  }

  private static CapacityRequestPolicy range(
      @Nullable String byDefault,
      @Nullable String min,
      @Nullable String max,
      @Nullable String step) {
    return new CapacityRequestPolicy(
        quantity(byDefault),
        List.of(),
        new CapacityRequestPolicyRange(quantity(min), quantity(max), quantity(step)));
  }

  private static @Nullable Quantity quantity(@Nullable String text) {
    return text == null ? null : Quantity.parse(text);
  }

  private static String consume(String policy, @Nullable String request, Set<Feature> features) {
    return consume(new DeviceCapacity(Quantity.of(10), policy(policy)), request, features);
  }

  private static String consume(
      DeviceCapacity capacity, @Nullable String request, Set<Feature> features) {
    Device device = Device.named("d").capacity("bw", capacity).allowMultipleAllocations().build();
    ResourceClaim claim =
        ResourceClaim.named("c")
            .request(
                "r",
                wanted -> {
                  wanted.deviceClass("any");
                  if (request != null) {
                    wanted.capacity("bw", request);
                  }
                })
            .build();
    return Cluster.withDevices(device)
        .allocate(Allocator.builder().features(features), claim)
        .fold(
            allocated ->
                String.valueOf(
                    allocated
                        .allocations()
                        .get(0)
                        .result()
                        .results()
                        .get(0)
                        .consumedCapacity()
                        .get("bw")),
            unallocatable -> "refused",
            rejected -> "rejected",
            undecided -> "undecided");
  }

  @ParameterizedTest(name = "{0}: {1} consumes {2}")
  @CsvSource({
    "none, , 10",
    "none, 3, 3",
    "none, 0, 0",
    "none, 11, refused",
    "none, -1, rejected",
    "range, , 4",
    "range, 1, 2",
    "range, 3, 4",
    "range, 8, 8",
    "range, 9, refused",
    "range, 3500m, 4",
    "range without step, 3500m, 3500m",
    "range without step, 1, 2",
    "fractional range, 700m, 1",
    "fractional range, 1200m, 1500m",
    "fractional range, 1500001u, rejected",
    "values, 2, 4",
    "values, 4, 4",
    "values, 9, refused",
    "default, , 3",
    "default, 5, 5",
    "default too big, , refused",
    "range, 9223372036854775807, rejected",
    "step 0, 3, rejected",
    "step without min, 3, rejected",
  })
  void consumes(String policy, @Nullable String request, String consumed) {
    assertThat(consume(policy, request, Feature.kubernetes())).isEqualTo(consumed);
  }

  @ParameterizedTest(name = "without the fractional feature {0} consumes {1}")
  @CsvSource({"1500001u, 2", "3500m, 4", "1, 2"})
  void wholeNumbersAreUsedWithoutTheFractionalFeature(String request, String consumed) {
    Set<Feature> features = Features.without(Feature.FRACTIONAL_CAPACITY_RANGE);
    assertThat(consume("range", request, features)).isEqualTo(consumed);
  }

  @ParameterizedTest(name = "of {0} in {1} to {2} by {3}: {4} consumes {5}")
  @CsvSource({
    // Without a request the whole device, where the range has it.
    "10, 1, , 3, , 10",
    "10, 2, , 3, , refused",
    "10, 2, 10, 2, , 10",
    "10, 2, 9, 2, , refused",
    "10, 500m, , 500m, , 10",
    "10250m, 500m, , 500m, , refused",
    "10000100u, 1, , 1, , refused",
    // At the bounds.
    "10, 1, 3, , 3, 3",
    "10, 1, 3, , 3001m, refused",
    "10Ki, 1Ki, , , 1024, 1024",
    "10, 1, , , 999m, 1",
    "10, 0, , 1, 9223372036854775807, rejected",
    // In thousandths, if every bound is one; otherwise in whole numbers.
    "10, 500m, , 250m, 510m, 750m",
    "10, 500m, , 100u, 1500m, 2",
    "10, 100u, , 1, 1500m, 2",
    "10, 1, 9000001u, 1, 1500m, 2",
    "10, 1, , 1m, 1500m, 1500m",
    "10250m, 1, , 1m, 1000500u, rejected",
    "10250m, 1, , -1, , 10250m",
    // What 64 bits hold of thousandths.
    "1e16, 0, , 1, 9223372036854775, 9223372036854775",
    "1e16, 0, , 1, 9223372036854776, rejected",
    "1e16, 0, , 4, 9223372036854775, rejected",
    "1e16, 1m, , 1, 9223372036854775, 9223372036854775001m",
    "1e16, 900m, , 1, 9223372036854775, rejected",
  })
  void aRangeRoundsUpToItsSteps(
      String value,
      String min,
      @Nullable String max,
      @Nullable String step,
      @Nullable String request,
      String consumed) {
    DeviceCapacity capacity =
        new DeviceCapacity(Quantity.parse(value), range(null, min, max, step));
    assertThat(consume(capacity, request, Feature.kubernetes())).isEqualTo(consumed);
  }

  @ParameterizedTest(name = "in whole numbers, of {0} in {1} by {2}: {3} consumes {4}")
  @CsvSource({
    "10, 1, 3, , 10",
    "10, 2, 3, , refused",
    "9223372036854775807, 0, 1, 9223372036854775807, 9223372036854775807",
    "9223372036854775807, 0, 1, 9223372036854775808, rejected",
    "9223372036854775807, 1, 2, 9223372036854775807, 9223372036854775807",
    "9223372036854775807, 1, 2, 9223372036854775806, 9223372036854775807",
    "9223372036854775807, 0, 2, 9223372036854775807, rejected",
  })
  void wholeNumbersAreExactUpTo64Bits(
      String value, String min, String step, @Nullable String request, String consumed) {
    Set<Feature> features = Features.without(Feature.FRACTIONAL_CAPACITY_RANGE);
    DeviceCapacity capacity =
        new DeviceCapacity(Quantity.parse(value), range(null, min, null, step));
    assertThat(consume(capacity, request, features)).isEqualTo(consumed);
  }

  @Test
  void anErrorComesBeforeARefusalWhateverTheOrderOfTheNames() {
    Device device =
        Device.named("d").capacity("a", "1").capacity("b", "1").capacity("c", "1").build();
    ResourceClaim claim =
        ResourceClaim.named("c")
            .request(
                "r", request -> request.deviceClass("any").capacity("a", "2").capacity("b", "-1"))
            .build();
    assertThat(Cluster.withDevices(device).devicesOf(claim))
        .isEqualTo(
            "rejected: claim default/c, request r: checking capacity for device gpu/n/d: capacity"
                + " b: capacity value is negative: -1");
    ResourceClaim unknown =
        ResourceClaim.named("c")
            .request(
                "r", request -> request.deviceClass("any").capacity("b", "-1").capacity("z", "1"))
            .build();
    assertThat(Cluster.withDevices(device).devicesOf(unknown)).isEqualTo("does not fit");
  }

  @ParameterizedTest(name = "the default {0} in steps of 2 up to {1}: {2}")
  @CsvSource({
    "5, 8, 5",
    "9, 8, 9",
    "5.0000000001, 8, refused",
    "0.0000000000000000006Gi, 8, refused",
    "1Ti, 2Ti, 1Ti",
    "100Ti, 200Ti, 100Ti",
    "100Ti, 50Ti, refused",
  })
  void aDefaultOfTooManyDigitsIsHeldAgainstItsRange(String byDefault, String max, String consumed) {
    DeviceCapacity capacity =
        new DeviceCapacity(Quantity.parse("300Ti"), range(byDefault, "2", max, "2"));
    assertThat(consume(capacity, null, Feature.kubernetes())).isEqualTo(consumed);
  }

  @Test
  void aBrokenPolicyIsNamedWithItsDeviceAndCapacity() {
    Device device =
        Device.named("d")
            .capacity("a", "1")
            .capacity("bw", new DeviceCapacity(Quantity.of(10), policy("step without min")))
            .build();
    ResourceClaim claim =
        ResourceClaim.named("c").request("r", request -> request.deviceClass("any")).build();
    assertThat(Cluster.withDevices(device).devicesOf(claim))
        .isEqualTo(
            "rejected: claim default/c, request r: checking capacity for device gpu/n/d: capacity"
                + " bw: request policy has a step but no minimum to count it from");
  }

  private static String errorOf(DeviceCapacity capacity, String request, Set<Feature> features) {
    Device device = Device.named("d").capacity("bw", capacity).allowMultipleAllocations().build();
    ResourceClaim claim =
        ResourceClaim.named("c")
            .request("r", wanted -> wanted.deviceClass("any").capacity("bw", request))
            .build();
    String text =
        Cluster.textOf(
            Cluster.withDevices(device).allocate(Allocator.builder().features(features), claim));
    return text.substring(text.indexOf("bw: ") + "bw: ".length());
  }

  @Test
  void whatCannotBeRepresentedSaysWhy() {
    Set<Feature> whole = Features.without(Feature.FRACTIONAL_CAPACITY_RANGE);
    DeviceCapacity even = new DeviceCapacity(Quantity.of(10), range(null, "0", null, "2"));
    assertThat(errorOf(even, "9223372036854775807", whole))
        .isEqualTo(
            "request 9223372036854775807 cannot be represented: it rounded up to the next step"
                + " exceeds 64 bits");
    assertThat(errorOf(even, "9223372036854775808", whole))
        .isEqualTo("request 9223372036854775808 cannot be represented: it exceeds 2^63-1");
    assertThat(errorOf(even, "1u", Feature.kubernetes()))
        .isEqualTo("request 1u cannot be represented: it is not a multiple of 1m");
    assertThat(errorOf(even, "9223372036854775807", Feature.kubernetes()))
        .isEqualTo(
            "request 9223372036854775807 cannot be represented: it exceeds 2^63-1 thousandths");
    DeviceCapacity noStep = new DeviceCapacity(Quantity.of(10), range(null, "0", null, "0"));
    assertThat(errorOf(noStep, "1", whole)).isEqualTo("request policy has the step 0");
    // Whole numbers wrap as in the reference where the minimum is negative.
    DeviceCapacity negative = new DeviceCapacity(Quantity.of(10), range(null, "-8", null, "4"));
    assertThat(errorOf(negative, "9223372036854775807", whole))
        .isEqualTo("capacity value is negative: -9223372036854775804");
  }

  private static Device.Builder shared(Map<String, DeviceCapacity> capacities) {
    return Device.named("s").capacity(new TreeMap<>(capacities)).allowMultipleAllocations();
  }

  private static DeviceCapacity ten(@Nullable CapacityRequestPolicy policy) {
    return new DeviceCapacity(Quantity.of(10), policy);
  }

  private static String whyNot(Cluster cluster, Map<String, Quantity> requests) throws Exception {
    SearchContext context = cluster.context(cluster.inventory(), Compatibility.REFERENCE);
    CapacityPolicy.Shortage shortage =
        CapacityPolicy.whyNot(
            context,
            context.view().candidate(0),
            new CapacityRequirements(new TreeMap<>(requests)));
    return shortage == null ? "" : shortage.text();
  }

  @Test
  void whatKeepsADeviceAwayIsSaid() throws Exception {
    Cluster free = Cluster.withDevices(shared(Map.of("a", ten(null), "b", ten(null))).build());
    assertThat(whyNot(free, Map.of())).isEmpty();
    assertThat(whyNot(free, Map.of("a", Quantity.of(10)))).isEmpty();
    assertThat(whyNot(free, Map.of("a", Quantity.of(11)))).isEqualTo("10 of a, 11 are requested");
    assertThat(whyNot(free, Map.of("c", Quantity.of(1)))).isEqualTo("no capacity c, but a and b");
    Cluster used =
        Cluster.withDevices(shared(Map.of("a", ten(null), "b", ten(null))).build())
            .add(Cluster.sharing("h", "s", Map.of("a", Quantity.of(4), "b", Quantity.of(7))));
    assertThat(whyNot(used, Map.of("a", Quantity.of(6), "b", Quantity.of(3)))).isEmpty();
    assertThat(whyNot(used, Map.of("a", Quantity.of(6), "b", Quantity.of(4))))
        .isEqualTo("7 of the 10 of b in use, 4 are requested");
    assertThat(whyNot(used, Map.of("b", Quantity.of(1))))
        .isEqualTo("4 of the 10 of a in use, 10 are the default");
  }

  @Test
  void whatAPolicyAllowsIsSaid() throws Exception {
    assertThat(
            whyNot(
                Cluster.withDevices(shared(Map.of("a", ten(range(null, "2", null, "3")))).build()),
                Map.of()))
        .isEqualTo("only certain amounts of a in one request, 10 are the default");
    assertThat(
            whyNot(
                Cluster.withDevices(shared(Map.of("a", ten(range(null, null, "5", null)))).build()),
                Map.of("a", Quantity.of(6))))
        .isEqualTo("at most 5 of a in one request, 6 are requested");
    CapacityRequestPolicy values =
        new CapacityRequestPolicy(null, List.of(Quantity.of(1), Quantity.of(4)), null);
    assertThat(
            whyNot(
                Cluster.withDevices(shared(Map.of("a", ten(values))).build()),
                Map.of("a", Quantity.of(5))))
        .isEqualTo("only 1 and 4 of a in one request, 5 are requested");
  }

  @Test
  void lookingForWhatKeepsADeviceAwayLooksAtTheTime() throws Exception {
    int many = 5_000;
    Map<String, Quantity> requests = new TreeMap<>();
    for (int i = 0; i < many; i++) {
      requests.put("c" + i, Quantity.of(1));
    }
    Map<String, DeviceCapacity> capacities = new TreeMap<>();
    requests.keySet().forEach(name -> capacities.put(name, ten(null)));
    requests.put("d", Quantity.of(1)); // is asked for last, and missing
    Cluster cluster = Cluster.withDevices(shared(capacities).build());
    AtomicInteger looks = new AtomicInteger();
    Budget counted = Budget.unlimited().orUntil(() -> looks.incrementAndGet() < 0);
    DeviceInventory inventory = cluster.inventory();
    NodeView view =
        Objects.requireNonNull(
            InventoryAccess.stateOf(inventory).view("n", Feature.kubernetes(), Budget.unlimited()),
            "a node");
    SearchContext context =
        SearchContext.of(
            inventory,
            view,
            cluster.words,
            Feature.kubernetes(),
            Quirk.fixed(Compatibility.REFERENCE, KubernetesVersion.DEFAULT),
            List.of(),
            counted);
    assertThat(
            CapacityPolicy.whyNot(context, view.candidate(0), new CapacityRequirements(requests)))
        .satisfies(
            shortage -> {
              assertThat(shortage.missing()).isTrue();
              assertThat(shortage.text()).startsWith("no capacity d, but c0");
            });
    assertThat(looks.get()).isGreaterThanOrEqualTo(many / 128);
  }

  private static Quantity[] amounts(long... amounts) {
    return java.util.Arrays.stream(amounts).mapToObj(Quantity::of).toArray(Quantity[]::new);
  }

  @Test
  void aDeviceHasAsMuchAsItsCapacityAndNoMore() throws Exception {
    DeviceInventory inventory =
        Cluster.withDevices(shared(Map.of("a", ten(null), "b", ten(null))).build()).inventory();
    io.dra4j.inventory.internal.NodeDevice candidate =
        Objects.requireNonNull(
                InventoryAccess.stateOf(inventory)
                    .view("n", Feature.kubernetes(), Budget.unlimited()),
                "a node")
            .candidate(0);
    assertThat(CapacityPolicy.isWithin(amounts(10, 10), candidate, Budget.unlimited())).isTrue();
    assertThat(CapacityPolicy.isWithin(amounts(0, 9), candidate, Budget.unlimited())).isTrue();
    assertThat(CapacityPolicy.isWithin(amounts(11, 10), candidate, Budget.unlimited())).isFalse();
    assertThat(CapacityPolicy.isWithin(amounts(10, 11), candidate, Budget.unlimited())).isFalse();
  }

  /** Whether the policy refuses 11 of a device that has 10, and whose shares consume this. */
  private static boolean refusesTooMuch(long consumed) throws Exception {
    Cluster cluster =
        Cluster.withDevices(shared(Map.of("a", ten(null))).build())
            .add(Cluster.sharing("h", "s", Map.of("a", Quantity.of(consumed))));
    ResourceClaim claim =
        ResourceClaim.named("c")
            .request("r", wanted -> wanted.deviceClass("any").capacity("a", "11"))
            .build();
    Bench bench = Bench.of(cluster, claim);
    return CapacityPolicy.consumption(
            bench.context(),
            bench.target("r"),
            bench.device("s"),
            new CapacityRequirements(Map.of("a", Quantity.of(11))))
        == CapacityPolicy.REFUSED;
  }

  @Test
  void moreThanADeviceHasIsRefusedUnlessItsSharesConsumeLessThanNothing() throws Exception {
    assertThat(refusesTooMuch(1)).isTrue();
    assertThat(refusesTooMuch(0)).isTrue();
    assertThat(refusesTooMuch(-1)).isFalse();
  }
}
