package io.dra4j.inventory.internal;

import static io.dra4j.inventory.internal.InventoryAccess.stateOf;
import static io.dra4j.inventory.internal.World.ON_M;
import static io.dra4j.inventory.internal.World.ON_N;
import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.common.Budget;
import io.dra4j.common.Feature;
import io.dra4j.inventory.DeviceInventory;
import io.dra4j.model.CapacityRequestPolicy;
import io.dra4j.model.CounterSet;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceAttribute;
import io.dra4j.model.DeviceCapacity;
import io.dra4j.model.DeviceCounterConsumption;
import io.dra4j.model.DeviceId;
import io.dra4j.model.DeviceTaint;
import io.dra4j.model.HeldDevices;
import io.dra4j.model.KubernetesObject;
import io.dra4j.model.Node;
import io.dra4j.model.NodeSelection;
import io.dra4j.model.Quantity;
import io.dra4j.model.ResourceSlice;
import io.dra4j.model.TaintEffect;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Nodes are alike to claims if, and only if, nothing that can count for the claims differs. */
class NodeSignatureTest {

  private static final RelevantAttributes MODEL = RelevantAttributes.of(List.of("gpu/model"));

  private static Device device(int number) {
    return Device.named("d" + number)
        .attribute("gpu/model", "x")
        .attribute("serial", number)
        .capacity("memory", "80Gi")
        .build();
  }

  private static ResourceSlice slice(String node, NodeSelection on, int from) {
    return ResourceSlice.named("of-" + node, "gpu")
        .pool(node, 1, 1)
        .nodeSelection(on)
        .device(device(from))
        .device(device(from + 1))
        .build();
  }

  private static @Nullable NodeSignature shape(
      DeviceInventory inventory, String node, RelevantAttributes traits) throws Exception {
    return World.view(inventory, node, Feature.kubernetes())
        .shape(stateOf(inventory), traits, Budget.unlimited());
  }

  /** Whether a node with this slice, and these objects, is like one with the slice as it was. */
  private static boolean isAlike(
      UnaryOperator<ResourceSlice> change, RelevantAttributes traits, KubernetesObject... more)
      throws Exception {
    List<KubernetesObject> objects = new ArrayList<>(List.of(more));
    objects.add(Node.named("n"));
    objects.add(Node.named("m"));
    objects.add(slice("n", ON_N, 0));
    objects.add(change.apply(slice("m", ON_M, 2)));
    DeviceInventory inventory = World.of(objects.toArray(new KubernetesObject[0]));
    NodeSignature first = shape(inventory, "n", traits);
    NodeSignature second = shape(inventory, "m", traits);
    assertThat(first).isNotNull();
    if (second == null) {
      return false;
    }
    boolean alike = first.equals(second);
    assertThat(second.equals(first)).isEqualTo(alike);
    assertThat(!alike || first.hashCode() == second.hashCode()).isTrue();
    return alike;
  }

  private static UnaryOperator<ResourceSlice> first(UnaryOperator<Device.Builder> change) {
    return slice -> {
      List<Device> devices = new ArrayList<>(slice.devices());
      devices.set(0, change.apply(devices.get(0).toBuilder()).build());
      return slice.withDevices(devices);
    };
  }

  private static boolean isAlikeWith(UnaryOperator<Device.Builder> change) throws Exception {
    return isAlike(first(change), MODEL);
  }

  @Test
  void namesAndWhatIsNotReadMakeNoDifference() throws Exception {
    assertThat(isAlike(slice -> slice, MODEL)).isTrue();
    assertThat(isAlikeWith(d -> d.attribute("other", "y"))).isTrue();
    assertThat(isAlikeWith(d -> d.name("z"))).isTrue();
    assertThat(isAlike(slice -> slice, RelevantAttributes.everything()))
        .isFalse(); // serial numbers
  }

  @Test
  void whateverCountsForAnyClaimMakesADifference() throws Exception {
    DeviceTaint taint = DeviceTaint.of("k", "", TaintEffect.NO_SCHEDULE);
    List<UnaryOperator<Device.Builder>> changes =
        List.of(
            d -> d.attribute("gpu/model", "y"),
            d -> d.attribute("gpu/model", new DeviceAttribute.NoValue()),
            d -> d.capacity("memory", "81Gi"),
            d -> d.capacity("memory", "85899345920"), // equal, written in another way
            d -> d.capacity("more", "1"),
            d -> d.taint(taint),
            d -> d.bindingConditions(List.of("ready"), List.of("failed")),
            d -> d.allowMultipleAllocations());
    for (UnaryOperator<Device.Builder> change : changes) {
      assertThat(isAlikeWith(change)).isFalse();
    }
    assertThat(isAlike(slice -> slice.toBuilder().driver("nic").build(), MODEL)).isFalse();
    assertThat(isAlike(slice -> slice.toBuilder().device(device(9)).build(), MODEL)).isFalse();
    assertThat(isAlike(slice -> slice.toBuilder().pool("m", 1, 2).build(), MODEL)).isFalse();
    assertThat(isAlike(slice -> slice.toBuilder().skipNodeOperations(List.of("*")).build(), MODEL))
        .isFalse();
  }

