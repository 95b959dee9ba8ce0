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

  /** A request for GPUs or NICs. */
  static final class Slot {
    final int place; // among the slots of the wish
    final int request; // its place in the question
    final int claim; // a number for its claim
    final boolean gpu; // otherwise NICs
    final int count;
    final long some; // the devices it may have

    Slot(int place, int request, int claim, boolean gpu, int count, long some) {
      this.place = place;
      this.request = request;
      this.claim = claim;
      this.gpu = gpu;
      this.count = count;
      this.some = some;
    }
  }

  /** Slots whose devices have to have the same value of an attribute. */
  record Tie(String attribute, List<Slot> slots) {}

  private final PolicyQuestion question;
  private final ServerKind kind;
  final List<Slot> slots = new ArrayList<>();
  final List<Tie> ties = new ArrayList<>();
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
  }

  /**
   * Reads a question.
   *
   * @return empty if a request may have GPUs and NICs alike, or the server has more of them than a
   *     mask can hold: then nobody can choose by them
   */
  static Optional<Wish> of(PolicyQuestion question, ServerKind kind)
      throws BudgetExceededException {
    return among(question, kind, -1, -1);
  }

  /** Reads a question whose answer shall be among some GPUs and NICs. */
  static Optional<Wish> among(
      PolicyQuestion question, ServerKind kind, long amongGpus, long amongNics)
      throws BudgetExceededException {
    if (kind.gpus() > ServerShape.MAX_DEVICES || kind.nics() > ServerShape.MAX_DEVICES) {
      return Optional.empty();
    }
    Wish wish = new Wish(question, kind, amongGpus, amongNics);
    wish.freeGpus = wish.free(kind.gpuOrdinals);
    wish.freeNics = wish.free(kind.nicOrdinals);
    wish.usersOfSockets = usersOfSockets(question, kind);
    return wish.readSlots() && wish.readTies() ? Optional.of(wish) : Optional.empty();
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
    for (int i = 0; i < ordinals.length; i++) {
      if (!question.view().isTaken(question.candidate(ordinals[i]))) {
        mask |= ServerShape.bit(i);
      }
    }
    return mask;
  }

  private boolean readSlots() throws BudgetExceededException {
    for (int i = 0; i < question.requests().size(); i++) {
      Wanted wanted = question.requests().get(i);
      if (!wanted.open() || wanted.firstFit().isEmpty()) {
        continue;
      }
      Candidate first = wanted.firstFit().get(0);
      boolean gpu = kind.gpuOf[first.ordinal()] >= 0;
      boolean nic = kind.nicOf[first.ordinal()] >= 0;
      if (!gpu && !nic) {
        continue; // neither: the devices that were found stay
      }
      long gpus = some(i, kind.gpuOrdinals, true);
      long nics = some(i, kind.nicOrdinals, false);
      if (gpus != 0 && nics != 0) {
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

  private long some(int request, int[] ordinals, boolean gpu) throws BudgetExceededException {
    for (Slot other : slots) {
      if (question.alike(request, other.request)) {
        return other.gpu == gpu ? other.some : 0;
      }
    }
    long mask = 0;
    for (int i = 0; i < ordinals.length; i++) {
      if (question.mayHave(request, question.candidate(ordinals[i]))) {
        mask |= ServerShape.bit(i);
      }
    }
    return mask & (gpu ? amongGpus : amongNics);
  }

  private boolean readTies() {
    int claim = -1;
    for (Slot slot : slots) {
      if (slot.claim == claim) {
        continue;
      }
      claim = slot.claim;
      Wanted wanted = question.requests().get(slot.request);
      for (DeviceConstraint constraint : wanted.claim().spec().constraints()) {
        String attribute = constraint.matchAttribute();
        if (attribute == null || !wanted.request().derivedAttributes().isEmpty()) {
          return false; // distinct or derived values are not looked at
        }
        List<Slot> tied = new ArrayList<>();
        for (Slot other : slots) {
          if (other.claim == claim && isIn(constraint.requests(), other)) {
            tied.add(other);
          }
        }
        ties.add(new Tie(attribute, tied));
      }
    }
    return true;
  }

  private boolean isIn(List<String> names, Slot slot) {
    String name = question.requests().get(slot.request).name();
    int slash = name.indexOf('/');
    return names.isEmpty()
        || names.contains(name)
        || (slash > 0 && names.contains(name.substring(0, slash)));
  }

  int count(boolean gpu) {
    int sum = 0;
    for (Slot slot : slots) {
      sum += slot.gpu == gpu ? slot.count : 0;
    }
    return sum;
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
    List<List<Candidate>> devices = new ArrayList<>(question.requests().size());
    int next = 0;
    for (int i = 0; i < question.requests().size(); i++) {
      if (next == slots.size() || slots.get(next).request != i) {
        devices.add(question.requests().get(i).firstFit());
        continue;
      }
      Slot slot = slots.get(next);
      int[] ordinals = slot.gpu ? kind.gpuOrdinals : kind.nicOrdinals;
      List<Candidate> some = new ArrayList<>(slot.count);
      for (long rest = chosen[next]; rest != 0; rest &= ~Long.highestOneBit(rest)) {
        some.add(question.candidate(ordinals[Long.numberOfLeadingZeros(rest)]));
      }
      devices.add(some);
      next++;
    }
    return devices;
  }
}
