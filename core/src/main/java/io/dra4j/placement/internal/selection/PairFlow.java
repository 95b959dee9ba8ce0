package io.dra4j.placement.internal.selection;

import io.dra4j.common.Budget;
import io.dra4j.common.BudgetExceededException;
import io.dra4j.placement.internal.selection.DeviceSetRequest.Slot;
import io.dra4j.placement.internal.server.ServerModel;
import io.dra4j.placement.internal.server.ServerOccupancy;
import io.dra4j.placement.internal.server.ServerTree;
import io.dra4j.topology.PathType;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Gives requests the GPUs and NICs whose pairs have the most bandwidth, for any paths, rates and
 * requests. Finds a flow of maximum weight from requests for GPUs through GPUs, NICs and requests
 * for NICs, by paths of greatest gain (Jewell 1958). Links that pairs share are not counted. Each
 * request gets its full count, and every device of the smaller side is in a pair.
 *
 * <p>For one question.
 */
public final class PairFlow {

  /** The most edges of a flow: about 20 MB. */
  private static final int MAX_EDGES = 1 << 19;

  /** The greatest rate of a pair, in MB/s, so that {@link Scorer#MAX_SIDE} rates can be added. */
  static final long MAX_RATE = 1 << 24;

  /** The best devices of some requests. */
  static final class Best {
    final int[][] devices; // by request, in the order of the requests
    final int near; // the number of pairs within the wanted distance
    final long weight; // MB/s and classes of all pairs, as in the value of a set

    Best(int[][] devices, int near, long weight) {
      this.devices = devices;
      this.near = near;
      this.weight = weight;
    }

    boolean isBetterThan(@Nullable Best other) {
      return other == null || near > other.near || (near == other.near && weight > other.weight);
    }
  }

  private final ServerModel kind;
  private final ServerOccupancy use;
  private final Budget budget;
  private final @Nullable PathType within;
  private final @Nullable PathType bound;
  private double[] limits = {}; // GB/s of each NIC; empty for none

  // The network; an edge and its reverse are 2i and 2i + 1.
  private int edges;
  private int[] to = new int[256];
  private int[] next = new int[256];
  private int[] capacity = new int[256];
  private int[] nearness = new int[256]; // 1 for a pair that is near, -1 for its reverse
  private long[] weight = new long[256];
  private int[] first = {};

  // The first node of each kind; 0 is the source, 1 the sink, and the requests begin at 2.
  private int gpuIn;
  private int gpuOut;
  private int nicIn;
  private int nicOut;
  private int spare; // devices without a partner go through here

  /**
   * Prepares searches; {@code within} is the maximum distance for as many pairs as possible, {@code
   * bound} for all pairs, and null means any distance.
   */
  PairFlow(
      ServerModel kind,
      ServerOccupancy use,
      Budget budget,
      @Nullable PathType within,
      @Nullable PathType bound) {
    this.kind = kind;
    this.use = use;
    this.budget = budget;
    this.within = within;
    this.bound = bound;
  }

  /** Limits the bandwidth of each NIC in this search, in GB/s; an empty array sets no limits. */
  PairFlow limitedTo(double[] gigabytesPerSecond) {
    limits = gigabytesPerSecond;
    return this;
  }

  /** Whether a server has too many pairs to examine. */
  static boolean isTooLarge(ServerModel kind, List<Slot> slots) {
    return pairs(kind, slots) + 3 * (devices(slots, true) + devices(slots, false)) > MAX_EDGES
        || count(slots, true) > Scorer.MAX_SIDE
        || count(slots, false) > Scorer.MAX_SIDE;
  }

  /** The most pairs that there can be; a device that several requests may have counts once. */
  static long pairs(ServerModel kind, List<Slot> slots) {
    return Math.min(kind.gpus(), devices(slots, true))
        * Math.min(kind.nics(), devices(slots, false));
  }

  private static long devices(List<Slot> slots, boolean gpu) {
    long sum = 0;
    for (Slot slot : slots) {
      sum += slot.gpu == gpu ? slot.devices.length : 0;
    }
    return sum;
  }