  /** Expressions can tell: {@code gpu/memory} and {@code memory} are one name to them. */
  @Test
  void theOrderOfWhatExpressionsGoThroughMakesADifference() throws Exception {
    UnaryOperator<ResourceSlice> capacities =
        first(d -> d.capacity(Map.of()).capacity("gpu/memory", "1Gi").capacity("memory", "80Gi"));
    UnaryOperator<ResourceSlice> turned =
        first(d -> d.capacity(Map.of()).capacity("memory", "80Gi").capacity("gpu/memory", "1Gi"));
    assertThat(isAlike(capacities, turned)).isFalse();
    assertThat(isAlike(capacities, capacities)).isTrue();
  }

  private static boolean isAlike(
      UnaryOperator<ResourceSlice> one, UnaryOperator<ResourceSlice> other) throws Exception {
    DeviceInventory inventory =
        World.of(
            Node.named("n"),
            Node.named("m"),
            one.apply(slice("n", ON_N, 0)),
            other.apply(slice("m", ON_M, 0)));
    NodeSignature first = shape(inventory, "n", MODEL);
    return first != null && first.equals(shape(inventory, "m", MODEL));
  }

  @Test
  void countersAndWhoDrawsFromThemMakeADifference() throws Exception {
    ResourceSlice counters =
        ResourceSlice.named("counters", "gpu")
            .pool("m", 1, 2)
            .nodeSelection(ON_M)
            .counterSet(World.set("s", "x"))
            .build();
    UnaryOperator<ResourceSlice> ofTwo = slice -> slice.toBuilder().pool("m", 1, 2).build();
    assertThat(isAlike(ofTwo, MODEL, counters)).isFalse();
    List<Device> drawing = List.of(World.drawing("d0", "s", "x"), World.drawing("d1", "s", "x"));
    assertThat(isAlike(slice -> ofTwo.apply(slice).withDevices(drawing), MODEL, counters))
        .isFalse();
  }

  @Test
  void devicesOfManyPartsAreLikeNoOther() throws Exception {
    Map<String, Quantity> counters = new TreeMap<>();
    Map<String, DeviceCapacity> capacities = new TreeMap<>();
    DeviceTaint taint = DeviceTaint.of("k", "", TaintEffect.NO_SCHEDULE);
    List<DeviceTaint> taints = new ArrayList<>();
    List<String> groups = new ArrayList<>();
    Long[] values = new Long[5_000];
    Arrays.fill(values, 7L);
    for (int i = 0; i < 300; i++) {
      counters.put("c" + i, Quantity.of(1));
      capacities.put("c" + i, DeviceCapacity.of(Quantity.of(1)));
      taints.add(taint);
      groups.add("g" + i);
    }
    DeviceAttribute list = DeviceAttribute.ints(values);
    CounterSet set = new CounterSet("s", counters);
    List<UnaryOperator<Device.Builder>> changes =
        List.of(
            d -> d.capacity(capacities),
            d -> d.taints(taints),
            d -> d.consumesCounters(new DeviceCounterConsumption("s", counters, List.of())),
            d -> d.consumesCounters(new DeviceCounterConsumption("s", Map.of(), groups)),
            d -> d.attribute("gpu/model", list));
    for (UnaryOperator<Device.Builder> change : changes) {
      assertThat(shape(withCounters(set, change), "n", MODEL)).isNull();
    }
    for (DeviceAttribute one : listsOf(values.length)) {
      assertThat(shape(withCounters(set, d -> d.attribute("gpu/model", one)), "n", MODEL)).isNull();
    }
    DeviceInventory inventory = withCounters(set, d -> d.attribute("other", list));
    assertThat(shape(inventory, "n", MODEL)).isNotNull();
    assertThat(shape(inventory, "n", RelevantAttributes.everything())).isNull();
  }

  private static List<DeviceAttribute> listsOf(int length) {
    Boolean[] bools = new Boolean[length];
    Arrays.fill(bools, true);
    String[] texts = new String[length];
    Arrays.fill(texts, "1.0.0");
    return List.of(
        new DeviceAttribute.BoolValues(List.of(bools)),
        DeviceAttribute.strings(texts),
        new DeviceAttribute.VersionValues(List.of(texts)));
  }

