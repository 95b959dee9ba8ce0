package io.dra4j.cel.internal.eval;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A planned path, in cel-go an attribute. Steps after a conditional are taken on both branches. */
final class PathPlan implements Planned {

  /** The cost of a path without its steps. */
  private static final int COST = 1;

  private final @Nullable Node base;
  private final @Nullable Node condition;
  private final @Nullable PathPlan ifTrue;
  private final @Nullable PathPlan ifFalse;
  private final int presenceCost;
  private final List<Qualifier> steps = new ArrayList<>();
  private boolean presence;

  private PathPlan(
      @Nullable Node base,
      @Nullable Node condition,
      @Nullable PathPlan ifTrue,
      @Nullable PathPlan ifFalse,
      int presenceCost) {
    this.base = base;
    this.condition = condition;
    this.ifTrue = ifTrue;
    this.ifFalse = ifFalse;
    this.presenceCost = presenceCost;
  }

  /** Returns a path that begins with a variable or a computed value. */
  static PathPlan from(Node base) {
    return new PathPlan(base, null, null, null, 0);
  }

  /** Returns a path that begins with one of two; {@code has()} costs 0 or −1 without the steps. */
  static PathPlan conditional(Node condition, PathPlan ifTrue, PathPlan ifFalse, int presenceCost) {
    return new PathPlan(null, condition, ifTrue, ifFalse, presenceCost);
  }

  PathPlan add(Qualifier step) {
    presence = step.isPresence();
    if (ifTrue != null && ifFalse != null) {
      ifTrue.add(step);
      ifFalse.add(step);
    } else {
      steps.add(step);
    }
    return this;
  }

  @Override
  public PathPlan path() {
    return this;
  }

  @Override
  public Node build(AttributeNames names, DeviceReads.Collector reads) {
    int cost = condition != null || presence ? 0 : COST;
    Node path = build(cost, names, reads);
    if (!presence || path instanceof PathNodes.HasAttribute) {
      return path;
    }
    return new PathNodes.Has(path, presenceCost);
  }

  @Override
  public Node buildPart(AttributeNames names, DeviceReads.Collector reads) {
    return build(0, names, reads);
  }

  private Node build(int cost, AttributeNames names, DeviceReads.Collector reads) {
    if (condition != null && ifTrue != null && ifFalse != null) {
      return new LogicNodes.Conditional(
          condition, ifTrue.build(0, names, reads), ifFalse.build(0, names, reads));
    } else if (base instanceof ValueNodes.WholeDevice) {
      return device(cost, names, reads);
    } else if (base == null) {
      throw new IllegalStateException("a path without beginning");
    } else if (steps.isEmpty() && cost == 0) {
      return base;
    } else if (steps.isEmpty() && base instanceof ValueNodes.Local local) {
      return local.withCost();
    } else if (steps.isEmpty() && base instanceof ValueNodes.Accumulator accumulator) {
      return accumulator.withCost();
    }
    return new PathNodes.Path(base, steps, cost);
  }

  /** Replaces the known first steps into a device by a node of their own. */
  private Node device(int cost, AttributeNames names, DeviceReads.Collector reads) {
    String field = key(0, false);
    if (field == null) {
      reads.addEverything();
      return path(new ValueNodes.WholeDevice(), 0, cost);
    }
    if (field.equals("driver")) {
      return path(new PathNodes.Attribute(AttributeName.DRIVER, total(1, cost)), 1, cost);
    } else if (field.equals("allowMultipleAllocations")) {
      reads.addMultipleAllocations();
      return path(new PathNodes.AllowMultipleAllocations(total(1, cost)), 1, cost);
    }
    for (AttributeName.Kind kind : AttributeName.Kind.values()) {
      if (kind.field().equals(field)) {
        return named(kind, cost, names, reads);
      }
    }
    reads.addEverything();
    return path(new ValueNodes.WholeDevice(), 0, cost);
  }

  private Node named(
      AttributeName.Kind kind, int cost, AttributeNames names, DeviceReads.Collector reads) {
    String domain = key(1, false);
    if (domain == null) {
      reads.addEverything();
      return path(new PathNodes.Domains(kind, total(1, cost)), 1, cost);
    }
    Qualifier step = steps.size() < 3 ? null : steps.get(2);
    if (step == null || !(step.constant() instanceof String id)) {
      reads.addEverything();
      return path(new PathNodes.Domain(kind, domain, total(2, cost)), 2, cost);
    }
    AttributeName name = names.name(kind, domain, id);
    reads.add(name);
    if (step.isPresence()) {
      return new PathNodes.HasAttribute(name, total(3, cost));
    } else if (!step.isOptional()) {
      return path(new PathNodes.Attribute(name, total(3, cost)), 3, cost);
    } else if (steps.size() == 3) {
      return new PathNodes.OptionalAttribute(name, 3 + cost);
    }
    return path(new PathNodes.Domain(kind, domain, 2), 2, cost);
  }

  /** Returns the cost of a beginning, with that of the path if it is the whole path. */
  private int total(int done, int cost) {
    return steps.size() == done ? done + cost : done;
  }

  private Node path(Node start, int done, int cost) {
    return steps.size() == done && done > 0
        ? start
        : new PathNodes.Path(start, steps.subList(done, steps.size()), cost);
  }

  /** Returns the text of a step that must be there, or null if it is something else. */
  private @Nullable String key(int index, boolean presence) {
    if (index >= steps.size()) {
      return null;
    }
    Qualifier step = steps.get(index);
    return !step.isOptional()
            && step.isPresence() == presence
            && step.constant() instanceof String text
        ? text
        : null;
  }
}
