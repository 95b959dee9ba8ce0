package io.dra4j.placement.gang;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.dra4j.allocation.Allocator;
import io.dra4j.allocation.ClaimAllocation;
import io.dra4j.allocation.Compatibility;
import io.dra4j.allocation.policy.AllocationPolicy;
import io.dra4j.common.Budget;
import io.dra4j.inventory.DeviceInventory;
import io.dra4j.model.AllocationResult;
import io.dra4j.model.ClusterSnapshot;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceClaimConfiguration;
import io.dra4j.model.DeviceClass;
import io.dra4j.model.DeviceConstraint;
import io.dra4j.model.DeviceId;
import io.dra4j.model.DeviceRequest;
import io.dra4j.model.DeviceRequestAllocationResult;
import io.dra4j.model.DeviceSubRequest;
import io.dra4j.model.DeviceTaint;
import io.dra4j.model.ExactDeviceRequest;
import io.dra4j.model.KubernetesObject;
import io.dra4j.model.Node;
import io.dra4j.model.NodeSelection;
import io.dra4j.model.ObjectMeta;
import io.dra4j.model.OpaqueDeviceConfiguration;
import io.dra4j.model.ResourceClaim;
import io.dra4j.model.ResourceSlice;
import io.dra4j.model.StandardAttributes;
import io.dra4j.model.TaintEffect;
import io.dra4j.placement.PlacementPolicy;
import io.dra4j.placement.PlacementScore;
import io.dra4j.placement.Servers;
import io.dra4j.placement.gang.GangOutcome.Placed;
import io.dra4j.placement.gang.GangOutcome.PlacedMember;
import io.dra4j.placement.internal.policy.RankedScore;
import io.dra4j.selector.CompiledAttribute;
import io.dra4j.selector.CompiledSelector;
import io.dra4j.selector.SelectorCompiler;
import io.dra4j.selector.SelectorException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Gangs through the allocator; {@code -Dgangs=N} sets how many are compared with first fit. */
class GangPlacementTest {

  private static final int GANGS = Integer.getInteger("gangs", 40);

  private static final long SEED = Long.getLong("gangs.seed", 0);

  private static final Allocator ALLOCATOR =
      Allocator.builder().selectors(Servers.SELECTORS).policy(PlacementPolicy.best()).build();

  private final List<KubernetesObject> objects =
      new ArrayList<>(
          List.of(
              DeviceClass.named("gpu", Servers.GPU_DRIVER),
              DeviceClass.named("nic", Servers.NIC_DRIVER)));

  /** The first subnet of the NICs of servers; negative where all are in one. */
  private int subnet;

  /** The bus numbers of the GPUs of the first source document; NICs are right behind. */
  private static final int[] BUSES = {0x8f, 0x90, 0x96, 0x97, 0xc4, 0xc5, 0xcb, 0xcc};

