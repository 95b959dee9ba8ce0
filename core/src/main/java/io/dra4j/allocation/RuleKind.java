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
  USAGE(null, Screen.BEFORE_SELECTORS) {
    @Override
    Rule rule(SearchContext context, PlacedDevices placed) {
      return new UsageRule(context, placed);
    }
  },
  NODE_SUPPORT(null, Screen.NONE) {
    @Override
    Rule rule(SearchContext context, PlacedDevices placed) {
      return new NodeSupportRule(context);
    }
  },
  COMPATIBILITY_GROUPS(Feature.COMPATIBILITY_GROUPS, Screen.NONE) {
    @Override
    Rule rule(SearchContext context, PlacedDevices placed) {
      return new CompatibilityGroupRule(context, placed);
    }
  },
  COUNTERS(null, Screen.NONE) {
    @Override
    Rule rule(SearchContext context, PlacedDevices placed) {
      return new CounterRule(context, placed);
    }
  },
  TAINTS(Feature.DEVICE_TAINTS, Screen.NONE) {
    @Override
    Rule rule(SearchContext context, PlacedDevices placed) {
      return new TaintRule(context);
    }
  },
  /** Each claim has its own, in the order in which it lists them. */
  CONSTRAINT(null, Screen.NONE) {
    @Override
    @Nullable Rule rule(SearchContext context, PlacedDevices placed) {
      return null;
    }
  },
  CAPACITY(Feature.CONSUMABLE_CAPACITY, Screen.AFTER_SELECTORS) {
    @Override
    Rule rule(SearchContext context, PlacedDevices placed) {
      return new CapacityRule(context);
    }
  },
  /** Last, so that those of Kubernetes are told first. */
  ADDED(null, Screen.NONE) {
    @Override
    @Nullable Rule rule(SearchContext context, PlacedDevices placed) {
      return context.rules().isEmpty() ? null : new AddedRules(context);
    }
  };

  /** When a rule is asked besides, while a device is looked for, so that most are passed over. */
  enum Screen {
    NONE,
    /** So that no selector is evaluated on a device that is refused anyway. */
    BEFORE_SELECTORS,
    /** Once the selectors have chosen the device. */
    AFTER_SELECTORS
  }

  private final @Nullable Feature feature;
  private final Screen screen;

  RuleKind(@Nullable Feature feature, Screen screen) {
    this.feature = feature;
    this.screen = screen;
  }

  Screen screen() {
    return screen;
  }

  /** The rule of this kind for one search; null if it is off, or each claim has its own. */
  final @Nullable Rule make(SearchContext context, PlacedDevices placed) {
    return feature == null || context.has(feature) ? rule(context, placed) : null;
  }

  abstract @Nullable Rule rule(SearchContext context, PlacedDevices placed);
}
