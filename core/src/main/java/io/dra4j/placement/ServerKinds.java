package io.dra4j.placement;

import io.dra4j.inventory.Candidate;
import io.dra4j.inventory.NodeView;
import io.dra4j.inventory.PoolView;
import io.dra4j.model.Budget;
import io.dra4j.model.BudgetExceededException;
import io.dra4j.model.DeviceAttribute;
import io.dra4j.model.QualifiedName;
import io.dra4j.model.ResourceSlice;
import io.dra4j.topology.HostTopology;
import io.dra4j.topology.HostTopologyBuilder;
import io.dra4j.topology.TopologyDevice;
import io.dra4j.topology.TopologyOverlay;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Finds out of which kind the server of a node is, and remembers it for as long as the slices of
 * the node are the same. A node takes some 200 bytes of memory, a kind as much as the table of its
 * paths; of both, what is remembered is forgotten as a whole when it becomes too much. Thread-safe.
 */
final class ServerKinds {

  private static final int MAX_NODES = 65_536;
  private static final int MAX_KINDS = 256;

  /** Those of NVIDIA's driver, as it names them. */
  private static final String CAPABILITY = "cudaComputeCapability";

  private record Known(List<PoolView> pools, ServerKind kind) {

    /** Whether the pools are the same ones; their views are made anew when slices change. */
    boolean isOf(List<PoolView> others) {
      if (pools.size() != others.size()) {
        return false;
      }
      for (int i = 0; i < pools.size(); i++) {
        if (!pools.get(i).equals(others.get(i))) {
          return false;
        }
      }
      return true;
    }
  }

  private final LinkModel model;
  private final Function<String, List<TopologyOverlay>> overlays;
  private final ConcurrentHashMap<String, Known> byNode = new ConcurrentHashMap<>();
  private final ConcurrentHashMap<ByteBuffer, ServerKind> kinds = new ConcurrentHashMap<>();

  ServerKinds(LinkModel model, Function<String, List<TopologyOverlay>> overlays) {
    this.model = model;
    this.overlays = overlays;
  }

  ServerKind of(NodeView view, Budget budget) throws BudgetExceededException {
    String node = view.node().name();
    List<PoolView> pools = view.pools();
    Known known = byNode.get(node);
    if (known == null || !known.isOf(pools)) {
      known = new Known(pools, kind(view, node, budget));
      if (byNode.size() >= MAX_NODES) {
        byNode.clear();
      }
      byNode.put(node, known);
    }
    return known.kind;
  }

  private ServerKind kind(NodeView view, String node, Budget budget)
      throws BudgetExceededException {
    List<ResourceSlice> slices = new ArrayList<>();
    List<Candidate> candidates = new ArrayList<>();
    for (int i = 0; i < view.size(); i++) {
      budget.spend(1);
      Candidate candidate = view.candidate(i);
      candidates.add(candidate);
      ResourceSlice slice = candidate.slice();
      if (slices.isEmpty() || !isSame(slices.get(slices.size() - 1), slice)) {
        slices.add(slice); // the devices of a slice follow each other
      }
    }
    HostTopologyBuilder builder = HostTopology.ofSlices(slices);
    overlays.apply(node).forEach(builder::overlay);
    HostTopology host = builder.build();
    List<@Nullable TopologyDevice> devices = new ArrayList<>();
    List<String> capabilities = new ArrayList<>();
    for (Candidate candidate : candidates) {
      budget.spend(1);
      devices.add(host.device(candidate.id()).orElse(null));
      capabilities.add(capability(candidate));
    }
    budget.check();
    ServerKind.Making making = new ServerKind.Making(host, model, devices, capabilities);
    ByteBuffer signature = making.signature();
    ServerKind same = kinds.get(signature);
    if (same != null) {
      return same;
    }
    if (kinds.size() >= MAX_KINDS) {
      kinds.clear();
    }
    return kinds.computeIfAbsent(signature, any -> making.kind());
  }

  /** Slices are large: that it is the same object is enough. */
  @SuppressWarnings("ReferenceEquality")
  private static boolean isSame(ResourceSlice one, ResourceSlice other) {
    return one == other;
  }

  private static String capability(Candidate candidate) {
    String driver = candidate.slice().driver();
    DeviceAttribute value =
        QualifiedName.of(driver, CAPABILITY).in(driver, candidate.device().attributes());
    return value instanceof DeviceAttribute.VersionValue version ? version.value() : "";
  }
}
