package io.dra4j.allocation;

import io.dra4j.inventory.DeviceInventory;
import io.dra4j.inventory.VisibleTraits;
import io.dra4j.model.DeviceClass;
import io.dra4j.model.DeviceConstraint;
import io.dra4j.model.DeviceRequest;
import io.dra4j.model.DeviceSelector;
import io.dra4j.model.DeviceSubRequest;
import io.dra4j.model.ExactDeviceRequest;
import io.dra4j.model.ResourceClaim;
import io.dra4j.model.SelectorCompiler;
import io.dra4j.model.SelectorException;
import io.dra4j.model.SelectorReads;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Works out what claims look at on devices. */
final class ClaimSight {

  private final DeviceInventory inventory;
  private final SelectorCompiler compiler;
  private final Set<String> attributes = new HashSet<>();
  private boolean everything;
  private boolean known = true;

  private ClaimSight(DeviceInventory inventory, SelectorCompiler compiler) {
    this.inventory = inventory;
    this.compiler = compiler;
  }

  /**
   * What some claims look at.
   *
   * @return the traits, or null if that cannot be told, or is beside the point: a fault of the
   *     claims is one on each node
   */
  static @Nullable VisibleTraits of(
      DeviceInventory inventory, SelectorCompiler compiler, List<ResourceClaim> claims) {
    ClaimSight sight = new ClaimSight(inventory, compiler);
    for (ResourceClaim claim : claims) {
      for (DeviceConstraint constraint : claim.spec().constraints()) {
        sight.add(constraint.matchAttribute());
        sight.add(constraint.distinctAttribute());
      }
      for (DeviceRequest request : claim.spec().requests()) {
        sight.add(request);
      }
    }
    if (!sight.known) {
      return null;
    }
    return sight.everything ? VisibleTraits.everything() : VisibleTraits.of(sight.attributes);
  }

  private void add(@Nullable String attribute) {
    if (attribute != null) {
      attributes.add(attribute);
    }
  }

  private void add(DeviceRequest request) {
    if (request.exactly() != null) {
      add(request.exactly());
    }
    for (DeviceSubRequest alternative : request.firstAvailable()) {
      add(alternative.request());
    }
  }

  private void add(ExactDeviceRequest request) {
    DeviceClass deviceClass = inventory.deviceClass(request.deviceClassName());
    if (deviceClass == null) {
      known = false;
      return;
    }
    deviceClass.selectors().forEach(this::add);
    request.selectors().forEach(this::add);
    everything |= !request.derivedAttributes().isEmpty();
  }

  private void add(DeviceSelector selector) {
    if (selector.expression() == null) {
      known = false;
      return;
    }
    try {
      SelectorReads reads = compiler.compileSelector(selector.expression()).reads();
      attributes.addAll(reads.attributes());
      everything |= reads.everything();
    } catch (SelectorException e) {
      known = false;
    }
  }
}