  /** What is compared of the first device: the model, capacities, and each 16 values of a list. */
  @ParameterizedTest
  @CsvSource({"255, 0, false", "256, 0, true", "254, 16, false", "255, 16, true", "255, 15, false"})
  void partsOfADeviceAreCounted(int capacities, int values, boolean isUnique) throws Exception {
    Map<String, DeviceCapacity> amounts = new TreeMap<>();
    for (int i = 0; i < capacities; i++) {
      amounts.put("c" + i, DeviceCapacity.of(Quantity.of(1)));
    }
    Long[] numbers = new Long[values];
    Arrays.fill(numbers, 7L);
    DeviceInventory inventory =
        withCounters(
            World.set("s", "c0"),
            d ->
                values == 0
                    ? d.capacity(amounts)
                    : d.capacity(amounts).attribute("gpu/model", DeviceAttribute.ints(numbers)));
    assertThat(shape(inventory, "n", MODEL) == null).isEqualTo(isUnique);
  }

  @Test
  void allAttributesCountWhereASelectorSeesAllOfADevice() throws Exception {
    UnaryOperator<Device.Builder> many =
        d -> {
          for (int i = 0; i < 300; i++) {
            d.attribute("a" + i, DeviceAttribute.of(i));
          }
          return d;
        };
    DeviceInventory inventory = withCounters(World.set("s", "c0"), many);
    assertThat(shape(inventory, "n", MODEL)).isNotNull();
    assertThat(shape(inventory, "n", RelevantAttributes.everything())).isNull();
  }

  @Test
  void poolsOfManyCountersAreLikeNoOther() throws Exception {
    String[] counters = IntStream.range(0, 5_000).mapToObj(i -> "c" + i).toArray(String[]::new);
    assertThat(shape(withCounters(World.set("s", "c0"), d -> d), "n", MODEL)).isNotNull();
    assertThat(shape(withCounters(World.set("s", counters), d -> d), "n", MODEL)).isNull();
  }

  /** A node with a pool of two devices, the first of which is changed, and of counters. */
  private static DeviceInventory withCounters(
      CounterSet counters, UnaryOperator<Device.Builder> change) {
    ResourceSlice shared =
        ResourceSlice.named("counters", "gpu")
            .pool("n", 1, 2)
            .nodeSelection(ON_N)
            .counterSet(counters)
            .build();
    ResourceSlice devices = first(change).apply(slice("n", ON_N, 0));
    return World.of(Node.named("n"), shared, devices.toBuilder().pool("n", 1, 2).build());
  }

  @Test
  void poolsThatCannotBeUsedAreAlikeForTheSameReasonOnly() throws Exception {
    List<KubernetesObject> objects = new ArrayList<>();
    for (String node : List.of("invalid", "invalid2", "incomplete", "incomplete2", "empty")) {
      objects.add(Node.named(node));
      ResourceSlice slice = slice(node, NodeSelection.ofNode(node), 0);
      if (node.startsWith("invalid")) {
        objects.add(slice.withDevices(World.devices("same", "same")));
      } else if (node.startsWith("incomplete")) {
        List<Device> others = World.devices("some", "other"); // without names as the ones above
        objects.add(slice.withDevices(others).toBuilder().pool(node, 1, 2).build());
      } else {
        objects.add(slice.withDevices(List.of()));
      }
    }
    DeviceInventory inventory = World.of(objects.toArray(new KubernetesObject[0]));
    NodeSignature invalid = shape(inventory, "invalid", MODEL);
    NodeSignature incomplete = shape(inventory, "incomplete", MODEL);
    NodeSignature empty = shape(inventory, "empty", MODEL);
    assertThat(shape(inventory, "invalid2", MODEL)).isEqualTo(invalid);
    assertThat(shape(inventory, "incomplete2", MODEL)).isEqualTo(incomplete);
    assertThat(invalid).isNotEqualTo(incomplete).isNotEqualTo(empty);
    assertThat(incomplete).isNotEqualTo(empty);
  }

  @Test
  void whichDevicesAreInUseMakesADifference() throws Exception {
    List<KubernetesObject> objects = new ArrayList<>();
    List<String> nodes = List.of("a", "b", "c", "d");
    for (String node : nodes) {
      objects.add(Node.named(node));
      objects.add(ResourceSlice.onNode("s-" + node, "gpu", node, List.of(device(0), device(1))));
    }
    objects.add(HeldDevices.holding("ca", id("a", "d0")));
    objects.add(HeldDevices.holding("cb", id("b", "d0")));
    objects.add(HeldDevices.holding("cc", id("c", "d1")));
    DeviceInventory inventory = World.of(objects.toArray(new KubernetesObject[0]));
    assertThat(shape(inventory, "a", MODEL)).isEqualTo(shape(inventory, "b", MODEL));
    assertThat(shape(inventory, "a", MODEL)).isNotEqualTo(shape(inventory, "c", MODEL));
    assertThat(shape(inventory, "a", MODEL)).isNotEqualTo(shape(inventory, "d", MODEL));
  }

