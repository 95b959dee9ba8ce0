package io.dra4j.placement;

import io.dra4j.allocation.AllocationOutcome;
import io.dra4j.allocation.AllocationOutcome.Allocated;
import io.dra4j.allocation.Allocator;
import io.dra4j.allocation.ClaimAllocation;
import io.dra4j.allocation.internal.access.AllocatorAccess;
import io.dra4j.allocation.policy.AllocationPolicy;
import io.dra4j.inventory.DeviceInventory;
import io.dra4j.inventory.internal.NodeView;
import io.dra4j.model.AllocationResult;
import io.dra4j.model.ClusterSnapshot;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceClass;
import io.dra4j.model.DeviceId;
import io.dra4j.model.DeviceRequestAllocationResult;
import io.dra4j.model.KubernetesObject;
import io.dra4j.model.Node;
import io.dra4j.model.ResourceClaim;
import io.dra4j.model.ResourceSlice;
import io.dra4j.model.StandardAttributes;
import io.dra4j.selector.CompiledAttribute;
import io.dra4j.selector.CompiledSelector;
import io.dra4j.selector.SelectorCompiler;
import io.dra4j.selector.SelectorException;
import io.dra4j.topology.DeviceKind;
import io.dra4j.topology.Location;
import io.dra4j.topology.PciAddress;
import io.dra4j.topology.TopologyDevice;
import io.dra4j.topology.TopologyOverlay;
import io.dra4j.topology.TopologySource;
import io.dra4j.topology.TreeOverlay;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.Function;

/** A cluster of one server of GPUs {@code gpu-0...} and NICs {@code nic-0...}, for tests. */
public final class Servers {

  public static final String GPU_DRIVER = "gpu.nvidia.com";
  public static final String NIC_DRIVER = "dra.net";

  /** Selectors are the name of a driver, or {@code below:N} for devices whose number is lower. */
  public static final SelectorCompiler SELECTORS =
      new SelectorCompiler() {
        @Override
        public CompiledSelector compileSelector(String expression) {
          return (driver, device) ->
              expression.startsWith("below:")
                  ? Integer.parseInt(device.name().replaceAll("\\D", ""))
                      < Integer.parseInt(expression.substring("below:".length()))
                  : driver.equals(expression);
        }

        @Override
        public CompiledAttribute compileAttribute(String expression) throws SelectorException {
          throw new SelectorException("no derived attributes here");
        }
      };

  private final List<KubernetesObject> objects = new ArrayList<>();

  private Servers(List<Device> gpus, List<Device> nics) {
    objects.add(Node.named("n"));
    objects.add(DeviceClass.named("gpu", GPU_DRIVER));
    objects.add(DeviceClass.named("nic", NIC_DRIVER));
    objects.add(ResourceSlice.onNode("n-gpus", GPU_DRIVER, "n", gpus));
    objects.add(ResourceSlice.onNode("n-nics", NIC_DRIVER, "n", nics));
  }

  public static Servers of(int gpus, int nics, Function<Device.Builder, Device> finish) {
    List<Device> gpuDevices = new ArrayList<>();
    List<Device> nicDevices = new ArrayList<>();
    for (int i = 0; i < gpus; i++) {
      gpuDevices.add(finish.apply(Device.named("gpu-" + i)));
    }
    for (int i = 0; i < nics; i++) {
      nicDevices.add(finish.apply(Device.named("nic-" + i)));
    }
    return new Servers(gpuDevices, nicDevices);
  }

  public static Servers of(List<Device> gpus, List<Device> nics) {
    return new Servers(gpus, nics);
  }

