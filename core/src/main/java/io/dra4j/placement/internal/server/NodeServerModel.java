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
 * What is remembered of the server of a node, for as long as its slices are the same: its kind, and
 * the values of the attributes that constraints were about. Thread-safe.
 */
public final class NodeServerModel {

  private static final int BYTES = 200; // besides those of pools and attributes
  private static final int BYTES_OF_POOL = 80;

  /** Values of more attributes are not remembered. */
  private static final int MAX_ATTRIBUTES = 8;

  public final ServerModel kind;
  private final List<WeakReference<PoolView>> pools; // which keep slices
  private final IntConsumer memory;
  private final ConcurrentHashMap<String, Optional<AttributeValues>> values =
      new ConcurrentHashMap<>(4);

  /**
   * Remembers a server.
   *
   * @param memory receives how many bytes more this takes later on
   */
  NodeServerModel(NodeView view, ServerModel kind, IntConsumer memory) {
    this.kind = kind;
    this.pools = view.pools().stream().map(WeakReference::new).toList();
    this.memory = memory;
  }

  /** Whether the pools are the same ones; their views are made anew when slices change. */
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
   * The values of an attribute.
   *
   * @param attribute the name as a constraint has it
   * @param candidates gives the devices of the node by ordinal
   * @return empty if a device has a list, which is not looked at
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

  /** How much memory this takes, about. */
  int bytes() {
    int sum = BYTES + BYTES_OF_POOL * pools.size();
    for (String attribute : values.keySet()) {
      sum += bytesOf(attribute);
    }
    return sum;
  }
}
