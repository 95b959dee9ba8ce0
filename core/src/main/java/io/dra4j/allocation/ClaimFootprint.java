package io.dra4j.allocation;

import io.dra4j.common.Budget;
import io.dra4j.common.BudgetExceededException;
import io.dra4j.inventory.DeviceInventory;
import io.dra4j.inventory.internal.RelevantAttributes;
import io.dra4j.model.DeviceClass;
import io.dra4j.model.DeviceConstraint;
import io.dra4j.model.DeviceRequest;
import io.dra4j.model.DeviceSelector;
import io.dra4j.model.DeviceSubRequest;
import io.dra4j.model.ExactDeviceRequest;
import io.dra4j.model.ResourceClaim;
import io.dra4j.selector.SelectorCompiler;
import io.dra4j.selector.SelectorException;
import io.dra4j.selector.SelectorReads;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Determines the attributes of devices that claims read, on the first call. Thread-safe. */
final class ClaimFootprint {

  /** Nodes are not compared for claims that read more attributes. */
  private static final int MAX_ATTRIBUTES = 1_000;

  /** Analysing all selectors may take longer than a search that evaluates only the first ones. */
  private static final Duration MAX_TIME = Duration.ofMillis(50);

  /** The first attempt of a process takes longer, because it loads the classes of the compiler. */
  private static final int MAX_FAILURES = 4;

  /** The result. */
  private record Found(Optional<RelevantAttributes> traits) {}

  private final DeviceInventory inventory;
  private final SelectorCompiler compiler;
  private final List<ResourceClaim> claims;
  private final boolean comparable;
  private final AtomicInteger failures = new AtomicInteger();
  private volatile @Nullable Found found;

  /** Creates a footprint; {@code comparable} is false if other reasons prevent comparisons. */
  ClaimFootprint(
      DeviceInventory inventory,
      SelectorCompiler compiler,
      List<ResourceClaim> claims,
      boolean comparable) {
    this.inventory = inventory;
    this.compiler = compiler;
    this.claims = claims;
    this.comparable = comparable;
  }

  /**
   * {@return the attributes that the claims read; empty if they are not known, take too long to
   * determine, or do not matter because an error of the claims is the same on each node}
   */
  Optional<RelevantAttributes> traits(Budget budget) {
    Found known = found;
    if (known == null) {
      known = look(budget);
      found = known;
    }
    return known == null ? Optional.empty() : known.traits;
  }

  /** Null if it took too long; later callers may wait longer, or have compiled selectors. */
  private @Nullable Found look(Budget budget) {
    try {
      return new Found(comparable ? new Look(budget.atMost(MAX_TIME)).traits() : Optional.empty());
    } catch (BudgetExceededException e) {
      boolean isLast = failures.incrementAndGet() >= MAX_FAILURES;
      return isLast && !budget.isOver() ? new Found(Optional.empty()) : null;
    }
  }

  /** One pass over the claims. */
  private final class Look {
    private final Budget budget;
    private final Set<String> attributes = new HashSet<>();
    private boolean everything;
    private boolean known = true;

    Look(Budget budget) {
      this.budget = budget;
    }

    Optional<RelevantAttributes> traits() throws BudgetExceededException {
      for (ResourceClaim claim : claims) {
        for (DeviceConstraint constraint : claim.spec().constraints()) {
          budget.spend(1);
          attributes.addAll(constraint.attributes().values());
        }
        for (DeviceRequest request : claim.spec().requests()) {
          add(request);
        }
      }
      if (!known || attributes.size() > MAX_ATTRIBUTES) {
        return Optional.empty();
      }
      return Optional.of(
          everything ? RelevantAttributes.everything() : RelevantAttributes.of(attributes));
    }

    private void add(DeviceRequest request) throws BudgetExceededException {
      if (request.exactly() != null) {
        add(request.exactly());
      }
      for (DeviceSubRequest alternative : request.firstAvailable()) {
        add(alternative.request());
      }
    }

    private void add(ExactDeviceRequest request) throws BudgetExceededException {
      DeviceClass deviceClass = inventory.deviceClass(request.deviceClassName()).orElse(null);
      if (deviceClass == null) {
        known = false;
        return;
      }
      for (DeviceSelector selector : deviceClass.selectors()) {
        add(selector);
      }
      for (DeviceSelector selector : request.selectors()) {
        add(selector);
      }
      everything |= !request.derivedAttributes().isEmpty();
    }

    private void add(DeviceSelector selector) throws BudgetExceededException {
      budget.spend(1);
      if (selector.expression() == null) {
        known = false;
        return;
      }
      try {
        SelectorReads reads = compiler.compileSelector(selector.expression(), budget).reads();
        attributes.addAll(reads.attributes());
        everything |= reads.everything();
      } catch (SelectorException e) {
        known = false;
      }
    }
  }
}
