package io.dra4j.inventory.internal;

import io.dra4j.inventory.HoldOutcome;
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
import io.dra4j.inventory.PoolId;
import io.dra4j.model.ClaimKey;
import io.dra4j.model.ClusterSnapshot;
import io.dra4j.model.DeviceClass;
import io.dra4j.model.DeviceTaintRule;
import io.dra4j.model.Node;
import io.dra4j.model.ResourceClaim;
import io.dra4j.model.ResourceSlice;
import io.dra4j.persistent.PersistentMap;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Creates the next inventory from the current one, event by event. For one thread and one use. */
public final class InventoryEditor {

  private final InventoryState before;
  private final PersistentMap.Editor<String, NodeEntry> nodes;
  private final PersistentMap.Editor<String, PublishedSlice> slices;
  private final PersistentMap.Editor<PoolId, PoolSlices> pools;
  private final PersistentMap.Editor<PoolId, PoolSlices> unbound;
  private final PersistentMap.Editor<String, DeviceClass> classes;
  private final PersistentMap.Editor<ClaimKey, ClaimHoldings> claims;
  private final PersistentMap.Editor<PoolId, PoolHoldings> held;
  private DeviceTaintRules rules;
  private NodeOrder order;
  private long nextSequence;

  public InventoryEditor(InventoryState before) {
    this.before = before;
    this.nodes = before.nodes().edit();
    this.slices = before.slices().byName().edit();
    this.pools = before.slices().pools().edit();
    this.unbound = before.slices().unbound().edit();
    this.classes = before.classes().edit();
    this.claims = before.claims().edit();
    this.held = before.held().edit();
    this.rules = before.rules();
    this.order = before.order();
    this.nextSequence = before.nextSequence();
  }

  public InventoryState done() {
    return new InventoryState(
        before.caches(),
        nodes.done(),
        order,
        new SliceIndex(slices.done(), pools.done(), unbound.done()),
        classes.done(),
        rules,
        claims.done(),
        held.done(),
        nextSequence);
  }

  /**
   * Adds all objects of a snapshot. Unlike a cluster, a snapshot can have two objects with one
   * name: all slices, claims and taint rules count, but only the first class and the last node.
   * Creates each pool, node and device once, however many objects of the snapshot refer to it.
   */
  public void addAll(ClusterSnapshot cluster) {
    rules = DeviceTaintRules.of(cluster.deviceTaintRules());
    cluster.nodes().forEach(this::put);
    for (DeviceClass deviceClass : cluster.deviceClasses()) {
      if (classes.get(deviceClass.metadata().name()) == null) {
        put(deviceClass);
      }
    }
    addSlices(cluster.resourceSlices());
    addClaims(cluster.resourceClaims());
  }

  private void addSlices(List<ResourceSlice> all) {
    Map<PoolId, List<PublishedSlice>> byPool = new HashMap<>();
    Map<String, List<PublishedSlice>> byNode = new HashMap<>();
    for (ResourceSlice slice : all) {
      PoolId id = new PoolId(slice.driver(), slice.pool().name());
      List<PublishedSlice> ofPool = byPool.computeIfAbsent(id, pool -> new ArrayList<>(1));
      String name = slice.metadata().name();
      PublishedSlice added =
          new PublishedSlice(
              nextSequence++,
              ofPool.isEmpty() ? id : ofPool.get(0).poolId,
              slice,
              rules,
              slices.get(name));
      slices.put(name, added);
      ofPool.add(added);
      String node = slice.nodeSelection().nodeName();
      if (node != null && added.namesNode()) {
        byNode.computeIfAbsent(node, n -> new ArrayList<>(1)).add(added);
      }
    }
    byPool.forEach((id, ofPool) -> setPool(id, PoolSlices.of(id, ofPool)));
    byNode.forEach((node, ofNode) -> nodes.put(node, entryOf(node).withLater(ofNode)));
  }

  private void addClaims(List<ResourceClaim> all) {
    Map<ClaimKey, List<ClaimHoldings>> byName = new HashMap<>();
    List<Holding> holdings = new ArrayList<>();
    for (ResourceClaim claim : all) {
      ClaimHoldings ofClaim = ClaimHoldings.of(claim);
      if (ofClaim != null) {
        byName.computeIfAbsent(ClaimKey.of(claim), key -> new ArrayList<>(1)).add(ofClaim);
        holdings.addAll(ofClaim.all());
      }
    }
    byName.forEach((key, ofName) -> claims.put(key, ClaimHoldings.ofAll(ofName)));
    byDevice(holdings).forEach((pool, ofPool) -> held.put(pool, PoolHoldings.of(ofPool)));
  }