  /** Eight GPUs and eight NICs, so many of each on a PCIe root, half of them in each NUMA node. */
  public static Servers onRoots(int perRoot) {
    List<Device> gpus = new ArrayList<>();
    List<Device> nics = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      gpus.add(onRoot("gpu-" + i, address(i, true), i / perRoot, i / 4, "numa"));
      nics.add(onRoot("nic-" + i, address(i, false), i / perRoot, i / 4, "dra.net/numaNode"));
    }
    return new Servers(gpus, nics);
  }

  /** A record of the same server which says that there is one switch on each root. */
  static TopologyOverlay switches(int perRoot) {
    List<TopologyDevice> devices = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      Location place =
          new Location(
              "cpu:" + i / 4,
              List.of(new PciAddress(0, 0xf0 + i / perRoot, 0, 0)),
              OptionalInt.of(i / 4));
      devices.add(TopologyDevice.of(address(i, true), DeviceKind.GPU, place));
      devices.add(TopologyDevice.of(address(i, false), DeviceKind.NIC, place));
    }
    return TreeOverlay.builder("switches.xml", TopologySource.NCCL_XML, TreeOverlay.Levels.SWITCHES)
        .devices(devices)
        .build();
  }

  private static PciAddress address(int number, boolean gpu) {
    return new PciAddress(0, gpu ? 0x10 + number : 0x20 + number, 0, 0);
  }

  private static Device onRoot(
      String name, PciAddress address, int root, int numaNode, String numaAttribute) {
    return Device.named(name)
        .attribute(StandardAttributes.PCI_BUS_ID, address.toString())
        .attribute(StandardAttributes.PCIE_ROOT, "pci000%d:00".formatted(root))
        .attribute(numaAttribute, numaNode)
        .build();
  }

  /** As virtual machines of Azure show them: no PCIe roots, NUMA nodes under two names. */
  static Servers azure() {
    List<Device> gpus = new ArrayList<>();
    List<Device> nics = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      gpus.add(Device.named("gpu-" + i).attribute("numa", i / 4).build());
      nics.add(Device.named("nic-" + i).attribute("dra.net/numaNode", i / 4).build());
    }
    return new Servers(gpus, nics);
  }

  /** Somebody has these devices. */
  public Servers busy(String... names) {
    List<DeviceRequestAllocationResult> results = new ArrayList<>();
    for (String name : names) {
      String driver = name.startsWith("gpu") ? GPU_DRIVER : NIC_DRIVER;
      results.add(DeviceRequestAllocationResult.of("r", new DeviceId(driver, "n", name)).build());
    }
    objects.add(
        ResourceClaim.named("other-" + objects.size())
            .request("r", request -> request.deviceClass("gpu"))
            .build()
            .withAllocation(AllocationResult.builder().results(results).build()));
    return this;
  }

  /** Some claims have a share each of these devices, all of them together. */
  Servers shared(int claims, String... names) {
    for (int i = 0; i < claims; i++) {
      List<DeviceRequestAllocationResult> results = new ArrayList<>();
      for (String name : names) {
        String driver = name.startsWith("gpu") ? GPU_DRIVER : NIC_DRIVER;
        results.add(
            DeviceRequestAllocationResult.of("r", new DeviceId(driver, "n", name))
                .shareId("00000000-0000-4000-8000-%012d".formatted(objects.size()))
                .build());
      }
      objects.add(
          ResourceClaim.named("sharing-" + objects.size())
              .request("r", request -> request.deviceClass("gpu"))
              .build()
              .withAllocation(AllocationResult.builder().results(results).build()));
    }
    return this;
  }

  public AllocationOutcome allocate(AllocationPolicy policy, ResourceClaim... claims) {
    return Allocator.builder()
        .selectors(SELECTORS)
        .policy(policy)
        .build()
        .allocate(inventory(), "n", List.of(claims));
  }

  public DeviceInventory inventory() {
    return DeviceInventory.of(ClusterSnapshot.of(objects));
  }

  /** What the node of such an inventory has. */
  public static NodeView view(DeviceInventory inventory) {
    Allocator allocator = Allocator.builder().selectors(SELECTORS).build();
    return AllocatorAccess.sight(allocator.query(inventory, List.of()), "n").orElseThrow().view();
  }

  /** The devices that claims get, or how the outcome is called. */
  String devices(AllocationPolicy policy, ResourceClaim... claims) {
    return names(allocate(policy, claims));
  }

  public static String names(AllocationOutcome outcome) {
    if (!(outcome instanceof Allocated allocated)) {
      return outcome.getClass().getSimpleName();
    }
    List<String> names = new ArrayList<>();
    for (ClaimAllocation claim : allocated.allocations()) {
      claim.result().results().forEach(result -> names.add(result.device()));
    }
    return String.join(" ", names);
  }

  public static PlacementScore score(AllocationOutcome outcome) {
    return (PlacementScore) ((Allocated) outcome).score().orElseThrow();
  }

  /** So many GPUs and NICs, one request each. */
  public static ResourceClaim.Builder claim(int gpus, int nics) {
    ResourceClaim.Builder claim = ResourceClaim.named("c");
    if (gpus > 0) {
      claim.request("gpus", request -> request.deviceClass("gpu").count(gpus));
    }
    if (nics > 0) {
      claim.request("nics", request -> request.deviceClass("nic").count(nics));
    }
    return claim;
  }

  /** Pairs of requests that agree in the PCIe root. */
  static ResourceClaim pairs(int count) {
    return ResourceClaim.named("c")
        .pairs(count, gpu -> gpu.deviceClass("gpu"), nic -> nic.deviceClass("nic"))
        .build();
  }
}
