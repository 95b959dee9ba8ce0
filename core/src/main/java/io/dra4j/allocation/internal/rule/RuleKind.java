package io.dra4j.allocation.internal.rule;

import io.dra4j.allocation.ClaimRule;
import io.dra4j.allocation.explanation.ExclusionCause;
import io.dra4j.allocation.internal.request.PlacedDevices;
import io.dra4j.allocation.internal.request.SearchContext;
import io.dra4j.common.Feature;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The rules of a search. This table is all the wiring that a rule needs: what it is called, how
 * explanations call its refusals, which feature switches it on, whether it is asked while devices
 * are looked for, whether it compares devices with each other, what it reads of them, and how it is
 * made.
 *
 * <p>A device is shown to the rules in the order of this enumeration, which is that of the
 * reference. It decides which of two reasons is reported, and whether a refusal comes before a
 * fault that ends everything. What is refused does not depend on it, since no rule relies on
 * another one.
 */
public enum RuleKind {
  USAGE(ExclusionCause.USAGE, null, Screen.BEFORE_SELECTORS, Refuses.ALONE, Reads.COMPARED) {
    @Override
    Rule rule(SearchContext context, PlacedDevices placed) {
      return new UsageRule(context, placed);
    }
  },
  NODE_SUPPORT(ExclusionCause.NODE_SUPPORT, null, Screen.NONE, Refuses.ALONE, Reads.COMPARED) {
    @Override
    Rule rule(SearchContext context, PlacedDevices placed) {
      return new NodeSupportRule(context);
    }
  },
  COMPATIBILITY_GROUPS(
      ExclusionCause.COMPATIBILITY_GROUPS,
      Feature.COMPATIBILITY_GROUPS,
      Screen.NONE,
      Refuses.TOGETHER,
      Reads.COMPARED) {
    @Override
    Rule rule(SearchContext context, PlacedDevices placed) {
      return new CompatibilityGroupRule(context, placed);
    }
  },
  COUNTERS(ExclusionCause.COUNTERS, null, Screen.NONE, Refuses.TOGETHER, Reads.COMPARED) {
    @Override
    Rule rule(SearchContext context, PlacedDevices placed) {
      return new CounterRule(context, placed);
    }
  },
  TAINTS(ExclusionCause.TAINTS, Feature.DEVICE_TAINTS, Screen.NONE, Refuses.ALONE, Reads.COMPARED) {
    @Override
    Rule rule(SearchContext context, PlacedDevices placed) {
      return new TaintRule(context);
    }
  },
  /** Each claim has its own, in the order in which it lists them. */
  CONSTRAINT(ExclusionCause.CONSTRAINT, null, Screen.NONE, Refuses.ALONE, Reads.COMPARED) {
    @Override
    @Nullable Rule rule(SearchContext context, PlacedDevices placed) {
      return null;
    }
  },
  CAPACITY(
      ExclusionCause.CAPACITY,
      Feature.CONSUMABLE_CAPACITY,
      Screen.AFTER_SELECTORS,
      Refuses.TOGETHER,
      Reads.COMPARED) {
    @Override
    Rule rule(SearchContext context, PlacedDevices placed) {
      return new CapacityRule(context);
    }
  },
  /** Last, so that those of Kubernetes are reported first. */
  ADDED(ExclusionCause.ADDED, null, Screen.NONE, Refuses.TOGETHER, Reads.ANYTHING) {
    @Override
    boolean isOn(Set<Feature> features, List<ClaimRule> added) {
      return !added.isEmpty();
    }

    @Override
    Rule rule(SearchContext context, PlacedDevices placed) {
      return new CustomRules(context);
    }
  };

  /** When a rule is asked besides, while a device is looked for, so that most are passed over. */
  public enum Screen {
    NONE,
    /** So that no selector is evaluated on a device that is refused anyway. */
    BEFORE_SELECTORS,
    /** Once the selectors have chosen the device. */
    AFTER_SELECTORS
  }

  /** What a refusal depends on. */
  enum Refuses {
    /** The device, the target and who holds the device; of constraints, explanations ask before. */
    ALONE,
    /** What else is placed, so that devices may be refused together of which each would pass. */
    TOGETHER
  }

  /** What a rule reads of devices. */
  enum Reads {
    /**
     * Only fields that decide whether devices of a node are interchangeable, and whether nodes have
     * equal signatures, so that interchangeable devices get the same verdict. A test follows what
     * the rule reads.
     */
    COMPARED,
    /** Perhaps more: nothing is interchangeable while the rule is on. */
    ANYTHING
  }

  private static final List<RuleKind> ALL = List.of(values());

  private final ExclusionCause cause;
  private final @Nullable Feature feature;
  private final Screen screen;
  private final Refuses refuses;
  private final Reads reads;

  RuleKind(
      ExclusionCause cause,
      @Nullable Feature feature,
      Screen screen,
      Refuses refuses,
      Reads reads) {
    this.cause = cause;
    this.feature = feature;
    this.screen = screen;
    this.refuses = refuses;
    this.reads = reads;
  }

  /** Whether a rule may distinguish devices that are equal in everything that is compared. */
  public static boolean anyReadsAnything(Set<Feature> features, List<ClaimRule> added) {
    for (RuleKind kind : ALL) {
      if (kind.readsAnything() && kind.isOn(features, added)) {
        return true;
      }
    }
    return false;
  }

  /** What explanations call a refusal of this kind. */
  ExclusionCause cause() {
    return cause;
  }

  /** Makes the refusal of a rule of this kind. */
  Violation violation(Violation.Verb verb, String rest) {
    return new Violation(cause, verb, rest);
  }

  boolean readsAnything() {
    return reads == Reads.ANYTHING;
  }

  Screen screen() {
    return screen;
  }

  /** Whether devices are refused together of which each would pass. */
  public boolean refusesTogether() {
    return refuses == Refuses.TOGETHER;
  }

  /** Whether a search asks rules of this kind. */
  boolean isOn(Set<Feature> features, List<ClaimRule> added) {
    return feature == null || features.contains(feature);
  }

  /** The rule of this kind for one search; null if it is off, or each claim has its own. */
  final @Nullable public Rule make(SearchContext context, PlacedDevices placed) {
    return isOn(context.features(), context.rules()) ? rule(context, placed) : null;
  }

  abstract @Nullable Rule rule(SearchContext context, PlacedDevices placed);
}
