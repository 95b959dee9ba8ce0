package io.dra4j.allocation;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.common.Budget;
import io.dra4j.common.Feature;
import io.dra4j.inventory.DeviceInventory;
import io.dra4j.inventory.internal.InventoryAccess;
import io.dra4j.inventory.internal.NodeSignature;
import io.dra4j.inventory.internal.RelevantAttributes;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceClass;
import io.dra4j.model.DeviceConstraint;
import io.dra4j.model.DeviceRequest;
import io.dra4j.model.DeviceSelector;
import io.dra4j.model.DeviceSubRequest;
import io.dra4j.model.ExactDeviceRequest;
import io.dra4j.model.Node;
import io.dra4j.model.ResourceClaim;
import io.dra4j.model.ResourceSlice;
import io.dra4j.selector.CompiledAttribute;
import io.dra4j.selector.CompiledSelector;
import io.dra4j.selector.SelectorCompiler;
import io.dra4j.selector.SelectorException;
import io.dra4j.selector.SelectorReads;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Nodes are alike to claims unless a part of these looks at what differs. */
class ClaimFootprintTest {

  private static final int TRIES = 10; // one that gets no processor for long gives up

  /** {@code reads A} reads the attribute A, {@code broken} does not compile, others read all. */
  private static final class Reading implements SelectorCompiler {

    @Override
    public CompiledSelector compileSelector(String expression) throws SelectorException {
      if (expression.equals("broken")) {
        throw new SelectorException("syntax error");
      }
      return new CompiledSelector() {
        @Override
        public boolean matches(String driver, Device device) {
          return true;
        }

        @Override
        public SelectorReads reads() {
          return expression.startsWith("reads ")
              ? new SelectorReads(Set.of(expression.substring(6)), Set.of(), false, false)
              : SelectorReads.ofEverything();
        }
      };
    }

    @Override
    public CompiledAttribute compileAttribute(String expression) throws SelectorException {
      throw new SelectorException("none here");
    }
  }

  /** Two nodes whose devices differ in {@code gpu/x}. */
  private static DeviceInventory inventory() {
    Cluster cluster = new Cluster();
    cluster.add(DeviceClass.named("of-x", "reads gpu/x"), DeviceClass.named("broken", "broken"));
    cluster.add(DeviceClass.named("untold").toBuilder().selector(untold()).build());
    for (String node : List.of("a", "b")) {
      Device device = Device.named("d").attribute("gpu/x", node).attribute("gpu/y", 1).build();
      cluster.add(Node.named(node), ResourceSlice.onNode(node, "gpu", node, List.of(device)));
    }
    return cluster.inventory();
  }

  /** As a later version of Kubernetes may have it. */
  private static DeviceSelector untold() {
    return new DeviceSelector(null);
  }

  private static ClaimFootprint sight(DeviceInventory inventory, ResourceClaim claim) {
    return new ClaimFootprint(inventory, new Reading(), List.of(claim), true);
  }

  private static Optional<RelevantAttributes> traits(
      DeviceInventory inventory, ResourceClaim claim) {
    Optional<RelevantAttributes> traits = Optional.empty();
    for (int tries = 0; tries < TRIES && traits.isEmpty(); tries++) {
      traits = sight(inventory, claim).traits(Budget.unlimited());
    }
    return traits;
  }

  private static boolean areAlike(ResourceClaim.Builder claim) throws Exception {
    DeviceInventory inventory = inventory();
    RelevantAttributes traits = traits(inventory, claim.build()).orElseThrow();
    NodeSignature first = shape(inventory, "a", traits);
    return first != null && first.equals(shape(inventory, "b", traits));
  }

  private static @Nullable NodeSignature shape(
      DeviceInventory inventory, String node, RelevantAttributes traits) throws Exception {
    return Objects.requireNonNull(
            InventoryAccess.stateOf(inventory).view(node, Feature.kubernetes(), Budget.unlimited()))
        .shape(InventoryAccess.stateOf(inventory), traits, Budget.unlimited());
  }

  private static ResourceClaim.Builder claim() {
    return ResourceClaim.named("c").request("r", r -> r.deviceClass("any").selector("reads gpu/y"));
  }

  private static ExactDeviceRequest.Builder any() {
    return ExactDeviceRequest.ofClass("any");
  }

  private static DeviceRequest either(ExactDeviceRequest second) {
    return DeviceRequest.firstAvailable(
        "s", List.of(new DeviceSubRequest("a", any().build()), new DeviceSubRequest("b", second)));
  }

  @Test
  void whatNobodyLooksAtMakesNoDifference() throws Exception {
    assertThat(areAlike(claim())).isTrue();
    assertThat(areAlike(claim().constraint(DeviceConstraint.matchAttribute("gpu/y")))).isTrue();
    assertThat(areAlike(claim().request(either(any().selector("reads gpu/y").build())))).isTrue();
  }

  @Test
  void whatAPartLooksAtDoes() throws Exception {
    assertThat(areAlike(claim().constraint(DeviceConstraint.matchAttribute("gpu/x")))).isFalse();
    assertThat(areAlike(claim().constraint(DeviceConstraint.distinctAttribute("gpu/x")))).isFalse();
    for (ExactDeviceRequest request :
        List.of(
            any().selector("reads gpu/x").build(),
            any().selector("anything").build(),
            any().derivedAttribute("derived/z", "x").build(),
            ExactDeviceRequest.ofClass("of-x").build())) {
      assertThat(areAlike(claim().request(DeviceRequest.exactly("s", request)))).isFalse();
      assertThat(areAlike(claim().request(either(request)))).isFalse();
    }
  }

  @Test
  void whatIsNotKnownIsNotCompared() {
    DeviceInventory inventory = inventory();
    for (ExactDeviceRequest request :
        List.of(
            ExactDeviceRequest.ofClass("missing").build(),
            ExactDeviceRequest.ofClass("broken").build(),
            ExactDeviceRequest.ofClass("untold").build(),
            any().selector("broken").build())) {
      ResourceClaim claim = claim().request(DeviceRequest.exactly("s", request)).build();
      assertThat(traits(inventory, claim)).isEmpty();
    }
    assertThat(
            new ClaimFootprint(inventory, new Reading(), List.of(claim().build()), false)
                .traits(Budget.unlimited()))
        .isEmpty();
  }

  @Test
  void whoWaitsNoLongerIsToldNothing() {
    ResourceClaim.Builder many = claim();
    for (int i = 0; i < 300; i++) {
      many.request("r" + i, r -> r.deviceClass("any").selector("reads gpu/y"));
    }
    AtomicInteger looks = new AtomicInteger();
    Budget over = Budget.unlimited().orUntil(() -> looks.incrementAndGet() > 0);
    assertThat(sight(inventory(), many.build()).traits(over)).isEmpty();
    assertThat(looks).hasPositiveValue();
  }

  @Test
  void claimsThatLookAtVeryManyAttributesCompareNoNodes() {
    for (int attributes : new int[] {1_000, 1_001}) {
      ResourceClaim.Builder claim =
          ResourceClaim.named("c").request("r", r -> r.deviceClass("any"));
      for (int i = 0; i < attributes; i++) {
        claim.constraint(DeviceConstraint.matchAttribute("gpu/a" + i));
      }
      assertThat(traits(inventory(), claim.build()).isPresent()).isEqualTo(attributes <= 1_000);
    }
  }
}
