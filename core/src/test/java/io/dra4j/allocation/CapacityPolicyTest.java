package io.dra4j.allocation;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.model.CapacityRequestPolicy;
import io.dra4j.model.CapacityRequestPolicyRange;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceCapacity;
import io.dra4j.model.Feature;
import io.dra4j.model.Quantity;
import io.dra4j.model.ResourceClaim;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
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
    Device device =
        Device.named("d")
            .capacity("bw", new DeviceCapacity(Quantity.of(10), policy(policy)))
            .allowMultipleAllocations()
            .build();
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
    Set<Feature> features = EnumSet.copyOf(Feature.kubernetes());
    features.remove(Feature.FRACTIONAL_CAPACITY_RANGE);
    assertThat(consume("range", request, features)).isEqualTo(consumed);
  }
}