  private static Map<PoolId, Map<String, List<Holding>>> byDevice(List<Holding> holdings) {
    Map<PoolId, Map<String, List<Holding>>> byPool = new HashMap<>();
    for (Holding holding : holdings) {
      byPool
          .computeIfAbsent(poolOf(holding), pool -> new HashMap<>())
          .computeIfAbsent(holding.device().device(), device -> new ArrayList<>(1))
          .add(holding);
    }
    return byPool;
  }

  public void applyAll(List<? extends InventoryEvent> events) {
    List<InventoryEvent> ofRules =
        new ArrayList<>(); // one pass over all slices for many rules, not for each
    for (InventoryEvent event : events) {
      if (event instanceof TaintRulePut || event instanceof TaintRuleRemoved) {
        ofRules.add(event);
        continue;
      }
      if (!ofRules.isEmpty()) {
        applyRules(ofRules);
        ofRules.clear();
      }
      apply(event);
    }
    if (!ofRules.isEmpty()) {
      applyRules(ofRules);
    }
  }

  private void apply(InventoryEvent event) {
    if (event instanceof SlicePut put) {
      put(put.slice());
    } else if (event instanceof SliceRemoved removed) {
      removeSlice(removed.name());
    } else if (event instanceof NodePut put) {
      put(put.node());
    } else if (event instanceof NodeRemoved removed) {
      removeNode(removed.name());
    } else if (event instanceof ClassPut put) {
      put(put.deviceClass());
    } else if (event instanceof ClassRemoved removed) {
      classes.remove(removed.name());
    } else if (event instanceof ClaimPut put) {
      put(put.claim());
    } else {
      setHoldings(((ClaimRemoved) event).claim(), null);
    }
  }

  private void put(Node node) {
    NodeEntry entry = entryOf(node.name());
    if (node.equals(entry.node)) {
      return;
    }
    long sequence = entry.node == null ? nextSequence++ : entry.sequence;
    nodes.put(node.name(), entry.withNode(node, sequence));
    order = new NodeOrder();
  }

  private void removeNode(String name) {
    NodeEntry entry = entryOf(name);
    if (entry.node != null) {
      set(name, entry.withNode(null, 0));
      order = new NodeOrder();
    }
  }

  private NodeEntry entryOf(String node) {
    NodeEntry entry = nodes.get(node);
    return entry == null ? NodeEntry.EMPTY : entry;
  }

  private void set(String node, NodeEntry entry) {
    if (entry.isEmpty()) {
      nodes.remove(node);
    } else {
      nodes.put(node, entry);
    }
  }

  private void put(DeviceClass deviceClass) {
    if (!deviceClass.equals(classes.get(deviceClass.metadata().name()))) {
      classes.put(deviceClass.metadata().name(), deviceClass);
    }
  }

  // equals() ignores the notation of quantities, and selectors do not.
  @SuppressWarnings("ReferenceEquality")
  private void put(ResourceSlice slice) {
    PublishedSlice known = slices.get(slice.metadata().name());
    if (known != null && known.published == slice && known.twin == null) {
      return;
    }
    if (known != null && known.twin == null && known.isWhere(slice)) {
      replace(List.of(new PublishedSlice(known.sequence, known.poolId, slice, rules, null)));
      return;
    }
    long sequence = known == null ? nextSequence++ : known.sequence;
    unlink(known);
    add(slice, sequence);
  }

  private void removeSlice(String name) {
    unlink(slices.get(name));
    slices.remove(name);
  }

  private void add(ResourceSlice slice, long sequence) {
    PoolId id = new PoolId(slice.driver(), slice.pool().name());
    PoolSlices pool = pools.get(id);
    PublishedSlice added =
        new PublishedSlice(sequence, pool == null ? id : pool.id, slice, rules, null);
    slices.put(slice.metadata().name(), added);
    link(added);
  }

