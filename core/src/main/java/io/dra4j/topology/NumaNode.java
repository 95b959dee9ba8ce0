package io.dra4j.topology;

import java.util.List;
import java.util.OptionalInt;

/**
 * A NUMA node of a host.
 *
 * @param id its number
 * @param cpus its CPUs in the list format of Linux, for example {@code 0-27,56-83}; empty if it has
 *     none or they are not known
 * @param socket the number of the processor package it belongs to, if known
 * @param distances the relative distance of its memory to each node in the order of their numbers
 *     (ACPI SLIT; 10 is local); empty if not known
 */
public record NumaNode(int id, String cpus, OptionalInt socket, List<Integer> distances) {

  /** Copies the distances. {@inheritDoc} */
  public NumaNode {
    distances = List.copyOf(distances);
  }
}