  /** A server of eight GPUs and eight NICs, two of each on a PCIe root. */
  private void server(String node, Map<String, String> labels, String... busy) {
    objects.add(new Node(ObjectMeta.named(node).toBuilder().labels(labels).build(), List.of()));
    List<Device> gpus = new ArrayList<>();
    List<Device> nics = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      gpus.add(device("gpu-" + i, BUSES[i], 0, i));
      nics.add(device("nic-" + i, BUSES[i], 1, i));
    }
    objects.add(ResourceSlice.onNode(node + "-gpus", Servers.GPU_DRIVER, node, gpus));
    objects.add(ResourceSlice.onNode(node + "-nics", Servers.NIC_DRIVER, node, nics));
    List<DeviceRequestAllocationResult> results = new ArrayList<>();
    for (String name : busy) {
      String driver = name.startsWith("gpu") ? Servers.GPU_DRIVER : Servers.NIC_DRIVER;
      results.add(DeviceRequestAllocationResult.of("r", new DeviceId(driver, node, name)).build());
    }
    if (busy.length > 0) {
      objects.add(
          ResourceClaim.named("busy-" + node)
              .request("r", request -> request.deviceClass("gpu"))
              .build()
              .withAllocation(AllocationResult.builder().results(results).build()));
    }
  }

  private Device device(String name, int bus, int slot, int number) {
    Device.Builder device = Device.named(name);
    if (name.startsWith("nic")) {
      device
          .attribute(
              "dra.net/ipv4",
              "10.0.%d.%d/24".formatted(subnet < 0 ? 0 : subnet + 7 - number, number + 1))
          .attribute("example.com/rail", 1_000 + number);
    }
    return device
        .attribute(StandardAttributes.PCI_BUS_ID, "0000:%02x:%02x.0".formatted(bus, slot))
        .attribute(StandardAttributes.PCIE_ROOT, "pci0000:%02x".formatted(number / 2))
        .attribute(name.startsWith("nic") ? "dra.net/numaNode" : "numa", number / 4)
        .build();
  }

  private DeviceInventory inventory() {
    return DeviceInventory.of(ClusterSnapshot.of(objects));
  }

  private static ResourceClaim claim(String name, int gpus, int nics) {
    ResourceClaim.Builder claim = ResourceClaim.named(name);
    if (gpus > 0) {
      claim.request("gpus", request -> request.deviceClass("gpu").count(gpus));
    }
    if (nics > 0) {
      claim.request("nics", request -> request.deviceClass("nic").count(nics));
    }
    return claim.build();
  }

  private static GangMember member(String name, int gpus, int nics) {
    return GangMember.anywhere(name, List.of(claim(name, gpus, nics)));
  }

  private static GangMember on(String node, String name, int gpus, int nics) {
    return new GangMember(
        name, List.of(claim(name, gpus, nics)), other -> other.name().equals(node));
  }

  private static Budget time() {
    return Budget.of(Duration.ofMinutes(2));
  }

  private static String text(GangOutcome outcome) {
    if (!(outcome instanceof Placed placed)) {
      return outcome.toString();
    }
    StringBuilder text = new StringBuilder();
    for (PlacedMember member : placed.members()) {
      text.append(text.isEmpty() ? "" : "; ").append(member.node()).append(':');
      for (ClaimAllocation allocation : member.allocations()) {
        allocation.result().results().forEach(result -> text.append(' ').append(result.device()));
      }
    }
    return text.toString();
  }

  @Test
  void whatWasPickedBlindlyComesOutOnEqualRailsWithinOneRootEach() {
    // What others have is where the first document's pods were not: pod 0 had cb and cc, pod 1 had
    // 97 and c4, on two servers.
    server("a", Map.of(), "gpu-0", "nic-0");
    server("b", Map.of(), "gpu-7", "nic-7");

    GangOutcome outcome =
        GangPlacement.builder(ALLOCATOR)
            .build()
            .place(inventory(), List.of(on("a", "p0", 2, 2), on("b", "p1", 2, 2)), time());

    assertThat(text(outcome)).isEqualTo("a: gpu-2 gpu-3 nic-2 nic-3; b: gpu-2 gpu-3 nic-2 nic-3");
    GangScore score = ((Placed) outcome).score();
    assertThat(score.lostRails()).isZero();
    assertThat(score.proven()).isTrue();
    assertThat(score.gigabytesPerSecond()).isEqualTo(160);
    assertThat(score.explanation()).contains("on equal rails of 2 servers");
  }

  @Test
  void oneServerNeedsNoRailsAndIsNearest() {
    server("a", Map.of(), "gpu-0", "nic-0");
    server("b", Map.of());

    GangOutcome outcome =
        GangPlacement.builder(ALLOCATOR)
            .build()
            .place(inventory(), List.of(member("p0", 4, 4), member("p1", 4, 4)), time());

    assertThat(text(outcome))
        .isEqualTo(
            "b: gpu-0 gpu-1 gpu-2 gpu-3 nic-0 nic-1 nic-2 nic-3; b: gpu-4 gpu-5 gpu-6 gpu-7 nic-4"
                + " nic-5 nic-6 nic-7");
    assertThat(((Placed) outcome).score().distance()).isZero();
  }

  @Test
  void serversOfOneRackComeFirst() {
    server("a", Map.of("rack", "1"));
    server("b", Map.of("rack", "2"));
    server("c", Map.of("rack", "2"));

    GangOutcome outcome =
        GangPlacement.builder(ALLOCATOR)
            .levels(List.of("zone", "rack"))
            .build()
            .place(inventory(), List.of(member("p0", 8, 8), member("p1", 8, 8)), time());

    assertThat(((Placed) outcome).members())
        .extracting(PlacedMember::node)
        .containsExactly("b", "c");
    assertThat(((Placed) outcome).score().level()).isEqualTo("rack");
    assertThat(((Placed) outcome).score().distance()).isEqualTo(1);
  }

  @Test
  void railsAreSubnetsWhereTheySaySo() {
    server("a", Map.of(), "gpu-0", "nic-0");
    server("b", Map.of(), "gpu-0", "nic-0");

    GangOutcome outcome =
        GangPlacement.builder(ALLOCATOR)
            .rails(new Rails.BySubnet("dra.net/ipv4"))
            .build()
            .place(inventory(), List.of(on("a", "p0", 1, 1), on("b", "p1", 1, 1)), time());

    assertThat(text(outcome)).isEqualTo("a: gpu-1 nic-1; b: gpu-1 nic-1");
    assertThat(((Placed) outcome).score().lostRails()).isZero();
  }

  @Test
  void serversWithoutNicsOfTheGangDoNotTurnRailsOff() {
    server("a", Map.of(), "gpu-0", "nic-0");
    server("b", Map.of(), "gpu-1", "nic-1");
    server("c", Map.of());

    Placed outcome =
        (Placed)
            GangPlacement.builder(ALLOCATOR)
                .build()
                .place(
                    inventory(),
                    List.of(on("a", "p0", 1, 1), on("b", "p1", 1, 1), on("c", "launcher", 1, 0)),
                    time());

    assertThat(text(outcome)).startsWith("a: gpu-2 nic-2; b: gpu-2 nic-2; c: gpu-");
    assertThat(outcome.score().lostRails()).isZero();
    assertThat(outcome.score().proven()).isTrue();
  }

  @Test
  void nicsOfAMemberThatRunsAreOnItsRails() {
    server("a", Map.of(), "gpu-5", "nic-5");
    server("b", Map.of());
    ResourceClaim running =
        claim("p0", 1, 1)
            .withAllocation(
                AllocationResult.builder()
                    .results(
                        List.of(
                            DeviceRequestAllocationResult.of(
                                    "gpus", new DeviceId(Servers.GPU_DRIVER, "a", "gpu-5"))
                                .build(),
                            DeviceRequestAllocationResult.of(
                                    "nics", new DeviceId(Servers.NIC_DRIVER, "a", "nic-5"))
                                .build()))
                    .build());
    GangMember first = new GangMember("p0", List.of(running), node -> node.name().equals("a"));

    Placed outcome =
        (Placed)
            GangPlacement.builder(ALLOCATOR)
                .build()
                .place(inventory(), List.of(first, on("b", "p1", 1, 1)), time());

    // Pods beside running ones are placed one by one, which knows nothing of rails, and says so.
    assertThat(outcome.score().gigabytesPerSecond()).isEqualTo(80);
    assertThat(outcome.score().lostRails()).isEqualTo(1);
    assertThat(outcome.score().proven()).isFalse();
  }

  @Test
  void railsOfManySubnetsAreToldApart() {
    for (int rack = 0; rack < 3; rack++) {
      subnet = 8 * rack;
      for (int i = 0; i < 2; i++) {
        server("r" + rack + "-" + i, Map.of(), rack == 2 || i == 0 ? new String[0] : all());
      }
    }

    Placed outcome =
        (Placed)
            GangPlacement.builder(ALLOCATOR)
                .rails(new Rails.BySubnet("dra.net/ipv4"))
                .build()
                .place(inventory(), List.of(member("p0", 8, 8), member("p1", 8, 8)), time());

    assertThat(outcome.members()).extracting(PlacedMember::node).containsExactly("r2-0", "r2-1");
    assertThat(outcome.score().lostRails()).isZero();
    assertThat(outcome.score().proven()).isTrue();
  }

  @Test
  void railsOfMoreSubnetsThanAMaskHoldsAreToldApart() {
    for (int rack = 0; rack < 10; rack++) {
      subnet = 8 * rack;
      for (int i = 0; i < 2; i++) {
        // In each rack one server lacks what the other one has; but for the last one.
        String[] busy = {"gpu-" + 2 * i, "nic-" + 2 * i, "gpu-" + 4, "nic-" + 4};
        server("r" + rack + "-" + i, Map.of(), rack < 9 ? busy : new String[0]);
      }
    }
    GangPlacement gangs =
        GangPlacement.builder(ALLOCATOR).rails(new Rails.BySubnet("dra.net/ipv4")).build();

    Placed outcome =
        (Placed) gangs.place(inventory(), List.of(member("p0", 6, 6), member("p1", 6, 6)), time());
    assertThat(outcome.members()).extracting(PlacedMember::node).containsExactly("r9-0", "r9-1");
    assertThat(outcome.score().lostRails()).isZero();
    assertThat(outcome.score().proven()).isTrue();
    // No rack has room for three of them; whatever else there is has no rails in common.
    Placed three =
        (Placed)
            gangs.place(
                inventory(),
                List.of(member("p0", 6, 6), member("p1", 6, 6), member("p2", 6, 6)),
                time());
    assertThat(three.score().lostRails()).isEqualTo(6);
    assertThat(three.score().gigabytesPerSecond()).isEqualTo(3 * 240);
    assertThat(three.score().proven()).isTrue();
  }

  @Test
  void eachPodHasWhatOthersOfItsGangLeave() {
    objects.add(Node.named("a"));
    List<Device> gpus = new ArrayList<>();
    List<Device> nics = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      gpus.add(device("gpu-" + i, BUSES[i], 0, i));
      nics.add(
          device("nic-" + i, BUSES[i], 1, i).toBuilder()
              .attribute("host.dra4j.io/physicalFunction", "0000:0a:00.0")
              .build());
    }
    objects.add(ResourceSlice.onNode("a-gpus", Servers.GPU_DRIVER, "a", gpus));
    objects.add(ResourceSlice.onNode("a-nics", Servers.NIC_DRIVER, "a", nics));

    Placed outcome =
        (Placed)
            GangPlacement.builder(ALLOCATOR)
                .build()
                .place(inventory(), List.of(member("p0", 1, 1), member("p1", 1, 1)), time());

    assertThat(outcome.score().gigabytesPerSecond()).isEqualTo(50);
    assertThat(outcome.members())
        .extracting(placed -> placed.score().orElseThrow().gigabytesPerSecond())
        .containsExactly(25.0, 25.0);
  }

  private static String[] all() {
    return IntStream.range(0, 8)
        .boxed()
        .flatMap(i -> Stream.of("gpu-" + i, "nic-" + i))
        .toArray(String[]::new);
  }

  @Test
  void oneSubnetForAllNicsIsOneRailForAllOfThem() {
    subnet = -1;
    server("a", Map.of());
    server("b", Map.of());

    Placed outcome =
        (Placed)
            GangPlacement.builder(ALLOCATOR)
                .rails(new Rails.BySubnet("dra.net/ipv4"))
                .build()
                .place(inventory(), List.of(member("p0", 8, 8), member("p1", 8, 8)), time());

    assertThat(outcome.score().lostRails()).isZero();
    assertThat(outcome.score().proven()).isTrue();
  }

  @Test
  void anAttributeNamesRails() {
    server("a", Map.of(), "gpu-0", "nic-0");
    server("b", Map.of(), "gpu-0", "nic-0");

    Placed outcome =
        (Placed)
            GangPlacement.builder(ALLOCATOR)
                .rails(new Rails.ByAttribute("example.com/rail"))
                .build()
                .place(inventory(), List.of(on("a", "p0", 2, 2), on("b", "p1", 2, 2)), time());

    assertThat(outcome.score().lostRails()).isZero();
    assertThat(text(outcome)).isEqualTo("a: gpu-1 gpu-2 nic-1 nic-2; b: gpu-1 gpu-2 nic-1 nic-2");
    Placed unknown =
        (Placed)
            GangPlacement.builder(ALLOCATOR)
                .rails(new Rails.ByAttribute("example.com/other"))
                .build()
                .place(inventory(), List.of(on("a", "p0", 2, 2), on("b", "p1", 2, 2)), time());
    assertThat(unknown.score().lostRails()).isEqualTo(2);
  }

  private static GangMember wishing(String name, String alignment, ResourceClaim... others) {
    ResourceClaim own =
        claim(name, 2, 1).toBuilder()
            .config(
                new DeviceClaimConfiguration(
                    List.of(),
                    new OpaqueDeviceConfiguration(
                        "dra4j.io",
                        "{\"apiVersion\": \"dra4j.io/v1alpha1\", \"kind\": \"Placement\","
                            + " \"alignment\": "
                            + alignment
                            + "}")))
            .build();
    List<ResourceClaim> claims = new ArrayList<>(List.of(others));
    claims.add(own);
    return GangMember.anywhere(name, claims);
  }

  @Test
  void whatPodsAdministerIsNotTheirs() {
    server("a", Map.of());
    server("b", Map.of());
    List<GangMember> plain = List.of(on("a", "p0", 1, 1), on("b", "p1", 1, 1));
    GangScore score = ((Placed) place(watching(plain, 7))).score();
    GangScore own = ((Placed) place(plain)).score();

    assertThat(score.gigabytesPerSecond()).isEqualTo(80).isEqualTo(own.gigabytesPerSecond());
    assertThat(score.fragmentationChange()).isEqualTo(own.fragmentationChange());
    assertThat(score.lostRails()).isZero();
  }

  @Test
  void whatPodsAdministerDoesNotChooseTheirNode() {
    List<String> far = new ArrayList<>(List.of(all()));
    far.removeAll(List.of("gpu-0", "nic-7"));
    server("a", Map.of(), far.toArray(new String[0]));
    server("b", Map.of());

    GangOutcome outcome = place(watching(List.of(member("p0", 1, 1)), 7));

    assertThat(((Placed) outcome).members()).extracting(PlacedMember::node).containsExactly("b");
  }

  private GangOutcome place(List<GangMember> gang) {
    return GangPlacement.builder(ALLOCATOR).build().place(inventory(), gang, time());
  }

  /** The same pods, each with admin access to so many GPUs and NICs. */
  private static List<GangMember> watching(List<GangMember> gang, int count) {
    return gang.stream()
        .map(
            pod ->
                new GangMember(
                    pod.name(),
                    List.of(
                        pod.claims().get(0).toBuilder()
                            .request("a", r -> r.deviceClass("gpu").adminAccess().count(count))
                            .request("b", r -> r.deviceClass("nic").adminAccess().count(count))
                            .build()),
                    pod.nodes()))
        .toList();
  }

  @Test
  void whatAClaimRequiresHoldsForPodsThatArePlacedOneByOne() {
    server("a", Map.of());
    server("b", Map.of());
    String near = "{\"within\": \"SWITCH\", \"mode\": \"Required\"}";
    String onRoot = "{\"within\": \"HOST_BRIDGE\", \"mode\": \"Required\"}";
    ResourceClaim shared = claim("shared", 1, 0);

    assertThat(
            GangPlacement.builder(ALLOCATOR)
                .build()
                .place(inventory(), List.of(wishing("p0", near), wishing("p1", near)), time()))
        .isInstanceOf(GangOutcome.Unplaceable.class);
    assertThat(
            GangPlacement.builder(ALLOCATOR)
                .build()
                .place(
                    inventory(),
                    List.of(wishing("p0", near, shared), wishing("p1", near, shared)),
                    time()))
        .isInstanceOf(GangOutcome.Unplaceable.class);
    assertThat(
            GangPlacement.builder(ALLOCATOR)
                .build()
                .place(
                    inventory(),
                    List.of(wishing("p0", onRoot, shared), wishing("p1", onRoot, shared)),
                    time()))
        .isInstanceOf(GangOutcome.Placed.class);
  }

  @Test
  void aFaultyPreferenceIsAFaultOfTheGang() {
    server("a", Map.of());
    String faulty = "{\"within\": \"NEAR\"}";

    GangPlacement gangs = GangPlacement.builder(ALLOCATOR).levels(List.of()).build();

    assertThat(
            gangs.place(inventory(), List.of(wishing("p0", faulty), wishing("p1", faulty)), time()))
        .isInstanceOf(GangOutcome.Rejected.class);
  }

  @Test
  void domainsOfAllAnswersCount() {
    server("a", Map.of("rack", "x"), all());
    server("b", Map.of("rack", "y"));

    GangPlacement gangs = GangPlacement.builder(ALLOCATOR).build();

    Placed outcome =
        (Placed) gangs.place(inventory(), List.of(member("p0", 8, 8)), List.of("rack"), time());
    assertThat(outcome.score().proven()).isTrue();
    String faulty = "{\"within\": \"NEAR\"}";
    assertThat(gangs.place(inventory(), List.of(wishing("p0", faulty)), List.of("rack"), time()))
        .isInstanceOf(GangOutcome.Rejected.class);
    assertThat(
            gangs.place(
                inventory(),
                List.of(member("p0", 8, 8)),
                List.of("rack"),
                Budget.unlimited().orUntil(() -> true)))
        .isInstanceOf(GangOutcome.Undecided.class);
  }

  @Test
  @Tag("exhaustive")
  void aDomainDoesNotTakeTheTimeOfOthers() {
    for (int i = 0; i < 13; i++) { // in x there is one server too few, which takes long to see
      if (i < 12) {
        server("x" + i, Map.of("zone", "x"), "gpu-0", "nic-0");
      }
      server("y" + i, Map.of("zone", "y"));
    }
    List<GangMember> gang = new ArrayList<>();
    for (int i = 0; i < 13; i++) {
      ResourceClaim claim =
          claim("p" + i, 5, 5).toBuilder()
              .constraint(DeviceConstraint.distinctAttribute("dra.net/ipv4", "nics"))
              .build();
      gang.add(GangMember.anywhere("p" + i, List.of(claim)));
    }

    GangOutcome outcome =
        GangPlacement.builder(ALLOCATOR)
            .build()
            .place(inventory(), gang, List.of("zone"), Budget.of(Duration.ofSeconds(8)));
    assertThat(outcome).isInstanceOf(Placed.class);
    assertThat(((Placed) outcome).members()).allMatch(member -> member.node().startsWith("y"));
  }

  @Test
  void plansOfDomainsAreComparedAsThePolicyWantsThem() {
    server("x", Map.of("zone", "x"));
    List<String> far = new ArrayList<>(List.of(all()));
    far.removeAll(List.of("gpu-0", "nic-7"));
    server("y", Map.of("zone", "y"), far.toArray(new String[0]));
    server("z", Map.of("zone", "z"));
    List<GangMember> gang = List.of(member("p0", 1, 1));

    for (PlacementPolicy policy : POLICIES) {
      GangPlacement gangs = GangPlacement.builder(ALLOCATOR).policy(policy).build();
      GangOutcome inOne = gangs.place(inventory(), gang, time());
      GangOutcome inZones = gangs.place(inventory(), gang, List.of("zone"), time());
      assertThat(text(inZones)).as(policy.name()).isEqualTo(text(inOne));
    }
    assertThat(
            text(
                GangPlacement.builder(ALLOCATOR)
                    .policy(PlacementPolicy.pack())
                    .build()
                    .place(inventory(), gang, List.of("zone"), time())))
        .isEqualTo("y: gpu-0 nic-7");
  }

  @Test
  void manyKindsOfPodsOnALargeServerEndInTime() {
    objects.add(Node.named("a"));
    List<Device> gpus = new ArrayList<>();
    List<Device> nics = new ArrayList<>();
    for (int i = 0; i < 64; i++) {
      gpus.add(
          Device.named("gpu-" + i).attribute(StandardAttributes.PCIE_ROOT, "pci0000:00").build());
      nics.add(
          Device.named("nic-" + i)
              .attribute(StandardAttributes.PCIE_ROOT, i < 32 ? "pci0000:00" : "pci0001:00")
              .build());
    }
    objects.add(ResourceSlice.onNode("a-1", Servers.GPU_DRIVER, "a", gpus));
    objects.add(ResourceSlice.onNode("a-2", Servers.NIC_DRIVER, "a", nics));
    List<GangMember> members = new ArrayList<>();
    for (int i = 1; i <= 9; i++) {
      members.add(member("p" + i, i, 1 + i % 3));
    }

    assertThat(GangPlacement.builder(ALLOCATOR).build().place(inventory(), members, time()))
        .isInstanceOf(GangOutcome.Placed.class);
  }

  @Test
  void aGangThatDoesNotFitAsAWholeGetsNothing() {
    server("a", Map.of());
    server("b", Map.of(), "gpu-0");

    GangOutcome outcome =
        GangPlacement.builder(ALLOCATOR)
            .build()
            .place(inventory(), List.of(member("p0", 8, 8), member("p1", 8, 8)), time());

    assertThat(outcome)
        .isEqualTo(
            new GangOutcome.Unplaceable(
                "2 pods do not fit together: 1 of 2 nodes have room for one or more of them"));
  }

  @Test
  void aPodOfOneKindOfDevicesIsPlannedWithTheOthers() {
    server("a", Map.of());
    server("b", Map.of());
    for (int[] other : List.of(new int[] {1, 0}, new int[] {0, 1})) {
      List<GangMember> gang =
          List.of(member("both", 1 + other[1], 1 + other[0]), member("one", other[0], other[1]));
      GangOutcome outcome =
          GangPlacement.builder(ALLOCATOR).build().place(inventory(), gang, Budget.unlimited());

      assertThat(outcome).isInstanceOf(Placed.class);
      assertThat(((Placed) outcome).members()).extracting(PlacedMember::node).containsOnly("a");
      assertThat(((Placed) outcome).score().gigabytesPerSecond()).isEqualTo(80);
      assertThat(((Placed) outcome).score().proven()).isTrue();
    }
    List<GangMember> apart = List.of(member("gpu", 1, 0), member("nic", 0, 1));
    Placed together =
        (Placed)
            GangPlacement.builder(ALLOCATOR).build().place(inventory(), apart, Budget.unlimited());
    assertThat(together.score().gigabytesPerSecond()).isEqualTo(40);
  }

  @Test
  void thatManyPodsOfTwoKindsDoNotFitIsKnown() {
    List<GangMember> gang = new ArrayList<>();
    for (int i = 0; i < 17; i++) {
      gang.add(member("p" + i, 1, i % 2));
    }
    server("a", Map.of());
    server("b", Map.of());

    assertThat(
            GangPlacement.builder(ALLOCATOR).build().place(inventory(), gang, Budget.unlimited()))
        .isInstanceOf(GangOutcome.Unplaceable.class);
  }

  /** Nodes of so many GPUs each, and nothing else. */
  private void gpuServers(int gpus, String... nodes) {
    for (String node : nodes) {
      objects.add(Node.named(node));
      List<Device> devices = new ArrayList<>();
      for (int i = 0; i < gpus; i++) {
        devices.add(device("gpu-" + i, 1 + i, 0, i));
      }
      objects.add(ResourceSlice.onNode(node + "-gpus", Servers.GPU_DRIVER, node, devices));
    }
  }

  /** A pod that wants so many of the first GPUs of a node. */
  private static GangMember below(String name, int count, int limit) {
    return GangMember.anywhere(
        name,
        List.of(
            ResourceClaim.named(name)
                .request(
                    "gpus",
                    request -> request.deviceClass("gpu").selector("below:" + limit).count(count))
                .build()));
  }

  private static final List<PlacementPolicy> POLICIES =
      List.of(
          PlacementPolicy.best(),
          PlacementPolicy.pack(),
          PlacementPolicy.spread(),
          PlacementPolicy.firstFit());

  @Test
  void podsThatMayHaveFewDevicesGetThemInWhateverOrderTheyCome() {
    gpuServers(2, "a");
    for (PlacementPolicy policy : POLICIES) {
      GangPlacement gangs = GangPlacement.builder(ALLOCATOR).policy(policy).build();
      GangMember any = member("any", 1, 0);
      GangMember low = below("low", 1, 1);

      assertThat(text(gangs.place(inventory(), List.of(any, low), time())))
          .as(policy.name())
          .isEqualTo("a: gpu-1; a: gpu-0");
      assertThat(text(gangs.place(inventory(), List.of(low, any), time())))
          .as(policy.name())
          .isEqualTo("a: gpu-0; a: gpu-1");
      assertThat(gangs.place(inventory(), List.of(low, below("too", 1, 1), any), time()))
          .as(policy.name())
          .isNotInstanceOf(Placed.class);
    }
  }

  @Test
  void podsTakeDevicesOfSeveralNodesFromEachOther() {
    objects.add(Node.named("a"));
    objects.add(Node.named("b"));
    objects.add(
        ResourceSlice.named("net", Servers.GPU_DRIVER)
            .pool("net", 1, 1)
            .nodeSelection(NodeSelection.ALL_NODES)
            .devices(List.of(Device.named("gpu-0").build(), Device.named("gpu-1").build()))
            .build());
    GangMember any = on("a", "any", 1, 0);
    GangMember low = new GangMember("low", below("low", 1, 1).claims(), n -> n.name().equals("b"));

    assertThat(
            text(
                GangPlacement.builder(ALLOCATOR)
                    .build()
                    .place(inventory(), List.of(any, low), time())))
        .isEqualTo("a: gpu-1; b: gpu-0");
  }

  @Test
  void podsOfWhichOneHasAnotherAlternativeFit() {
    gpuServers(3, "a");
    List<GangMember> gang =
        Stream.of("p0", "p1")
            .map(name -> GangMember.anywhere(name, List.of(oneOrTwo(name))))
            .toList();

    for (PlacementPolicy policy : POLICIES) {
      GangOutcome outcome =
          GangPlacement.builder(ALLOCATOR).policy(policy).build().place(inventory(), gang, time());
      assertThat(text(outcome)).as(policy.name()).isEqualTo("a: gpu-0 gpu-1; a: gpu-2");
      assertThat(((Placed) outcome).score().proven()).as(policy.name()).isFalse();
    }
  }

  @Test
  void aNodeOfWhichNobodyKnowsIsPassedOver() {
    String near = "\"alignment\": {\"within\": \"NUMA_NODE\", \"mode\": \"Required\"}";
    List<GangMember> plain =
        Stream.of("p0", "p1")
            .map(name -> GangMember.anywhere(name, List.of(configured(claim(name, 1, 1), near))))
            .toList();
    List<GangMember> distinct = // which are placed one by one
        plain.stream()
            .map(
                pod ->
                    GangMember.anywhere(
                        pod.name(),
                        List.of(
                            pod.claims().get(0).toBuilder()
                                .constraint(
                                    DeviceConstraint.distinctAttribute("example.com/n", "nics"))
                                .build())))
            .toList();
    for (List<String> nodes : List.of(List.of("odd", "b"), List.of("b", "odd"), List.of("odd"))) {
      objects.subList(2, objects.size()).clear();
      for (String node : nodes) {
        numaServer(node, node.equals("odd"));
      }
      for (PlacementPolicy policy : POLICIES) {
        for (List<GangMember> gang : List.of(plain, distinct)) {
          GangOutcome outcome =
              GangPlacement.builder(ALLOCATOR)
                  .policy(policy)
                  .build()
                  .place(inventory(), gang, time());
          String text =
              policy.name() + (gang == plain ? "" : ", distinct") + " on " + nodes + ": " + outcome;
          if (nodes.contains("b")) {
            assertThat(outcome).as(text).isInstanceOf(Placed.class);
            Placed placed = (Placed) outcome;
            assertThat(placed.members()).extracting(PlacedMember::node).containsOnly("b");
            // A plan for all pods at once counts the tainted GPUs, and may be no better with them.
            boolean atOnce = gang == plain && policy.name().equals("best");
            assertThat(placed.score().proven() && !atOnce).as(text).isFalse();
          } else {
            assertThat(outcome).as(text).isInstanceOf(GangOutcome.Undecided.class);
            assertThat(((GangOutcome.Undecided) outcome).reason())
                .as(text)
                .startsWith("odd: claim default/p0 requires 1 pair of");
          }
        }
      }
    }
  }

  /** Four pairs in one NUMA node; on an odd server only tainted GPUs are where the NICs are. */
  private void numaServer(String node, boolean odd) {
    List<Device> gpus = new ArrayList<>();
    List<Device> nics = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      Device.Builder gpu = numaDevice("gpu-" + i, odd && i == 0 ? 1 : 0);
      gpus.add(
          odd && i > 0
              ? gpu.taint(DeviceTaint.of("bad", "", TaintEffect.NO_SCHEDULE)).build()
              : gpu.build());
      nics.add(numaDevice("nic-" + i, 0).attribute("example.com/n", i).build());
    }
    objects.add(Node.named(node));
    objects.add(ResourceSlice.onNode(node + "-gpus", Servers.GPU_DRIVER, node, gpus));
    objects.add(ResourceSlice.onNode(node + "-nics", Servers.NIC_DRIVER, node, nics));
  }

  @Test
  void nodesThatAreSlowEndWithTheTimeOfTheGang() {
    SelectorCompiler slow =
        new SelectorCompiler() {
          @Override
          public CompiledSelector compileSelector(String expression) {
            return (driver, device) -> {
              if (expression.equals("slow")) {
                LockSupport.parkNanos(5_000_000);
                return false;
              }
              return driver.equals(expression);
            };
          }

          @Override
          public CompiledAttribute compileAttribute(String expression) throws SelectorException {
            throw new SelectorException("no derived attributes here");
          }
        };
    Allocator allocator = Allocator.builder().selectors(slow).build();
    for (String node : List.of("a", "b", "c")) {
      List<Device> gpus = new ArrayList<>();
      for (int i = 0; i < 1_500; i++) {
        gpus.add(Device.named("gpu-" + i).attribute("example.com/n", i).build());
      }
      objects.add(Node.named(node));
      objects.add(ResourceSlice.onNode(node, Servers.GPU_DRIVER, node, gpus));
    }
    ResourceClaim claim =
        ResourceClaim.named("c")
            .request("g", request -> request.deviceClass("gpu").selector("slow"))
            .build();
    DeviceInventory inventory = inventory();
    for (PlacementPolicy policy : POLICIES) {
      for (boolean cancelled : List.of(false, true)) {
        long began = System.nanoTime();
        Budget budget =
            cancelled
                ? Budget.unlimited().orUntil(() -> System.nanoTime() - began > 300_000_000)
                : Budget.of(Duration.ofMillis(300));
        GangOutcome outcome =
            GangPlacement.builder(allocator)
                .policy(policy)
                .build()
                .place(inventory, List.of(GangMember.anywhere("p", List.of(claim))), budget);
        assertThat(outcome).isInstanceOf(GangOutcome.Undecided.class);
        assertThat(Duration.ofNanos(System.nanoTime() - began))
            .as("%s, cancelled: %s", policy.name(), cancelled)
            .isLessThan(Duration.ofSeconds(5));
      }
    }
  }

  private static ResourceClaim oneOrTwo(String name) {
    return ResourceClaim.named(name)
        .request(
            DeviceRequest.firstAvailable(
                "gpus",
                List.of(
                    new DeviceSubRequest("two", ExactDeviceRequest.ofClass("gpu").count(2).build()),
                    new DeviceSubRequest("one", ExactDeviceRequest.ofClass("gpu").build()))))
        .build();
  }

  @Test
  void noRoomIsSaidOnlyWhereItIsKnown() {
    gpuServers(4, "a", "b");
    for (PlacementPolicy policy : POLICIES) {
      GangPlacement gangs = GangPlacement.builder(ALLOCATOR).policy(policy).build();
      List<GangMember> alike = List.of(member("p0", 3, 0), member("p1", 3, 0), member("p2", 2, 0));
      assertThat(gangs.place(inventory(), alike, time()))
          .as(policy.name())
          .isInstanceOf(GangOutcome.Unplaceable.class);
      assertThat(
              gangs.place(
                  inventory(), IntStream.range(0, 3).mapToObj(i -> taking(i, 2)).toList(), time()))
          .as(policy.name() + ": nine of eight")
          .isInstanceOf(GangOutcome.Unplaceable.class);
      assertThat(
              gangs.place(
                  inventory(), IntStream.range(0, 4).mapToObj(i -> taking(i, 1)).toList(), time()))
          .as(policy.name() + ": they fit if none takes what others need")
          .isNotInstanceOf(GangOutcome.Unplaceable.class);
    }
  }

  /** A pod that takes first what it also needs for its second request. */
  private static GangMember taking(int number, int count) {
    return GangMember.anywhere(
        "p" + number,
        List.of(
            ResourceClaim.named("p" + number)
                .request("any", request -> request.deviceClass("gpu").count(count))
                .request("low", request -> request.deviceClass("gpu").selector("below:2"))
                .build()));
  }

  @Test
  void aPlanIsNotProvenWhereAnotherDomainMayHaveABetterOne() {
    for (String node : List.of("a", "b1", "b2")) {
      boolean large = !node.equals("a"); // more NICs than are planned with
      objects.add(
          new Node(
              ObjectMeta.named(node).toBuilder()
                  .labels(Map.of("zone", node.substring(0, 1)))
                  .build(),
              List.of()));
      List<Device> gpus = new ArrayList<>();
      List<Device> nics = new ArrayList<>();
      for (int i = 0; i < (large ? 70 : 3); i++) {
        if (i < (large ? 2 : 3)) {
          gpus.add(numaDevice("gpu-" + i, 0).build());
        }
        Device.Builder nic = numaDevice("nic-" + i, node.equals("b2") ? 1 : 0);
        nics.add(
            large
                ? nic.build()
                : nic.attribute("host.dra4j.io/megabitsPerSecond", 200_000).build());
      }
      objects.add(ResourceSlice.onNode(node + "-gpus", Servers.GPU_DRIVER, node, gpus));
      objects.add(ResourceSlice.onNode(node + "-nics", Servers.NIC_DRIVER, node, nics));
    }

    GangScore score =
        ((Placed)
                GangPlacement.builder(ALLOCATOR)
                    .build()
                    .place(
                        inventory(),
                        List.of(member("small", 1, 1), member("large", 2, 2)),
                        List.of("zone"),
                        time()))
            .score();

    assertThat(score.proven()).as(score.explanation()).isFalse();
  }

  private static Device.Builder numaDevice(String name, int numaNode) {
    return Device.named(name).attribute(StandardAttributes.NUMA_NODE, numaNode);
  }

  @Test
  @Tag("exhaustive")
  void aPlanThatWasFoundIsNotLostWhenTheTimeIsOver() {
    List<GangMember> gang = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      if (i < 4) {
        server("n" + i, Map.of());
      }
      ResourceClaim distinct = // which no plan of all pods at once knows
          claim("p" + i, 4, 4).toBuilder()
              .constraint(DeviceConstraint.distinctAttribute("dra.net/ipv4", "nics"))
              .build();
      gang.add(GangMember.anywhere("p" + i, List.of(distinct)));
    }
    for (PlacementPolicy policy : POLICIES.subList(0, 1)) {
      GangPlacement gangs = GangPlacement.builder(ALLOCATOR).policy(policy).build();
      AtomicLong all = new AtomicLong();
      gangs.place(inventory(), gang, Budget.unlimited().orUntil(() -> all.incrementAndGet() < 0));
      boolean found = false;
      for (int part = 1; part <= 10; part++) {
        long limit = all.get() * part / 10;
        AtomicLong now = new AtomicLong();
        Budget cut = Budget.unlimited().orUntil(() -> now.incrementAndGet() > limit);
        boolean placed = gangs.place(inventory(), gang, cut) instanceof Placed;
        assertThat(placed || !found)
            .as("%s, with less time there was a plan, with %d tenths not", policy.name(), part)
            .isTrue();
        assertThat(placed || part < 8).as("%s, %d tenths", policy.name(), part).isTrue();
        found |= placed;
      }
    }
  }

  @Test
  void podsThatFillANodeEachArePlacedOnManyNodes() {
    List<GangMember> gang = new ArrayList<>();
    for (int i = 0; i < 260; i++) {
      gpuServers(1, "n" + i);
      if (i < 230) {
        gang.add(member("p" + i, 1, 0));
      }
    }
    for (PlacementPolicy policy : POLICIES) {
      assertThat(
              GangPlacement.builder(ALLOCATOR)
                  .policy(policy)
                  .build()
                  .place(inventory(), gang, time()))
          .as(policy.name())
          .isInstanceOf(Placed.class);
    }
  }

  @Test
  void railsOfMoreNicsThanAMaskHoldsAreKnown() {
    for (String node : List.of("a", "b")) {
      objects.add(Node.named(node));
      List<Device> nics = new ArrayList<>();
      for (int i = 0; i < 72; i++) {
        nics.add(numaDevice("nic-" + i, 0).attribute("example.com/rail", i).build());
      }
      objects.add(
          ResourceSlice.onNode(
              node + "-g", Servers.GPU_DRIVER, node, List.of(numaDevice("gpu-0", 0).build())));
      objects.add(ResourceSlice.onNode(node + "-n", Servers.NIC_DRIVER, node, nics));
      List<DeviceRequestAllocationResult> held = new ArrayList<>();
      for (int i = 0; i < 70; i++) {
        held.add(
            DeviceRequestAllocationResult.of(
                    "r", new DeviceId(Servers.NIC_DRIVER, node, "nic-" + i))
                .build());
      }
      objects.add(
          ResourceClaim.named("held-" + node)
              .request("r", request -> request.deviceClass("nic"))
              .build()
              .withAllocation(AllocationResult.builder().results(held).build()));
    }
    List<GangMember> gang = List.of(member("p0", 1, 1), member("p1", 1, 1));

    for (Rails rails : List.of(new Rails.ByIndex(), new Rails.ByAttribute("example.com/rail"))) {
      Placed placed =
          (Placed)
              GangPlacement.builder(ALLOCATOR)
                  .rails(rails)
                  .build()
                  .place(inventory(), gang, time());
      assertThat(text(placed)).isEqualTo("a: gpu-0 nic-70; b: gpu-0 nic-70");
      assertThat(placed.score().lostRails()).isZero();
    }
  }

  @Test
  void wordsSayWhichNicsHavePartners() {
    server("a", Map.of());
    server("b", Map.of());
    server("c", Map.of());

    assertThat(words(on("a", "p0", 1, 1), on("b", "p1", 5, 5)))
        .contains(
            "on 2 servers, with a partner on its rail for 1 of the 1 NICs of the one with fewest");
    assertThat(words(on("a", "p0", 1, 0), on("b", "p1", 1, 0)))
        .contains("on 2 servers")
        .doesNotContain("rail");
    assertThat(words(on("a", "p0", 1, 1), on("b", "p1", 1, 1), on("c", "p2", 1, 0)))
        .contains("on 3 servers, on equal rails of the 2 with NICs");
    objects.subList(2, objects.size()).clear();
    server("a", Map.of(), "nic-0", "nic-1", "nic-2", "nic-3");
    server("b", Map.of(), "nic-4", "nic-5", "nic-6");
    assertThat(words(on("a", "p0", 3, 3), on("b", "p1", 5, 5)))
        .contains(
            "on 2 servers, with a partner on its rail for 1 of the 3 NICs of the one with fewest");
  }

  private String words(GangMember... gang) {
    return ((Placed)
            GangPlacement.builder(ALLOCATOR).build().place(inventory(), List.of(gang), time()))
        .score()
        .explanation();
  }

  /** Brute force: each pod wants one GPU below some limit, of some nodes. */
  @Test
  void noRoomIsTrueForPodsOfDifferentWants() {
    int placed = 0;
    int unplaceable = 0;
    for (long seed = SEED; seed < SEED + 4L * GANGS; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      objects.subList(2, objects.size()).clear();
      int size = 2 + random.nextInt(3);
      gpuServers(size, "a", "b");
      int pods = 1 + random.nextInt(2 * size + 1);
      int[] limits = new int[pods];
      List<GangMember> gang = new ArrayList<>();
      for (int i = 0; i < pods; i++) {
        limits[i] = random.nextInt(3) == 0 ? size : 1 + random.nextInt(size);
        gang.add(below("p" + i, 1, limits[i]));
      }
      boolean fits = true; // by Hall's theorem
      for (int limit = 1; limit <= size; limit++) {
        int most = limit;
        fits &= IntStream.of(limits).filter(own -> own <= most).count() <= 2L * limit;
      }
      PlacementPolicy policy = POLICIES.get(random.nextInt(4));

      GangOutcome outcome =
          GangPlacement.builder(ALLOCATOR).policy(policy).build().place(inventory(), gang, time());

      assertThat(outcome instanceof Placed).as("seed %d: %s", seed, outcome).isEqualTo(fits);
      placed += fits ? 1 : 0;
      unplaceable += outcome instanceof GangOutcome.Unplaceable ? 1 : 0;
    }
    assertThat(placed).isPositive();
    assertThat(unplaceable).isEqualTo(4 * GANGS - placed);
  }

  @Test
  @Tag("exhaustive")
  void whatEndsForWantOfStepsSaysSo() {
    String[] busy = {
      "gpu-3", "gpu-4", "gpu-5", "gpu-6", "gpu-7", "nic-3", "nic-4", "nic-5", "nic-6", "nic-7"
    };
    for (String node : List.of("a", "b", "c", "d", "e", "f", "g", "h")) {
      server(node, Map.of(), busy);
    }
    List<GangMember> gang = new ArrayList<>();
    for (int i = 0; i < 12; i++) { // as many as there are devices for, if nodes were one
      ResourceClaim claim =
          ResourceClaim.named("c" + i)
              .request("gpus-" + i, request -> request.deviceClass("gpu").count(2))
              .request("nics", request -> request.deviceClass("nic").count(2))
              .constraint(DeviceConstraint.distinctAttribute("dra.net/ipv4", "nics"))
              .build();
      gang.add(GangMember.anywhere("p" + i, List.of(claim)));
    }

    assertThat(
            GangPlacement.builder(ALLOCATOR).build().place(inventory(), gang, Budget.unlimited()))
        .isEqualTo(
            new GangOutcome.Undecided(
                "no plan was found for the gang among 20,000 places that were tried for pods,"
                    + " in each of several ways"));
  }

  @Test
  void podsWithFunctionsOfOnePortAreChosenTogetherAndNotProven() {
    int[] roots = {2, 0, 5, 0, 3};
    List<Device> gpus = new ArrayList<>();
    List<Device> nics = new ArrayList<>();
    for (int i = 0; i < roots.length; i++) {
      gpus.add(function("gpu-" + i, 0x10 + i, roots[i], "numa").build());
    }
    for (int i = 0; i < 8; i++) {
      nics.add(
          function("nic-" + i, 0x20 + i, 0, "dra.net/numaNode")
              .attribute("host.dra4j.io/physicalFunction", "0000:%02x:00.0".formatted(0x60 + i / 4))
              .build());
    }
    Servers server = Servers.of(gpus, nics).busy("gpu-2", "nic-4", "nic-5");
    List<GangMember> gang = List.of(member("x", 1, 1), member("y", 1, 1), member("z", 1, 1));
    GangScore score =
        ((Placed)
                GangPlacement.builder(ALLOCATOR)
                    .build()
                    .place(server.inventory(), gang, Budget.unlimited()))
            .score();

    assertThat(score.gigabytesPerSecond()).isEqualTo(66.67);
    assertThat(score.proven()).isFalse();
  }

  private static Device.Builder function(String name, int bus, int root, String numaAttribute) {
    return Device.named(name)
        .attribute(StandardAttributes.PCI_BUS_ID, "0000:%02x:00.0".formatted(bus))
        .attribute(StandardAttributes.PCIE_ROOT, "pci0000:%02x".formatted(root))
        .attribute(numaAttribute, root % 2);
  }

  @Test
  void equalPlansAreEqualInWhateverOrderTheirServersAddUp() {
    // As numbers, the first two are 3.9499999999999997.
    Map<String, PlacementScore> servers = Map.of("a", losing(0.05), "b", losing(3.9));
    Map<String, PlacementScore> others = Map.of("a", losing(0), "b", losing(3.95));
    GangScore one = new PlanScore(120, 120, 0, 1, "", servers, false);
    GangScore other = new PlanScore(120, 120, 0, 1, "", others, false);

    assertThat(one).isEqualByComparingTo(other);
    assertThat(one.fragmentationChange()).isEqualTo(-3.95);
  }

  private static PlacementScore losing(double useful) {
    return new RankedScore(
        40, 40, List.of(), Map.of(), List.of(), 1, -useful, 0, "for a test", List.of(), List.of());
  }

  @Test
  void podsMayHaveOneNicTogetherIfItCanBeShared() {
    objects.add(Node.named("a"));
    objects.add(
        ResourceSlice.onNode(
            "gpus",
            Servers.GPU_DRIVER,
            "a",
            List.of(device("gpu-0", 1, 0, 0), device("gpu-1", 1, 1, 1))));
    objects.add(
        ResourceSlice.onNode(
            "nics",
            Servers.NIC_DRIVER,
            "a",
            List.of(device("nic-0", 1, 2, 0).toBuilder().allowMultipleAllocations(true).build())));

    GangOutcome outcome =
        GangPlacement.builder(ALLOCATOR)
            .build()
            .place(inventory(), List.of(member("p0", 1, 1), member("p1", 1, 1)), time());

    assertThat(text(outcome)).isEqualTo("a: gpu-0 nic-0; a: gpu-1 nic-0");
  }

  /** With more devices than the solver takes, pods are placed one by one. */
  @Test
  void onLargeServersEachPodGetsTheNodeThatIsBestForIt() {
    for (String node : List.of("a", "b")) {
      objects.add(Node.named(node));
      List<Device> gpus = new ArrayList<>();
      List<Device> nics = new ArrayList<>();
      for (int i = 0; i < 40; i++) {
        if (node.equals("b") || i < 30) {
          gpus.add(device("gpu-" + i, 1 + i, 0, 2 * i));
        }
        if (node.equals("b") || i >= 20) {
          nics.add(device("nic-" + i, 1 + i, 1, 2 * i));
        }
      }
      objects.add(ResourceSlice.onNode(node + "-gpus", Servers.GPU_DRIVER, node, gpus));
      objects.add(ResourceSlice.onNode(node + "-nics", Servers.NIC_DRIVER, node, nics));
    }

    GangOutcome outcome =
        GangPlacement.builder(ALLOCATOR)
            .build()
            .place(
                inventory(),
                List.of(member("p0", 8, 8), member("p1", 8, 8), member("p2", 8, 8)),
                time());

    Placed placed = (Placed) outcome;
    assertThat(placed.score().gigabytesPerSecond())
        .isEqualTo(placed.score().upperBoundGigabytesPerSecond());
  }

  @Test
  void aSmallPodLeavesTheLargeOneItsServer() {
    server("a", Map.of());
    server("b", Map.of(), "gpu-0", "nic-0");

    GangOutcome outcome =
        GangPlacement.builder(ALLOCATOR)
            .build()
            .place(inventory(), List.of(member("small", 1, 1), member("large", 8, 8)), time());

    assertThat(text(outcome)).startsWith("b: gpu-1 nic-1; a: gpu-0");
  }

  @Test
  void constraintsHoldForEachPod() {
    server("a", Map.of(), "gpu-0", "nic-2");
    server("b", Map.of(), "gpu-0", "nic-2");
    List<GangMember> members = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      ResourceClaim claim = claim("p" + i, 2, 2);
      members.add(
          GangMember.anywhere(
              "p" + i,
              List.of(
                  claim.toBuilder()
                      .constraint(DeviceConstraint.matchAttribute(StandardAttributes.PCIE_ROOT))
                      .build())));
    }

    GangOutcome outcome =
        GangPlacement.builder(ALLOCATOR).build().place(inventory(), members, time());

    assertThat(text(outcome))
        .isEqualTo(
            "a: gpu-4 gpu-5 nic-4 nic-5; a: gpu-6 gpu-7 nic-6 nic-7; b: gpu-4 gpu-5 nic-4 nic-5; b:"
                + " gpu-6 gpu-7 nic-6 nic-7");
  }

  @Test
  void differentClaimsOfOneNameAreRefused() {
    server("a", Map.of());
    List<GangMember> members =
        List.of(
            GangMember.anywhere("p0", List.of(claim("c", 1, 0))),
            GangMember.anywhere("p1", List.of(claim("c", 0, 1))));
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> GangPlacement.builder(ALLOCATOR).build().place(inventory(), members, time()))
        .withMessage("members refer to different claims named default/c (the second in p1)");
  }

  @Test
  void membersCanShareAClaim() {
    server("a", Map.of());
    server("b", Map.of());
    ResourceClaim shared = claim("shared", 2, 2);

    GangOutcome outcome =
        GangPlacement.builder(ALLOCATOR)
            .build()
            .place(
                inventory(),
                List.of(
                    GangMember.anywhere("p0", List.of(shared)),
                    GangMember.anywhere("p1", List.of(claim("own", 8, 0), shared)),
                    GangMember.anywhere("p2", List.of(shared))),
                time());

    assertThat(outcome).isInstanceOf(GangOutcome.Unplaceable.class);
  }

  @Test
  void devicesWithoutTopologyAreDividedToo() {
    objects.add(Node.named("a"));
    List<Device> devices = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      devices.add(Device.named("gpu-" + i).build());
    }
    objects.add(ResourceSlice.onNode("a-1", Servers.GPU_DRIVER, "a", devices));

    Placed outcome =
        (Placed)
            GangPlacement.builder(ALLOCATOR)
                .build()
                .place(inventory(), List.of(member("p0", 8, 0), member("p1", 8, 0)), time());

    assertThat(outcome.members()).extracting(PlacedMember::node).containsExactly("a", "a");
  }

  @Test
  void tooManyPodsAreRefused() {
    server("a", Map.of());
    List<GangMember> members = new ArrayList<>();
    for (int i = 0; i < 1_001; i++) {
      members.add(member("p" + i, 1, 1));
    }

    assertThat(GangPlacement.builder(ALLOCATOR).build().place(inventory(), members, time()))
        .isEqualTo(
            new GangOutcome.Undecided("a gang of 1001 pods; at most 1000 are placed together"));
    assertThat(
            GangPlacement.builder(ALLOCATOR)
                .build()
                .place(inventory(), members.subList(0, 900), time()))
        .isInstanceOf(GangOutcome.Unplaceable.class);
  }

  @Test
  void thePolicyOfTheCallerAndOfClaimsCounts() {
    server("a", Map.of(), "gpu-6", "nic-2");
    GangPlacement gangs = GangPlacement.builder(ALLOCATOR).build();
    List<GangMember> members = List.of(member("p0", 1, 1));

    assertThat(text(gangs.place(inventory(), members, time()))).isEqualTo("a: gpu-2 nic-3");
    assertThat(
            text(
                GangPlacement.builder(ALLOCATOR)
                    .policy(PlacementPolicy.pack())
                    .build()
                    .place(inventory(), members, time())))
        .isEqualTo("a: gpu-2 nic-6");
    assertThat(
            text(
                GangPlacement.builder(ALLOCATOR.withPolicy(PlacementPolicy.pack()))
                    .build()
                    .place(inventory(), members, time())))
        .isEqualTo("a: gpu-2 nic-6");
    assertThat(
            text(
                GangPlacement.builder(ALLOCATOR)
                    .policy(PlacementPolicy.firstFit())
                    .build()
                    .place(inventory(), members, time())))
        .isEqualTo("a: gpu-0 nic-0");
    ResourceClaim packing = configured(claim("p0", 1, 1), "\"policy\": \"pack\"");
    assertThat(
            text(
                gangs.place(
                    inventory(), List.of(GangMember.anywhere("p0", List.of(packing))), time())))
        .isEqualTo("a: gpu-2 nic-6");
  }

  private static ResourceClaim configured(ResourceClaim claim, String fields) {
    return claim.toBuilder()
        .config(
            new DeviceClaimConfiguration(
                List.of(),
                new OpaqueDeviceConfiguration(
                    "dra4j.io",
                    "{\"apiVersion\": \"dra4j.io/v1alpha1\", \"kind\": \"Placement\", %s}"
                        .formatted(fields))))
        .build();
  }

  /** A server on which gangs find little, or which policies cannot look at as at others. */
  private void oddServer(int form) {
    objects.add(2, Node.named("odd"));
    List<Device> gpus = new ArrayList<>();
    List<Device> nics = new ArrayList<>();
    int size = form == 1 ? 70 : 8;
    for (int i = 0; i < size; i++) {
      Device.Builder gpu = Device.named("gpu-" + i);
      Device.Builder nic = Device.named("nic-" + i);
      if (form != 3) {
        gpu.attribute(StandardAttributes.PCIE_ROOT, "pci0000:%02x".formatted(i / 2));
        nic.attribute(StandardAttributes.PCIE_ROOT, "pci0000:%02x".formatted((i + 3) / 2));
      }
      if (form == 2) {
        nic.attribute("host.dra4j.io/megabitsPerSecond", i % 2 == 0 ? 10_000 : 400_000);
      } else if (form == 4) {
        nic.attribute("host.dra4j.io/megabitsPerSecond", 1_000);
      }
      gpus.add(gpu.build());
      if (form != 0) {
        nics.add(nic.build());
      }
    }
    objects.add(ResourceSlice.onNode("odd-gpus", Servers.GPU_DRIVER, "odd", gpus));
    if (!nics.isEmpty()) {
      objects.add(ResourceSlice.onNode("odd-nics", Servers.NIC_DRIVER, "odd", nics));
    }
  }

  @Test
  void anOddServerMakesNoPlanWorse() {
    for (int seed = 0; seed < 30; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      objects.subList(2, objects.size()).clear();
      String[] busy = random.nextBoolean() ? new String[0] : new String[] {"gpu-1", "nic-4"};
      server("x", Map.of(), busy);
      server("y", Map.of());
      int size = 1 + random.nextInt(4);
      boolean shared = random.nextInt(4) == 0;
      ResourceClaim common = claim("common", 0, 1);
      List<GangMember> members = new ArrayList<>();
      for (int i = 0; i < 2 + random.nextInt(2); i++) {
        ResourceClaim own = claim("p" + i, size, size);
        members.add(GangMember.anywhere("p" + i, shared ? List.of(own, common) : List.of(own)));
      }
      GangPlacement gangs = GangPlacement.builder(ALLOCATOR).build();
      GangOutcome without = gangs.place(inventory(), members, time());
      oddServer(seed % 5);
      GangOutcome with = gangs.place(inventory(), members, time());

      if (without instanceof Placed before) {
        assertThat(with).as("seed %d", seed).isInstanceOf(Placed.class);
        assertThat(((Placed) with).score())
            .as("seed %d", seed)
            .isGreaterThanOrEqualTo(before.score());
      }
    }
  }

  @Test
  void isNeverWorseThanFirstFitPodByPod() {
    int fitting = 0;
    for (long seed = SEED; seed < SEED + GANGS; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      objects.subList(2, objects.size()).clear();
      for (int i = 0; i < 3; i++) {
        List<String> busy = new ArrayList<>();
        for (int device = 0; device < 8; device++) {
          if (random.nextInt(3) == 0) {
            busy.add("gpu-" + device);
          }
          if (random.nextInt(3) == 0) {
            busy.add("nic-" + device);
          }
        }
        server("n" + i, Map.of("rack", "" + i / 2), busy.toArray(new String[0]));
      }
      List<GangMember> members = new ArrayList<>();
      int size = 1 + random.nextInt(3);
      for (int i = 0; i < 2 + random.nextInt(2); i++) {
        members.add(member("p" + i, size, random.nextInt(4) == 0 ? 0 : size));
      }
      GangPlacement gangs = GangPlacement.builder(ALLOCATOR).levels(List.of("rack")).build();
      GangOutcome joint = gangs.place(inventory(), members, time());
      GangOutcome firstFit =
          gangs.oneByOne(AllocationPolicy.firstFit(), inventory(), members, time());

      if (firstFit instanceof Placed one) {
        assertThat(joint).as("seed " + seed).isInstanceOf(Placed.class);
        assertThat(((Placed) joint).score()).as("seed " + seed).isGreaterThanOrEqualTo(one.score());
        fitting++;
      }
    }
    assertThat(fitting).isGreaterThan(GANGS / 4);
    System.out.printf(
        "gangs: %d of %d fit one by one, none of them better than together, seed %d%n",
        fitting, GANGS, SEED);
  }

  @Test
  void devicesThatCanBeSharedNoLongerAreInUseAsThoseHeldAsAWhole() {
    List<String> plans = new ArrayList<>();
    for (boolean shares : List.of(false, true)) {
      List<KubernetesObject> objects = new ArrayList<>();
      objects.add(DeviceClass.named("gpu", Servers.GPU_DRIVER));
      objects.add(DeviceClass.named("nic", Servers.NIC_DRIVER));
      for (String node : List.of("a", "b")) {
        objects.add(Node.named(node));
        for (String driver : List.of(Servers.GPU_DRIVER, Servers.NIC_DRIVER)) {
          List<Device> devices = new ArrayList<>();
          for (int i = 0; i < 4; i++) {
            devices.add(
                Device.named("d" + i)
                    .attribute(StandardAttributes.PCIE_ROOT, "pci0000:0" + i)
                    .build());
          }
          objects.add(ResourceSlice.onNode(node + driver, driver, node, devices));
        }
      }
      for (String held : List.of("a0", "a1", "b1", "b2")) {
        AllocationResult.Builder allocation = AllocationResult.builder();
        for (String driver : List.of(Servers.GPU_DRIVER, Servers.NIC_DRIVER)) {
          DeviceId id = new DeviceId(driver, held.substring(0, 1), "d" + held.substring(1));
          allocation.result(
              DeviceRequestAllocationResult.of("r", id)
                  .shareId(shares ? held + driver : null)
                  .build());
        }
        objects.add(ResourceClaim.named("held-" + held).allocation(allocation.build()).build());
      }
      DeviceInventory inventory = DeviceInventory.of(ClusterSnapshot.of(objects));
      Allocator allocator =
          Allocator.builder()
              .selectors(Servers.SELECTORS)
              .compatibility(Compatibility.STRICT)
              .build();
      StringBuilder plan = new StringBuilder();
      List<GangMember> gang = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        ResourceClaim two =
            ResourceClaim.named("w" + i)
                .pairs(2, gpu -> gpu.deviceClass("gpu"), nic -> nic.deviceClass("nic"))
                .build();
        gang.add(GangMember.anywhere("m" + i, List.of(two)));
      }
      plan.append(
          GangPlacement.builder(allocator).build().place(inventory, gang, Budget.unlimited()));
      ResourceClaim one =
          ResourceClaim.named("w")
              .pairs(1, gpu -> gpu.deviceClass("gpu"), nic -> nic.deviceClass("nic"))
              .build();
      for (String policy : List.of("best", "pack", "spread")) {
        plan.append(
            allocator
                .withPolicy(PlacementPolicy.of(policy))
                .allocate(inventory, "b", List.of(one)));
      }
      plans.add(plan.toString());
    }
    assertThat(plans.get(1)).isEqualTo(plans.get(0));
  }

  /** How often a gang of pairs looks at its budget in racks of servers. */
  private int looks(int pods, List<String> labels, Class<? extends GangOutcome> expected) {
    List<GangMember> gang = new ArrayList<>();
    for (int i = 0; i < pods; i++) {
      ResourceClaim claim =
          claim("p" + i, 2, 2).toBuilder()
              .constraint(DeviceConstraint.matchAttribute(StandardAttributes.PCIE_ROOT))
              .build();
      gang.add(new GangMember("p" + i, List.of(claim), node -> true));
    }
    AtomicInteger looks = new AtomicInteger();
    GangOutcome outcome =
        GangPlacement.builder(ALLOCATOR)
            .policy(PlacementPolicy.firstFit())
            .build()
            .place(
                inventory(),
                gang,
                labels,
                Budget.unlimited().orUntil(() -> looks.incrementAndGet() < 0));
    assertThat(outcome).isInstanceOf(expected);
    return looks.get();
  }

  @Test
  void racksWithTooFewDevicesAreCountedBeforeOtherPlacesAreTried() {
    for (int i = 0; i < 8; i++) {
      server("s" + i, Map.of("rack", "r" + i / 4));
    }
    assertThat(looks(17, List.of("rack"), GangOutcome.Unplaceable.class)).isLessThan(1_000);
    assertThat(looks(33, List.of(), GangOutcome.Unplaceable.class)).isLessThan(1_000);
  }

  @Test
  void tooFewDevicesOfManyServersAreCountedAfterTheFirstPodWithoutAPlace() {
    for (int i = 0; i < 6; i++) {
      server("s" + i, Map.of(), "gpu-0", "gpu-2", "gpu-4", "gpu-6");
    }
    server("s6", Map.of());
    assertThat(looks(5, List.of(), GangOutcome.Unplaceable.class)).isLessThan(1_000);
  }

  @Test
  void firstFitTriesNoRacksAfterOneWithRoom() {
    server("s0", Map.of("rack", "r0"));
    int ofOne = looks(4, List.of("rack"), GangOutcome.Placed.class);
    for (int i = 1; i < 20; i++) {
      server("s" + i, Map.of("rack", "r" + i));
    }
    assertThat(looks(4, List.of("rack"), GangOutcome.Placed.class)).isLessThan(2 * ofOne);
  }
}
