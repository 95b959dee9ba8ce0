package io.dra4j.allocation;

import io.dra4j.model.Budget;
import io.dra4j.model.BudgetExceededException;
import io.dra4j.model.CompiledSelector;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceAttribute;
import io.dra4j.model.DeviceCapacity;
import io.dra4j.model.QualifiedName;
import io.dra4j.model.Quantity;
import io.dra4j.model.SelectorException;
import io.dra4j.model.SelectorReads;
import io.dra4j.model.SemVer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Asks a selector once about all devices that are alike in what it reads. Of 16,000 devices of a
 * cluster most are.
 */
final class AlikeDevices {

  /** With more kinds of devices than this, it costs more to tell them apart than to ask. */
  private static final int MAX_KINDS = 256;

  private final CompiledSelector selector;
  private final SelectorReads reads;
  private final List<QualifiedName> attributes;
  private final List<QualifiedName> capacities;
  private final Map<List<Object>, Object> answers = new ConcurrentHashMap<>();

  AlikeDevices(CompiledSelector selector) {
    this.selector = selector;
    this.reads = selector.reads();
    this.attributes = reads.attributes().stream().map(QualifiedName::of).toList();
    this.capacities = reads.capacities().stream().map(QualifiedName::of).toList();
  }

  boolean matches(String driver, Device device, Budget budget)
      throws SelectorException, BudgetExceededException {
    if (reads.everything() || answers.size() > MAX_KINDS) {
      return selector.matches(driver, device, budget);
    }
    List<Object> kind = kind(driver, device, budget);
    if (kind == null) {
      return selector.matches(driver, device, budget);
    }
    Object answer = answers.get(kind);
    if (answer == null) {
      answer = answer(driver, device, budget);
      answers.put(kind, answer);
    }
    if (answer instanceof SelectorException failure) {
      throw failure; // has no stack trace
    }
    return (Boolean) answer;
  }

  private Object answer(String driver, Device device, Budget budget)
      throws BudgetExceededException {
    try {
      return selector.matches(driver, device, budget);
    } catch (SelectorException e) {
      return e;
    }
  }

  /** What the selector reads of a device, or null if the device is like no other. */
  private @Nullable List<Object> kind(String driver, Device device, Budget budget)
      throws BudgetExceededException {
    List<Object> kind = new ArrayList<>();
    kind.add(driver);
    if (reads.multipleAllocations()) {
      kind.add(device.allowMultipleAllocations());
    }
    for (DeviceAttribute attribute : device.attributes().values()) {
      budget.spend(1);
      if (isBroken(attribute)) {
        return null;
      }
    }
    for (QualifiedName name : attributes) {
      if (!add(kind, driver, name, device.attributes())) {
        return null;
      }
    }
    for (QualifiedName name : capacities) {
      if (!add(kind, driver, name, device.capacity())) {
        return null;
      }
    }
    return kind;
  }

  /** Returns false if the device has the name twice, with and without the domain. */
  private static boolean add(
      List<Object> kind, String driver, QualifiedName name, Map<String, ? extends Object> values) {
    if (name.isTwiceIn(driver, values)) {
      return false;
    }
    Object value = name.in(driver, values);
    if (value instanceof DeviceCapacity capacity) {
      value = new Quantity.Written(capacity.value()); // isInteger() tells equal ones apart
    }
    kind.add(value == null ? "" : value);
    return true;
  }

  /** Such an attribute makes every selector fail, and the message names it. */
  private static boolean isBroken(DeviceAttribute attribute) {
    if (attribute instanceof DeviceAttribute.VersionValue version) {
      return SemVer.tryParse(version.value()).isEmpty();
    } else if (attribute instanceof DeviceAttribute.VersionValues versions) {
      return versions.values().stream().anyMatch(v -> SemVer.tryParse(v).isEmpty());
    }
    return attribute instanceof DeviceAttribute.NoValue;
  }
}
