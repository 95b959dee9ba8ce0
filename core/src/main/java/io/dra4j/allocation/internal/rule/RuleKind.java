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
 * The rules of a search. This table has all that a rule needs to take part in a search: its name,
 * the cause of its refusals in explanations, the feature that switches it on, the moment at which
 * it is asked in addition, the input of its refusals, the fields that it reads, and its
 * constructor.
 *
 * <p>The rules are asked in the order of this enumeration, which is the order of the reference. The
 * order decides which of two reasons is reported, and whether a refusal comes before an error that
 * ends the search. It does not affect which devices are refused, because no rule depends on another
 * one.
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
  /** Each claim has its own constraints, in the order in which it lists them. */
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
  /** Last, so that refusals by rules of Kubernetes are reported first. */
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

  /** The moment before a placement when a rule is asked in addition, to skip most devices early. */
  public enum Screen {
    NONE,
    /** Before selectors, so that no selector is evaluated on a device that is refused anyway. */
    BEFORE_SELECTORS,
    /** After the selectors have matched the device. */
    AFTER_SELECTORS
  }

  /** The input that a refusal depends on. */
  enum Refuses {
    /** The device, its holders and the target; also constraints, which explanations check alone. */
    ALONE,
    /** The other placed devices: together, devices may be refused that are accepted alone. */
    TOGETHER
  }

  /** The fields of devices that a rule reads. */
  enum Reads {
    /**
     * Only fields that decide whether devices of a node are interchangeable, and whether nodes have
     * equal signatures, so that interchangeable devices get the same verdict. A test checks which
     * fields the rule reads.
     */
    COMPARED,
    /** Possibly any field: no devices are interchangeable while the rule is on. */
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

  /** Returns whether a rule may distinguish devices that are equal in all compared fields. */
  public static boolean anyReadsAnything(Set<Feature> features, List<ClaimRule> added) {
    for (RuleKind kind : ALL) {
      if (kind.readsAnything() && kind.isOn(features, added)) {
        return true;
      }
    }
    return false;
  }

  /** The cause of a refusal of this kind in explanations. */
  ExclusionCause cause() {
    return cause;
  }

  /** Creates the refusal of a rule of this kind. */
  Violation violation(Violation.Verb verb, String rest) {
    return new Violation(cause, verb, rest);
  }

  boolean readsAnything() {
    return reads == Reads.ANYTHING;
  }

  Screen screen() {
    return screen;
  }

  /** Returns whether devices may be refused together although each alone is accepted. */
  public boolean refusesTogether() {
    return refuses == Refuses.TOGETHER;
  }

  /** Whether a search asks rules of this kind. */
  boolean isOn(Set<Feature> features, List<ClaimRule> added) {
    return feature == null || features.contains(feature);
  }

  /**
   * Returns the rule of this kind for one search; null if it is off, or if each claim has its own.
   */
  final @Nullable public Rule make(SearchContext context, PlacedDevices placed) {
    return isOn(context.features(), context.rules()) ? rule(context, placed) : null;
  }

  abstract @Nullable Rule rule(SearchContext context, PlacedDevices placed);
}
