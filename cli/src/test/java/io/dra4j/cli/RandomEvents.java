package io.dra4j.cli;

import io.dra4j.inventory.InventoryEvent;
import io.dra4j.inventory.InventoryEvent.ClaimPut;
import io.dra4j.inventory.InventoryEvent.ClaimRemoved;
import io.dra4j.inventory.InventoryEvent.ClassPut;
import io.dra4j.inventory.InventoryEvent.ClassRemoved;
import io.dra4j.inventory.InventoryEvent.NodePut;
import io.dra4j.inventory.InventoryEvent.NodeRemoved;
import io.dra4j.inventory.InventoryEvent.SlicePut;
import io.dra4j.inventory.InventoryEvent.SliceRemoved;
import io.dra4j.inventory.InventoryEvent.TaintRulePut;
import io.dra4j.inventory.InventoryEvent.TaintRuleRemoved;
import io.dra4j.model.AllocationResult;
import io.dra4j.model.ClaimKey;
import io.dra4j.model.ClusterSnapshot;
import io.dra4j.model.CounterSet;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceClass;
import io.dra4j.model.DeviceConstraint;
import io.dra4j.model.DeviceCounterConsumption;
import io.dra4j.model.DeviceRequestAllocationResult;
import io.dra4j.model.DeviceTaint;
import io.dra4j.model.DeviceTaintRule;
import io.dra4j.model.DeviceTaintSelector;
import io.dra4j.model.Node;
import io.dra4j.model.NodeSelection;
import io.dra4j.model.NodeSelector;
import io.dra4j.model.NodeSelectorOperator;
import io.dra4j.model.NodeSelectorRequirement;
import io.dra4j.model.NodeSelectorTerm;
import io.dra4j.model.ObjectMeta;
import io.dra4j.model.Quantity;
import io.dra4j.model.ResourceClaim;
import io.dra4j.model.ResourcePool;
import io.dra4j.model.ResourceSlice;
import io.dra4j.model.TaintEffect;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * A small cluster with random events, in plain maps: the expected state of an inventory after the
 * same events. Names are few, so that objects come, change and go again, pools are incomplete,
 * outdated or contradict themselves, and claims hold devices that are not there.
 */
public final class RandomEvents {

  private static final List<String> DRIVERS = List.of("gpu.example.com", "nic.example.com");

  private final SplittableRandom random;
  private final Map<String, Node> nodes = new LinkedHashMap<>();
  private final Map<String, DeviceClass> classes = new LinkedHashMap<>();
  private final Map<String, ResourceSlice> slices = new LinkedHashMap<>();
  private final Map<String, DeviceTaintRule> rules = new LinkedHashMap<>();
  private final Map<ClaimKey, ResourceClaim> claims = new LinkedHashMap<>();

  public RandomEvents(long seed) {
    this.random = new SplittableRandom(seed);
  }

  /** Applies a random event and reports it. */
  public InventoryEvent next() {
    int kind = random.nextInt(100);
    if (kind < 40) {
      ResourceSlice slice = slice();
      slices.put(slice.metadata().name(), slice);
      return new SlicePut(slice);
    } else if (kind < 50) {
      String name = name("slice", 14);
      slices.remove(name);
      return new SliceRemoved(name);
    } else if (kind < 75) {
      ResourceClaim claim = holder();
      claims.put(ClaimKey.of(claim), claim);
      return new ClaimPut(claim);
    } else if (kind < 85) {
      ClaimKey key = new ClaimKey("default", name("c", 8));
      claims.remove(key);
      return new ClaimRemoved(key);
    } else if (kind < 91) {
      Map<String, String> labels = Map.of("zone", name("z", 2));
      Node node = new Node(new ObjectMeta(nodeName(), null, null, labels, Map.of()), List.of());
      nodes.put(node.name(), node);
      return new NodePut(node);
    } else if (kind < 93) {
      String name = nodeName();
      nodes.remove(name);
      return new NodeRemoved(name);
    } else if (kind < 95) {
      DeviceTaintRule rule = rule();
      rules.put(rule.metadata().name(), rule);
      return new TaintRulePut(rule);
    } else if (kind < 97) {
      String name = name("rule", 3);
      rules.remove(name);
      return new TaintRuleRemoved(name);
    } else if (kind < 99) {
      DeviceClass deviceClass = deviceClass();
      classes.put(deviceClass.metadata().name(), deviceClass);
      return new ClassPut(deviceClass);
    }
    String name = name("class", 3);
    classes.remove(name);
    return new ClassRemoved(name);
  }

