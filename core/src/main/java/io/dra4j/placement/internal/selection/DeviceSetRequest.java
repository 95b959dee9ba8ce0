package io.dra4j.placement.internal.selection;

import io.dra4j.allocation.internal.search.SearchPolicyContext;
import io.dra4j.allocation.policy.PolicyContext.Request;
import io.dra4j.common.Budget;
import io.dra4j.common.BudgetExceededException;
import io.dra4j.inventory.internal.NodeDevice;
import io.dra4j.model.DeviceConstraint;
import io.dra4j.model.DeviceConstraint.Demand;
import io.dra4j.placement.internal.server.AttributeValues;
import io.dra4j.placement.internal.server.NodeServerModel;
import io.dra4j.placement.internal.server.Objective;
import io.dra4j.placement.internal.server.ServerModel;
import io.dra4j.placement.internal.server.ServerOccupancy;
import io.dra4j.placement.internal.server.ServerTree;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The demand of the open requests of a question for GPUs and NICs: the devices that each request
 * may have, and the requests that must agree in an attribute.
 */
public final class DeviceSetRequest {

  /** A request for GPUs or NICs, or the GPUs or NICs of a request without a choice. */
  static final class Slot {
    final int place; // the index of this slot in the set
    final int request; // its index in the question
    final int claim; // a number for its claim
    final boolean gpu; // otherwise NICs
    final int count;
    final long some; // the devices it may have, where a mask holds all devices of the server
    final int[] devices; // the devices it may have

    Slot(int place, int request, int claim, boolean gpu, int count, int[] devices) {
      this.place = place;
      this.request = request;
      this.claim = claim;
      this.gpu = gpu;
      this.count = count;
      this.devices = devices;
      this.some = mask(devices);
    }

    /** Returns the same slot with fewer devices to choose from. */
    Slot among(int[] fewer) {
      return new Slot(place, request, claim, gpu, count, fewer);
    }
  }

  /**
   * Slots whose devices must have the same value of an attribute, or all different values.
   *
   * @param values the values of the attribute
   * @param slots the slots
   * @param distinct whether values must differ
   */
  record Tie(AttributeValues values, List<Slot> slots, boolean distinct) {}

  private static final Comparator<Slot> BY_PLACE = Comparator.comparingInt(slot -> slot.place);

  private final SearchPolicyContext question;
  private final NodeServerModel server;
  final ServerModel kind;
  public final ServerOccupancy use;
  final Objective objective;
  final List<Slot> slots = new ArrayList<>();
  final List<Tie> ties = new ArrayList<>();

  /** Whether a mask holds all devices of the server. */
  final boolean isSmall;

  /**
   * Whether all constraints are among the ties. Constraints on derived values and lists are not.
   */
  boolean isRead = true;

  /** Whether devices that do not fit the slots cannot be allocated. */
  boolean isWhole = true;

  private int mayShare; // whether GPUs (1) or NICs (2) can be allocated several times
  private final long amongGpus;
  private final long amongNics;

  private DeviceSetRequest(
      SearchPolicyContext question,
      NodeServerModel server,
      ServerOccupancy use,
      Objective objective,
      long amongGpus,
      long amongNics) {
    this.question = question;
    this.server = server;
    this.kind = server.kind;
    this.use = use;
    this.objective = objective;
    this.amongGpus = amongGpus;
    this.amongNics = amongNics;
    this.isSmall = kind.isSmall();
  }

  /**
   * {@return the demand of a question whose answer must be among some GPUs and NICs; empty if a
   * request may have both GPUs and NICs, so that slots cannot choose the devices}
   *
   * @param use the occupancy of the server
   * @param amongGpus the GPUs to choose from; -1 for all
   * @param amongNics the NICs to choose from; -1 for all
   */
  public static Optional<DeviceSetRequest> of(
      SearchPolicyContext question,
      NodeServerModel server,
      ServerOccupancy use,
      Objective objective,
      long amongGpus,
      long amongNics)
      throws BudgetExceededException {
    DeviceSetRequest wanted =
        new DeviceSetRequest(question, server, use, objective, amongGpus, amongNics);
    if (!wanted.readSlots()) {
      return Optional.empty();
    }
    boolean sharesGpu = (wanted.mayShare & 1) != 0 && wanted.count(true) > 1;
    boolean sharesNic = (wanted.mayShare & 2) != 0 && wanted.count(false) > 1;
    wanted.isWhole &= !sharesGpu && !sharesNic; // a claim may have such a device more than once
    wanted.readTies();
    return Optional.of(wanted);
  }

  Budget budget() {
    return question.budget();
  }

