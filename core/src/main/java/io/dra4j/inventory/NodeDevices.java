package io.dra4j.inventory;

import io.dra4j.common.Budget;
import io.dra4j.common.BudgetExceededException;
import io.dra4j.inventory.internal.CachedSelector;
import io.dra4j.inventory.internal.InventoryState;
import io.dra4j.inventory.internal.NodeDevice;
import io.dra4j.model.DeviceClass;
import io.dra4j.model.DeviceSelector;
import io.dra4j.selector.SelectorCompiler;
import io.dra4j.selector.SelectorException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The devices that a node can use, or some of them, in the order in which Kubernetes tries them:
 *
 * <pre>{@code
 * int free = inventory.devicesOf("node-1").orElseThrow().ofDriver("gpu.example.com").free().size();
 * }</pre>
 *
 * <p>Contains only devices of usable pools, as if all features of Kubernetes were on.
 */
public final class NodeDevices {

  private final InventoryState state;
  private final List<NodeDevice> candidates;
  private final List<InventoryDevice> devices; // in the order of the candidates
  private final @Nullable String fault;

  NodeDevices(
      InventoryState state,
      List<NodeDevice> candidates,
      List<InventoryDevice> devices,
      @Nullable String fault) {
    this.state = state;
    this.candidates = List.copyOf(candidates);
    this.devices = List.copyOf(devices);
    this.fault = fault;
  }

  /**
   * Returns the error of a node selector that cannot be parsed and that prevents the allocation of
   * some of these devices. If it is the selector of a slice, which may apply to the node, every
   * allocation on the node is rejected. If it is the selector of a device that selects its nodes
   * itself, allocations that reach this device are rejected. The slice or device with the selector
   * is not among these devices.
   *
   * <p>A selector of several terms can be parsed and is not reported here. Still, a claim is
   * rejected if it gets a device of such a slice before any device of this node alone, because
   * Kubernetes cannot combine such selectors.
   *
   * @return the reason, which an allocation also gives; usually empty
   */
  public Optional<String> fault() {
    return Optional.ofNullable(fault);
  }

  /** {@return the devices themselves, in order} */
  public List<InventoryDevice> list() {
    return devices;
  }

  /** {@return the number of devices} */
  public int size() {
    return devices.size();
  }

  /** {@return the free devices, in order} */
  public NodeDevices free() {
    return only(InventoryDevice::isFree);
  }

  /** {@return the devices that are held, as a whole or in part (not {@link #free}), in order} */
  public NodeDevices held() {
    return only(device -> !device.isFree());
  }

  /**
   * {@return the devices that a driver publishes, in order}
   *
   * @param driver the name of the driver
   */
  public NodeDevices ofDriver(String driver) {
    Objects.requireNonNull(driver, "driver");
    return only(device -> device.id().driver().equals(driver));
  }

  /**
   * {@return the devices that all selectors of a class match, in order}
   *
   * @param deviceClass the class
   * @param compiler compiles its selectors
   * @throws SelectorException if a selector cannot be compiled, or fails on a device
   */
  public NodeDevices ofClass(DeviceClass deviceClass, SelectorCompiler compiler)
      throws SelectorException {
    Objects.requireNonNull(deviceClass, "deviceClass");
    Objects.requireNonNull(compiler, "compiler");
    List<CachedSelector> selectors = new ArrayList<>();
    for (DeviceSelector selector : deviceClass.selectors()) {
      if (selector.expression() == null) {
        throw new SelectorException(
            "class " + deviceClass.metadata().name() + ": a selector has no CEL expression");
      }
      selectors.add(state.answersOf(compiler.compileSelector(selector.expression())));
    }
    List<NodeDevice> some = new ArrayList<>();
    List<InventoryDevice> found = new ArrayList<>();
    for (int i = 0; i < candidates.size(); i++) {
      if (matchesAll(selectors, candidates.get(i))) {
        some.add(candidates.get(i));
        found.add(devices.get(i));
      }
    }
    return new NodeDevices(state, some, found, fault);
  }

  private static boolean matchesAll(List<CachedSelector> selectors, NodeDevice candidate)
      throws SelectorException {
    for (CachedSelector selector : selectors) {
      try {
        if (!selector.matches(candidate, Budget.unlimited())) {
          return false;
        }
      } catch (BudgetExceededException e) {
        throw new IllegalStateException("a budget without limit is used up", e);
      }
    }
    return true;
  }

  private NodeDevices only(Predicate<InventoryDevice> condition) {
    List<NodeDevice> some = new ArrayList<>();
    List<InventoryDevice> found = new ArrayList<>();
    for (int i = 0; i < candidates.size(); i++) {
      if (condition.test(devices.get(i))) {
        some.add(candidates.get(i));
        found.add(devices.get(i));
      }
    }
    return new NodeDevices(state, some, found, fault);
  }
}
