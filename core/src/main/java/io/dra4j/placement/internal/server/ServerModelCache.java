package io.dra4j.placement.internal.server;

import io.dra4j.common.Budget;
import io.dra4j.common.BudgetExceededException;
import io.dra4j.inventory.internal.NodeDevice;
import io.dra4j.inventory.internal.NodeView;
import io.dra4j.model.DeviceAttribute;
import io.dra4j.model.QualifiedName;
import io.dra4j.model.ResourceSlice;
import io.dra4j.placement.bandwidth.LinkModel;
import io.dra4j.topology.HostTopology;
import io.dra4j.topology.HostTopologyBuilder;
import io.dra4j.topology.TopologyDevice;
import io.dra4j.topology.TopologyOverlay;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Determines the kind of the server of a node, and caches it while the slices of the node stay the
 * same. Does not keep slices from being garbage-collected. Nodes take at most 32 MB, and the tables
 * of paths of all kinds at most 64 MB. If a limit is exceeded, the whole cache is cleared.
 * Thread-safe.
 */
public final class ServerModelCache {

  public static final int MAX_BYTES_OF_NODES = 32 << 20;
  private static final int MAX_BYTES_OF_PATHS = 64 << 20;
  private static final int MAX_KINDS = 256;

  /** The attribute of NVIDIA's driver with the compute capability. */
  static final String CAPABILITY = "cudaComputeCapability";

  private final LinkModel model;
  private final int maxBytes;
  private final Function<String, List<TopologyOverlay>> overlays;
  private final ConcurrentHashMap<String, NodeServerModel> byNode = new ConcurrentHashMap<>();
  private final AtomicInteger bytesOfNodes = new AtomicInteger();
  private final AtomicInteger bytesOfPaths = new AtomicInteger();
  private final ConcurrentHashMap<ByteBuffer, ServerModel> kinds = new ConcurrentHashMap<>();
  private final ConcurrentHashMap<PublishedLayout, ServerModel> byLayout =
      new ConcurrentHashMap<>();

  /**
   * Creates an empty cache.
   *
   * @param maxBytes the most bytes that nodes may take
   */
  public ServerModelCache(
      LinkModel model, Function<String, List<TopologyOverlay>> overlays, int maxBytes) {
    this.model = model;
    this.overlays = overlays;
    this.maxBytes = maxBytes;
  }

  /** The server of a node. */
  public NodeServerModel of(NodeView view, Budget budget) throws BudgetExceededException {
    String node = view.node().name();
    NodeServerModel known = byNode.get(node);
    if (known == null || !known.isOf(view)) {
      known = new NodeServerModel(view, kind(view, node, budget), this::count);
      NodeServerModel before = byNode.put(node, known);
      count(known.bytes() - (before == null ? 0 : before.bytes()));
    }
    return known;
  }

  /** The approximate number of bytes in the cache of nodes. */
  int bytesOfNodes() {
    return bytesOfNodes.get();
  }

  private void count(int bytes) {
    if (bytesOfNodes.addAndGet(bytes) > maxBytes) {
      byNode.clear();
      bytesOfNodes.set(0);
    }
  }

  private ServerModel kind(NodeView view, String node, Budget budget)
      throws BudgetExceededException {
    List<ResourceSlice> slices = new ArrayList<>();
    List<NodeDevice> candidates = new ArrayList<>();
    for (int i = 0; i < view.size(); i++) {
      budget.spend(1);
      NodeDevice candidate = view.candidate(i);
      candidates.add(candidate);
      ResourceSlice slice = candidate.slice();
      if (slices.isEmpty() || !isSame(slices.get(slices.size() - 1), slice)) {
        slices.add(slice); // the devices of a slice follow each other
      }
    }
    List<TopologyOverlay> recorded = overlays.apply(node);
    PublishedLayout layout =
        recorded.isEmpty() ? PublishedLayout.of(candidates).orElse(null) : null;
    ServerModel known = layout == null ? null : byLayout.get(layout);
    if (known != null) {
      return known;
    }
    ServerModel made = kind(slices, candidates, recorded, budget);
    if (layout != null && byLayout.size() < MAX_KINDS) {
      byLayout.put(layout, made);
    }
    return made;
  }

  private ServerModel kind(
      List<ResourceSlice> slices,
      List<NodeDevice> candidates,
      List<TopologyOverlay> recorded,
      Budget budget)
      throws BudgetExceededException {
    HostTopologyBuilder topology = HostTopology.ofSlices(slices);
    recorded.forEach(topology::overlay);
    HostTopology host = topology.build();
    List<@Nullable TopologyDevice> devices = new ArrayList<>();
    List<String> capabilities = new ArrayList<>();
    for (NodeDevice candidate : candidates) {
      budget.spend(1);
      devices.add(host.device(candidate.id()).orElse(null));
      capabilities.add(capability(candidate));
    }
    budget.check();
    ServerModelBuilder builder = new ServerModelBuilder(host, model, devices, capabilities);
    ByteBuffer signature = builder.signature();
    ServerModel same = kinds.get(signature);
    if (same != null) {
      return same;
    }
    int bytes = bytesOfPaths.addAndGet(builder.bytesOfPaths());
    if (kinds.size() >= MAX_KINDS || bytes > MAX_BYTES_OF_PATHS) {
      kinds.clear();
      byLayout.clear();
      bytesOfPaths.set(builder.bytesOfPaths());
    }
    return kinds.computeIfAbsent(signature, any -> builder.build());
  }

  /** Compares slices by identity, since they are large. */
  @SuppressWarnings("ReferenceEquality")
  private static boolean isSame(ResourceSlice one, ResourceSlice other) {
    return one == other;
  }

  private static String capability(NodeDevice candidate) {
    String driver = candidate.slice().driver();
    DeviceAttribute value =
        QualifiedName.of(driver, CAPABILITY).in(driver, candidate.device().attributes());
    return value instanceof DeviceAttribute.VersionValue version ? version.value() : "";
  }
}