  /** Returns whether there is anything to choose. */
  public boolean isOpen() {
    return slots.stream().anyMatch(slot -> question.requests().get(slot.request).open());
  }

  /** The first 64 of some devices. */
  private static long mask(int[] devices) {
    long mask = 0;
    for (int device : devices) {
      mask |= device < ServerTree.MAX_DEVICES ? ServerTree.bit(device) : 0;
    }
    return mask;
  }

  private boolean readSlots() throws BudgetExceededException {
    for (int i = 0; i < question.requests().size(); i++) {
      Request wanted = question.requests().get(i);
      if (wanted.firstFit().isEmpty() || Boolean.TRUE.equals(wanted.exactly().adminAccess())) {
        continue; // admin access does not use a device
      }
      if (!wanted.open()) {
        addFixed(i, wanted, true);
        addFixed(i, wanted, false);
        continue;
      }
      NodeDevice first = question.firstFit(i).get(0);
      boolean gpu = kind.gpuOf[first.ordinal()] >= 0;
      boolean nic = kind.nicOf[first.ordinal()] >= 0;
      if (!gpu && !nic) {
        continue; // neither GPUs nor NICs: the devices that were found stay
      }
      int[] gpus = some(i, kind.gpuOrdinals, true);
      int[] nics = some(i, kind.nicOrdinals, false);
      if (gpus.length > 0 && nics.length > 0) {
        return false;
      }
      slots.add(
          new Slot(
              slots.size(),
              i,
              wanted.claimNumber(),
              gpu,
              wanted.firstFit().size(),
              gpu ? gpus : nics));
    }
    return true;
  }

  /** Adds the devices of a request for all devices. */
  private void addFixed(int request, Request wanted, boolean gpu) {
    int[] places = gpu ? kind.gpuOf : kind.nicOf;
    int[] devices =
        question.firstFit(request).stream()
            .mapToInt(device -> places[device.ordinal()])
            .filter(place -> place >= 0)
            .sorted()
            .toArray();
    if (devices.length > 0) {
      slots.add(
          new Slot(slots.size(), request, wanted.claimNumber(), gpu, devices.length, devices));
    }
  }

  private int[] some(int request, int[] ordinals, boolean gpu) throws BudgetExceededException {
    for (Slot other : slots) {
      if (question.requests().get(other.request).open()
          && question.isInterchangeable(request, other.request)) {
        return other.gpu == gpu ? other.devices : new int[0];
      }
    }
    int[] devices = new int[ordinals.length];
    int count = 0;
    long among = gpu ? amongGpus : amongNics;
    for (int i = 0; i < ordinals.length; i++) {
      NodeDevice candidate = question.candidate(ordinals[i]);
      boolean inQuestion = among == -1 || (mask(new int[] {i}) & among) != 0;
      if (inQuestion && question.canUse(request, candidate)) {
        devices[count++] = i;
        mayShare |= candidate.device().allowMultipleAllocations() ? gpu ? 1 : 2 : 0;
      }
    }
    isWhole &= among == -1;
    return Arrays.copyOf(devices, count);
  }

  private void readTies() {
    for (int from = 0, to; from < slots.size(); from = to) {
      int claim = slots.get(from).claim;
      to = from + 1;
      while (to < slots.size() && slots.get(to).claim == claim) {
        to++;
      }
      List<Slot> ofClaim = slots.subList(from, to);
      Request request = question.requests().get(slots.get(from).request);
      List<DeviceConstraint> constraints = request.claim().spec().constraints();
      Map<String, List<Slot>> byName = Map.of();
      for (DeviceConstraint constraint : constraints) {
        boolean distinct = constraint.demands(Demand.DISTINCT_VALUES);
        if ((!distinct && !constraint.demands(Demand.COMMON_VALUE))
            || !request.exactly().derivedAttributes().isEmpty()) {
          isRead = false; // other demands and derived values are ignored
          continue;
        }
        if (!constraint.requests().isEmpty() && byName.isEmpty()) {
          byName = byName(ofClaim);
        }
        List<Slot> tied = tied(constraint.requests(), ofClaim, byName);
        if (tied.isEmpty()) {
          continue;
        }
        AttributeValues values = values(constraint.attribute().orElseThrow());
        if (values == null) {
          isRead = false; // lists are ignored
        } else {
          ties.add(new Tie(values, tied, distinct));
        }
      }
    }
  }

  /** The slots by the names of their requests in constraints. */
  private Map<String, List<Slot>> byName(List<Slot> ofClaim) {
    Map<String, List<Slot>> byName = new HashMap<>();
    for (Slot slot : ofClaim) {
      String name = question.requests().get(slot.request).name();
      byName.computeIfAbsent(name, any -> new ArrayList<>(2)).add(slot);
      int slash = name.indexOf('/');
      if (slash > 0) {
        byName.computeIfAbsent(name.substring(0, slash), any -> new ArrayList<>(2)).add(slot);
      }
    }
    return byName;
  }

