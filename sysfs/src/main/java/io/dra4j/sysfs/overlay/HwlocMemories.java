package io.dra4j.sysfs.overlay;

import io.dra4j.sysfs.text.KernelText;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;

/**
 * The NUMA nodes of an export of hwloc, which also has the memory of GPUs, HBM and CXL memory as
 * nodes. These have no CPUs of their own; hwloc gives them the CPUs near them.
 */
final class HwlocMemories {

  private record Memory(BitSet cpus, String subtype) {}

  private final Map<Integer, Memory> byNode = new TreeMap<>();
  private final Map<Integer, Boolean> withCpus = new HashMap<>(); // the answers that were computed

  /** Adds the NUMA nodes in an element. */
  void addAll(XmlElement element) {
    withCpus.clear();
    for (XmlElement child : element.children()) {
      OptionalInt id = KernelText.decimal(child.attribute("os_index"), 1_023);
      if (child.attribute("type").equals("NUMANode") && id.isPresent()) {
        byNode.putIfAbsent(
            id.getAsInt(),
            new Memory(CpuMask.parse(child.attribute("cpuset")), child.attribute("subtype")));
      }
      addAll(child);
    }
  }

  /** {@return whether a node has its own CPUs: it is the first to which hwloc gives them} */
  boolean hasCpus(int node) {
    return withCpus.computeIfAbsent(node, this::isFirstWithItsCpus);
  }

  private boolean isFirstWithItsCpus(int node) {
    Memory memory = byNode.get(node);
    if (memory == null || isSpecial(memory)) {
      return memory == null;
    }
    for (Map.Entry<Integer, Memory> other : byNode.entrySet()) {
      boolean isBefore =
          other.getKey() < node
              && other.getValue().cpus.equals(memory.cpus)
              && !isSpecial(other.getValue());
      if (isBefore || isWithin(other.getValue(), memory)) {
        return false;
      }
    }
    return !memory.cpus.isEmpty();
  }

  /** Returns the node of a part of the machine: its only node, or its only node with CPUs. */
  OptionalInt nodeOf(BitSet nodes) {
    BitSet left = (BitSet) nodes.clone();
    if (left.cardinality() > 1) {
      nodes.stream().filter(node -> !hasCpus(node)).forEach(left::clear);
    }
    return left.cardinality() == 1 ? OptionalInt.of(left.nextSetBit(0)) : OptionalInt.empty();
  }

  /** Returns whether a node is a kind of memory other than DRAM, by the words of hwloc. */
  private static boolean isSpecial(Memory memory) {
    return !memory.subtype.isEmpty() && !memory.subtype.equals("DRAM");
  }

  private static boolean isWithin(Memory inner, Memory outer) {
    BitSet outside = (BitSet) inner.cpus.clone();
    outside.andNot(outer.cpus);
    return !inner.cpus.isEmpty()
        && outside.isEmpty()
        && !inner.cpus.equals(outer.cpus)
        && !isSpecial(inner);
  }
}
