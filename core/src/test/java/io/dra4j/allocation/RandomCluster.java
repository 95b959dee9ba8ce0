package io.dra4j.allocation;

import io.dra4j.common.Feature;
import io.dra4j.model.CapacityRequestPolicy;
import io.dra4j.model.CapacityRequestPolicyRange;
import io.dra4j.model.CounterSet;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceAttribute;
import io.dra4j.model.DeviceCapacity;
import io.dra4j.model.DeviceConstraint;
import io.dra4j.model.DeviceConstraint.Kind;
import io.dra4j.model.DeviceCounterConsumption;
import io.dra4j.model.DeviceId;
import io.dra4j.model.DeviceRequest;
import io.dra4j.model.DeviceSubRequest;
import io.dra4j.model.DeviceTaint;
import io.dra4j.model.DeviceToleration;
import io.dra4j.model.ExactDeviceRequest;
import io.dra4j.model.HeldDevices;
import io.dra4j.model.NodeSelection;
import io.dra4j.model.Quantity;
import io.dra4j.model.ResourceClaim;
import io.dra4j.model.ResourceSlice;
import io.dra4j.model.TaintEffect;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * A small cluster of one node with every feature of devices, and claims that ask for them, made of
 * a seed: devices whose attributes are numbers, lists or missing, pools with counters, taints,
 * shares, devices in use, and selectors that fail on some devices.
 */
public final class RandomCluster {

  private static final String ROOT = "resource.kubernetes.io/pcieRoot";
  private static final List<String> ATTRIBUTES =
      List.of(ROOT, ROOT, ROOT, "gpu/group", "nic/group", "gpu/a");

  public final Cluster cluster = new Cluster();
  public final List<ResourceClaim> claims = new ArrayList<>();
  public final Set<Feature> features;
  public final Compatibility compatibility;
  private final List<Kind> kinds; // of constraints, the most frequent one first
  private final SplittableRandom random;
  private final boolean plain; // nothing fails
  private int devices;

  /** A cluster with constraints of the first two kinds, which recordings have. */
  public RandomCluster(long seed) {
    this(seed, List.of(Kind.MATCH_ATTRIBUTE, Kind.DISTINCT_ATTRIBUTE));
  }

  /** A cluster with constraints of all kinds. */
  public static RandomCluster ofAllKinds(long seed) {
    return new RandomCluster(seed, List.of(Kind.values()));
  }

  private RandomCluster(long seed, List<Kind> kinds) {
    this.kinds = kinds;
    this.random = new SplittableRandom(seed);
    this.plain = chance(60);
    this.compatibility = chance(75) ? Compatibility.REFERENCE : Compatibility.STRICT;
    EnumSet<Feature> on = EnumSet.copyOf(Feature.kubernetes());
    on.remove(Feature.NODE_ALLOCATABLE_RESOURCES); // of pods, not of devices
    if (chance(15)) {
      on.removeIf(feature -> chance(25));
    }
    this.features = on;
    publish("gpu");
    publish("nic");
    if (chance(40)) {
      publishPartitions();
    }
    for (int i = pick(1, 1, 1, 2, 3); i > 0; i--) {
      claims.add(claim("c" + i));
    }
  }

  private boolean chance(int percent) {
    return random.nextInt(100) < percent;
  }

  private int between(int least, int most) {
    return random.nextInt(least, most + 1);
  }

  private int pick(int... values) {
    return values[random.nextInt(values.length)];
  }

  private <T> T pick(List<T> values) {
    return values.get(random.nextInt(values.size()));
  }

  private void publish(String driver) {
    boolean sharing = chance(35);
    int roots = between(1, 4);
    List<Device> published = new ArrayList<>();
    for (int i = chance(5) ? 0 : between(3, 7); i > 0; i--) {
      Device.Builder device = Device.named(driver + devices++);
      if (chance(97)) {
        device.attribute(ROOT, rootOrList(roots));
      }
      if (chance(plain ? 100 : 90)) {
        device.attribute("group", between(0, 2));
      }
      if (chance(plain ? 100 : 80)) {
        device.attribute("a", chance(70));
      }
      if (sharing && chance(80)) {
        device.allowMultipleAllocations().capacity("bw", capacity());
      } else if (chance(20)) {
        device.capacity("bw", chance(50) ? "4" : "10");
      }
      if (chance(8)) {
        device.taint(
            DeviceTaint.of(
                "t", "v", chance(70) ? TaintEffect.NO_SCHEDULE : TaintEffect.NO_EXECUTE));
      }
      Device made = device.build();
      published.add(made);
      if (chance(10)) {
        hold(driver, made);
      }
    }
    ResourceSlice.Builder slice = ResourceSlice.onNode(driver, driver, "n", published).toBuilder();
    if (chance(4)) {
      slice.skipNodeOperations(List.of("*"));
    }
    if (chance(15)) {
      slice.nodeSelection(NodeSelection.NONE).perDeviceNodeSelection(true).devices(List.of());
      for (Device device : published) {
        NodeSelection where = NodeSelection.ofNode(chance(80) ? "n" : "other");
        slice.device(device.toBuilder().nodeSelection(where).build());
      }
    }
    cluster.add(slice.build());
  }

  private DeviceAttribute rootOrList(int roots) {
    if (chance(85)) {
      return DeviceAttribute.of("root" + between(1, roots));
    }
    List<String> values = new ArrayList<>();
    for (int i = between(1, 3); i > 0; i--) {
      values.add("root" + between(1, roots));
    }
    return new DeviceAttribute.StringValues(values);
  }

