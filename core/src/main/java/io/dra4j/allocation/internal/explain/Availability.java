package io.dra4j.allocation.internal.explain;

import io.dra4j.allocation.explanation.ExcludedDevice;
import io.dra4j.allocation.explanation.ExclusionCause;
import io.dra4j.allocation.explanation.Requirement;
import io.dra4j.allocation.internal.rule.Violation;
import io.dra4j.allocation.internal.text.TextFormat;
import io.dra4j.model.ClaimKey;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A node's devices for a target while nothing else is placed, and the rules refusing others. */
final class Availability {

  private static final int MAX_HOLDERS = 2;

  /** The maximum number of reasons that are listed separately, for example different taints. */
  private static final int MAX_REASONS = 6;

  /** The maximum number of listed devices over all requests; more devices are only counted. */
  static final int MAX_LISTED = 20_000;

  final BitSet usable; // by ordinal
  final BitSet members; // of the class
  int ofClass;
  int onNode;
  String hint = ""; // if there is no device of the class: what its selectors may have meant
  private final List<ExcludedDevice> refused; // the refused devices of the class
  private final Requirement.@Nullable Request
      request; // the request, if it differs from the original one
  private final Map<Violation, Integer> objections;
  private final Map<Violation, SortedSet<ClaimKey>> holders;

  Availability() {
    this.usable = new BitSet();
    this.members = new BitSet();
    this.refused = new ArrayList<>();
    this.request = null;
    this.objections = new LinkedHashMap<>();
    this.holders = new LinkedHashMap<>();
  }

  private Availability(Availability same, Requirement.Request request) {
    this.usable = same.usable;
    this.members = same.members;
    this.ofClass = same.ofClass;
    this.onNode = same.onNode;
    this.hint = same.hint;
    this.refused = same.refused;
    this.request = request;
    this.objections = same.objections;
    this.holders = same.holders;
  }

  /** This availability for an interchangeable request. */
  Availability of(Requirement.Request interchangeable) {
    return new Availability(this, interchangeable);
  }

  /** The devices of the class that the request cannot have. */
  List<ExcludedDevice> refused() {
    return refused(request == null ? refused.size() : MAX_LISTED);
  }

  /** The first devices of the class that the request cannot have. */
  List<ExcludedDevice> refused(int most) {
    Requirement.Request other = request;
    return other == null
        ? refused.subList(0, Math.min(most, refused.size()))
        : refused.stream()
            .limit(most)
            .map(
                device ->
                    new ExcludedDevice(
                        device.device(), other, device.rule(), device.reason(), device.holders()))
            .toList();
  }

  /** Whether a rule refused one of the devices. */
  boolean isRefusedBy(ExclusionCause rule) {
    return objections.keySet().stream().anyMatch(objection -> objection.cause() == rule);
  }

  void refuse(Violation objection, ExcludedDevice device) {
    refused.add(device);
    objections.merge(objection, 1, Integer::sum);
    holders.computeIfAbsent(objection, any -> new TreeSet<>()).addAll(device.holders());
  }

  /** The reasons why some devices cannot be allocated: {@code 2 are in use by default/train-0}. */
  String reasons() {
    if (ofClass == 0) {
      return hint;
    }
    // Selectors exclude devices on purpose more often than other rules, so they come last.
    return objections.entrySet().stream()
        .sorted(Comparator.comparing(entry -> entry.getKey().cause() == ExclusionCause.SELECTOR))
        .limit(MAX_REASONS)
        .map(
            entry ->
                entry.getValue()
                    + " "
                    + entry.getKey().of(entry.getValue())
                    + by(
                        entry.getKey().cause(),
                        holders.getOrDefault(entry.getKey(), new TreeSet<>())))
        .collect(Collectors.joining(", ", "", more()));
  }

  private String more() {
    int devices =
        objections.entrySet().stream()
            .sorted(
                Comparator.comparing(entry -> entry.getKey().cause() == ExclusionCause.SELECTOR))
            .skip(MAX_REASONS)
            .mapToInt(Map.Entry::getValue)
            .sum();
    return devices == 0
        ? ""
        : " and "
            + devices
            + " for "
            + (objections.size() - MAX_REASONS)
            + (objections.size() == MAX_REASONS + 1 ? " more reason" : " more reasons");
  }

  /** As {@link #reasons}, with the class, to distinguish several requests. */
  String reasons(String deviceClass) {
    return refused.isEmpty()
        ? ""
        : "of the node's "
            + TextFormat.devices(ofClass)
            + " of class "
            + deviceClass
            + ", "
            + reasons();
  }

  /** The claims that hold the device, or the resources that it shares. */
  static String by(ExclusionCause rule, SortedSet<ClaimKey> holders) {
    if (holders.isEmpty()) {
      return "";
    }
    String names = TextFormat.list(holders, MAX_HOLDERS, ClaimKey::toString);
    return rule == ExclusionCause.USAGE ? " by " + names : " (used by " + names + ")";
  }
}
