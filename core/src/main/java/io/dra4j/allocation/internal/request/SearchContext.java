package io.dra4j.allocation.internal.request;

import io.dra4j.allocation.ClaimRule;
import io.dra4j.allocation.Compatibility;
import io.dra4j.common.Budget;
import io.dra4j.common.Feature;
import io.dra4j.inventory.DeviceInventory;
import io.dra4j.inventory.internal.NodeDevice;
import io.dra4j.inventory.internal.NodeView;
import io.dra4j.selector.SelectorCompiler;
import java.util.List;
import java.util.Set;

/**
 * What every part of one search shares. None of it changes during the search.
 *
 * @param inventory where the devices come from
 * @param view the pools of the node, and what of them is in use
 * @param candidates the devices of the node
 * @param values gives equal values of attributes equal numbers
 * @param compiler turns selectors into something that can be evaluated
 * @param features the optional behaviours that are on
 * @param compatibility whether the reference's quirks are fixed
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
    Compatibility compatibility,
    List<ClaimRule> rules,
    Budget budget) {

  public static SearchContext of(
      DeviceInventory inventory,
      NodeView view,
      SelectorCompiler compiler,
      Set<Feature> features,
      Compatibility compatibility,
      List<ClaimRule> rules,
      Budget budget) {
    return new SearchContext(
        inventory,
        view,
        new Candidates(view),
        new AttributeValueIds.Interner(),
        compiler,
        features,
        compatibility,
        rules,
        budget);
  }

  public boolean has(Feature feature) {
    return features.contains(feature);
  }

  /** Whether a quirk of the reference is fixed rather than followed. */
  public boolean fixes(Quirk quirk) {
    return quirk.isFixedBy(compatibility);
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
    return isInUse(view, candidate, features, compatibility);
  }

  /** The one place that decides so, for rules, policies and gangs. */
  public static boolean isInUse(
      NodeView view, NodeDevice candidate, Set<Feature> features, Compatibility compatibility) {
    return view.isTaken(candidate)
        || (view.isShared(candidate)
            && Quirk.SHARES_OF_AN_EXCLUSIVE_DEVICE.isFixedBy(compatibility)
            && !canBeShared(candidate, features));
  }
}
