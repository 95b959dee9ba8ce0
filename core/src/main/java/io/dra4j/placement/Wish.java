package io.dra4j.placement;

import io.dra4j.allocation.PolicyQuestion;
import io.dra4j.allocation.PolicyQuestion.Wanted;
import io.dra4j.inventory.Candidate;
import io.dra4j.inventory.DeviceInventory;
import io.dra4j.inventory.NodeView;
import io.dra4j.model.BudgetExceededException;
import io.dra4j.model.ClaimKey;
import io.dra4j.model.DeviceAttribute;
import io.dra4j.model.DeviceConstraint;
import io.dra4j.model.QualifiedName;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * What the open requests of a question want, as far as it is about GPUs and NICs: which devices
 * each may have, and which requests have to agree in an attribute.
 */
final class Wish {

  /** A request for GPUs or NICs, or what another one has of them that leaves no choice. */
  static final class Slot {
    final int place; // among the slots of the wish
    final int request; // its place in the question
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
  }

  /**
   * Slots whose devices have to have the same value of an attribute, or all different ones.
   *
   * @param distinct whether values have to differ
   */
  record Tie(String attribute, List<Slot> slots, boolean distinct) {}

  private final PolicyQuestion question;
  private final ServerKind kind;
  final List<Slot> slots = new ArrayList<>();
  final List<Tie> ties = new ArrayList<>();

  /** Whether a mask holds all devices of the server. */
  final boolean isSmall;

  /** Whether all constraints are among the ties: those on derived values and lists are not. */
  boolean isRead = true;

  /** Whether what does not fit the slots cannot be had. */
  boolean isWhole = true;

  private final long amongGpus;
  private final long amongNics;
  long freeGpus;
  long freeNics;
  int usersOfSockets; // pairs of other claims across NUMA nodes

  private Wish(PolicyQuestion question, ServerKind kind, long amongGpus, long amongNics) {
    this.question = question;
    this.kind = kind;
    this.amongGpus = amongGpus;
    this.amongNics = amongNics;
    this.isSmall = kind.isSmall();
  }

  /**
   * Reads a question.
   *
   * @return empty if a request may have GPUs and NICs alike: then nobody can choose by them
   */
  static Optional<Wish> of(PolicyQuestion question, ServerKind kind)
      throws BudgetExceededException {
    return among(question, kind, -1, -1);
  }

  /** Reads a question whose answer shall be among some GPUs and NICs. */
  static Optional<Wish> among(
      PolicyQuestion question, ServerKind kind, long amongGpus, long amongNics)
      throws BudgetExceededException {
    Wish wish = new Wish(question, kind, amongGpus, amongNics);
    wish.freeGpus = wish.free(kind.gpuOrdinals);
    wish.freeNics = wish.free(kind.nicOrdinals);
    wish.usersOfSockets = usersOfSockets(question, kind);
    if (!wish.readSlots()) {
      return Optional.empty();
    }
    wish.readTies();
    return Optional.of(wish);
  }

  /** Whether there is anything to choose. */
  boolean isOpen() {
    return slots.stream().anyMatch(slot -> question.requests().get(slot.request).open());
  }

  /** The pairs of GPUs and NICs of other claims that can only be made across NUMA nodes. */
  static int usersOfSockets(PolicyQuestion question, ServerKind kind) {
    return usersOfSockets(question.inventory(), question.view(), question::candidate, kind);
  }

  /**
   * The same of a node.
   *
   * @param candidates gives the devices of the node by ordinal
   */
  static int usersOfSockets(
      DeviceInventory inventory,
      NodeView view,
      IntFunction<Candidate> candidates,
      ServerKind kind) {
    if (!kind.sharesSockets()) {
      return 0;
    }
    Map<ClaimKey, long[]> held = new HashMap<>();
    hold(inventory, view, candidates, kind.gpuOrdinals, 0, held);
    if (held.isEmpty()) {
      return 0;
    }
    hold(inventory, view, candidates, kind.nicOrdinals, 1, held);
    int users = 0;
    for (long[] masks : held.values()) {
      users += masks[0] != 0 && masks[1] != 0 ? kind.across(masks[0], masks[1]) : 0;
    }
    return users;
  }

  private static void hold(
      DeviceInventory inventory,
      NodeView view,
      IntFunction<Candidate> candidates,
      int[] ordinals,
      int side,
      Map<ClaimKey, long[]> held) {
    for (int i = 0; i < Math.min(ordinals.length, ServerShape.MAX_DEVICES); i++) {
      Candidate device = candidates.apply(ordinals[i]);
      if (view.isTaken(device)) {
        for (ClaimKey claim : inventory.holdersOf(device.id())) {
          held.computeIfAbsent(claim, any -> new long[2])[side] |= ServerShape.bit(i);
        }
      }
    }
  }

  private long free(int[] ordinals) {
    long mask = 0;
    for (int i = 0; i < Math.min(ordinals.length, ServerShape.MAX_DEVICES); i++) {
      if (!question.view().isTaken(question.candidate(ordinals[i]))) {
        mask |= ServerShape.bit(i);
      }
    }
    return mask;
  }

  /** The first 64 of some devices. */
  private static long mask(int[] devices) {
    long mask = 0;
    for (int device : devices) {
      mask |= device < ServerShape.MAX_DEVICES ? ServerShape.bit(device) : 0;
    }
    return mask;
  }