  /** Adds a slice to its pool and its node. */
  private void link(PublishedSlice slice) {
    PoolSlices pool = pools.get(slice.poolId);
    setPool(
        slice.poolId,
        pool == null ? PoolSlices.of(slice.poolId, List.of(slice)) : pool.with(slice));
    String node = slice.published.nodeSelection().nodeName();
    if (node != null && slice.namesNode()) {
      nodes.put(node, entryOf(node).with(slice));
    }
  }

  private void unlink(@Nullable PublishedSlice first) {
    for (PublishedSlice slice = first; slice != null; slice = slice.twin) {
      PoolSlices pool = pools.get(slice.poolId);
      if (pool != null) {
        setPool(slice.poolId, pool.without(slice));
      }
      String node = slice.published.nodeSelection().nodeName();
      if (node != null && slice.namesNode()) {
        set(node, entryOf(node).without(slice));
      }
    }
  }

  private void setPool(PoolId id, @Nullable PoolSlices pool) {
    if (pool == null) {
      pools.remove(id);
    } else {
      pools.put(id, pool);
    }
    if (pool != null && pool.anyUnbound()) {
      unbound.put(id, pool);
    } else {
      unbound.remove(id);
    }
  }

  /**
   * Applies events of taint rules. A rule takes the position of the first rule with its name, of
   * which a snapshot can have several; a new rule comes last.
   */
  private void applyRules(List<InventoryEvent> events) {
    Map<Object, DeviceTaintRule> byKey = new LinkedHashMap<>(); // its name, or a separate object
    Map<String, List<Object>> others = new HashMap<>(); // the keys of further rules with a name
    for (DeviceTaintRule rule : rules.all) {
      String name = rule.metadata().name();
      if (byKey.putIfAbsent(name, rule) != null) {
        Object key = new Object();
        byKey.put(key, rule);
        others.computeIfAbsent(name, any -> new ArrayList<>(1)).add(key);
      }
    }
    List<DeviceTaintRule> changed = new ArrayList<>();
    for (InventoryEvent event : events) {
      DeviceTaintRule rule = event instanceof TaintRulePut put ? put.rule() : null;
      String name = rule != null ? rule.metadata().name() : ((TaintRuleRemoved) event).name();
      List<Object> further = others.remove(name);
      for (Object key : further == null ? List.of() : further) {
        changed.add(byKey.remove(key));
      }
      DeviceTaintRule before = rule == null ? byKey.remove(name) : byKey.put(name, rule);
      if (!Objects.equals(before, rule)) {
        Stream.of(before, rule).filter(Objects::nonNull).forEach(changed::add);
      }
    }
    if (!changed.isEmpty()) {
      setRules(List.copyOf(byKey.values()), changed);
    }
  }

  /** Sets the rules, and the taints of the slices that the changed rules may select. */
  private void setRules(List<DeviceTaintRule> all, List<DeviceTaintRule> changed) {
    rules = DeviceTaintRules.of(all);
    DeviceTaintRules ofChanged = DeviceTaintRules.of(changed);
    List<PublishedSlice> retainted = new ArrayList<>();
    slices.forEach(
        slice -> {
          if (mayConcern(ofChanged, slice)) {
            PublishedSlice other = slice.withRules(rules);
            if (other != slice) {
              retainted.add(other);
            }
          }
        });
    replace(retainted);
  }

  /**
   * Replaces slices by changed versions, in the same pools and on the same nodes. Each pool or node
   * is recreated once, however many of its slices change.
   */
  private void replace(List<PublishedSlice> changed) {
    Map<PoolId, List<PublishedSlice>> byPool = new HashMap<>();
    Map<String, List<PublishedSlice>> byNode = new HashMap<>();
    for (PublishedSlice slice : changed) {
      slices.put(slice.published.metadata().name(), slice);
      for (PublishedSlice each = slice; each != null; each = each.twin) {
        byPool.computeIfAbsent(each.poolId, pool -> new ArrayList<>(1)).add(each);
        String node = each.published.nodeSelection().nodeName();
        if (node != null && each.namesNode()) {
          byNode.computeIfAbsent(node, n -> new ArrayList<>(1)).add(each);
        }
      }
    }
    byPool.forEach(
        (id, ofPool) -> {
          PoolSlices pool = pools.get(id);
          if (pool != null) {
            setPool(id, pool.withAll(ofPool));
          }
        });
    byNode.forEach((node, ofNode) -> nodes.put(node, entryOf(node).withAll(ofNode)));
  }

