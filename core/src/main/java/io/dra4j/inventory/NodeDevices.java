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
 * <p>Only devices of usable pools are among them, as with all features of Kubernetes on.
 */
public final class NodeDevices {

  private final InventoryState state;
  private final List<NodeDevice> candidates;
  private final List<InventoryDevice> devices; // as the candidates
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
   * Returns the node selector that cannot be parsed, because of which no claim can be given some of
   * these devices, though they are there: that of a slice, which may be about the node, so that
   * every allocation on the node is rejected; or that of a device that chooses its nodes itself, so
   * that allocations which come to it are. What the selector belongs to is not among these devices.
   *
   * <p>A selector of several terms can be parsed, and is none of these: what can be said of the
   * nodes of a claim depends on all that it gets. A claim that has no device of this node alone
   * before one of such a slice is rejected once it is allocated.
   *
   * @return the reason, which an allocation gives, too; empty if there is none, as nearly always
   */
  public Optional<String> fault() {
    return Optional.ofNullable(fault);
  }

  /**
   * Returns the devices themselves.
   *
   * @return the devices, in order
   */
  public List<InventoryDevice> list() {
    return devices;
  }

  /**
   * Returns how many devices these are.
   *
   * @return the number of devices
   */
  public int size() {
    return devices.size();
  }

  /**
   * Returns the free devices.
   *
   * @return the free ones, in order
   */
  public NodeDevices free() {
    return only(InventoryDevice::isFree);
  }

  /**
   * Returns the devices that are held, as a whole or in part.
   *
   * @return the others than the {@link #free} ones, in order
   */
  public NodeDevices held() {
    return only(device -> !device.isFree());
  }

  /**
   * Returns those of the devices that a driver publishes.
   *
   * @param driver the name of the driver
   * @return its devices, in order
   */
  public NodeDevices ofDriver(String driver) {
    Objects.requireNonNull(driver, "driver");
    return only(device -> device.id().driver().equals(driver));
  }

  /**
   * Returns those of the devices that a class is about.
   *
   * @param deviceClass the class
   * @param compiler compiles its selectors
   * @return the devices that all selectors of the class match, in order
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