  /**
   * {@return the best devices; empty if the requests cannot all be met}
   *
   * @throws BudgetExceededException if the budget is used up
   */
  Optional<Best> best(List<Slot> slots) throws BudgetExceededException {
    int gpus = count(slots, true);
    int nics = count(slots, false);
    start(slots.size());
    boolean[] known = new boolean[kind.gpus()];
    boolean[] knownNics = new boolean[kind.nics()];
    for (int i = 0; i < slots.size(); i++) {
      Slot slot = slots.get(i);
      connect(2 + i, slot, slot.gpu ? known : knownNics, slot.gpu ? gpus > nics : nics > gpus);
    }
    if (gpus > nics) {
      edge(spare, 1, gpus - nics, 0, 0);
    } else if (nics > gpus) {
      edge(0, spare, nics - gpus, 0, 0);
    }
    pairs(known, knownNics);
    int wanted = Math.max(gpus, nics);
    int near = 0;
    long sum = 0;
    for (int i = 0; i < wanted; i++) {
      budget.spend(1 + edges / 1_000);
      int[] by = path();
      if (by[1] < 0) {
        return Optional.empty();
      }
      for (int node = 1; node != 0; node = to[by[node] ^ 1]) {
        capacity[by[node]]--;
        capacity[by[node] ^ 1]++;
        near += nearness[by[node]];
        sum += weight[by[node]];
      }
    }
    return Optional.of(new Best(devices(slots), near, sum));
  }

  /** Starts a network without edges. */
  private void start(int requests) {
    gpuIn = 2 + requests;
    gpuOut = gpuIn + kind.gpus();
    nicIn = gpuOut + kind.gpus();
    nicOut = nicIn + kind.nics();
    spare = nicOut + kind.nics();
    first = new int[spare + 1];
    Arrays.fill(first, -1);
    edges = 0;
  }

  /**
   * Connects a request with the source or the sink, and with its devices. {@code seen} are the
   * devices of the requests before it; {@code hasSpare} is whether devices may be without a
   * partner.
   */
  private void connect(int request, Slot slot, boolean[] seen, boolean hasSpare) {
    if (slot.gpu) {
      edge(0, request, slot.count, 0, 0);
    } else {
      edge(request, 1, slot.count, 0, 0);
    }
    for (int j = slot.devices.length - 1; j >= 0; j--) {
      int device = slot.devices[j];
      if (!seen[device]) {
        seen[device] = true;
        int in = (slot.gpu ? gpuIn : nicIn) + device;
        edge(in, (slot.gpu ? gpuOut : nicOut) + device, 1, 0, 0);
        if (slot.gpu && hasSpare) {
          edge(gpuOut + device, spare, 1, 0, 0);
        } else if (hasSpare) {
          edge(spare, nicIn + device, 1, 0, 0);
        }
      }
      if (slot.gpu) {
        edge(request, gpuIn + device, 1, 0, 0);
      } else {
        edge(nicOut + device, request, 1, 0, 0);
      }
    }
  }

  /**
   * {@return the NIC of each GPU of a set; -1 for none}
   *
   * @param within the maximum distance for as many pairs as possible; null for any distance
   * @param limits the maximum bandwidth of each NIC of the server, in GB/s
   */
  static int[] partners(
      ServerModel kind,
      ServerOccupancy use,
      @Nullable PathType within,
      double[] limits,
      List<Integer> gpus,
      List<Integer> nics) {
    PairFlow flow = new PairFlow(kind, use, Budget.unlimited(), within, null).limitedTo(limits);
    List<Slot> all =
        List.of(
            new Slot(0, 0, 0, true, gpus.size(), gpus.stream().mapToInt(i -> i).toArray()),
            new Slot(1, 1, 0, false, nics.size(), nics.stream().mapToInt(i -> i).toArray()));
    try {
      flow.best(all);
    } catch (BudgetExceededException e) {
      throw new IllegalStateException("an unlimited budget", e);
    }
    int[] partners = new int[gpus.size()];
    for (int i = 0; i < partners.length; i++) {
      partners[i] = -1;
      for (int edge = flow.first[flow.gpuOut + gpus.get(i)]; edge >= 0; edge = flow.next[edge]) {
        int nic = flow.to[edge] - flow.nicIn;
        if ((edge & 1) == 0 && flow.capacity[edge] == 0 && nic >= 0 && nic < kind.nics()) {
          partners[i] = nic;
        }
      }
    }
    return partners;
  }

