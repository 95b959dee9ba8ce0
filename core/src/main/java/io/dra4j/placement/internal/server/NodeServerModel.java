package io.dra4j.placement.internal.server;

import io.dra4j.inventory.internal.NodeDevice;
import io.dra4j.inventory.internal.NodeView;
import io.dra4j.inventory.internal.PoolView;
import java.lang.ref.WeakReference;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntConsumer;
import java.util.function.IntFunction;

/**
 * The cached facts of the server of a node, valid while its slices stay the same: its kind, and the
 * values of the attributes that constraints used. Thread-safe.
 */
public final class NodeServerModel {

  private static final int BYTES = 200; // without pools and attributes
  private static final int BYTES_OF_POOL = 80;

  /** The most attributes whose values are cached. */
  private static final int MAX_ATTRIBUTES = 8;

  public final ServerModel kind;
  private final List<WeakReference<PoolView>> pools; // pools hold slices
  private final IntConsumer memory;
  private final ConcurrentHashMap<String, Optional<AttributeValues>> values =
      new ConcurrentHashMap<>(4);

  /** Creates cached facts; {@code memory} receives the bytes that they take in addition later. */
  NodeServerModel(NodeView view, ServerModel kind, IntConsumer memory) {
    this.kind = kind;
    this.pools = view.pools().stream().map(WeakReference::new).toList();
    this.memory = memory;
  }

  /** Whether the pools are the same ones. Their views are recreated when slices change. */
  boolean isOf(NodeView view) {
    List<PoolView> others = view.pools();
    if (pools.size() != others.size()) {
      return false;
    }
    for (int i = 0; i < others.size(); i++) {
      if (!others.get(i).equals(pools.get(i).get())) {
        return false;
      }
    }
    return true;
  }

  /**
   * {@return the values; empty if the attribute of a device is a list, which is not supported}
   *
   * @param attribute the name of the attribute, as in a constraint
   * @param candidates returns the devices of the node by ordinal
   */
  public Optional<AttributeValues> values(String attribute, IntFunction<NodeDevice> candidates) {
    Optional<AttributeValues> known = values.get(attribute);
    if (known == null) {
      known = Optional.ofNullable(AttributeValues.of(attribute, kind, candidates));
      if (values.size() < MAX_ATTRIBUTES && values.putIfAbsent(attribute, known) == null) {
        memory.accept(bytesOf(attribute));
      }
    }
    return known;
  }

  private int bytesOf(String attribute) {
    return BYTES + 2 * attribute.length() + Integer.BYTES * (kind.gpus() + kind.nics());
  }

  /** The approximate memory of this object, in bytes. */
  int bytes() {
    int sum = BYTES + BYTES_OF_POOL * pools.size();
    for (String attribute : values.keySet()) {
      sum += bytesOf(attribute);
    }
    return sum;
  }
}
