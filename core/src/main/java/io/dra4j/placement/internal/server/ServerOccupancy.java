package io.dra4j.placement.internal.server;

import io.dra4j.allocation.Allocator;
import io.dra4j.allocation.internal.access.AllocatorAccess;
import io.dra4j.inventory.DeviceInventory;
import io.dra4j.inventory.internal.NodeDevice;
import io.dra4j.inventory.internal.NodeView;
import io.dra4j.model.ClaimKey;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.function.Predicate;

/**
 * The free and used devices and links of a server.
 *
 * @param freeGpus the free GPUs, of the first 64
 * @param freeNics the free NICs, of the first 64
 * @param laterNics the NICs after the first 64 that are in use
 * @param others the use of shared links and devices by other claims
 */
public record ServerOccupancy(long freeGpus, long freeNics, Set<Integer> laterNics, Others others) {

  /** The occupancy of a server with at most 64 NICs. */
  public ServerOccupancy(long freeGpus, long freeNics, Others others) {
    this(freeGpus, freeNics, Set.of(), others);
  }

  /**
   * The use of links, and of devices that can be shared, by claims with devices.
   *
   * @param pairsAcross their pairs that are only possible across NUMA nodes
   * @param pairsOfUplinks their pairs that go through each {@link Uplink}; empty if none does
   * @param claimsOfGpus the number of claims with a NIC that have a share of each GPU; empty if no
   *     claim has one
   * @param claimsOfNics the number of claims that have a share of each NIC; empty if no claim has
   *     one
   */
  public record Others(
      int pairsAcross,
      List<Integer> pairsOfUplinks,
      List<Integer> claimsOfGpus,
      List<Integer> claimsOfNics) {

    public static final Others NONE = new Others(0, List.of(), List.of(), List.of());

    public int ofUplink(int uplink) {
      return pairsOfUplinks.isEmpty() ? 0 : pairsOfUplinks.get(uplink);
    }

    int ofGpu(int gpu) {
      return claimsOfGpus.isEmpty() ? 0 : claimsOfGpus.get(gpu);
    }

    int ofNic(int nic) {
      return claimsOfNics.isEmpty() ? 0 : claimsOfNics.get(nic);
    }

    /** Returns whether a share of a device is in use, so that devices of one rate are not equal. */
    public boolean shareDevices() {
      return !claimsOfGpus.isEmpty() || !claimsOfNics.isEmpty();
    }
  }

  /** Returns whether a NIC is in use. */
  public boolean isTaken(int nic) {
    return nic < ServerTree.MAX_DEVICES
        ? (freeNics & ServerTree.bit(nic)) == 0
        : laterNics.contains(nic);
  }

  /** The number of NICs in use of each card. */
  public int[] takenOfCards(ServerModel kind) {
    int[] taken = new int[kind.cardCount()];
    for (int nic = 0; nic < kind.nics() && taken.length > 0; nic++) {
      if (kind.card(nic) >= 0 && isTaken(nic)) {
        taken[kind.card(nic)]++;
      }
    }
    return taken;
  }

  /**
   * The bandwidth of a pair alone, in GB/s, with an equal share of devices that others use as well.
   */
  public double rate(ServerModel kind, int gpu, int nic) {
    return others.shareDevices()
        ? kind.rate(gpu, nic, 1 + others.ofGpu(gpu), 1 + others.ofNic(nic))
        : kind.rate(gpu, nic);
  }

  /**
   * Reads the occupancy of a node.
   *
   * @param candidates returns the devices of the node by ordinal
   * @param inUse returns whether a device is in use
   */
  public static ServerOccupancy of(
      DeviceInventory inventory,
      NodeView view,
      IntFunction<NodeDevice> candidates,
      Predicate<NodeDevice> inUse,
      ServerModel kind) {
    return of(inventory, view, candidates, inUse, kind, Set.of());
  }

  /**
   * Reads the occupancy of a node from the view of an allocator.
   *
   * @param own claims with devices that do not count as others
   */
  public static ServerOccupancy of(
      Allocator allocator,
      DeviceInventory inventory,
      NodeView view,
      ServerModel kind,
      Set<ClaimKey> own) {
    return of(
        inventory,
        view,
        view::candidate,
        device -> AllocatorAccess.isInUse(allocator, view, device),
        kind,
        own);
  }

  private static ServerOccupancy of(
      DeviceInventory inventory,
      NodeView view,
      IntFunction<NodeDevice> candidates,
      Predicate<NodeDevice> inUse,
      ServerModel kind,
      Set<ClaimKey> own) {
    long freeGpus = free(candidates, inUse, kind.gpuOrdinals);
    long freeNics = free(candidates, inUse, kind.nicOrdinals);
    Set<Integer> laterNics = taken(candidates, inUse, kind.nicOrdinals);
    boolean usesGpus =
        (ServerTree.first(kind.gpus()) & ~freeGpus) != 0
            || !taken(candidates, inUse, kind.gpuOrdinals).isEmpty();
    boolean usesNics = (ServerTree.first(kind.nics()) & ~freeNics) != 0 || !laterNics.isEmpty();
    Looking looking = new Looking(inventory, view, candidates, inUse, kind, own);
    boolean shared =
        view.hasShares()
            && (looking.hasShares(kind.gpuOrdinals) || looking.hasShares(kind.nicOrdinals));
    boolean together = kind.sharesLinks() && usesGpus && usesNics;
    return new ServerOccupancy(
        freeGpus, freeNics, laterNics, shared || together ? looking.others() : Others.NONE);
  }

