package io.dra4j.inventory;

import io.dra4j.model.ClaimKey;
import io.dra4j.model.DeviceClass;
import io.dra4j.model.DeviceTaintRule;
import io.dra4j.model.Node;
import io.dra4j.model.ResourceClaim;
import io.dra4j.model.ResourceSlice;

/**
 * Something that happened to a cluster, as an informer or a watch tells it. "Put" covers adding and
 * changing; to put what is there already, or to remove what is not, changes nothing.
 */
public sealed interface InventoryEvent {

  /**
   * A slice was published or changed.
   *
   * @param slice the slice; it takes the place of the one with the same name
   */
  record SlicePut(ResourceSlice slice) implements InventoryEvent {}

  /**
   * A slice is gone. Claims go on holding its devices.
   *
   * @param name the name of the slice
   */
  record SliceRemoved(String name) implements InventoryEvent {}

  /**
   * A node was added or changed.
   *
   * @param node the node; it takes the place of the one with the same name
   */
  record NodePut(Node node) implements InventoryEvent {}

  /**
   * A node is gone.
   *
   * @param name the name of the node
   */
  record NodeRemoved(String name) implements InventoryEvent {}

  /**
   * A device class was added or changed.
   *
   * @param deviceClass the class; it takes the place of the one with the same name
   */
  record ClassPut(DeviceClass deviceClass) implements InventoryEvent {}

  /**
   * A device class is gone.
   *
   * @param name the name of the class
   */
  record ClassRemoved(String name) implements InventoryEvent {}

  /**
   * A device taint rule was added or changed.
   *
   * @param rule the rule; it takes the place of the one with the same name
   */
  record TaintRulePut(DeviceTaintRule rule) implements InventoryEvent {}

  /**
   * A device taint rule is gone, and its taints with it.
   *
   * @param name the name of the rule
   */
  record TaintRuleRemoved(String name) implements InventoryEvent {}

  /**
   * A claim was added or changed. It holds what its allocation says, and nothing that it held
   * before besides; without an allocation it holds nothing.
   *
   * @param claim the claim
   */
  record ClaimPut(ResourceClaim claim) implements InventoryEvent {}

  /**
   * A claim is gone and holds nothing any more.
   *
   * @param claim its key
   */
  record ClaimRemoved(ClaimKey claim) implements InventoryEvent {}
}
