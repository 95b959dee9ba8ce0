package io.dra4j.inventory;

import io.dra4j.common.Budget;
import io.dra4j.common.BudgetExceededException;
import io.dra4j.common.Feature;
import io.dra4j.inventory.internal.ClaimHoldings;
import io.dra4j.inventory.internal.DeviceHoldings;
import io.dra4j.inventory.internal.Holding;
import io.dra4j.inventory.internal.InventoryAccess;
import io.dra4j.inventory.internal.InventoryEditor;
import io.dra4j.inventory.internal.InventoryState;
import io.dra4j.inventory.internal.NodeDevice;
import io.dra4j.inventory.internal.NodePools;
import io.dra4j.inventory.internal.NodeView;
import io.dra4j.inventory.internal.PoolHoldings;
import io.dra4j.inventory.internal.PoolSlices;
import io.dra4j.inventory.internal.PublishedSlice;
import io.dra4j.model.ClaimKey;
import io.dra4j.model.ClusterSnapshot;
import io.dra4j.model.DeviceClass;
import io.dra4j.model.DeviceId;
import io.dra4j.model.Node;
import io.dra4j.model.ResourceClaim;
import io.dra4j.model.ResourceSlice;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * The devices of a cluster and the claims that hold them, at one moment. Immutable and thread-safe:
 * events produce a new inventory, which shares all unchanged parts with the old one, including
 * cached results of selectors. For a what-if question, call {@link #apply} and discard the result.
 *
 * <pre>{@code
 * DeviceInventory inventory = DeviceInventory.of(cluster);
 * inventory = inventory.apply(List.of(new SlicePut(changed), new ClaimRemoved(key)));
 * }</pre>
 *
 * <p>One writer at a time creates the next inventory and publishes it, for example in a volatile
 * field. Readers need no lock.
 */
public final class DeviceInventory {

  static {
    InventoryAccess.through(inventory -> inventory.state);
  }

  private final InventoryState state;

  private DeviceInventory(InventoryState state) {
    this.state = state;
  }

  /** {@return the inventory of a cluster without any objects, to which events add them} */
  public static DeviceInventory empty() {
    return new DeviceInventory(InventoryState.empty());
  }

  /**
   * Creates the inventory of a cluster. Claims with an allocation hold its devices; pending claims
   * are ignored. The taints of device taint rules follow the taints that the drivers publish.
   *
   * <p>Unlike a cluster, a snapshot that was combined from several dumps can have two objects with
   * one name. As in the reference, the last node with a name counts, at the position of the first;
   * the first class with a name counts; and all slices, claims and device taint rules count. Claims
   * with one name are distinguished by their UIDs ({@link #isAllocated(ResourceClaim)}): a pending
   * claim can be allocated although another claim with its name has devices. Events concern all
   * objects with a name: an event that puts an object replaces all of them, and an event that
   * removes it removes all of them.
   *
   * @param cluster the objects
   * @return the inventory
   */
  public static DeviceInventory of(ClusterSnapshot cluster) {
    Objects.requireNonNull(cluster, "cluster");
    InventoryEditor editor = new InventoryEditor(InventoryState.empty());
    editor.addAll(cluster);
    return new DeviceInventory(editor.done());
  }

  /**
   * {@return the inventory after some events; this inventory does not change}
   *
   * @param events the events in their order
   */
  public DeviceInventory apply(List<? extends InventoryEvent> events) {
    Objects.requireNonNull(events, "events");
    InventoryEditor editor = new InventoryEditor(state);
    for (InventoryEvent event : events) {
      Objects.requireNonNull(event, "event");
    }
    editor.applyAll(events);
    InventoryState next = editor.done();
    if (next.slices().unbound() != state.slices().unbound()) {
      state.caches().views.forget(); // the views of all nodes are outdated now
    }
    return new DeviceInventory(next);
  }

  /**
   * Lets claims hold the devices of their allocations, if no other claim holds any of these
   * devices. Use {@link #apply} for allocations that a cluster reports; it does not check for
   * conflicts.
   *
   * <p>Compares devices by name, and shares of one device by their IDs. Does not check whether
   * shared counters suffice, whether shares fit into the remaining capacity, and whether
   * compatibility groups agree. An allocation from this inventory fulfils all three. If claims that
   * use counters or shares were allocated from an older inventory, allocate them from this one
   * again.
   *
   * @param allocated claims with an allocation, each name once. Their former devices are released.
   *     Another claim with the same name ({@link #isAllocated(ResourceClaim)}) keeps its devices
   * @return the inventory in which they hold their devices, or the first conflict
   * @throws IllegalArgumentException if a claim has no allocation, or occurs twice. To release the
   *     devices of a claim, apply {@link InventoryEvent.ClaimPut} with the pending claim, or {@link
   *     InventoryEvent.ClaimRemoved}
   */
  public HoldOutcome hold(Collection<ResourceClaim> allocated) {
    Objects.requireNonNull(allocated, "allocated");
    InventoryEditor editor = new InventoryEditor(state);
    Set<ClaimKey> keys = new HashSet<>();
    for (ResourceClaim claim : allocated) {
      checkAllocated(claim);
      if (!keys.add(ClaimKey.of(claim))) {
        throw new IllegalArgumentException(
            "allocated: claim " + claim.displayName() + " occurs twice");
      }
    }
    Optional<HoldOutcome.InUse> conflict = editor.hold(allocated);
    return conflict.isPresent()
        ? conflict.get()
        : new HoldOutcome.Held(new DeviceInventory(editor.done()));
  }

  /**
   * {@return the inventory in which claims hold devices that were allocated from this inventory,
   * even if other claims hold them} Unlike {@link #hold}, it accepts devices that the reference
   * allocates although claims have shares of them. Unlike {@link InventoryEvent.ClaimPut}, it lets
   * another claim with the same name ({@link #isAllocated(ResourceClaim)}) keep its devices.
   *
   * @param allocated claims with an allocation; their former devices are released
   * @throws IllegalArgumentException if a claim has no allocation
   */
  public DeviceInventory with(Collection<ResourceClaim> allocated) {
    Objects.requireNonNull(allocated, "allocated");
    allocated.forEach(DeviceInventory::checkAllocated);
    InventoryEditor editor = new InventoryEditor(state);
    editor.putBesideOthers(allocated);
    return new DeviceInventory(editor.done());
  }

  private static void checkAllocated(ResourceClaim claim) {
    Objects.requireNonNull(claim, "claim");
    if (claim.allocation() == null) {
      throw new IllegalArgumentException(
          "allocated: claim " + claim.displayName() + " has no allocation");
    }
  }

  /** {@return the nodes of the cluster, in the order in which they were added} */
  public List<Node> nodes() {
    return state.order().of(state.nodes());
  }

  /**
   * {@return a node by its name, or empty if the inventory has none of that name}
   *
   * @param name the name
   */
  public Optional<Node> node(String name) {
    Objects.requireNonNull(name, "name");
    return Optional.ofNullable(state.nodes().get(name)).map(entry -> entry.node);
  }

  /**
   * {@return a device class by its name, or empty if the inventory has none of that name}
   *
   * @param name the name
   */
  public Optional<DeviceClass> deviceClass(String name) {
    Objects.requireNonNull(name, "name");
    return Optional.ofNullable(state.classes().get(name));
  }

  /** {@return the names of all device classes, in alphabetical order} */
  public List<String> deviceClasses() {
    List<String> names = new ArrayList<>();
    state.classes().forEach(deviceClass -> names.add(deviceClass.metadata().name()));
    return names.stream().sorted().toList();
  }

  /**
   * {@return the slices of the newest generation of each pool, with the taints of taint rules, in
   * the order in which they were added} Most older slices were only not deleted by their driver
   * yet. Devices of an older slice can still be allocated on nodes for which the pool has no newer
   * slice ({@link #devicesOf}).
   */
  public List<ResourceSlice> publishedSlices() {
    List<PublishedSlice> newest = new ArrayList<>();
    state
        .slices()
        .pools()
        .forEach(
            pool -> {
              long generation = pool.newestGeneration();
              for (PublishedSlice slice : pool.slices) {
                if (slice.published.pool().generation() == generation) {
                  newest.add(slice);
                }
              }
            });
    newest.sort(Comparator.comparingLong(slice -> slice.sequence));
    return newest.stream().map(slice -> slice.slice).toList();
  }

  /**
   * {@return a slice by its name, with the taints of taint rules, whether or not it is among the
   * {@link #publishedSlices}; the last one if a snapshot had several; empty if there is none}
   *
   * @param name the name
   */
  public Optional<ResourceSlice> slice(String name) {
    Objects.requireNonNull(name, "name");
    return Optional.ofNullable(state.slices().byName().get(name)).map(slice -> slice.slice);
  }

  /**
   * {@return a device and its holders, whichever nodes can use it; empty if no slice of the newest
   * generation of its pool has it} Searches the slices of its pool.
   *
   * @param id the device
   */
  public Optional<InventoryDevice> device(DeviceId id) {
    Objects.requireNonNull(id, "id");
    PoolSlices pool = state.slices().pools().get(new PoolId(id.driver(), id.pool()));
    if (pool == null) {
      return Optional.empty();
    }
    long generation = pool.newestGeneration();
    return Arrays.stream(pool.slices)
        .filter(slice -> slice.published.pool().generation() == generation)
        .flatMap(slice -> slice.slice.devices().stream())
        .filter(device -> device.name().equals(id.device()))
        .findFirst()
        .map(device -> new InventoryDevice(id, device, holdersOf(id)));
  }

  /**
   * {@return the devices that a node can use, with their holders, or empty if there is no such
   * node} Leaves out slices whose node selector cannot be parsed, although every allocation on the
   * node is rejected because of them: see {@link NodeDevices#fault}.
   *
   * @param nodeName the name of the node
   */
  public Optional<NodeDevices> devicesOf(String nodeName) {
    Objects.requireNonNull(nodeName, "nodeName");
    NodeView view;
    try {
      view = state.viewOfParsed(nodeName, Feature.kubernetes(), Budget.unlimited());
    } catch (BudgetExceededException e) {
      throw new IllegalStateException("a budget without limit is used up", e);
    }
    if (view == null) {
      return Optional.empty();
    }
    List<NodeDevice> candidates = new ArrayList<>();
    List<InventoryDevice> devices = new ArrayList<>();
    NodeSelectorException failure = view.pools.failure;
    for (int i = 0; i < view.size(); i++) {
      NodeDevice candidate = view.candidate(i);
      try {
        if (view.reaches(candidate, Budget.unlimited())) {
          candidates.add(candidate);
          devices.add(deviceOf(candidate));
        }
      } catch (NodeSelectorException e) {
        failure = failure == null ? e : failure;
      } catch (BudgetExceededException e) {
        throw new IllegalStateException("a budget without limit is used up", e);
      }
    }
    String fault = failure == null ? null : String.valueOf(failure.getMessage());
    return Optional.of(new NodeDevices(state, candidates, devices, fault));
  }

  private InventoryDevice deviceOf(NodeDevice candidate) {
    PoolHoldings pool = state.held().get(candidate.pool().id());
    DeviceHoldings holdings = pool == null ? null : pool.of(candidate.device().name());
    return holdings == null
        ? new InventoryDevice(candidate.id(), candidate.device(), List.of())
        : new InventoryDevice(candidate.id(), candidate.device(), holdings.holders());
  }

  /**
   * {@return the slices that do not name one node, with the taints of taint rules, pool by pool}
   * They have a node selector, are for all nodes, or have devices that select their nodes
   * themselves. Contains only the newest generation of each pool.
   */
  public List<ResourceSlice> slicesOfNoSingleNode() {
    List<ResourceSlice> found = new ArrayList<>();
    state
        .slices()
        .unbound()
        .forEach(
            pool -> {
              long generation = pool.newestGeneration();
              for (PublishedSlice slice : pool.slices) {
                if (slice.published.pool().generation() == generation && !slice.namesNode()) {
                  found.add(slice.slice);
                }
              }
            });
    return found;
  }

  /**
   * {@return the claims that hold a device or a share of it, published or not, in the order of
   * their keys; also more than one if a cluster allocated one device to several claims}
   *
   * @param device the device
   */
  public List<ClaimKey> holdersOf(DeviceId device) {
    Objects.requireNonNull(device, "device");
    PoolHoldings pool = state.held().get(new PoolId(device.driver(), device.pool()));
    DeviceHoldings holdings = pool == null ? null : pool.of(device.device());
    return holdings == null ? List.of() : holdings.holders();
  }

  /**
   * {@return whether the claim is allocated; false if it is pending or does not exist} A claim also
   * counts as allocated if it holds none of its devices, as with admin access.
   *
   * @param claim the key of the claim
   */
  public boolean isAllocated(ClaimKey claim) {
    return state.claims().get(Objects.requireNonNull(claim, "claim")) != null;
  }

  /**
   * {@return whether this particular claim is allocated, in the sense of {@link
   * #isAllocated(ClaimKey)}} Two claims with the same name are different claims if both have a UID
   * and the UIDs differ: one was deleted, and the other created later. If one of them has no UID,
   * they are the same claim.
   *
   * @param claim the claim; the allocation in this argument is ignored
   */
  public boolean isAllocated(ResourceClaim claim) {
    Objects.requireNonNull(claim, "claim");
    ClaimHoldings holdings = state.claims().get(ClaimKey.of(claim));
    return holdings != null && holdings.has(claim);
  }

  /**
   * {@return the devices that a claim holds, in the order of its allocation; none if it does not
   * exist} If a snapshot had several claims with this name, returns the devices of all of them.
   *
   * @param claim the claim
   */
  public List<DeviceId> heldBy(ClaimKey claim) {
    Objects.requireNonNull(claim, "claim");
    ClaimHoldings holdings = state.claims().get(claim);
    return holdings == null
        ? List.of()
        : holdings.all().stream().map(Holding::device).distinct().toList();
  }

  /** {@return the keys of the claims that hold devices or shares, published or not, in order} */
  public List<ClaimKey> holders() {
    List<ClaimKey> holders = new ArrayList<>();
    state
        .claims()
        .forEach(
            holdings -> {
              List<Holding> all = holdings.all();
              if (!all.isEmpty()) {
                holders.add(all.get(0).claim());
              }
            });
    return holders.stream().sorted().toList();
  }

  /**
   * {@return the nodes from which devices of a slice can be used, in the order in which they were
   * added, unless its pool has newer slices for them; empty if there is no such slice}
   *
   * @param sliceName the name of the slice
   * @throws NodeSelectorException if its node selector cannot be parsed
   */
  public Optional<List<Node>> nodesOf(String sliceName) throws NodeSelectorException {
    Objects.requireNonNull(sliceName, "sliceName");
    PublishedSlice slice = state.slices().byName().get(sliceName);
    if (slice == null) {
      return Optional.empty();
    }
    String only = slice.published.nodeSelection().nodeName();
    if (only != null && slice.namesNode()) {
      return Optional.of(node(only).stream().toList());
    }
    List<Node> about = new ArrayList<>();
    for (Node node : nodes()) {
      try {
        if (NodePools.isAbout(slice, node, Budget.unlimited())) {
          about.add(node);
        }
      } catch (BudgetExceededException e) {
        throw new IllegalStateException("a budget without limit is used up", e);
      }
    }
    return Optional.of(List.copyOf(about));
  }
}
