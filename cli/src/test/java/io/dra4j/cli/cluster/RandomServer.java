package io.dra4j.cli.cluster;

import io.dra4j.model.AllocationResult;
import io.dra4j.model.CounterSet;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceClass;
import io.dra4j.model.DeviceCounterConsumption;
import io.dra4j.model.DeviceRequestAllocationResult;
import io.dra4j.model.DeviceTaint;
import io.dra4j.model.KubernetesObject;
import io.dra4j.model.Node;
import io.dra4j.model.NodeSelection;
import io.dra4j.model.Quantity;
import io.dra4j.model.ResourceClaim;
import io.dra4j.model.ResourceSlice;
import io.dra4j.model.TaintEffect;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * A server of partitioned, shared, tainted and plain devices, some of them held, and claims that
 * wait for more. Counters are drawn from by more claims than they have room for.
 */
final class RandomServer {

  private static final String DRIVER = "gpu.example.com";
  private static final String NODE = "server";

  private final SplittableRandom random;
  private final List<KubernetesObject> objects = new ArrayList<>();

  private RandomServer(long seed) {
    this.random = new SplittableRandom(seed);
  }

  static List<KubernetesObject> of(long seed) {
    return new RandomServer(seed).objects();
  }

  private List<KubernetesObject> objects() {
    objects.add(Node.named(NODE));
    objects.add(DeviceClass.named("gpu"));
    int published = random.nextInt(8) == 0 ? 3 : 2; // of three slices one is missing
    ResourceSlice.Builder counters =
        ResourceSlice.named("counters", DRIVER)
            .pool(NODE, 1, published)
            .nodeSelection(NodeSelection.ofNode(NODE));
    for (String set : List.of("set-0", "set-1")) {
      counters.counterSet(
          new CounterSet(set, Map.of("memory", Quantity.of(2 + random.nextInt(6)))));
    }
    List<Device> devices = new ArrayList<>();
    for (int i = 2 + random.nextInt(6); i >= 0; i--) {
      devices.add(device("d-" + i));
    }
    objects.add(counters.build());
    objects.add(
        ResourceSlice.named("devices", DRIVER)
            .pool(NODE, 1, published)
            .nodeSelection(NodeSelection.ofNode(NODE))
            .devices(devices)
            .build());
    for (Device device : devices) {
      for (int i = device.allowMultipleAllocations() ? 2 : 1; i > 0; i--) {
        if (random.nextInt(3) == 0) {
          objects.add(holder(device, i));
        }
      }
    }
    for (int i = random.nextInt(2); i >= 0; i--) {
      int count = 1 + random.nextInt(4);
      objects.add(
          ResourceClaim.named("default", "waiting-" + i)
              .request("r", request -> request.deviceClass("gpu").count(count))
              .build());
    }
    return objects;
  }

  private Device device(String name) {
    Device.Builder device = Device.named(name).capacity("memory", "4");
    switch (random.nextInt(4)) {
      case 0 -> device.allowMultipleAllocations();
      case 1, 2 ->
          device.consumesCounters(
              new DeviceCounterConsumption(
                  "set-" + random.nextInt(2),
                  Map.of("memory", Quantity.of(1 + random.nextInt(4))),
                  List.of()));
      default -> {}
    }
    Device made = device.build();
    return random.nextInt(5) == 0
        ? made.withTaints(
            List.of(new DeviceTaint("sick", random.nextBoolean() ? "" : "yes", effect(), null)))
        : made;
  }

  private TaintEffect effect() {
    List<TaintEffect> effects =
        List.of(TaintEffect.NO_SCHEDULE, TaintEffect.NO_EXECUTE, TaintEffect.NONE);
    return effects.get(random.nextInt(effects.size()));
  }

  private ResourceClaim holder(Device device, int number) {
    boolean share = device.allowMultipleAllocations();
    DeviceRequestAllocationResult result =
        new DeviceRequestAllocationResult(
            "r",
            DRIVER,
            NODE,
            device.name(),
            random.nextInt(6) == 0 ? true : null,
            List.of(),
            List.of(),
            List.of(),
            share ? "00000000-0000-4000-8000-00000000000" + number : null,
            share ? Map.of("memory", Quantity.of(1 + random.nextInt(2))) : Map.of(),
            List.of());
    return ResourceClaim.named("default", "holder-" + device.name() + "-" + number)
        .request("r", request -> request.deviceClass("gpu"))
        .build()
        .withAllocation(new AllocationResult(List.of(result), List.of(), null, null));
  }
}