  /** The cluster as it is now. */
  public ClusterSnapshot snapshot() {
    return snapshot(List.copyOf(slices.values()), List.copyOf(rules.values()));
  }

  /**
   * Returns the cluster with the taints of the rules on the devices, for programs that do not
   * support rules.
   */
  ClusterSnapshot withoutRules() {
    return snapshot(slices.values().stream().map(this::tainted).toList(), List.of());
  }

  private ClusterSnapshot snapshot(List<ResourceSlice> published, List<DeviceTaintRule> taints) {
    return new ClusterSnapshot(
        List.copyOf(nodes.values()),
        List.copyOf(classes.values()),
        published,
        List.copyOf(claims.values()),
        List.of(),
        taints,
        List.of());
  }

  private ResourceSlice tainted(ResourceSlice slice) {
    List<Device> devices = new ArrayList<>();
    for (Device device : slice.devices()) {
      List<DeviceTaint> taints = new ArrayList<>(device.taints());
      for (DeviceTaintRule rule : rules.values()) {
        if (rule.deviceSelector() != null && rule.deviceSelector().selects(slice.idOf(device))) {
          taints.add(rule.taint());
        }
      }
      devices.add(device.withTaints(taints));
    }
    return slice.withDevices(devices);
  }

  /** A claim that asks for something. */
  public ResourceClaim pending() {
    ResourceClaim.Builder claim = ResourceClaim.named("default", "pending");
    for (int i = random.nextInt(2); i >= 0; i--) {
      claim.request(
          "r" + i,
          request -> {
            request.deviceClass(name("class", 3));
            if (random.nextInt(8) == 0) {
              request.all();
            } else {
              request.count(1 + random.nextInt(3));
            }
            if (random.nextInt(4) == 0) {
              request.capacity("memory", Integer.toString(1 + random.nextInt(4)));
            }
            if (random.nextInt(3) == 0) {
              request.selector("device.capacity['gpu.example.com'].memory.isInteger()");
            }
          });
    }
    if (random.nextInt(3) == 0) {
      claim.constraint(DeviceConstraint.matchAttribute("gpu.example.com/model"));
    }
    return claim.build();
  }

  private String name(String kind, int different) {
    return kind + "-" + random.nextInt(different);
  }

  private String nodeName() {
    return name("node", 5);
  }

  private String driver() {
    return DRIVERS.get(random.nextInt(DRIVERS.size()));
  }

  private DeviceClass deviceClass() {
    String name = name("class", 3);
    return switch (random.nextInt(3)) {
      case 0 -> DeviceClass.named(name);
      case 1 -> DeviceClass.named(name, "device.driver == 'gpu.example.com'");
      default ->
          DeviceClass.named(
              name,
              "device.attributes['gpu.example.com'].?model.orValue('') != '" + name("m", 2) + "'");
    };
  }

  private DeviceTaintRule rule() {
    DeviceTaintSelector selector =
        random.nextInt(5) == 0
            ? null
            : new DeviceTaintSelector(
                random.nextBoolean() ? driver() : null,
                random.nextBoolean() ? nodeName() : null,
                random.nextBoolean() ? name("d", 8) : null);
    return new DeviceTaintRule(
        ObjectMeta.named(name("rule", 3)),
        selector,
        new DeviceTaint("k", "", TaintEffect.NO_SCHEDULE, null));
  }

