package io.dra4j.allocation.internal.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.allocation.Cluster;
import io.dra4j.allocation.Compatibility;
import io.dra4j.allocation.internal.request.PlannedRequest;
import io.dra4j.allocation.internal.request.SearchCache;
import io.dra4j.allocation.internal.request.SearchContext;
import io.dra4j.allocation.internal.request.SearchPosition;
import io.dra4j.common.Feature;
import io.dra4j.inventory.internal.NodeDevice;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceAttribute;
import io.dra4j.model.DeviceConstraint;
import io.dra4j.model.DeviceRequest;
import io.dra4j.model.DeviceSubRequest;
import io.dra4j.model.ExactDeviceRequest;
import io.dra4j.model.ResourceClaim;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Whether what is left can be enough for what is left to find, from positions of a search. */
class ForwardCheckingTest {

  private static final String NUMA = "gpu/numa";
  private static final String ROOT = "gpu/root";

  @SuppressWarnings("NullAway.Init") // each test begins with a plan
  private SearchContext context;

  @SuppressWarnings("NullAway.Init")
  private PlanOutline outline;

  @SuppressWarnings("NullAway.Init")
  private ForwardChecking outlook;

  private final BitSet used = new BitSet();

  private void plan(Cluster cluster, Set<Feature> features, long memory, ResourceClaim... claims)
      throws Exception {
    context = cluster.context(cluster.inventory(), features, Compatibility.REFERENCE);
    SearchPlan plan = new SearchPlan(context, List.of(claims), new SearchPosition("in a test"));
    outline = new PlanOutline(plan);
    CandidateSets sets =
        Objects.requireNonNull(CandidateSets.of(plan, Long.MAX_VALUE / 4, Long.MAX_VALUE));
    RequestGroups groups = new RequestGroups(outline, context.budget());
    SearchCache bounded = new SearchCache(memory);
    outlook = new ForwardChecking(context, bounded, outline, sets, groups, new BitSet(), used);
  }

  private void plan(Cluster cluster, ResourceClaim... claims) throws Exception {
    plan(cluster, Feature.kubernetes(), SearchCache.MAX_BYTES, claims);
  }

  private boolean mayFit(int place) throws Exception {
    return outlook.mayFit(place, null, 0, 0);
  }

  private boolean mayFit(int place, int alternative, long chosen, int start) throws Exception {
    return outlook.mayFit(
        place, outline.requests.get(place).alternatives().get(alternative), chosen, start);
  }

  private void place(int constraint, int request, int device) throws Exception {
    NodeDevice candidate = context.candidates().get(device);
    PlannedRequest target = outline.requests.get(request).alternatives().get(0);
    assertThat(outline.constraints.get(constraint).tryPlace(target, candidate)).isNull();
  }

  private void use(int... devices) {
    used.clear();
    for (int device : devices) {
      used.set(device);
    }
  }

  private static ExactDeviceRequest.Builder any(long count) {
    return ExactDeviceRequest.ofClass("any").count(count);
  }

  private static ResourceClaim claim(DeviceRequest... requests) {
    ResourceClaim.Builder claim = ResourceClaim.named("c");
    for (DeviceRequest request : requests) {
      claim.request(request);
    }
    return claim.build();
  }

  private static DeviceRequest request(String name, long count) {
    return DeviceRequest.exactly(name, any(count).build());
  }

  private static DeviceRequest either(String name, ExactDeviceRequest... requests) {
    List<DeviceSubRequest> alternatives = new ArrayList<>();
    for (ExactDeviceRequest request : requests) {
      alternatives.add(new DeviceSubRequest("a" + alternatives.size(), request));
    }
    return DeviceRequest.firstAvailable(name, alternatives);
  }