  private static int count(List<Slot> slots, boolean gpu) {
    return slots.stream().filter(slot -> slot.gpu == gpu).mapToInt(slot -> slot.count).sum();
  }

  private void pairs(boolean[] gpus, boolean[] nics) throws BudgetExceededException {
    // Edges that are created last are examined first: the edges of the first devices.
    for (int gpu = gpus.length - 1; gpu >= 0; gpu--) {
      for (int nic = nics.length - 1; nic >= 0 && gpus[gpu]; nic--) {
        if (!nics[nic]) {
          continue;
        }
        PathType type = kind.type(gpu, nic);
        boolean near = within == null || Scorer.isWithin(type, within);
        if (bound == null || Scorer.isWithin(type, bound)) {
          double limit = limits.length == 0 ? Double.MAX_VALUE : limits[nic];
          edge(gpuOut + gpu, nicIn + nic, 1, near ? 1 : 0, worth(kind, use, gpu, nic, limit));
        }
      }
      budget.spend(1 + nics.length / 100);
    }
  }

  /** The value that a pair adds to a set, if it shares no links. */
  public static long worth(ServerModel kind, ServerOccupancy use, int gpu, int nic) {
    return worth(kind, use, gpu, nic, Double.MAX_VALUE);
  }

  /** The value that a pair adds to a set, if it shares no links and its NIC has a limit in GB/s. */
  public static long worth(ServerModel kind, ServerOccupancy use, int gpu, int nic, double limit) {
    double rate = Math.min(use.rate(kind, gpu, nic), limit);
    return (Math.min(Math.round(rate * 1_000), MAX_RATE) << ServerTree.RATE_SHIFT)
        + ServerTree.unit(kind.type(gpu, nic));
  }

  private void edge(int from, int target, int room, int near, long value) {
    if (edges == to.length) {
      int size = 2 * edges;
      to = Arrays.copyOf(to, size);
      next = Arrays.copyOf(next, size);
      capacity = Arrays.copyOf(capacity, size);
      nearness = Arrays.copyOf(nearness, size);
      weight = Arrays.copyOf(weight, size);
    }
    half(from, target, room, near, value);
    half(target, from, 0, -near, -value);
  }

  private void half(int from, int target, int room, int near, long value) {
    to[edges] = target;
    capacity[edges] = room;
    nearness[edges] = near;
    weight[edges] = value;
    next[edges] = first[from];
    first[from] = edges++;
  }

  /** The path of greatest gain from requests to requests: the edge into each node; -1 for none. */
  private int[] path() throws BudgetExceededException {
    int[] by = new int[first.length];
    int[] near = new int[first.length];
    long[] value = new long[first.length];
    boolean[] waiting = new boolean[first.length];
    Arrays.fill(by, -1);
    ArrayDeque<Integer> open = new ArrayDeque<>(List.of(0));
    while (!open.isEmpty()) {
      budget.spend(1);
      int node = open.remove();
      waiting[node] = false;
      for (int edge = first[node]; edge >= 0; edge = next[edge]) {
        int target = to[edge];
        if (capacity[edge] == 0 || target == 0) {
          continue;
        }
        int nearThere = near[node] + nearness[edge];
        long valueThere = value[node] + weight[edge];
        if (by[target] < 0
            || nearThere > near[target]
            || (nearThere == near[target] && valueThere > value[target])) {
          by[target] = edge;
          near[target] = nearThere;
          value[target] = valueThere;
          if (!waiting[target]) {
            waiting[target] = true;
            open.add(target);
          }
        }
      }
    }
    return by;
  }

  /** The devices that requests got: the devices whose edges are used up. */
  private int[][] devices(List<Slot> slots) {
    int[][] devices = new int[slots.size()][];
    for (int i = 0; i < devices.length; i++) {
      Slot slot = slots.get(i);
      List<Integer> got = new ArrayList<>();
      for (int edge = first[2 + i]; edge >= 0; edge = next[edge]) {
        boolean forward = (edge & 1) == 0;
        if (slot.gpu && forward && capacity[edge] == 0) {
          got.add(to[edge] - gpuIn);
        } else if (!slot.gpu && !forward && to[edge] != 1 && capacity[edge] == 1) {
          got.add(to[edge] - nicOut);
        }
      }
      devices[i] = got.stream().mapToInt(Integer::intValue).sorted().toArray();
    }
    return devices;
  }
}