  private static boolean mayConcern(DeviceTaintRules rules, PublishedSlice slice) {
    for (PublishedSlice each = slice; each != null; each = each.twin) {
      if (rules.mayConcern(each.published)) {
        return true;
      }
    }
    return false;
  }

  private void put(ResourceClaim claim) {
    setHoldings(ClaimKey.of(claim), ClaimHoldings.of(claim));
  }

  /** Sets the holdings of allocated claims beside those of other claims with the same names. */
  public void putBesideOthers(Collection<ResourceClaim> allocated) {
    Map<ClaimKey, @Nullable ClaimHoldings> changed = new LinkedHashMap<>();
    for (ResourceClaim claim : allocated) {
      ClaimKey key = ClaimKey.of(claim);
      ClaimHoldings known = changed.containsKey(key) ? changed.get(key) : claims.get(key);
      changed.put(key, beside(known == null ? null : known.without(claim), claim));
    }
    changed.forEach(this::setHoldings); // once for each name
  }

  private static @Nullable ClaimHoldings beside(
      @Nullable ClaimHoldings others, ResourceClaim allocated) {
    ClaimHoldings added = ClaimHoldings.of(allocated);
    return others == null || added == null ? added : others.with(added);
  }

  /**
   * Replaces what these claims hold with their allocations. Stops at the first device that another
   * claim holds, and returns that conflict; claims before it are recorded already, and the former
   * holdings of all of them are removed. Each claim must occur once.
   */
  public Optional<HoldOutcome.InUse> hold(Collection<ResourceClaim> allocated) {
    allocated.forEach(
        this::release); // a claim may have got a device that another of these claims held
    for (ResourceClaim claim : allocated) {
      Optional<HoldOutcome.InUse> conflict = conflictOf(claim);
      if (conflict.isPresent()) {
        return conflict;
      }
      add(claim);
    }
    return Optional.empty();
  }

  /** Removes the holdings of a claim, but not the holdings of another claim with its name. */
  private void release(ResourceClaim claim) {
    ClaimKey key = ClaimKey.of(claim);
    ClaimHoldings known = claims.get(key);
    setHoldings(key, known == null ? null : known.without(claim));
  }

  private void add(ResourceClaim allocated) {
    ClaimKey key = ClaimKey.of(allocated);
    setHoldings(key, beside(claims.get(key), allocated));
  }

  private Optional<HoldOutcome.InUse> conflictOf(ResourceClaim claim) {
    ClaimKey key = ClaimKey.of(claim);
    for (Holding wanted : Holding.of(claim)) {
      DeviceHoldings known = holdingsOf(poolOf(wanted)).of(wanted.device().device());
      Holding other = known == null ? null : known.inTheWayOf(wanted);
      if (other != null) {
        return Optional.of(
            new HoldOutcome.InUse(
                key, wanted.device(), other.claim(), Optional.ofNullable(shareId(wanted, other))));
      }
    }
    return Optional.empty();
  }

  /** The ID of the share that both are; null if they are not shares. */
  private static @Nullable String shareId(Holding wanted, Holding other) {
    return other.share() ? wanted.shareId() : null;
  }

  /** Changes the holdings of the claims with a name; null if none of them has an allocation. */
  private void setHoldings(ClaimKey claim, @Nullable ClaimHoldings holdings) {
    ClaimHoldings old = claims.get(claim);
    if (ClaimHoldings.areSame(old, holdings)) {
      return;
    }
    byDevice(old == null ? List.of() : old.all())
        .forEach(
            (pool, ofPool) -> {
              PoolHoldings left = holdingsOf(pool).without(ofPool.keySet(), claim);
              if (left.isEmpty()) {
                held.remove(pool);
              } else {
                held.put(pool, left);
              }
            });
    if (holdings == null) {
      claims.remove(claim);
      return;
    }
    byDevice(holdings.all())
        .forEach((pool, ofPool) -> held.put(pool, holdingsOf(pool).with(ofPool)));
    claims.put(claim, holdings);
  }

  private PoolHoldings holdingsOf(PoolId pool) {
    PoolHoldings known = held.get(pool);
    return known == null ? PoolHoldings.NONE : known;
  }

  private static PoolId poolOf(Holding holding) {
    return new PoolId(holding.device().driver(), holding.device().pool());
  }
}