  @Test
  void devicesBehindTheLastOneAreLeft() throws Exception {
    plan(Cluster.withDevices(3), claim(request("r", 2)));
    assertThat(mayFit(0, 0, 0, 3)).as("the first may be any").isTrue();
    assertThat(mayFit(0, 0, 1, 2)).isTrue();
    assertThat(mayFit(0, 0, 1, 3)).isFalse();
    assertThat(mayFit(0, 0, 2, 3)).as("nothing is left to find").isTrue();
    use(0);
    assertThat(mayFit(0)).isTrue();
    use(0, 2);
    assertThat(mayFit(0)).isFalse();
    assertThat(mayFit(1)).as("behind the last request").isTrue();
  }

  @Test
  void laterRequestsAreCountedToo() throws Exception {
    plan(Cluster.withDevices(3), claim(request("r", 2), request("s", 2)));
    assertThat(mayFit(0)).isFalse();
    assertThat(mayFit(1)).isTrue();
    assertThat(mayFit(0, 0, 1, 1)).as("three of three").isTrue();
    use(0);
    assertThat(mayFit(0, 0, 1, 1)).as("three of two").isFalse();
    assertThat(mayFit(0, 0, 2, 2)).isTrue();
  }

  @Test
  void adminAccessMayHaveWhatIsUsed() throws Exception {
    plan(Cluster.withDevices(2), claim(DeviceRequest.exactly("r", any(2).adminAccess().build())));
    use(0, 1);
    assertThat(mayFit(0)).isTrue();
  }

  @Test
  void allOfNoneFitsNowhereAndMoreThanAClaimHasNeither() throws Exception {
    Cluster cluster = Cluster.withDevices(40);
    ExactDeviceRequest none = ExactDeviceRequest.ofClass("nic").all().build();
    plan(cluster, claim(either("r", none, any(33).build(), any(32).build())));
    assertThat(mayFit(0, 0, 0, 0)).isFalse();
    assertThat(mayFit(0, 1, 0, 0)).isFalse();
    assertThat(mayFit(0, 2, 0, 0)).isTrue();
    assertThat(mayFit(0, 1, 1, 1)).as("32 are left to find").isTrue();
  }

  @Test
  void oneOfTheAlternativesIsEnough() throws Exception {
    ExactDeviceRequest none = ExactDeviceRequest.ofClass("nic").all().build();
    plan(
        Cluster.withDevices(2),
        claim(request("r", 1), either("s", any(3).build(), none, any(2).build())));
    assertThat(mayFit(1)).isTrue();
    assertThat(mayFit(0)).as("alternatives count by themselves").isTrue();
    use(0);
    assertThat(mayFit(1)).isFalse();
    assertThat(mayFit(0)).isFalse();
  }

  /** Devices of which so many have each root in turn, and half of the roots are of each node. */
  private static Cluster ofRoots(int... devices) {
    List<Device> all = new ArrayList<>();
    for (int root = 0; root < devices.length; root++) {
      for (int i = 0; i < devices[root]; i++) {
        all.add(
            Device.named("d" + root + "-" + i)
                .attribute(ROOT, "r" + root)
                .attribute(NUMA, 2 * root / devices.length)
                .build());
      }
    }
    return Cluster.withDevices(all.toArray(new Device[0]));
  }

  @Test
  void requestsOfOneConstraintNeedOneValueWithDevicesForAll() throws Exception {
    ResourceClaim together =
        claim(request("r", 2), request("s", 1)).toBuilder()
            .constraint(DeviceConstraint.matchAttribute(ROOT))
            .build();
    plan(ofRoots(2, 2), together);
    assertThat(mayFit(0)).isFalse();
    assertThat(mayFit(1)).isTrue();
    plan(ofRoots(2, 3), together);
    assertThat(mayFit(0)).isTrue();
    use(4);
    assertThat(mayFit(0)).isFalse();
  }

  @Test
  void whatIsPlacedDecidesAboutTheValue() throws Exception {
    ResourceClaim together =
        claim(request("r", 1), request("s", 2)).toBuilder()
            .constraint(DeviceConstraint.matchAttribute(ROOT))
            .build();
    plan(ofRoots(2, 3), together);
    place(0, 0, 0);
    use(0);
    assertThat(mayFit(1)).as("one is left of the first root").isFalse();
    plan(ofRoots(2, 3), together);
    place(0, 0, 2);
    use(2);
    assertThat(mayFit(1)).isTrue();
  }

