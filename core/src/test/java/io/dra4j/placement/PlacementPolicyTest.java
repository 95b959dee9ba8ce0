package io.dra4j.placement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dra4j.allocation.AllocationOutcome;
import io.dra4j.allocation.AllocationOutcome.Rejected;
import io.dra4j.allocation.AllocationOutcome.Unallocatable;
import io.dra4j.allocation.RejectionReason;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceAttribute;
import io.dra4j.model.DeviceClaimConfiguration;
import io.dra4j.model.DeviceConstraint;
import io.dra4j.model.DeviceRequest;
import io.dra4j.model.DeviceSubRequest;
import io.dra4j.model.DeviceTaint;
import io.dra4j.model.DeviceToleration;
import io.dra4j.model.ExactDeviceRequest;
import io.dra4j.model.OpaqueDeviceConfiguration;
import io.dra4j.model.ResourceClaim;
import io.dra4j.model.StandardAttributes;
import io.dra4j.model.TaintEffect;
import io.dra4j.topology.PathType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PlacementPolicyTest {

  private static ResourceClaim preferring(ResourceClaim.Builder claim, String fields) {
    return claim
        .config(
            configuration(
                "dra4j.io",
                "{\"apiVersion\": \"dra4j.io/v1alpha1\", \"kind\": \"Placement\"" + fields + "}"))
        .build();
  }

  private static DeviceClaimConfiguration configuration(String driver, String parameters) {
    return new DeviceClaimConfiguration(
        List.of(), new OpaqueDeviceConfiguration(driver, parameters));
  }

  private static PlacementPolicy best(int perRoot) {
    return PlacementPolicy.best().withOverlays(node -> List.of(Servers.switches(perRoot)));
  }

  @Test
  void aScoreSaysWhatTheDevicesAreWorth() {
    PlacementScore score =
        Servers.score(Servers.onRoots(1).allocate(best(1), Servers.claim(2, 2).build()));

    assertThat(score.gigabytesPerSecond()).isEqualTo(96);
    assertThat(score.upperBoundGigabytesPerSecond()).isEqualTo(96);
    assertThat(score.alignment()).isEqualTo(1);
    assertThat(score.paths()).isEqualTo(Map.of(PathType.SWITCH, 2));
    assertThat(score.rails()).containsExactly(0, 1);
    assertThat(score.fragmentationChange()).isEqualTo(-4);
    assertThat(score.pairs())
        .extracting(pair -> pair.gpu().device() + " " + pair.nic().device())
        .containsExactly("gpu-0 nic-0", "gpu-1 nic-1");
    assertThat(score.explanation())
        .isEqualTo(
            "2 pairs each on one PCIe switch: 96 of at most 96 GB/s"
                + " (link and NIC rates not published; assumed by the profile)");
  }

  @Test
  void packTakesWhatNobodyElseCanPair() {
    Servers server = Servers.onRoots(2).busy("gpu-6", "nic-2");

    assertThat(server.devices(PlacementPolicy.pack(), Servers.claim(1, 1).build()))
        .isEqualTo("gpu-2 nic-6");
    assertThat(server.devices(PlacementPolicy.best(), Servers.claim(1, 1).build()))
        .isEqualTo("gpu-2 nic-3");
  }

  @Test
  void spreadTakesDevicesOfManyGroups() {
    assertThat(Servers.onRoots(2).devices(PlacementPolicy.spread(), Servers.claim(2, 2).build()))
        .isEqualTo("gpu-0 gpu-4 nic-0 nic-4");
    assertThat(Servers.onRoots(2).devices(PlacementPolicy.best(), Servers.claim(2, 2).build()))
        .isEqualTo("gpu-0 gpu-1 nic-0 nic-1");
  }

  @Test
  void firstFitIsScoredAndNotChanged() {
    AllocationOutcome outcome =
        Servers.onRoots(1)
            .busy("gpu-0")
            .allocate(PlacementPolicy.firstFit(), Servers.claim(1, 1).build());

    assertThat(Servers.names(outcome)).isEqualTo("gpu-1 nic-0");
    assertThat(Servers.score(outcome).paths()).isEqualTo(Map.of(PathType.NUMA_NODE, 1));
  }

  @Test
  void aClaimCanNameItsPolicy() {
    Servers server = Servers.onRoots(1).busy("gpu-0");

    assertThat(
            server.devices(
                PlacementPolicy.firstFit(),
                preferring(Servers.claim(1, 1), ", \"policy\": \"best\"")))
        .isEqualTo("gpu-1 nic-1");
    assertThat(
            server.devices(
                PlacementPolicy.best(),
                preferring(Servers.claim(1, 1), ", \"policy\": \"first-fit\"")))
        .isEqualTo("gpu-1 nic-0");
  }

  @Test
  void whatIsPreferredIsTakenOrPriced() {
    String wish = ", \"alignment\": {\"within\": \"SWITCH\"}";
    Servers server = Servers.onRoots(1).busy("nic-1", "nic-2", "nic-3", "nic-4", "nic-5", "nic-6");

    PlacementScore score =
        Servers.score(server.allocate(best(1), preferring(Servers.claim(2, 2), wish)));
    assertThat(score.paths()).isEqualTo(Map.of(PathType.SWITCH, 2));
    assertThat(score.explanation()).contains("2 of 2 within SWITCH");

    PlacementScore priced =
        Servers.score(
            server.busy("gpu-7").allocate(best(1), preferring(Servers.claim(2, 2), wish)));
    assertThat(priced.paths()).isEqualTo(Map.of(PathType.SWITCH, 1, PathType.NUMA_NODE, 1));
    assertThat(priced.explanation())
        .contains("1 of 2 within SWITCH, as preferred, and the rest costs 8 GB/s");

    // Both pairs are across NUMA nodes; that they share the link is said by itself.
    Servers far = Servers.onRoots(1).busy("gpu-0", "gpu-1", "gpu-2", "gpu-3");
    far.busy("nic-4", "nic-5", "nic-6", "nic-7");
    assertThat(
            Servers.score(far.allocate(best(1), preferring(Servers.claim(2, 2), wish)))
                .explanation())
        .startsWith("2 pairs across NUMA nodes: 22 of at most 96 GB/s; 2 pairs share links;")
        .contains("0 of 2 within SWITCH, as preferred, and the rest costs 52 GB/s");

    Servers unpublished = Servers.of(2, 2, Device.Builder::build);
    assertThat(
            Servers.score(unpublished.allocate(best(1), preferring(Servers.claim(2, 2), wish)))
                .explanation())
        .startsWith("2 pairs at an unpublished distance: ")
        .contains("; whether that is within SWITCH, as preferred, is not known");
  }

  @Test
  void whatIsRequiredIsThereOrNothing() {
    String wish = ", \"alignment\": {\"within\": \"SWITCH\", \"mode\": \"Required\"}";
    Servers server = Servers.onRoots(1).busy("gpu-0");

    assertThat(server.devices(best(1), preferring(Servers.claim(1, 1), wish)))
        .isEqualTo("gpu-1 nic-1");
    AllocationOutcome outcome = server.allocate(best(1), preferring(Servers.claim(8 - 1, 8), wish));
    assertThat(Servers.names(outcome))
        .isEqualTo(
            "gpu-1 gpu-2 gpu-3 gpu-4 gpu-5 gpu-6 gpu-7 nic-0 nic-1 nic-2 nic-3 nic-4 nic-5 nic-6"
                + " nic-7");

    Servers broken = Servers.onRoots(1).busy("gpu-0", "nic-1", "nic-2", "gpu-3");
    AllocationOutcome none = broken.allocate(best(1), preferring(Servers.claim(5, 5), wish));
    assertThat(((Unallocatable) none).explanation().lines())
        .containsExactly(
            "claim default/c requires 5 pairs of a GPU and a NIC within SWITCH; of the free"
                + " devices of node n 4 such pairs can be made, and 4 of devices that the"
                + " claim may have");
  }

  @Test
  void whoAdministersAGpuDoesNotUseIt() {
    ResourceClaim.Builder watching =
        ResourceClaim.named("c")
            .request("watch", gpu -> gpu.deviceClass("gpu").adminAccess())
            .request("nic", nic -> nic.deviceClass("nic"));
    PlacementScore score =
        Servers.score(Servers.onRoots(1).allocate(PlacementPolicy.best(), watching.build()));
    assertThat(score.pairs()).isEmpty();
    assertThat(score.gigabytesPerSecond()).isZero();
    assertThat(score.fragmentationChange())
        .isEqualTo(
            Servers.score(
                    Servers.onRoots(1)
                        .allocate(PlacementPolicy.best(), Servers.claim(0, 1).build()))
                .fragmentationChange());

    // The GPU is in the other NUMA node; there is no pair that could be too long.
    Servers far = Servers.onRoots(1).busy("nic-0", "nic-1", "nic-2", "nic-3");
    AllocationOutcome required =
        far.allocate(
            PlacementPolicy.best(),
            preferring(
                watching, ", \"alignment\": {\"within\": \"NUMA_NODE\", \"mode\": \"Required\"}"));
    assertThat(Servers.names(required)).isEqualTo("gpu-0 nic-4");
    assertThat(Servers.score(required).explanation()).startsWith("no GPU and NIC together");
  }

  @Test
  void whatNobodyPublishesIsSaidToBeSo() {
    String wish = ", \"alignment\": {\"within\": \"%s\", \"mode\": \"Required\"}";

    assertThat(refusal(Servers.onRoots(1), wish.formatted("SWITCH")))
        .endsWith(
            "; the nearest published path there is HOST_BRIDGE; nearer paths come"
                + " from an overlay, since devices do not publish their switches");
    assertThat(refusal(Servers.azure(), wish.formatted("HOST_BRIDGE")))
        .endsWith(
            "; the nearest published path there is NUMA_NODE; nearer paths come"
                + " from the attribute resource.kubernetes.io/pcieRoot or an overlay");
    assertThat(refusal(Servers.of(2, 2, Device.Builder::build), wish.formatted("NUMA_NODE")))
        .endsWith(
            "; nothing says how far apart its devices are: they publish neither"
                + " resource.kubernetes.io/pcieRoot nor a NUMA node, and there is no overlay");
  }

  private static String refusal(Servers server, String wish) {
    AllocationOutcome outcome =
        server.allocate(PlacementPolicy.best(), preferring(Servers.claim(1, 1), wish));
    return ((Unallocatable) outcome).explanation().lines().get(0);
  }

  @Test
  void aFasterDeviceForALaterAlternativeIsNotTaken() {
    Device.Builder slow = Device.named("gpu-0").attribute(StandardAttributes.NUMA_NODE, 1);
    Device.Builder fast = Device.named("gpu-1").attribute(StandardAttributes.NUMA_NODE, 0);
    Device.Builder nic = Device.named("nic-0").attribute(StandardAttributes.NUMA_NODE, 0);
    ExactDeviceRequest gpu = ExactDeviceRequest.ofClass("gpu").build();
    ExactDeviceRequest tolerating =
        ExactDeviceRequest.ofClass("gpu").toleration(DeviceToleration.exists("bad")).build();
    AllocationOutcome outcome =
        Servers.of(
                List.of(
                    slow.build(),
                    fast.taint(DeviceTaint.of("bad", "", TaintEffect.NO_SCHEDULE)).build()),
                List.of(nic.build()))
            .allocate(PlacementPolicy.best(), oneOf(gpu, tolerating).build());
    assertThat(Servers.names(outcome)).isEqualTo("gpu-0 nic-0");
    assertThat(Servers.score(outcome).explanation()).contains("best wanted break a constraint");

    // The first alternative has to agree with the NIC in one of several values.
    String list = "example.com/planes";
    Servers tied =
        Servers.of(
            List.of(
                Device.named("gpu-0")
                    .attribute(StandardAttributes.NUMA_NODE, 1)
                    .attribute(list, new DeviceAttribute.IntValues(List.of(1L, 2L)))
                    .build(),
                Device.named("gpu-1")
                    .attribute(StandardAttributes.NUMA_NODE, 0)
                    .attribute(list, new DeviceAttribute.IntValues(List.of(3L)))
                    .build()),
            List.of(
                Device.named("nic-0")
                    .attribute(StandardAttributes.NUMA_NODE, 0)
                    .attribute(list, new DeviceAttribute.IntValues(List.of(1L)))
                    .build()));
    ResourceClaim claim =
        oneOf(gpu, gpu)
            .constraint(DeviceConstraint.matchAttribute(list, "gpu/first", "nic"))
            .build();
    assertThat(tied.devices(PlacementPolicy.best(), claim)).isEqualTo("gpu-0 nic-0");
  }

  /** The first that can be had of two requests for a GPU, and a NIC. */
  private static ResourceClaim.Builder oneOf(ExactDeviceRequest first, ExactDeviceRequest second) {
    return ResourceClaim.named("c")
        .request(
            DeviceRequest.firstAvailable(
                "gpu",
                List.of(
                    new DeviceSubRequest("first", first), new DeviceSubRequest("second", second))))
        .request("nic", nic -> nic.deviceClass("nic"));
  }

  @Test
  void anAlternativeThatHasWhatIsRequiredIsTaken() {
    List<Device> gpus = new ArrayList<>();
    List<Device> nics = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      gpus.add(Device.named("gpu-" + i).attribute(StandardAttributes.NUMA_NODE, 0).build());
      nics.add(Device.named("nic-" + i).attribute(StandardAttributes.NUMA_NODE, i).build());
    }
    Servers server = Servers.of(gpus, nics);

    assertThat(server.devices(PlacementPolicy.best(), alternatives("NUMA_NODE", 2, 1)))
        .isEqualTo("gpu-0 gpu-1 nic-0");
    assertThat(server.devices(PlacementPolicy.firstFit(), alternatives("NUMA_NODE", 2, 1)))
        .isEqualTo("gpu-0 gpu-1 nic-0");
    assertThat(server.devices(PlacementPolicy.best(), alternatives("SYSTEM", 2, 1)))
        .isEqualTo("gpu-0 gpu-1 nic-0 nic-1");
    assertThat(server.devices(PlacementPolicy.best(), alternatives("NUMA_NODE", 2)))
        .isEqualTo("Unallocatable");
    assertThat(server.devices(PlacementPolicy.best(), alternatives("NUMA_NODE", 3, 2)))
        .isEqualTo("Unallocatable");
    // GPUs that are the only alternative of their request are no choice.
    DeviceRequest two =
        DeviceRequest.firstAvailable(
            "gpus",
            List.of(
                new DeviceSubRequest("two", ExactDeviceRequest.ofClass("gpu").count(2).build())));
    for (PlacementPolicy policy : List.of(PlacementPolicy.best(), PlacementPolicy.firstFit())) {
      assertThat(server.devices(policy, alternatives("NUMA_NODE", two, 2, 1)))
          .isEqualTo("gpu-0 gpu-1 nic-0");
      assertThat(server.devices(policy, alternatives("NUMA_NODE", two, 2)))
          .isEqualTo("Unallocatable");
    }
  }

  /** Two GPUs, and so many NICs or so many. */
  private static ResourceClaim alternatives(String within, int... counts) {
    return alternatives(within, Servers.claim(2, 0).build().spec().requests().get(0), counts);
  }

  private static ResourceClaim alternatives(String within, DeviceRequest gpus, int... counts) {
    List<DeviceSubRequest> nics = new ArrayList<>();
    for (int count : counts) {
      nics.add(
          new DeviceSubRequest(
              "n" + count, ExactDeviceRequest.ofClass("nic").count(count).build()));
    }
    return ResourceClaim.named("c")
        .request(gpus)
        .request(DeviceRequest.firstAvailable("nics", nics))
        .config(
            "dra4j.io",
            "{\"apiVersion\": \"dra4j.io/v1alpha1\", \"kind\": \"Placement\", \"alignment\":"
                + " {\"within\": \"%s\", \"mode\": \"Required\"}}".formatted(within))
        .build();
  }

  @Test
  void whatOneClaimPrefersIsNotRequiredSinceAnotherOneRequiresSomething() {
    Servers server =
        Servers.onRoots(1)
            .busy("nic-0", "gpu-1", "nic-2", "gpu-3", "nic-4", "gpu-5", "nic-6", "gpu-7");
    ResourceClaim requiring =
        preferring(
            Servers.claim(1, 1),
            ", \"alignment\": {\"within\": \"NUMA_NODE\", \"mode\": \"Required\"}");
    ResourceClaim preferring =
        preferring(
            ResourceClaim.named("d")
                .request("gpus", gpu -> gpu.deviceClass("gpu"))
                .request("nics", nic -> nic.deviceClass("nic")),
            ", \"alignment\": {\"within\": \"SWITCH\"}");

    assertThat(server.devices(best(1), requiring, preferring)).isEqualTo("gpu-0 nic-1 gpu-2 nic-3");
    assertThat(server.devices(best(1), preferring, requiring)).isEqualTo("gpu-0 nic-1 gpu-2 nic-3");
  }

  @Test
  void whatIsRequiredIsFoundOnAServerOfManyDevices() {
    String wish = ", \"alignment\": {\"within\": \"HOST_BRIDGE\", \"mode\": \"Required\"}";
    Servers server =
        Servers.of(
            8,
            100,
            device ->
                device
                    .attribute(
                        StandardAttributes.PCIE_ROOT,
                        "pci000%s:00"
                            .formatted(device.build().name().replaceAll(".*-\\d*(\\d)", "$1")))
                    .build());

    assertThat(
            server
                .busy("nic-0", "nic-10", "nic-20", "nic-30", "nic-40", "nic-50", "nic-60")
                .busy("nic-70", "nic-80", "nic-90")
                .devices(PlacementPolicy.best(), preferring(Servers.claim(1, 1), wish)))
        .isEqualTo("gpu-1 nic-1");
    assertThat(server.devices(PlacementPolicy.best(), preferring(Servers.claim(8, 8), wish)))
        .isEqualTo("Unallocatable");
  }

  @Test
  void devicesThatLeaveNoChoiceArePartOfTheSet() {
    ResourceClaim claim =
        ResourceClaim.named("c")
            .request("nics", nic -> nic.deviceClass("nic").selector("below:2").all())
            .request("gpus", gpu -> gpu.deviceClass("gpu").count(2))
            .build();

    assertThat(Servers.onRoots(1).busy("nic-6", "nic-7").devices(best(1), claim))
        .isEqualTo("nic-0 nic-1 gpu-0 gpu-1");
  }

  @Test
  void pairsOfUnlikeNicsAreFoundBehindManyOthers() {
    String wish = ", \"alignment\": {\"within\": \"HOST_BRIDGE\", \"mode\": \"Required\"}";
    List<Device> gpus = new ArrayList<>();
    List<Device> nics = new ArrayList<>();
    for (int i = 0; i < 17; i++) {
      String root = "pci%04x:00".formatted(i);
      if (i < 16) {
        gpus.add(
            Device.named("gpu-" + i)
                .attribute(StandardAttributes.PCIE_ROOT, root)
                .attribute("numa", i / 8)
                .build());
      }
      nics.add(
          Device.named("nic-" + i)
              .attribute(StandardAttributes.PCIE_ROOT, root)
              .attribute("dra.net/numaNode", Math.min(1, i / 8))
              .attribute("host.dra4j.io/megabitsPerSecond", i < 16 ? 400_000 : 200_000)
              .build());
    }
    AllocationOutcome outcome =
        Servers.of(gpus, nics)
            .busy("nic-0")
            .allocate(PlacementPolicy.best(), preferring(Servers.claim(8, 8), wish));

    assertThat(Servers.score(outcome).paths()).isEqualTo(Map.of(PathType.HOST_BRIDGE, 8));
    assertThat(Servers.score(outcome).gigabytesPerSecond()).isEqualTo(320);
    assertThat(Servers.names(outcome)).startsWith("gpu-8 gpu-9");
  }

  @Test
  void tiesOfDifferentAttributesStayDifferent() {
    List<Device> gpus = new ArrayList<>();
    List<Device> nics = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      gpus.add(tied("gpu-" + i, i, "numa"));
      nics.add(tied("nic-" + i, i, "dra.net/numaNode"));
    }
    ResourceClaim claim =
        ResourceClaim.named("c")
            .request("g0", gpu -> gpu.deviceClass("gpu"))
            .request("n0", nic -> nic.deviceClass("nic"))
            .request("g1", gpu -> gpu.deviceClass("gpu"))
            .request("n1", nic -> nic.deviceClass("nic"))
            .constraint(DeviceConstraint.matchAttribute(StandardAttributes.PCIE_ROOT, "g0", "n0"))
            .constraint(DeviceConstraint.matchAttribute("example.com/node", "g1", "n1"))
            .build();

    assertThat(
            Servers.of(gpus, nics)
                .busy("gpu-0", "nic-0", "gpu-1", "nic-1", "gpu-2", "nic-3", "gpu-4", "nic-4")
                .devices(PlacementPolicy.pack(), claim))
        .isEqualTo("gpu-5 nic-5 gpu-3 nic-2");
  }

  private static Device tied(String name, int number, String numaAttribute) {
    return Device.named(name)
        .attribute(StandardAttributes.PCIE_ROOT, "pci000%d:00".formatted(number))
        .attribute(numaAttribute, number / 4)
        .attribute("example.com/node", number / 4)
        .build();
  }

  @Test
  void requiredAlignmentHoldsForFirstFitToo() {
    String wish =
        ", \"policy\": \"first-fit\","
            + " \"alignment\": {\"within\": \"SWITCH\", \"mode\": \"Required\"}";

    assertThat(
            Servers.onRoots(1)
                .busy("gpu-0")
                .devices(best(1), preferring(Servers.claim(1, 1), wish)))
        .isEqualTo("gpu-1 nic-1");
    PlacementScore score =
        Servers.score(
            Servers.onRoots(1)
                .busy("gpu-0")
                .allocate(best(1), preferring(Servers.claim(1, 1), wish)));
    assertThat(score.explanation()).contains("first devices that fit are farther apart");
    assertThat(Servers.onRoots(1).devices(best(1), preferring(Servers.claim(1, 1), wish)))
        .isEqualTo("gpu-0 nic-0");
    assertThat(
            Servers.onRoots(1)
                .devices(PlacementPolicy.best(), preferring(Servers.claim(1, 1), wish)))
        .isEqualTo("Unallocatable"); // nothing tells of switches
  }

  @Test
  void packHasWhatOneClaimPrefersBesideWhatAnotherRequires() {
    Servers server =
        Servers.onRoots(1)
            .busy("nic-0", "gpu-1", "gpu-2", "gpu-3", "nic-3", "gpu-4", "nic-5", "gpu-6");
    ResourceClaim requiring =
        preferring(
            pair("requiring"),
            ", \"policy\": \"pack\","
                + " \"alignment\": {\"within\": \"NUMA_NODE\", \"mode\": \"Required\"}");
    ResourceClaim preferring =
        preferring(pair("preferring"), ", \"alignment\": {\"within\": \"HOST_BRIDGE\"}");
    ResourceClaim indifferent = preferring(pair("any"), ", \"policy\": \"pack\"");

    AllocationOutcome both = server.allocate(PlacementPolicy.pack(), requiring, preferring);
    AllocationOutcome one = server.allocate(PlacementPolicy.pack(), indifferent, preferring);
    assertThat(Servers.score(one).explanation()).contains("1 of 2 within HOST_BRIDGE");
    assertThat(Servers.score(both).explanation()).contains("1 of 2 within HOST_BRIDGE");
  }

  private static ResourceClaim.Builder pair(String name) {
    return ResourceClaim.named(name)
        .request("gpus", request -> request.deviceClass("gpu"))
        .request("nics", request -> request.deviceClass("nic"));
  }

  @Test
  void oneSharedNicIsNotTakenForTwo() {
    List<Device> gpus = List.of(onRoot("gpu-0", 0), onRoot("gpu-1", 0));
    List<Device> nics = List.of(onRoot("nic-0", 0), onRoot("nic-1", 0), onRoot("nic-2", 0));
    ResourceClaim claim =
        ResourceClaim.named("c")
            .request("gpus", request -> request.deviceClass("gpu").count(2))
            .request("one", request -> request.deviceClass("nic"))
            .request("other", request -> request.deviceClass("nic"))
            .build();
    AllocationOutcome outcome =
        Servers.of(gpus, nics).shared(1, "nic-2").allocate(PlacementPolicy.best(), claim);

    assertThat(Servers.names(outcome)).isEqualTo("gpu-0 gpu-1 nic-0 nic-1");
    assertThat(Servers.score(outcome).gigabytesPerSecond()).isEqualTo(80);
  }

  private static Device onRoot(String name, int root) {
    return Device.named(name)
        .attribute(StandardAttributes.PCIE_ROOT, "pci000%d:00".formatted(root))
        .allowMultipleAllocations()
        .build();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        ", 'size': 3 | /size: unknown field; known are apiVersion, kind, policy, alignment",
        ", 'policy': 'fast' | /policy: expected one of first-fit, best, pack, spread, found \"fast\"",
        ", 'policy': 3 | /policy: expected a string, found 3",
        ", 'alignment': {'within': 'NEAR'} | /alignment/within: expected one of SAME_CARD, SWITCH,"
            + " MULTI_SWITCH, HOST_BRIDGE, NUMA_NODE, SYSTEM, found \"NEAR\"",
        ", 'alignment': {} | /alignment/within: expected one of SAME_CARD, SWITCH,"
            + " MULTI_SWITCH, HOST_BRIDGE, NUMA_NODE, SYSTEM",
        ", 'alignment': {'within': 'SWITCH', 'mode': 'Maybe'} | /alignment/mode: expected Preferred or"
            + " Required, found \"Maybe\"",
        ", 'kind': 'Placement' | field \"kind\" occurs twice, at line 1",
        ", 'policy': 1e999 | /policy: expected a string, found",
        ", 'a/b~': 1 | /a~1b~0: unknown field",
        ", 'a\u202eb\\n': 1 | /a\\u202eb\\u000a: unknown field",
        ", 'policy': [[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]] | expected a JSON object of at most 16 levels",
        ", 'policy': | invalid JSON at line 1",
      })
  void whatCannotBeUnderstoodIsAFaultOfTheClaim(String fields, String problem) {
    AllocationOutcome outcome =
        Servers.onRoots(1)
            .allocate(
                PlacementPolicy.best(), preferring(Servers.claim(1, 1), fields.replace('\'', '"')));

    assertThat(outcome).isInstanceOf(Rejected.class);
    assertThat(((Rejected) outcome).reason()).isEqualTo(RejectionReason.CLAIM);
    assertThat(((Rejected) outcome).error())
        .startsWith("claim default/c, config #0 for driver dra4j.io")
        .contains(problem);
  }

  @Test
  void configurationsOfOtherDriversAreNotLookedAt() {
    ResourceClaim claim =
        Servers.claim(1, 1).config(configuration("dra.net", "{\"size\": 3}")).build();

    assertThat(Servers.onRoots(1).busy("gpu-0").devices(PlacementPolicy.best(), claim))
        .isEqualTo("gpu-1 nic-1");
  }

  @Test
  void requestsForDifferentDevicesAreLookedAtOneByOne() {
    ResourceClaim claim =
        ResourceClaim.named("c")
            .request("low", request -> request.deviceClass("gpu").selector("below:3"))
            .request("any", request -> request.deviceClass("gpu"))
            .request("nics", request -> request.deviceClass("nic").count(2))
            .build();

    assertThat(Servers.onRoots(1).busy("nic-0", "nic-1", "gpu-5").devices(best(1), claim))
        .isEqualTo("gpu-2 gpu-3 nic-2 nic-3");
  }

  @Test
  void constraintsThatAreNoLevelOfTheTreeAreLookedAtOneByOne() {
    List<Device> gpus = new ArrayList<>();
    List<Device> nics = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      gpus.add(
          Device.named("gpu-" + i)
              .attribute(StandardAttributes.PCIE_ROOT, "pci000%d:00".formatted(i))
              .attribute("example.com/colour", i % 2 == 0 ? "red" : "blue")
              .build());
      nics.add(
          Device.named("nic-" + i)
              .attribute(StandardAttributes.PCIE_ROOT, "pci000%d:00".formatted(i))
              .attribute("example.com/colour", i < 3 ? "blue" : "red")
              .build());
    }
    ResourceClaim claim =
        Servers.claim(1, 1)
            .constraint(DeviceConstraint.matchAttribute("example.com/colour"))
            .build();

    assertThat(Servers.of(gpus, nics).devices(PlacementPolicy.firstFit(), claim))
        .isEqualTo("gpu-0 nic-3");
    assertThat(Servers.of(gpus, nics).devices(PlacementPolicy.best(), claim))
        .isEqualTo("gpu-1 nic-1");
  }

  @Test
  void devicesWithoutAnyTopologyAreScoredAsUnknown() {
    AllocationOutcome outcome =
        Servers.of(4, 4, Device.Builder::build)
            .allocate(PlacementPolicy.best(), Servers.claim(2, 2).build());

    assertThat(Servers.names(outcome)).isEqualTo("gpu-0 gpu-1 nic-0 nic-1");
    assertThat(Servers.score(outcome).paths()).isEqualTo(Map.of(PathType.UNKNOWN, 2));
  }

  @ParameterizedTest
  @CsvSource({"32 GT/s x0", "0 GT/s x16", "-32 GT/s x16", "NaN GT/s x16", "fast", "''"})
  void linksThatCannotBeCountAsUnknownOnes(String link) {
    AllocationOutcome outcome =
        Servers.of(
                1,
                1,
                device ->
                    device
                        .attribute(StandardAttributes.PCIE_ROOT, "pci0000:00")
                        .attribute("host.dra4j.io/link", link)
                        .attribute("host.dra4j.io/megabitsPerSecond", -400_000)
                        .build())
            .allocate(PlacementPolicy.best(), Servers.claim(1, 1).build());

    assertThat(Servers.score(outcome).gigabytesPerSecond()).isEqualTo(40);
    assertThat(Servers.score(outcome).explanation()).contains("assumed by the profile");
  }

  @Test
  void aThousandDevicesOnANodeHaveAnAnswer() {
    AllocationOutcome outcome =
        Servers.of(
                500,
                500,
                device -> device.attribute(StandardAttributes.PCIE_ROOT, "pci0000:00").build())
            .allocate(PlacementPolicy.best(), Servers.claim(16, 16).build());

    assertThat(Servers.score(outcome).paths()).isEqualTo(Map.of(PathType.HOST_BRIDGE, 16));
  }

  @Test
  void twentyThousandDevicesOnANodeHaveAnAnswer() {
    Servers server =
        Servers.of(
            20_000,
            2_000,
            device -> device.attribute(StandardAttributes.PCIE_ROOT, "pci0000:00").build());

    assertThat(server.devices(PlacementPolicy.best(), Servers.claim(1, 1).build()))
        .isEqualTo("gpu-0 nic-0");
  }

  /** Each root has a GPU and a NIC; the colours of the first GPU and of the first NICs differ. */
  private static Servers manyOfTwoColours() {
    List<Device> gpus = new ArrayList<>();
    List<Device> nics = new ArrayList<>();
    for (int i = 0; i < 66; i++) {
      gpus.add(
          Device.named("gpu-" + i)
              .attribute(StandardAttributes.PCIE_ROOT, "pci%04x:00".formatted(i))
              .attribute("example.com/colour", i % 2 == 0 ? "red" : "blue")
              .build());
      nics.add(
          Device.named("nic-" + i)
              .attribute(StandardAttributes.PCIE_ROOT, "pci%04x:00".formatted(i))
              .attribute("example.com/colour", i < 3 ? "blue" : "red")
              .build());
    }
    return Servers.of(gpus, nics);
  }

  @Test
  void constraintsAreKeptOnAServerOfManyDevices() {
    ResourceClaim.Builder claim = Servers.claim(1, 1);
    claim.constraint(DeviceConstraint.matchAttribute("example.com/colour"));

    AllocationOutcome best = manyOfTwoColours().allocate(PlacementPolicy.best(), claim.build());

    assertThat(manyOfTwoColours().devices(PlacementPolicy.firstFit(), claim.build()))
        .isEqualTo("gpu-0 nic-3");
    assertThat(Servers.names(best)).isEqualTo("gpu-4 nic-4");
    assertThat(Servers.score(best).explanation()).doesNotContain("first devices");
  }

  @Test
  void aScoreSaysThatWhatAPolicyWantedIsNotValid() {
    ResourceClaim claim =
        Servers.claim(2, 2)
            .constraint(DeviceConstraint.distinctAttribute("example.com/colour", "nics"))
            .build();

    AllocationOutcome best = manyOfTwoColours().allocate(PlacementPolicy.best(), claim);

    assertThat(Servers.names(best)).isEqualTo("gpu-0 gpu-1 nic-0 nic-3");
    assertThat(Servers.score(best).explanation())
        .endsWith(
            "; these are the first devices that fit, since those that best wanted break a"
                + " constraint or another rule");
    assertThat(
            Servers.score(manyOfTwoColours().allocate(PlacementPolicy.firstFit(), claim))
                .explanation())
        .doesNotContain("first devices");
  }

  @Test
  void devicesThatManyRequestsMayHaveCountOnce() {
    Servers server =
        Servers.of(
                400,
                400,
                device ->
                    device
                        .attribute(
                            StandardAttributes.PCIE_ROOT,
                            "pci%04x:00"
                                .formatted(
                                    Integer.parseInt(device.build().name().replaceAll("\\D", ""))))
                        .build())
            .busy("gpu-0");
    ResourceClaim.Builder claim = ResourceClaim.named("c");
    for (int i = 0; i < 2; i++) {
      claim.request("gpu-" + i, request -> request.deviceClass("gpu"));
      claim.request("nic-" + i, request -> request.deviceClass("nic"));
    }

    AllocationOutcome best = server.allocate(PlacementPolicy.best(), claim.build());

    assertThat(Servers.score(best).paths()).isEqualTo(Map.of(PathType.HOST_BRIDGE, 2));
    assertThat(Servers.names(best).split(" "))
        .containsExactlyInAnyOrder("gpu-1", "nic-1", "gpu-2", "nic-2");
  }

  @Test
  void aScoreSaysThatThereAreTooManyDevicesToCompare() {
    Servers server =
        Servers.of(
            1_100,
            1_100,
            device -> device.attribute(StandardAttributes.PCIE_ROOT, "pci0000:00").build());

    PlacementScore score =
        Servers.score(server.allocate(PlacementPolicy.best(), Servers.claim(1, 1).build()));

    assertThat(score.explanation())
        .startsWith("1 pair at an unexamined distance, since the node has too many devices")
        .endsWith(
            "; these are the first devices that fit, since there are too many GPUs and NICs to"
                + " compare");
    assertThat(score.upperBoundGigabytesPerSecond()).isEqualTo(score.gigabytesPerSecond());
  }

  @ParameterizedTest
  @CsvSource({"pack,true", "spread,true", "best,false", "first-fit,false"})
  void aScoreSaysThatBandwidthAloneCountedAmongManyDevices(String policy, boolean said) {
    Servers server =
        Servers.of(
            65, 65, device -> device.attribute(StandardAttributes.PCIE_ROOT, "pci0000:00").build());

    String explanation =
        Servers.score(server.allocate(PlacementPolicy.of(policy), Servers.claim(1, 1).build()))
            .explanation();

    String note =
        "; by bandwidth alone, since %s handles at most 64 GPUs and 64 NICs".formatted(policy);
    assertThat(explanation.endsWith(note)).isEqualTo(said);
  }

  @Test
  void virtualFunctionsOfOneCardAreTakenLast() {
    List<Device> gpus = new ArrayList<>();
    List<Device> nics = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      gpus.add(
          Device.named("gpu-" + i).attribute(StandardAttributes.PCIE_ROOT, "pci0000:00").build());
    }
    for (int i = 0; i < 4; i++) {
      nics.add(
          Device.named("nic-" + i)
              .attribute(StandardAttributes.PCIE_ROOT, "pci0000:00")
              .attribute("host.dra4j.io/physicalFunction", i < 2 ? "0000:0a:00.0" : "0000:0b:00.0")
              .build());
    }
    AllocationOutcome outcome =
        Servers.of(gpus, nics).allocate(PlacementPolicy.best(), Servers.claim(2, 2).build());

    assertThat(Servers.names(outcome)).isEqualTo("gpu-0 gpu-1 nic-0 nic-2");
    assertThat(Servers.score(outcome).gigabytesPerSecond()).isEqualTo(80);
    assertThat(
            Servers.score(
                    Servers.of(gpus, nics)
                        .allocate(PlacementPolicy.firstFit(), Servers.claim(2, 2).build()))
                .gigabytesPerSecond())
        .isEqualTo(50);
  }

  @Test
  void pairsOfOtherClaimsShareTheLinkBetweenSockets() {
    String[] others = {"gpu-0", "gpu-1", "gpu-2", "gpu-4", "gpu-5", "gpu-6", "gpu-7"};
    Servers server = Servers.onRoots(1).busy(others).busy("nic-0", "nic-1", "nic-2", "nic-3");

    // gpu-3 and a NIC of the other NUMA node, alone on the link.
    assertThat(rate(server)).isEqualTo(22);
    // Two pairs of one other claim are on the link, too; two claims of a device each are no pair.
    Servers shared =
        Servers.onRoots(1)
            .busy("gpu-0", "gpu-1", "nic-6", "nic-7")
            .busy("gpu-2", "gpu-4", "gpu-5", "gpu-6", "gpu-7")
            .busy("nic-0", "nic-1", "nic-2", "nic-3");
    assertThat(rate(shared)).isEqualTo(7.33);
  }

  private static double rate(Servers server) {
    return Servers.score(server.allocate(PlacementPolicy.best(), Servers.claim(1, 1).build()))
        .gigabytesPerSecond();
  }

  @Test
  void anUnknownPolicyIsRefused() {
    assertThatThrownBy(() -> PlacementPolicy.of("fastest"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("first-fit, best, pack, spread, found fastest");
  }
}