  private static long free(
      IntFunction<NodeDevice> candidates, Predicate<NodeDevice> inUse, int[] ordinals) {
    long mask = 0;
    for (int i = 0; i < Math.min(ordinals.length, ServerTree.MAX_DEVICES); i++) {
      mask |= inUse.test(candidates.apply(ordinals[i])) ? 0 : ServerTree.bit(i);
    }
    return mask;
  }

  /** The devices in use after the first 64. */
  private static Set<Integer> taken(
      IntFunction<NodeDevice> candidates, Predicate<NodeDevice> inUse, int[] ordinals) {
    if (ordinals.length <= ServerTree.MAX_DEVICES) {
      return Set.of();
    }
    Set<Integer> taken = new HashSet<>();
    for (int i = ServerTree.MAX_DEVICES; i < ordinals.length; i++) {
      if (inUse.test(candidates.apply(ordinals[i]))) {
        taken.add(i);
      }
    }
    return Set.copyOf(taken);
  }

  /** Determines the use by others. */
  private static final class Looking {

    /** The devices of a claim. */
    private static final class Held {
      long gpus; // on a small server
      long nics;
      List<Integer> manyGpus = List.of(); // on any other server
      List<Integer> manyNics = List.of();

      void add(int device, boolean gpu, boolean isSmall) {
        if (isSmall) {
          gpus |= gpu ? ServerTree.bit(device) : 0;
          nics |= gpu ? 0 : ServerTree.bit(device);
        } else if (gpu) {
          manyGpus = manyGpus.isEmpty() ? new ArrayList<>() : manyGpus;
          manyGpus.add(device);
        } else {
          manyNics = manyNics.isEmpty() ? new ArrayList<>() : manyNics;
          manyNics.add(device);
        }
      }
    }

    private final DeviceInventory inventory;
    private final NodeView view;
    private final IntFunction<NodeDevice> candidates;
    private final Predicate<NodeDevice> inUse;
    private final ServerModel kind;
    private final Set<ClaimKey> own;
    private final Map<ClaimKey, Held> held = new HashMap<>();
    private final Set<ClaimKey> withNics = new HashSet<>();

    Looking(
        DeviceInventory inventory,
        NodeView view,
        IntFunction<NodeDevice> candidates,
        Predicate<NodeDevice> inUse,
        ServerModel kind,
        Set<ClaimKey> own) {
      this.inventory = inventory;
      this.view = view;
      this.candidates = candidates;
      this.inUse = inUse;
      this.kind = kind;
      this.own = own;
    }

    boolean hasShares(int[] ordinals) {
      for (int ordinal : ordinals) {
        if (isDivided(candidates.apply(ordinal))) {
          return true;
        }
      }
      return false;
    }

    /** Whether shares of a device count: only if a claim here has or can have the device. */
    private boolean isDivided(NodeDevice device) {
      return view.isShared(device)
          && (!inUse.test(device)
              || inventory.holdersOf(device.id()).stream().anyMatch(own::contains));
    }

    Others others() {
      int[] ofNics = holders(kind.nicOrdinals, false);
      int[] ofGpus = holders(kind.gpuOrdinals, true);
      int across = 0;
      int[] ofUplinks = new int[kind.uplinks.all.size()];
      for (Held some : held.values()) {
        if (some.gpus != 0 && some.nics != 0) {
          across += kind.across(some.gpus, some.nics);
          count(some, ofUplinks);
        } else if (!some.manyGpus.isEmpty() && !some.manyNics.isEmpty()) {
          across += kind.across(some.manyGpus, some.manyNics);
        }
      }
      return new Others(across, orNone(ofUplinks), orNone(ofGpus), orNone(ofNics));
    }

    /** The number of claims with a share of each device. Also records the devices of each claim. */
    private int[] holders(int[] ordinals, boolean gpu) {
      int[] shares = new int[ordinals.length];
      for (int i = 0; i < ordinals.length; i++) {
        NodeDevice device = candidates.apply(ordinals[i]);
        boolean shared = isDivided(device);
        boolean counts = shared || inUse.test(device);
        for (ClaimKey claim : counts ? inventory.holdersOf(device.id()) : noClaims()) {
          if (own.contains(claim)) {
            continue;
          }
          if (!gpu) {
            withNics.add(claim);
          }
          shares[i] += shared && (!gpu || withNics.contains(claim)) ? 1 : 0;
          held.computeIfAbsent(claim, any -> new Held()).add(i, gpu, kind.isSmall());
        }
      }
      return shares;
    }

    private static List<ClaimKey> noClaims() {
      return Collections.emptyList();
    }

    private void count(Held some, int[] ofUplinks) {
      ServerTree shape = ofUplinks.length == 0 ? null : kind.layout().orElse(null);
      if (shape == null) {
        return;
      }
      for (NearestPairing.Pair pair :
          NearestPairing.of(shape, some.gpus, some.nics, Integer.MAX_VALUE)) {
        for (int i = 0; i < ofUplinks.length; i++) {
          ofUplinks[i] += kind.uplinks.all.get(i).isCrossedBy(pair.gpu(), pair.nic()) ? 1 : 0;
        }
      }
    }

    private static List<Integer> orNone(int[] counts) {
      for (int count : counts) {
        if (count > 0) {
          return Arrays.stream(counts).boxed().toList();
        }
      }
      return List.of();
    }
  }
}