  private static DeviceId id(String pool, String device) {
    return new DeviceId("gpu", pool, device);
  }

  @Test
  void whatTheNodeDeclaresMakesADifference() throws Exception {
    Node able = Node.named("m").toBuilder().declaredFeature("DRAOptionalNodeOperations").build();
    DeviceInventory inventory =
        World.of(Node.named("n"), able, slice("n", ON_N, 0), slice("m", ON_M, 0));
    assertThat(shape(inventory, "n", MODEL)).isNotEqualTo(shape(inventory, "m", MODEL));
  }

  @Test
  void aNodeOfWhichMoreCountsThanIsComparedIsLikeNoOther() throws Exception {
    CapacityRequestPolicy policy = CapacityRequestPolicy.builder().defaultValue("1Gi").build();
    DeviceCapacity capacity = new DeviceCapacity(Quantity.parse("80Gi"), policy);
    List<UnaryOperator<ResourceSlice>> unique =
        List.of(
            first(d -> d.capacity("memory", capacity)),
            first(d -> d.attribute("model", "x")), // which of the two counts is the selector's
            first(d -> d.attribute("v", DeviceAttribute.version("none"))),
            slice ->
                slice.toBuilder()
                    .nodeSelection(NodeSelection.NONE)
                    .perDeviceNodeSelection(true)
                    .devices(List.of(device(0).toBuilder().nodeSelection(ON_N).build()))
                    .build());
    for (UnaryOperator<ResourceSlice> change : unique) {
      ResourceSlice slice = change.apply(slice("n", ON_N, 0));
      DeviceInventory inventory = World.of(Node.named("n"), slice);
      assertThat(shape(inventory, "n", MODEL)).isNull();
      assertThat(
              World.view(inventory)
                  .pools()
                  .get(0)
                  .shape(MODEL, stateOf(inventory).caches(), Budget.unlimited())
                  .isUnique())
          .isTrue();
    }
    DeviceInventory shared =
        World.of(
            Node.named("n"),
            World.slice("s", 1)
                .device(Device.named("d").allowMultipleAllocations().build())
                .build(),
            World.sharing("c", "d", Map.of()));
    assertThat(shape(shared, "n", MODEL)).isNull();
    assertThat(World.view(shared).hasShares()).isTrue();
    assertThat(World.view(World.of(Node.named("n"), slice("n", ON_N, 0))).hasShares()).isFalse();
  }

  @ParameterizedTest
  @CsvSource({"2048, 2048, true", "2048, 2049, false", "4096, 0, true", "4097, 0, false"})
  void nodesOfVeryManyDevicesAreNotCompared(int first, int second, boolean isCompared)
      throws Exception {
    List<KubernetesObject> objects = new ArrayList<>(List.of(Node.named("n")));
    int pool = 0;
    for (int devices : new int[] {first, second}) {
      ResourceSlice.Builder slice =
          ResourceSlice.named("s" + pool, "gpu").pool("p" + pool++, 1, 1).nodeSelection(ON_N);
      IntStream.range(0, devices).forEach(i -> slice.device(Device.named("d" + i).build()));
      objects.add(slice.build());
    }
    DeviceInventory inventory = World.of(objects.toArray(new KubernetesObject[0]));
    assertThat(shape(inventory, "n", MODEL) != null).isEqualTo(isCompared);
  }

  @Test
  void aPoolIsSeenAnewByClaimsThatLookAtOtherTraits() throws Exception {
    DeviceInventory inventory =
        World.of(Node.named("n"), Node.named("m"), slice("n", ON_N, 0), slice("m", ON_M, 2));
    PoolView pool = World.view(inventory).pools().get(0);
    PoolView other = World.view(inventory, "m", Feature.kubernetes()).pools().get(0);
    for (int i = 0; i < 2; i++) {
      PoolSignature shape = pool.shape(MODEL, stateOf(inventory).caches(), Budget.unlimited());
      assertThat(
              pool.shape(
                  RelevantAttributes.of(List.of("gpu/model")),
                  stateOf(inventory).caches(),
                  Budget.unlimited()))
          .isSameAs(shape);
      assertThat(other.shape(MODEL, stateOf(inventory).caches(), Budget.unlimited()))
          .isSameAs(shape); // kept once
      assertThat(
              pool.shape(
                  RelevantAttributes.everything(), stateOf(inventory).caches(), Budget.unlimited()))
          .isNotEqualTo(shape);
      assertThat(
              pool.shape(
                  RelevantAttributes.of(List.of()),
                  stateOf(inventory).caches(),
                  Budget.unlimited()))
          .isNotEqualTo(shape);
    }
  }
}