  private DeviceCapacity capacity() {
    Quantity value = Quantity.of(pick(4, 6, 10));
    if (chance(50)) {
      return DeviceCapacity.of(value);
    }
    return new DeviceCapacity(
        value,
        new CapacityRequestPolicy(
            Quantity.of(1),
            List.of(),
            new CapacityRequestPolicyRange(Quantity.of(1), null, Quantity.of(2))));
  }

  private void hold(String driver, Device device) {
    DeviceId id = new DeviceId(driver, "n", device.name());
    cluster.add(
        device.allowMultipleAllocations()
            ? HeldDevices.sharing("of-" + device.name(), id, Map.of("bw", Quantity.of(2)))
            : HeldDevices.holding("of-" + device.name(), id));
  }

  private void publishPartitions() {
    cluster.add(
        ResourceSlice.named("mig-counters", "mig")
            .pool("mig", 1, 2)
            .nodeSelection(NodeSelection.ofNode("n"))
            .counterSet(new CounterSet("s", Map.of("slices", Quantity.of(pick(4, 7)))))
            .build());
    ResourceSlice.Builder slice =
        ResourceSlice.named("mig-devices", "mig")
            .pool("mig", 1, 2)
            .nodeSelection(NodeSelection.ofNode("n"));
    boolean groups = chance(30);
    for (int i = between(1, 6); i > 0; i--) {
      int size = plain || chance(95) ? pick(1, 2, 2, 3) : -1;
      Device.Builder device =
          Device.named("mig" + devices++)
              .attribute("a", size > 1)
              .attribute(ROOT, "root" + between(1, 2))
              .consumesCounters(
                  new DeviceCounterConsumption(
                      "s",
                      Map.of("slices", Quantity.of(size)),
                      groups && chance(60) ? List.of("g" + between(1, 2)) : List.of()));
      if (chance(15)) {
        device.allowMultipleAllocations().capacity("bw", "4");
      }
      Device made = device.build();
      slice.device(made);
      if (chance(8) && !made.allowMultipleAllocations()) {
        cluster.add(
            HeldDevices.holding("of-" + made.name(), new DeviceId("mig", "mig", made.name())));
      }
    }
    cluster.add(slice.build());
  }

  private ResourceClaim claim(String name) {
    ResourceClaim.Builder claim = ResourceClaim.named(name);
    List<String> names = new ArrayList<>();
    if (chance(25)) {
      pairs(claim, names);
    } else {
      for (int i = pick(1, 1, 2, 2, 3, 4); i > 0; i--) {
        names.add("r" + i);
        claim.request(request("r" + i));
      }
    }
    for (int i = pick(0, 0, 1, 1, 2); i > 0; i--) {
      List<String> about = new ArrayList<>(names);
      about.removeIf(any -> chance(40));
      String attribute = chance(4) ? "derived/x" : pick(ATTRIBUTES);
      int draw = random.nextInt(100);
      Kind kind = draw < 65 ? kinds.get(0) : kinds.get(1 + draw % (kinds.size() - 1));
      claim.constraint(DeviceConstraint.of(kind, attribute, about.toArray(String[]::new)));
    }
    return claim.build();
  }

  private void pairs(ResourceClaim.Builder claim, List<String> names) {
    int pairs = between(1, 4);
    List<DeviceConstraint> constraints = new ArrayList<>();
    for (int i = 0; i < pairs; i++) {
      String first = "g" + i;
      String second = "n" + i;
      names.add(first);
      names.add(second);
      constraints.add(DeviceConstraint.matchAttribute(ROOT, first, second));
      claim.request(first, r -> r.deviceClass("gpu"));
      if (chance(80)) {
        claim.request(second, r -> r.deviceClass("nic"));
      } else {
        claim.request(DeviceRequest.exactly(second, wish(1)));
      }
    }
    constraints.forEach(claim::constraint);
  }

  private DeviceRequest request(String name) {
    if (chance(20)) {
      List<DeviceSubRequest> alternatives = new ArrayList<>();
      for (int i = between(1, 3); i > 0; i--) {
        alternatives.add(new DeviceSubRequest("a" + i, wish(between(1, 3))));
      }
      return DeviceRequest.firstAvailable(name, alternatives);
    }
    return DeviceRequest.exactly(name, wish(chance(1) ? 31 : pick(1, 1, 1, 2, 2, 3)));
  }

  private ExactDeviceRequest wish(int count) {
    ExactDeviceRequest.Builder wish =
        ExactDeviceRequest.ofClass(pick(List.of("gpu", "gpu", "gpu", "nic", "nic", "nic", "any")));
    if (chance(6)) {
      wish.all();
    } else {
      wish.count(count);
    }
    if (chance(12)) {
      wish.selector(chance(plain ? 100 : 90) ? "any" : "a");
    } else if (chance(12)) {
      wish.selector(plain && chance(60) ? "driver=gpu" : "a");
    } else if (!plain && chance(1)) {
      wish.selector("broken");
    }
    if (chance(5)) {
      wish.adminAccess();
    }
    if (chance(15)) {
      wish.toleration(DeviceToleration.exists("t"));
    }
    if (chance(15)) {
      wish.capacity("bw", pick(List.of("1", "2", "3", plain ? "4" : "-1")));
    }
    if (chance(12)) {
      wish.derivedAttribute(
          chance(50) ? "derived/x" : ROOT, pick(List.of("group", "a", plain ? "a" : "missing")));
    }
    return wish.build();
  }
}
