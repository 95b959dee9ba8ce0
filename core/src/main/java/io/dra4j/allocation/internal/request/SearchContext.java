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
 * What every part of one search shares. None of it changes during the search.
 *
 * @param inventory where the devices come from
 * @param view the pools of the node, and what of them is in use
 * @param candidates the devices of the node
 * @param values gives equal values of attributes equal numbers
 * @param compiler turns selectors into something that can be evaluated
 * @param features the optional behaviours that are on
 * @param fixed the quirks of the reference that are fixed or that the release does not have
 * @param rules those that were added to the rules of Kubernetes
 * @param budget how long the caller waits; every loop whose length comes from outside looks at it
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

  /** Whether a quirk of the reference is fixed rather than followed. */
  public boolean fixes(Quirk quirk) {
    return fixed.contains(quirk);
  }

  /**
   * What shares of a device that claims have already consume, as {@link NodeView#consumed}. Where
   * {@code id} and {@code driver/id} are one capacity, both count.
   */
  public @Nullable QuantitySum @Nullable [] consumed(NodeDevice candidate) {
    return fixes(Quirk.LITERAL_CAPACITY_NAMES)
        ? view.consumedByEitherName(candidate)
        : view.consumed(candidate);
  }

  /**
   * The name under which a device has a capacity. A device that has {@code id} and {@code
   * driver/id}, where they are one, has the latter.
   *
   * @param name as a request writes it
   */
  String capacityName(NodeDevice candidate, String name) {
    QualifiedName qualified = QualifiedName.of(candidate.id().driver(), name);
    boolean isOfDriver = qualified.domain().equals(candidate.id().driver());
    return isOfDriver && !candidate.device().capacity().containsKey(qualified.toString())
        ? qualified.id()
        : qualified.toString();
  }

  /** Whether a capacity of a device does not count, since it is there by its other name, too. */
  public boolean isHidden(NodeDevice candidate, int capacity) {
    return fixes(Quirk.LITERAL_CAPACITY_NAMES)
        && candidate.capacityNames().size() > 1
        && !capacityName(candidate, candidate.capacityNames().get(capacity))
            .equals(candidate.capacityNames().get(capacity));
  }

  /** Whether several claims can have the device at a time. */
  public boolean canBeShared(NodeDevice candidate) {
    return canBeShared(candidate, features);
  }

  private static boolean canBeShared(NodeDevice candidate, Set<Feature> features) {
    return candidate.device().allowMultipleAllocations()
        && features.contains(Feature.CONSUMABLE_CAPACITY);
  }

  /** Whether claims that have devices keep others from having the device. */
  public boolean isInUse(NodeDevice candidate) {
    return isInUse(view, candidate, features, fixed);
  }

  /** The one place that decides so, for rules, policies and gangs. */
  public static boolean isInUse(
      NodeView view, NodeDevice candidate, Set<Feature> features, Set<Quirk> fixed) {
    return view.isTaken(candidate)
        || (view.isShared(candidate)
            && fixed.contains(Quirk.SHARES_OF_AN_EXCLUSIVE_DEVICE)
            && !canBeShared(candidate, features));
  }
}
