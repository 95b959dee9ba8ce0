package io.dra4j.inventory;

import io.dra4j.model.ClaimKey;
import io.dra4j.model.DeviceClass;
import io.dra4j.model.DeviceTaintRule;
import io.dra4j.model.Node;
import io.dra4j.model.ResourceClaim;
import io.dra4j.model.ResourceSlice;
import java.util.Objects;

/**
 * A change of a cluster, as an informer or a watch reports it. "Put" means that an object was added
 * or changed. To put the same instance again, or to remove an object that does not exist, changes
 * nothing. The constructors of all events throw {@link NullPointerException} for null, with the
 * name of the argument.
 */
public sealed interface InventoryEvent {

  /**
   * A slice was published or changed. To put the same instance again changes nothing. An equal but
   * distinct slice counts as a change: selectors can distinguish equal quantities, such as 1Gi and
   * 1024Mi, so they are evaluated again.
   *
   * @param slice the slice; it replaces the object with the same name
   */
  record SlicePut(ResourceSlice slice) implements InventoryEvent {
    /** Rejects null. {@inheritDoc} */
    public SlicePut {
      Objects.requireNonNull(slice, "slice");
    }
  }

  /**
   * A slice was deleted. Claims continue to hold its devices.
   *
   * @param name the name of the slice
   */
  record SliceRemoved(String name) implements InventoryEvent {
    /** Rejects null. {@inheritDoc} */
    public SliceRemoved {
      Objects.requireNonNull(name, "name");
    }
  }

  /**
   * A node was added or changed.
   *
   * @param node the node; it replaces the object with the same name
   */
  record NodePut(Node node) implements InventoryEvent {
    /** Rejects null. {@inheritDoc} */
    public NodePut {
      Objects.requireNonNull(node, "node");
    }
  }

  /**
   * A node was deleted.
   *
   * @param name the name of the node
   */
  record NodeRemoved(String name) implements InventoryEvent {
    /** Rejects null. {@inheritDoc} */
    public NodeRemoved {
      Objects.requireNonNull(name, "name");
    }
  }

  /**
   * A device class was added or changed.
   *
   * @param deviceClass the class; it replaces the object with the same name
   */
  record ClassPut(DeviceClass deviceClass) implements InventoryEvent {
    /** Rejects null. {@inheritDoc} */
    public ClassPut {
      Objects.requireNonNull(deviceClass, "deviceClass");
    }
  }

  /**
   * A device class was deleted.
   *
   * @param name the name of the class
   */
  record ClassRemoved(String name) implements InventoryEvent {
    /** Rejects null. {@inheritDoc} */
    public ClassRemoved {
      Objects.requireNonNull(name, "name");
    }
  }

  /**
   * A device taint rule was added or changed.
   *
   * @param rule the rule; it replaces the rule with the same name, or all of them if a snapshot had
   *     several
   */
  record TaintRulePut(DeviceTaintRule rule) implements InventoryEvent {
    /** Rejects null. {@inheritDoc} */
    public TaintRulePut {
      Objects.requireNonNull(rule, "rule");
    }
  }

  /**
   * A device taint rule was deleted, and its taints with it.
   *
   * @param name the name of the rule, or of all rules if a snapshot had several with this name
   */
  record TaintRuleRemoved(String name) implements InventoryEvent {
    /** Rejects null. {@inheritDoc} */
    public TaintRuleRemoved {
      Objects.requireNonNull(name, "name");
    }
  }

  /**
   * A claim was added or changed. It holds the devices of its allocation only; without an
   * allocation, it holds none.
   *
   * @param claim the claim
   */
  record ClaimPut(ResourceClaim claim) implements InventoryEvent {
    /** Rejects null. {@inheritDoc} */
    public ClaimPut {
      Objects.requireNonNull(claim, "claim");
    }
  }

  /**
   * A claim was deleted and no longer holds devices.
   *
   * @param claim its key
   */
  record ClaimRemoved(ClaimKey claim) implements InventoryEvent {
    /** Rejects null. {@inheritDoc} */
    public ClaimRemoved {
      Objects.requireNonNull(claim, "claim");
    }
  }
}