  private boolean readSlots() throws BudgetExceededException {
    for (int i = 0; i < question.requests().size(); i++) {
      Wanted wanted = question.requests().get(i);
      if (wanted.firstFit().isEmpty() || Boolean.TRUE.equals(wanted.request().adminAccess())) {
        continue; // who administers a device does not use it
      }
      if (!wanted.open()) {
        addFixed(i, wanted, true);
        addFixed(i, wanted, false);
        continue;
      }
      Candidate first = wanted.firstFit().get(0);
      boolean gpu = kind.gpuOf[first.ordinal()] >= 0;
      boolean nic = kind.nicOf[first.ordinal()] >= 0;
      if (!gpu && !nic) {
        continue; // neither: the devices that were found stay
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

  /** What a request has that is for all devices that it may have. */
  private void addFixed(int request, Wanted wanted, boolean gpu) {
    int[] places = gpu ? kind.gpuOf : kind.nicOf;
    int[] devices =
        wanted.firstFit().stream()
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
      if (question.requests().get(other.request).open() && question.alike(request, other.request)) {
        return other.gpu == gpu ? other.devices : new int[0];
      }
    }
    int[] devices = new int[ordinals.length];
    int count = 0;
    long among = gpu ? amongGpus : amongNics;
    for (int i = 0; i < ordinals.length; i++) {
      Candidate candidate = question.candidate(ordinals[i]);
      boolean inQuestion = among == -1 || (mask(new int[] {i}) & among) != 0;
      if (inQuestion && question.mayHave(request, candidate)) {
        devices[count++] = i;
        isWhole &= !candidate.device().allowMultipleAllocations(); // two requests may share it
      }
    }
    isWhole &= among == -1;
    return Arrays.copyOf(devices, count);
  }

  private void readTies() {
    int claim = -1;
    for (Slot slot : slots) {
      if (slot.claim == claim) {
        continue;
      }
      claim = slot.claim;
      Wanted wanted = question.requests().get(slot.request);
      for (DeviceConstraint constraint : wanted.claim().spec().constraints()) {
        boolean distinct = constraint.matchAttribute() == null;
        String attribute = distinct ? constraint.distinctAttribute() : constraint.matchAttribute();
        if (attribute == null || !wanted.request().derivedAttributes().isEmpty()) {
          isRead = false; // derived values are not looked at
          continue;
        }
        List<Slot> tied = new ArrayList<>();
        for (Slot other : slots) {
          if (other.claim == claim && isIn(constraint.requests(), other)) {
            tied.add(other);
          }
        }
        if (tied.isEmpty()) {
          continue;
        }
        Map<DeviceAttribute, Integer> numbers = new HashMap<>();
        boolean readable =
            values(attribute, true, numbers) != null && values(attribute, false, numbers) != null;
        isRead &= readable; // lists are not looked at
        if (readable) {
          ties.add(new Tie(attribute, tied, distinct));
        }
      }
    }
  }

  private boolean isIn(List<String> names, Slot slot) {
    String name = question.requests().get(slot.request).name();
    int slash = name.indexOf('/');
    return names.isEmpty()
        || names.contains(name)
        || (slash > 0 && names.contains(name.substring(0, slash)));
  }

  /** What is wanted, for flows. */
  List<PairFlow.Demand> demands() {
    return slots.stream()
        .map(slot -> new PairFlow.Demand(slot.gpu, slot.count, slot.devices))
        .toList();
  }

  /** Whether there are too many devices to look for pairs. */
  boolean isTooLarge() {
    return PairFlow.isTooLarge(kind, demands());
  }

  /** How many pairs there are in what is wanted. */
  int pairs() {
    return Math.min(count(true), count(false));
  }

  int count(boolean gpu) {
    int sum = 0;
    for (Slot slot : slots) {
      sum += slot.gpu == gpu ? slot.count : 0;
    }
    return sum;
  }

  /** Whether what Kubernetes would take is among the devices in question. */
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
          question.requests().get(slot.request).firstFit().stream()
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

  /** A number for the value of an attribute of each device; -1 for none, null for lists. */
  int @Nullable [] values(String attribute, boolean gpu, Map<DeviceAttribute, Integer> numbers) {
    int[] ordinals = gpu ? kind.gpuOrdinals : kind.nicOrdinals;
    int[] values = new int[ordinals.length];
    QualifiedName name = QualifiedName.of(attribute);
    for (int i = 0; i < values.length; i++) {
      Candidate candidate = question.candidate(ordinals[i]);
      DeviceAttribute value = name.in(candidate.slice().driver(), candidate.device().attributes());
      if (value instanceof DeviceAttribute.IntValue
          || value instanceof DeviceAttribute.StringValue
          || value instanceof DeviceAttribute.BoolValue
          || value instanceof DeviceAttribute.VersionValue) {
        Integer number = numbers.putIfAbsent(value, numbers.size());
        values[i] = number == null ? numbers.size() - 1 : number;
      } else if (value == null) {
        values[i] = -1;
      } else {
        return null;
      }
    }
    return values;
  }

  /**
   * The devices of each slot as the answer of a policy.
   *
   * @param chosen masks in the order of the slots
   */
  List<List<Candidate>> answer(long[] chosen) {
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

  /**
   * The same of devices as numbers.
   *
   * @param chosen in the order of the slots
   */
  List<List<Candidate>> answer(int[][] chosen) {
    List<List<Candidate>> devices = new ArrayList<>(question.requests().size());
    question.requests().forEach(wanted -> devices.add(wanted.firstFit()));
    for (Slot slot : slots) {
      if (question.requests().get(slot.request).open()) {
        int[] ordinals = slot.gpu ? kind.gpuOrdinals : kind.nicOrdinals;
        List<Candidate> some = new ArrayList<>(slot.count);
        for (int device : chosen[slot.place]) {
          some.add(question.candidate(ordinals[device]));
        }
        devices.set(slot.request, some);
      }
    }
    return devices;
  }
}
