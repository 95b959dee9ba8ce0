package io.dra4j.allocation;

import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import io.dra4j.model.Budget;
import io.dra4j.model.BudgetExceededException;
import io.dra4j.model.ClusterSnapshot;
import io.dra4j.model.CompiledAttribute;
import io.dra4j.model.CompiledSelector;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceClass;
import io.dra4j.model.DeviceTaint;
import io.dra4j.model.DeviceTaintRule;
import io.dra4j.model.Feature;
import io.dra4j.model.Node;
import io.dra4j.model.ResourceClaim;
import io.dra4j.model.ResourceSlice;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The devices of a cluster and what of them is in use, indexed for allocation. Immutable and
 * thread-safe: a change gives a new inventory, which shares with the old one everything that the
 * change does not touch, above all what selectors said of the devices.
 */
public final class DeviceInventory {

  /** Enough for every selector that a cluster uses at a time. */
  private static final int MAX_TABLES = 4096;

  /** Everything but the allocations; shared between the states of an inventory. */
  private static final class Published {
    final Map<String, Node> nodes = new LinkedHashMap<>();
    final Map<String, DeviceClass> deviceClasses = new LinkedHashMap<>();
    final SliceIndex slices;
    final AttributeValues.Interner values = new AttributeValues.Interner();
    final Map<NodeKey, NodePools> pools = new ConcurrentHashMap<>();
    final Cache<CompiledSelector, SelectorTable> selectors = boundedCache();
    final Cache<String, AttributeTable> attributes = boundedCache();
    final Cache<CompiledAttribute, AttributeTable> derived = boundedCache();

    Published(ClusterSnapshot cluster) {
      cluster.nodes().forEach(node -> nodes.put(node.name(), node));
      cluster.deviceClasses().forEach(c -> deviceClasses.putIfAbsent(c.metadata().name(), c));
      this.slices = new SliceIndex(tainted(cluster.resourceSlices(), cluster.deviceTaintRules()));
    }

    private static <K, V> Cache<K, V> boundedCache() {
      return CacheBuilder.newBuilder().maximumSize(MAX_TABLES).build();
    }
  }

  private record NodeKey(String node, boolean partitionable, boolean compatibilityGroups) {}

  private record StateKey(NodePools pools, boolean sharing) {}

  private final Published published;
  private final DevicesInUse inUse;
  private final Map<StateKey, NodeState> states = new ConcurrentHashMap<>();

  private DeviceInventory(Published published, DevicesInUse inUse) {
    this.published = published;
    this.inUse = inUse;
  }

  /**
   * Indexes a cluster. Claims with an allocation are in use; pending ones do not matter. The taints
   * of device taint rules come behind those that the drivers publish.
   *
   * @param cluster the objects
   * @return the inventory
   */
  public static DeviceInventory of(ClusterSnapshot cluster) {
    return new DeviceInventory(new Published(cluster), DevicesInUse.by(cluster.resourceClaims()));
  }

  /**
   * The inventory once further claims hold their devices.
   *
   * @param claims claims with an allocation; others do not matter
   * @return an inventory in which their devices are in use
   */
  public DeviceInventory withAllocated(Collection<ResourceClaim> claims) {
    return new DeviceInventory(published, inUse.and(claims));
  }

  /**
   * The nodes of the cluster.
   *
   * @return the nodes, in the order of the snapshot
   */
  public List<Node> nodes() {
    return List.copyOf(published.nodes.values());
  }

  /**
   * A node by its name.
   *
   * @param name the name
   * @return the node, or {@code null} if there is none
   */
  public @Nullable Node node(String name) {
    return published.nodes.get(name);
  }

  @Nullable DeviceClass deviceClass(String name) {
    return published.deviceClasses.get(name);
  }

  NodePools poolsOf(Node node, Set<Feature> features, Budget budget)
      throws RejectedException, BudgetExceededException {
    NodeKey key =
        new NodeKey(
            node.name(),
            features.contains(Feature.PARTITIONABLE_DEVICES),
            features.contains(Feature.COMPATIBILITY_GROUPS));
    NodePools known = published.pools.get(key);
    if (known == null) {
      known = NodePools.gather(published.slices, node, features, budget);
      NodePools earlier = published.pools.putIfAbsent(key, known);
      known = earlier == null ? known : earlier;
    }
    return known;
  }

  NodeState stateOf(NodePools pools, Set<Feature> features, Budget budget)
      throws BudgetExceededException {
    StateKey key = new StateKey(pools, features.contains(Feature.CONSUMABLE_CAPACITY));
    NodeState known = states.get(key);
    if (known == null) {
      known = new NodeState(pools, inUse, key.sharing, budget);
      NodeState earlier = states.putIfAbsent(key, known);
      known = earlier == null ? known : earlier;
    }
    return known;
  }

  SelectorTable table(CompiledSelector selector) {
    return tableOf(
        published.selectors,
        selector,
        () -> new SelectorTable(selector, published.slices.devices()));
  }

  AttributeTable attribute(String name) {
    return tableOf(
        published.attributes,
        name,
        () -> AttributeTable.published(name, published.values, published.slices.size()));
  }

  /** How messages write one of {@link AttributeValues#ids}. */
  String textOfValue(int id) {
    return published.values.textOf(id);
  }

  AttributeTable derived(CompiledAttribute expression) {
    return tableOf(
        published.derived,
        expression,
        () -> AttributeTable.derived(expression, published.values, published.slices.size()));
  }

  private static <K, V> V tableOf(Cache<K, V> tables, K key, Supplier<V> create) {
    V known = tables.getIfPresent(key);
    if (known == null) {
      known = create.get();
      tables.put(key, known);
    }
    return known;
  }

  /** Rule taints come behind the driver's own (Kubernetes' resourceslice tracker). */
  private static List<ResourceSlice> tainted(
      List<ResourceSlice> slices, List<DeviceTaintRule> rules) {
    if (rules.isEmpty()) {
      return slices;
    }
    return slices.stream().map(slice -> tainted(slice, rules)).toList();
  }

  private static ResourceSlice tainted(ResourceSlice slice, List<DeviceTaintRule> rules) {
    List<Device> devices = new ArrayList<>();
    for (Device device : slice.devices()) {
      List<DeviceTaint> taints = new ArrayList<>(device.taints());
      for (DeviceTaintRule rule : rules) {
        if (rule.deviceSelector() != null && rule.deviceSelector().selects(slice.idOf(device))) {
          taints.add(rule.taint());
        }
      }
      devices.add(taints.size() == device.taints().size() ? device : device.withTaints(taints));
    }
    return slice.withDevices(devices);
  }
}
