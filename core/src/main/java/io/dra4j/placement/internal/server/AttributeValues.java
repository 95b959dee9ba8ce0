package io.dra4j.placement.internal.server;

import io.dra4j.inventory.internal.NodeDevice;
import io.dra4j.model.DeviceAttribute;
import io.dra4j.model.QualifiedName;
import io.dra4j.topology.PathType;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** An attribute's values for a server's GPUs and NICs as numbers from 0, equal for equal values. */
public final class AttributeValues {

  /** The levels of the tree whose groups an attribute may name, nearest first. */
  private static final List<PathType> LEVELS =
      List.of(
          PathType.SWITCH,
          PathType.MULTI_SWITCH,
          PathType.HOST_BRIDGE,
          PathType.NUMA_NODE,
          PathType.SYSTEM);

  public final String attribute;
  public final int size; // the number of different values
  private final int[] ofGpus; // -1 for a device without the attribute
  private final int[] ofNics;
  private volatile @Nullable Level last;

  /** The level that was found for some devices; null for none. */
  private record Level(ServerTree shape, long gpus, long nics, @Nullable PathType type) {}

  private AttributeValues(String attribute, int size, int[] ofGpus, int[] ofNics) {
    this.attribute = attribute;
    this.size = size;
    this.ofGpus = ofGpus;
    this.ofNics = ofNics;
  }

  /**
   * {@return the values; null if the attribute of a device is a list, which is not supported}
   *
   * @param attribute the name of the attribute, as in a constraint
   * @param candidates returns the devices of the node by ordinal
   */
  static @Nullable public AttributeValues of(
      String attribute, ServerModel kind, IntFunction<NodeDevice> candidates) {
    QualifiedName name = QualifiedName.of(attribute);
    Map<DeviceAttribute, Integer> numbers = new HashMap<>();
    int[] ofGpus = new int[kind.gpus()];
    int[] ofNics = new int[kind.nics()];
    return read(name, kind.gpuOrdinals, candidates, numbers, ofGpus)
            && read(name, kind.nicOrdinals, candidates, numbers, ofNics)
        ? new AttributeValues(attribute, numbers.size(), ofGpus, ofNics)
        : null;
  }

  private static boolean read(
      QualifiedName name,
      int[] ordinals,
      IntFunction<NodeDevice> candidates,
      Map<DeviceAttribute, Integer> numbers,
      int[] values) {
    DeviceAttribute last = null; // neighbouring devices often have the same
    int number = -1;
    for (int i = 0; i < values.length; i++) {
      NodeDevice candidate = candidates.apply(ordinals[i]);
      DeviceAttribute value = name.in(candidate.slice().driver(), candidate.device().attributes());
      if (value == null) {
        values[i] = -1;
      } else if (value instanceof DeviceAttribute.IntValue
          || value instanceof DeviceAttribute.StringValue
          || value instanceof DeviceAttribute.BoolValue
          || value instanceof DeviceAttribute.VersionValue) {
        if (!value.equals(last)) {
          Integer known = numbers.putIfAbsent(value, numbers.size());
          number = known == null ? numbers.size() - 1 : known;
          last = value;
        }
        values[i] = number;
      } else {
        return false;
      }
    }
    return true;
  }

  /** The value of a GPU or a NIC; -1 for none. */
  public int of(boolean gpu, int device) {
    return (gpu ? ofGpus : ofNics)[device];
  }

  /** Returns the level of the tree whose groups correspond to the values; null if there is none. */
  @Nullable
  public PathType level(ServerTree shape, long gpus, long nics) {
    Level known = last;
    if (known == null || !known.shape.equals(shape) || known.gpus != gpus || known.nics != nics) {
      known = new Level(shape, gpus, nics, find(shape, gpus, nics));
      last = known;
    }
    return known.type;
  }

  private @Nullable PathType find(ServerTree shape, long gpus, long nics) {
    long[] gpuMasks = masks(true, gpus);
    long[] nicMasks = masks(false, nics);
    for (PathType level : LEVELS) {
      if (isLevel(shape, new TreeSetSolver.Bundles(level, 1, 1), gpuMasks, nicMasks, gpus, nics)) {
        return level;
      }
    }
    return null;
  }

  /** Whether every value with GPUs and NICs is a group, and every such group a value. */
  private static boolean isLevel(
      ServerTree shape,
      TreeSetSolver.Bundles groups,
      long[] gpuMasks,
      long[] nicMasks,
      long gpus,
      long nics) {
    int values = 0;
    for (int i = 0; i < gpuMasks.length; i++) {
      values += gpuMasks[i] != 0 && nicMasks[i] != 0 ? 1 : 0;
    }
    int found = 0;
    for (int v = 0; v < shape.nodes; v++) {
      long ofGpus = shape.gpus[v] & gpus;
      long ofNics = shape.nics[v] & nics;
      if (groups.isGroup(shape, v) && ofGpus != 0 && ofNics != 0) {
        boolean value = false;
        for (int i = 0; i < gpuMasks.length; i++) {
          value |= gpuMasks[i] == ofGpus && nicMasks[i] == ofNics;
        }
        if (!value) {
          return false;
        }
        found++;
      }
    }
    return found == values;
  }

  /** The given GPUs, or NICs, that have each value, as masks. */
  private long[] masks(boolean gpu, long some) {
    long[] masks = new long[size];
    int[] values = gpu ? ofGpus : ofNics;
    for (int i = 0; i < values.length; i++) {
      if (values[i] >= 0) {
        masks[values[i]] |= some & ServerTree.bit(i);
      }
    }
    return masks;
  }
}