  private static List<Slot> tied(
      List<String> names, List<Slot> ofClaim, Map<String, List<Slot>> byName) {
    if (names.isEmpty()) {
      return List.copyOf(ofClaim);
    }
    List<Slot> tied = new ArrayList<>(names.size());
    for (String name : names) {
      for (Slot slot : byName.getOrDefault(name, List.of())) {
        if (!tied.contains(slot)) {
          tied.add(slot);
        }
      }
    }
    tied.sort(BY_PLACE);
    return tied;
  }

  private @Nullable AttributeValues values(String attribute) {
    for (Tie tie : ties) {
      if (tie.values.attribute.equals(attribute)) {
        return tie.values;
      }
    }
    return server.values(attribute, question::candidate).orElse(null);
  }

  /** Returns whether there are too many devices to search for pairs. */
  public boolean isTooLarge() {
    return PairFlow.isTooLarge(kind, slots);
  }

  /** The number of pairs in the demand. */
  public int pairs() {
    return Math.min(count(true), count(false));
  }

  public int count(boolean gpu) {
    int sum = 0;
    for (Slot slot : slots) {
      sum += slot.gpu == gpu ? slot.count : 0;
    }
    return sum;
  }

  /** Whether the devices that Kubernetes would take are among the candidates. */
  boolean allowsFirstFit() {
    int[][] devices = firstFit();
    return slots.stream().allMatch(slot -> (mask(devices[slot.place]) & ~slot.some) == 0);
  }

  /** The devices that Kubernetes would take, in the order of the slots. */
  int[][] firstFit() {
    int[][] devices = new int[slots.size()][];
    for (Slot slot : slots) {
      int[] places = slot.gpu ? kind.gpuOf : kind.nicOf;
      devices[slot.place] =
          question.firstFit(slot.request).stream()
              .mapToInt(device -> places[device.ordinal()])
              .filter(place -> place >= 0)
              .sorted()
              .toArray();
    }
    return devices;
  }

  /** The devices that all slots for GPUs, or all for NICs, may have; -1 if they differ. */
  Optional<Long> common(boolean gpu) {
    Long common = null;
    for (Slot slot : slots) {
      if (slot.gpu == gpu) {
        if (common != null && common != slot.some) {
          return Optional.empty();
        }
        common = slot.some;
      }
    }
    return Optional.of(common == null ? 0L : common);
  }

  /** The answer of a policy: the devices of each slot, from masks in the order of the slots. */
  List<List<NodeDevice>> answer(long[] chosen) {
    return answer(devices(chosen));
  }

  /** The devices of masks as numbers, in their order. */
  static int[][] devices(long[] masks) {
    int[][] devices = new int[masks.length][];
    for (int i = 0; i < masks.length; i++) {
      devices[i] = new int[Long.bitCount(masks[i])];
      long rest = masks[i];
      for (int j = 0; j < devices[i].length; j++) {
        devices[i][j] = Long.numberOfLeadingZeros(rest);
        rest &= ~Long.highestOneBit(rest);
      }
    }
    return devices;
  }

  /** The answer of a policy: the devices of each slot, from numbers in the order of the slots. */
  List<List<NodeDevice>> answer(int[][] chosen) {
    List<List<NodeDevice>> devices = new ArrayList<>(question.requests().size());
    for (int i = 0; i < question.requests().size(); i++) {
      devices.add(question.firstFit(i));
    }
    for (Slot slot : slots) {
      Request request = question.requests().get(slot.request);
      int[] some = chosen[slot.place];
      if (request.open() && !isFirstFit(slot, some, question.firstFit(slot.request))) {
        int[] ordinals = slot.gpu ? kind.gpuOrdinals : kind.nicOrdinals;
        NodeDevice[] candidates = new NodeDevice[some.length];
        for (int i = 0; i < some.length; i++) {
          candidates[i] = question.candidate(ordinals[some[i]]);
        }
        devices.set(slot.request, List.of(candidates));
      }
    }
    return devices;
  }

  private boolean isFirstFit(Slot slot, int[] chosen, List<NodeDevice> firstFit) {
    int[] places = slot.gpu ? kind.gpuOf : kind.nicOf;
    boolean same = chosen.length == firstFit.size();
    for (int i = 0; same && i < chosen.length; i++) {
      same = places[firstFit.get(i).ordinal()] == chosen[i];
    }
    return same;
  }
}