  /** Pools are named after nodes, or shared by several; slices change from one to another. */
  private ResourceSlice slice() {
    String pool = random.nextInt(3) == 0 ? name("shared", 2) : nodeName();
    boolean perDevice = random.nextInt(8) == 0;
    boolean local = pool.startsWith("node") && random.nextInt(6) > 0;
    boolean counters = random.nextInt(6) == 0;
    List<Device> devices = new ArrayList<>();
    for (int i = counters ? 8 : random.nextInt(4); i < 8; i += 1 + random.nextInt(3)) {
      devices.add(device("d-" + i, perDevice));
    }
    return new ResourceSlice(
        ObjectMeta.named(name("slice", 14)),
        driver(),
        new ResourcePool(pool, 1 + random.nextInt(3) / 2, 1 + random.nextInt(5) / 3),
        perDevice ? NodeSelection.NONE : local ? NodeSelection.ofNode(pool) : selection(),
        perDevice ? true : null,
        devices,
        counters ? List.of(new CounterSet("set", Map.of("x", Quantity.of(3)))) : List.of(),
        null,
        List.of());
  }

  private NodeSelection selection() {
    return switch (random.nextInt(4)) {
      case 0 -> NodeSelection.ALL_NODES;
      case 1 -> NodeSelection.ofNode(nodeName());
      default -> {
        // rarely one that cannot be parsed
        NodeSelectorOperator operator =
            random.nextInt(20) == 0 ? NodeSelectorOperator.GT : NodeSelectorOperator.IN;
        NodeSelectorRequirement zone =
            new NodeSelectorRequirement("zone", operator, List.of(name("z", 2)));
        yield NodeSelection.of(
            new NodeSelector(List.of(new NodeSelectorTerm(List.of(zone), List.of()))));
      }
    };
  }

  private Device device(String name, boolean perDevice) {
    // The last two amounts are equal, but isInteger() distinguishes them.
    List<String> amounts = List.of("4", "8", "100Ti", "109951162777600");
    Device.Builder device =
        Device.named(name)
            .attribute("gpu.example.com/model", name("m", 3))
            .capacity("memory", amounts.get(random.nextInt(amounts.size())));
    if (random.nextInt(3) == 0) {
      device.allowMultipleAllocations();
    }
    if (random.nextInt(8) == 0) {
      device.consumesCounters(
          new DeviceCounterConsumption(
              "set",
              Map.of("x", Quantity.of(1 + random.nextInt(2))),
              random.nextInt(3) == 0 ? List.of(name("g", 2)) : List.of()));
    }
    if (random.nextInt(10) == 0) {
      device.bindingConditions(List.of("a.example.com/ready"), List.of("a.example.com/failed"));
    }
    if (perDevice) {
      device.nodeSelection(selection());
    }
    return device.build();
  }

  /** A claim that has an allocation, or has lost it. */
  private ResourceClaim holder() {
    ResourceClaim claim =
        ResourceClaim.named("default", name("c", 8))
            .request("r", request -> request.deviceClass("class-0"))
            .build();
    if (random.nextInt(10) == 0) {
      return claim;
    }
    List<DeviceRequestAllocationResult> results = new ArrayList<>();
    for (int i = random.nextInt(3); i >= 0; i--) {
      boolean share = random.nextInt(3) == 0;
      results.add(
          new DeviceRequestAllocationResult(
              "r",
              driver(),
              random.nextInt(4) == 0 ? name("shared", 2) : nodeName(),
              name("d", 8),
              random.nextInt(10) == 0 ? true : null,
              List.of(),
              List.of(),
              List.of(),
              share ? "00000000-0000-4000-8000-00000000000" + i : null,
              share ? Map.of("memory", Quantity.of(1 + random.nextInt(2))) : Map.of(),
              List.of()));
    }
    return claim.withAllocation(new AllocationResult(results, List.of(), null, null));
  }
}
