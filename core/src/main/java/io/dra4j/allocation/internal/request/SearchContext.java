package io.dra4j.allocation.internal.request;

import io.dra4j.allocation.ClaimRule;
import io.dra4j.common.Budget;
import io.dra4j.common.Feature;
import io.dra4j.inventory.DeviceInventory;
import io.dra4j.inventory.internal.NodeDevice;
import io.dra4j.inventory.internal.NodeView;
import io.dra4j.model.QualifiedName;
import io.dra4j.model.QuantitySum;
import io.dra4j.selector.SelectorCompiler;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The context that all parts of one search share. It does not change during the search.
 *
 * @param inventory the source of the devices
 * @param view the pools of the node, and their devices in use
 * @param candidates the devices of the node
 * @param values assigns equal numbers to equal values of attributes
 * @param compiler compiles selectors
 * @param features the optional behaviours that are on
 * @param fixed the quirks of the reference that are fixed or that the release does not have
 * @param rules the rules that were added to the rules of Kubernetes
 * @param budget the limit of the caller; every loop whose length depends on input checks it
 */
public record SearchContext(
    DeviceInventory inventory,
    NodeView view,
    Candidates candidates,
    AttributeValueIds.Interner values,
    SelectorCompiler compiler,
    Set<Feature> features,
    Set<Quirk> fixed,
    List<ClaimRule> rules,
    Budget budget) {

  @SuppressWarnings("ParameterNumber") // the components that cannot be derived from others
  public static SearchContext of(
      DeviceInventory inventory,
      NodeView view,
      SelectorCompiler compiler,
      Set<Feature> features,
      Set<Quirk> fixed,
      List<ClaimRule> rules,
      Budget budget) {
    return new SearchContext(
        inventory,
        view,
        new Candidates(view),
        new AttributeValueIds.Interner(!fixed.contains(Quirk.VERSIONS_BY_THEIR_TEXT)),
        compiler,
        features,
        fixed,
        rules,
        budget);
  }

  public boolean has(Feature feature) {
    return features.contains(feature);
  }

  /** Returns whether a quirk of the reference is fixed. */
  public boolean fixes(Quirk quirk) {
    return fixed.contains(quirk);
  }

  /**
   * Returns the amounts that existing shares of a device consume, as {@link NodeView#consumed}. If
   * {@code id} and {@code driver/id} are one capacity, both count.
   */
  public @Nullable QuantitySum @Nullable [] consumed(NodeDevice candidate) {
    return fixes(Quirk.LITERAL_CAPACITY_NAMES)
        ? view.consumedByEitherName(candidate)
        : view.consumed(candidate);
  }

  /**
   * The name under which a device has a requested capacity. If {@code id} and {@code driver/id} are
   * one capacity and the device has both, the latter counts.
   */
  String capacityName(NodeDevice candidate, String name) {
    QualifiedName qualified = QualifiedName.of(candidate.id().driver(), name);
    boolean isOfDriver = qualified.domain().equals(candidate.id().driver());
    return isOfDriver && !candidate.device().capacity().containsKey(qualified.toString())
        ? qualified.id()
        : qualified.toString();
  }

  /** {@return whether a capacity does not count, as the device has it under its other name too} */
  public boolean isHidden(NodeDevice candidate, int capacity) {
    return fixes(Quirk.LITERAL_CAPACITY_NAMES)
        && candidate.capacityNames().size() > 1
        && !capacityName(candidate, candidate.capacityNames().get(capacity))
            .equals(candidate.capacityNames().get(capacity));
  }

  /** Returns whether several claims can have the device at the same time. */
  public boolean canBeShared(NodeDevice candidate) {
    return canBeShared(candidate, features);
  }

  private static boolean canBeShared(NodeDevice candidate, Set<Feature> features) {
    return candidate.device().allowMultipleAllocations()
        && features.contains(Feature.CONSUMABLE_CAPACITY);
  }

  /** Returns whether existing allocations make the device unavailable. */
  public boolean isInUse(NodeDevice candidate) {
    return isInUse(view, candidate, features, fixed);
  }

  /** Decides whether a device is in use, for rules, policies and gangs. */
  public static boolean isInUse(
      NodeView view, NodeDevice candidate, Set<Feature> features, Set<Quirk> fixed) {
    return view.isTaken(candidate)
        || (view.isShared(candidate)
            && fixed.contains(Quirk.SHARES_OF_AN_EXCLUSIVE_DEVICE)
            && !canBeShared(candidate, features));
  }
}
