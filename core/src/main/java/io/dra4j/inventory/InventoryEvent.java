package io.dra4j.inventory;

import io.dra4j.model.ClaimKey;
import io.dra4j.model.DeviceClass;
import io.dra4j.model.DeviceTaintRule;
import io.dra4j.model.Node;
import io.dra4j.model.ResourceClaim;
import io.dra4j.model.ResourceSlice;
import java.util.Objects;

/**
 * Something that happened to a cluster, as an informer or a watch reports it. "Put" covers adding
 * and changing; to put the same instance again, or to remove what is not there, changes nothing. No
 * event takes null: its constructor throws {@link NullPointerException}, which says what is
 * missing.
 */
public sealed interface InventoryEvent {

  /**
   * A slice was published or changed. To put the same instance again changes nothing. Another slice
   * that is equal counts as a change: selectors can distinguish quantities that are equal, such as
   * 1Gi and 1024Mi, so that they are asked again.
   *
   * @param slice the slice; it takes the place of the one with the same name
   */
  record SlicePut(ResourceSlice slice) implements InventoryEvent {
    /** Checks that it is there. {@inheritDoc} */
    public SlicePut {
      Objects.requireNonNull(slice, "slice");
    }
  }

  /**
   * A slice is gone. Claims go on holding its devices.
   *
   * @param name the name of the slice
   */
  record SliceRemoved(String name) implements InventoryEvent {
    /** Checks that it is there. {@inheritDoc} */
    public SliceRemoved {
      Objects.requireNonNull(name, "name");
    }
  }

  /**
   * A node was added or changed.
   *
   * @param node the node; it takes the place of the one with the same name
   */
  record NodePut(Node node) implements InventoryEvent {
    /** Checks that it is there. {@inheritDoc} */
    public NodePut {
      Objects.requireNonNull(node, "node");
    }
  }

  /**
   * A node is gone.
   *
   * @param name the name of the node
   */
  record NodeRemoved(String name) implements InventoryEvent {
    /** Checks that it is there. {@inheritDoc} */
    public NodeRemoved {
      Objects.requireNonNull(name, "name");
    }
  }

  /**
   * A device class was added or changed.
   *
   * @param deviceClass the class; it takes the place of the one with the same name
   */
  record ClassPut(DeviceClass deviceClass) implements InventoryEvent {
    /** Checks that it is there. {@inheritDoc} */
    public ClassPut {
      Objects.requireNonNull(deviceClass, "deviceClass");
    }
  }

  /**
   * A device class is gone.
   *
   * @param name the name of the class
   */
  record ClassRemoved(String name) implements InventoryEvent {
    /** Checks that it is there. {@inheritDoc} */
    public ClassRemoved {
      Objects.requireNonNull(name, "name");
    }
  }

  /**
   * A device taint rule was added or changed.
   *
   * @param rule the rule; it takes the place of the one with the same name, or, where a snapshot
   *     had several, of all of them
   */
  record TaintRulePut(DeviceTaintRule rule) implements InventoryEvent {
    /** Checks that it is there. {@inheritDoc} */
    public TaintRulePut {
      Objects.requireNonNull(rule, "rule");
    }
  }

  /**
   * A device taint rule is gone, and its taints with it.
   *
   * @param name the name of the rule, or of the rules where a snapshot had several
   */
  record TaintRuleRemoved(String name) implements InventoryEvent {
    /** Checks that it is there. {@inheritDoc} */
    public TaintRuleRemoved {
      Objects.requireNonNull(name, "name");
    }
  }

  /**
   * A claim was added or changed. It holds what its allocation says, and nothing that it held
   * before besides; without an allocation it holds nothing.
   *
   * @param claim the claim
   */
  record ClaimPut(ResourceClaim claim) implements InventoryEvent {
    /** Checks that it is there. {@inheritDoc} */
    public ClaimPut {
      Objects.requireNonNull(claim, "claim");
    }
  }

  /**
   * A claim is gone and holds nothing any more.
   *
   * @param claim its key
   */
  record ClaimRemoved(ClaimKey claim) implements InventoryEvent {
    /** Checks that it is there. {@inheritDoc} */
    public ClaimRemoved {
      Objects.requireNonNull(claim, "claim");
    }
  }
}