  @Test
  void veryManyValuesAreNotTriedOneByOneButCounted() throws Exception {
    ResourceClaim together =
        claim(request("r", 1), request("s", 1)).toBuilder()
            .constraint(DeviceConstraint.matchAttribute(ROOT))
            .build();
    int[] roots = new int[33];
    Arrays.fill(roots, 1);
    plan(ofRoots(roots), together);
    assertThat(mayFit(0)).isFalse();
    roots[20] = 2;
    plan(ofRoots(roots), together);
    assertThat(mayFit(0)).isTrue();
  }

  @Test
  void pairsOfOneNodeNeedRootsOfThatNode() throws Exception {
    ResourceClaim.Builder pairs = ResourceClaim.named("c");
    for (int i = 0; i < 2; i++) {
      pairs.request("g" + i, r -> r.deviceClass("any"));
      pairs.request("n" + i, r -> r.deviceClass("any"));
      pairs.constraint(DeviceConstraint.matchAttribute(ROOT, "g" + i, "n" + i));
    }
    ResourceClaim apart = pairs.build();
    ResourceClaim near = pairs.constraint(DeviceConstraint.matchAttribute(NUMA)).build();
    plan(ofRoots(2, 1, 2, 1), apart);
    assertThat(mayFit(0)).isTrue();
    plan(ofRoots(2, 1, 2, 1), near);
    assertThat(mayFit(0)).as("one root of each node").isFalse();
    plan(ofRoots(2, 2, 1, 1), near);
    assertThat(mayFit(0)).isTrue();
    use(0);
    assertThat(mayFit(0)).isFalse();
  }

  @Test
  void valuesThatThereIsNoRoomForForbidExchanges() throws Exception {
    ResourceClaim together =
        claim(request("r", 2)).toBuilder()
            .constraint(DeviceConstraint.matchAttribute(ROOT))
            .build();
    plan(ofRoots(1, 1), together);
    assertThat(outlook.allowsExchange()).isTrue();
    assertThat(outlook.indexes()).hasSize(1);
    assertThat(mayFit(0)).isFalse();
    plan(ofRoots(1, 1), Feature.kubernetes(), 0, together);
    assertThat(outlook.allowsExchange()).isFalse();
    assertThat(outlook.indexes()).isEmpty();
    assertThat(mayFit(0)).as("nobody knows").isTrue();
  }

  @Test
  void listsThatAreNotComparedForbidExchangesUnderADistinctConstraint() throws Exception {
    Device list = Device.named("list").attribute(ROOT, DeviceAttribute.strings("a", "b")).build();
    for (boolean distinct : new boolean[] {true, false}) {
      ResourceClaim claim =
          claim(request("r", 1)).toBuilder()
              .constraint(
                  distinct
                      ? DeviceConstraint.distinctAttribute(ROOT)
                      : DeviceConstraint.matchAttribute(ROOT))
              .build();
      plan(Cluster.withDevices(list), Set.of(), SearchCache.MAX_BYTES, claim);
      assertThat(outlook.allowsExchange()).isNotEqualTo(distinct);
      plan(
          Cluster.withDevices(list),
          Set.of(Feature.LIST_TYPE_ATTRIBUTES),
          SearchCache.MAX_BYTES,
          claim);
      assertThat(outlook.allowsExchange()).isTrue();
    }
  }

  @Test
  void anAttributeIsLookedUpOnceForAllWhoCompareIt() throws Exception {
    ResourceClaim two =
        claim(request("r", 1), request("s", 1), request("t", 1)).toBuilder()
            .constraint(DeviceConstraint.matchAttribute(ROOT, "r", "s"))
            .constraint(DeviceConstraint.distinctAttribute(ROOT, "t"))
            .constraint(DeviceConstraint.distinctAttribute(NUMA, "t"))
            .build();
    plan(ofRoots(2, 2), two);
    assertThat(outlook.indexes()).hasSize(2);
  }
}
