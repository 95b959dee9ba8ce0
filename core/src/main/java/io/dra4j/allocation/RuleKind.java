package io.dra4j.allocation;

import io.dra4j.model.Feature;
import org.jspecify.annotations.Nullable;

/**
 * The rules of a search. This table is all the wiring that a rule needs: what it is called, which
 * feature switches it on, whether it is asked while devices are looked for, and how it is made.
 *
 * <p>A device is shown to the rules in the order of this enumeration, which is that of the
 * reference. It decides which of two reasons is told, and whether a refusal comes before a fault
 * that ends everything. What is refused does not depend on it, since no rule relies on another one.
 */
enum RuleKind {
  USAGE(null, Screen.BEFORE_SELECTORS, UsageRule::new),
  NODE_SUPPORT(null, Screen.NONE, (context, placed) -> new NodeSupportRule(context)),
  COMPATIBILITY_GROUPS(Feature.COMPATIBILITY_GROUPS, Screen.NONE, CompatibilityGroupRule::new),
  COUNTERS(null, Screen.NONE, CounterRule::new),
  TAINTS(Feature.DEVICE_TAINTS, Screen.NONE, (context, placed) -> new TaintRule(context)),
  /** Each claim has its own, in the order in which it lists them. */
  CONSTRAINT(null, Screen.NONE, null),
  CAPACITY(
      Feature.CONSUMABLE_CAPACITY,
      Screen.AFTER_SELECTORS,
      (context, placed) -> new CapacityRule(context));

  /** When a rule is asked besides, while a device is looked for, so that most are passed over. */
  enum Screen {
    NONE,
    /** So that no selector is evaluated on a device that is refused anyway. */
    BEFORE_SELECTORS,
    /** Once the selectors have chosen the device. */
    AFTER_SELECTORS
  }

  /** Makes a rule for one search. */
  private interface Factory {
    Rule make(SearchContext context, PlacedDevices placed);
  }

  private final @Nullable Feature feature;
  private final Screen screen;
  private final @Nullable Factory factory;

  RuleKind(@Nullable Feature feature, Screen screen, @Nullable Factory factory) {
    this.feature = feature;
    this.screen = screen;
    this.factory = factory;
  }

  Screen screen() {
    return screen;
  }

  /** Makes the rule of this kind for one search; null if it is off, or each claim has its own. */
  @Nullable Rule make(SearchContext context, PlacedDevices placed) {
    return factory == null || (feature != null && !context.has(feature))
        ? null
        : factory.make(context, placed);
  }
}
