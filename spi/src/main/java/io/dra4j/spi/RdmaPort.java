package io.dra4j.spi;

import java.util.OptionalDouble;
import java.util.OptionalInt;

/**
 * A port of an RDMA device.
 *
 * @param number from 1
 * @param state the logical state as Linux names it, for example {@code ACTIVE}; empty if not known
 * @param physicalState for example {@code LinkUp}; empty if not known
 * @param gigabitsPerSecond the rate of its link, if known
 * @param linkLayer {@code InfiniBand} or {@code Ethernet}; empty if not known
 * @param lid the local identifier that an InfiniBand subnet gave it, if known
 */
public record RdmaPort(
    int number,
    String state,
    String physicalState,
    OptionalDouble gigabitsPerSecond,
    String linkLayer,
    OptionalInt lid) {}
