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
 * The devices of a cluster, and who holds them, at one moment. Immutable and thread-safe: events
 * give a new inventory, which shares with the old one everything that they do not touch, down to
 * what selectors said of the devices. A what-if is {@link #apply} on the side.
 *
 * <pre>{@code
 * DeviceInventory inventory = DeviceInventory.of(cluster);
 * inventory = inventory.apply(List.of(new SlicePut(changed), new ClaimRemoved(key)));
 * }</pre>
 *
 * <p>One writer at a time makes the next inventory, and publishes it, for example in a volatile
 * field; readers need no lock.
 */
public final class DeviceInventory {

  static {
    InventoryAccess.through(inventory -> inventory.state);
  }

  private final InventoryState state;

  private DeviceInventory(InventoryState state) {
    this.state = state;
  }

  /**
   * Returns the inventory of a cluster without any objects, to which events add them.
   *
   * @return an empty inventory
   */
  public static DeviceInventory empty() {
    return new DeviceInventory(InventoryState.empty());
  }

  /**
   * Makes the inventory of a cluster. Claims with an allocation hold what it says; pending ones do
   * not matter. The taints of device taint rules come behind those that the drivers publish.
   *
   * <p>A snapshot that was put together of several dumps can have two objects of one name, which no
   * cluster has. As in the reference, of nodes the last one counts, in the place of the first, of
   * classes the first one, and slices and claims all do; so do device taint rules. Claims of one
   * name are distinguished by their UIDs ({@link #isAllocated(ResourceClaim)}): a pending one can
   * be allocated beside another that has devices. Events are about all objects of a name: one that
   * puts an object takes the place of them, one that removes it removes them.
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
   * Returns the inventory after some events. This one stays as it is.
   *
   * @param events what has happened, in this order
   * @return the next inventory
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
      state.caches().views.forget(); // those of all nodes are old now
    }
    return new DeviceInventory(next);
  }

  /**
   * Lets claims hold what their allocations say, if no other claim holds any of it. {@link #apply}
   * does the same for what a cluster says, be it right or wrong.
   *
   * <p>Compares devices by name, whole ones and shares, and shares of one device by their IDs.
   * Whether shared counters suffice, whether shares fit into the capacity that is left, and whether
   * compatibility groups agree, it does not see: that holds for what was allocated of this
   * inventory, so allocate anew of this one what was allocated of an older one and draws from
   * counters or shares devices.
   *
   * @param allocated claims with an allocation, each name once; what they held before, they hold no
   *     longer, while another claim of the name ({@link #isAllocated(ResourceClaim)}) keeps what it
   *     has
   * @return the inventory in which they do, or who holds one of the devices
   * @throws IllegalArgumentException if a claim has no allocation, or is there twice: {@link
   *     InventoryEvent.ClaimPut} of a pending claim, or {@link InventoryEvent.ClaimRemoved}, lets
   *     go of what a claim holds
   */
  public HoldOutcome hold(Collection<ResourceClaim> allocated) {
    Objects.requireNonNull(allocated, "allocated");
    InventoryEditor editor = new InventoryEditor(state);
    Set<ClaimKey> keys = new HashSet<>();
    for (ResourceClaim claim : allocated) {
      checkAllocated(claim);
      if (!keys.add(ClaimKey.of(claim))) {
        throw new IllegalArgumentException(
            "allocated: claim " + claim.displayName() + " is there twice");
      }
    }
    Optional<HoldOutcome.InUse> conflict = editor.hold(allocated);
    return conflict.isPresent()
        ? conflict.get()
        : new HoldOutcome.Held(new DeviceInventory(editor.done()));
  }

  /**
   * Lets claims hold what was allocated of this very inventory, also where other claims hold it.
   * Unlike {@link #hold}, it takes what the reference gives away although claims have shares of it;
   * unlike {@link InventoryEvent.ClaimPut}, which is what a cluster says, it lets another claim of
   * the name ({@link #isAllocated(ResourceClaim)}) keep what it has.
   *
   * @param allocated claims with an allocation; what they held before, they hold no longer
   * @return the inventory in which they do
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

  /**
   * Returns the nodes of the cluster.
   *
   * @return the nodes, in the order in which they came
   */
  public List<Node> nodes() {
    return state.order().of(state.nodes());
  }

  /**
   * Returns a node by its name.
   *
   * @param name the name
   * @return the node, or empty if the inventory has none of that name
   */
  public Optional<Node> node(String name) {
    Objects.requireNonNull(name, "name");
    return Optional.ofNullable(state.nodes().get(name)).map(entry -> entry.node);
  }

  /**
   * Returns a device class by its name.
   *
   * @param name the name
   * @return the class, or empty if the inventory has none of that name
   */
  public Optional<DeviceClass> deviceClass(String name) {
    Objects.requireNonNull(name, "name");
    return Optional.ofNullable(state.classes().get(name));
  }

  /**
   * Returns the names of all device classes.
   *
   * @return the names in alphabetical order
   */
  public List<String> deviceClasses() {
    List<String> names = new ArrayList<>();
    state.classes().forEach(deviceClass -> names.add(deviceClass.metadata().name()));
    return names.stream().sorted().toList();
  }

  /**
   * Returns of each pool the slices of its newest generation. Older ones are mostly what a driver
   * has not yet cleaned away; devices of such a slice can still be had on nodes that no newer slice
   * of the pool is for ({@link #devicesOf}).
   *
   * @return the slices, with the taints of taint rules, in the order in which they came
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
   * Returns a slice by its name, whether or not it is one of the {@link #publishedSlices}.
   *
   * @param name the name
   * @return the slice, with the taints of taint rules, or empty if there is none; where a snapshot
   *     had several of the name, the last one
   */
  public Optional<ResourceSlice> slice(String name) {
    Objects.requireNonNull(name, "name");
    return Optional.ofNullable(state.slices().byName().get(name)).map(slice -> slice.slice);
  }

  /**
   * Returns a device by driver, pool and name, whichever nodes can use it. Looks through the slices
   * of its pool.
   *
   * @param id the device
   * @return the device, if a slice of the newest generation of its pool has it, and who holds it
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
   * Returns the devices that a node can use, and who holds them. Leaves out the slices whose node
   * selector cannot be parsed, while every allocation on the node is rejected because of them: see
   * {@link NodeDevices#fault}.
   *
   * @param nodeName the name of the node
   * @return its devices, or empty if there is no such node
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
   * Returns the slices that are not of one node: those with a node selector, for all nodes, or
   * whose devices choose their nodes themselves. Of each pool those of the newest generation.
   *
   * @return the slices, with the taints of taint rules, pool by pool
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
   * Returns who holds a device, whether it is published or not.
   *
   * @param device the device
   * @return the claims that hold it or a share of it, in the order of their keys; more than one
   *     also where a cluster gave one device to several claims
   */
  public List<ClaimKey> holdersOf(DeviceId device) {
    Objects.requireNonNull(device, "device");
    PoolHoldings pool = state.held().get(new PoolId(device.driver(), device.pool()));
    DeviceHoldings holdings = pool == null ? null : pool.of(device.device());
    return holdings == null ? List.of() : holdings.holders();
  }

  /**
   * Whether a claim of a name has an allocation, if only of devices that it does not hold, as with
   * admin access.
   *
   * @param claim the name
   * @return false if the claim is pending or not there
   */
  public boolean isAllocated(ClaimKey claim) {
    return state.claims().get(Objects.requireNonNull(claim, "claim")) != null;
  }

  /**
   * Whether this very claim has an allocation, as {@link #isAllocated(ClaimKey)}. Of two claims of
   * one name each is another one where both have a UID, and these differ: one was deleted, and the
   * other made anew. Where one of them has no UID they are the same.
   *
   * @param claim the claim, as the caller knows it: its own allocation does not matter
   * @return false if it is pending or not there
   */
  public boolean isAllocated(ResourceClaim claim) {
    Objects.requireNonNull(claim, "claim");
    ClaimHoldings holdings = state.claims().get(ClaimKey.of(claim));
    return holdings != null && holdings.has(claim);
  }

  /**
   * Returns what a claim holds, or where a snapshot had several of the name, what all of them hold.
   *
   * @param claim the claim
   * @return the devices, in the order of its allocation; none for a claim that is not there
   */
  public List<DeviceId> heldBy(ClaimKey claim) {
    Objects.requireNonNull(claim, "claim");
    ClaimHoldings holdings = state.claims().get(claim);
    return holdings == null
        ? List.of()
        : holdings.all().stream().map(Holding::device).distinct().toList();
  }

  /**
   * Returns the claims that hold a device, or a share of one, published or not.
   *
   * @return their keys, in order; {@link #heldBy} says what each holds
   */
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
   * Returns the nodes that a slice is about: those from which its devices, or some of them, can be
   * used while no slice of a newer generation of its pool is for them.
   *
   * @param sliceName the name of the slice
   * @return the nodes, in the order in which they came, or empty if there is no such slice
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
