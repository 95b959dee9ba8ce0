package io.dra4j.sysfs;

import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * A character device of RDMA as {@code /sys} describes it.
 *
 * @param name the name of its file in {@code /dev/infiniband}, for example {@code uverbs0}
 * @param device the RDMA device that it belongs to; null for {@code rdma_cm}, which belongs to all
 * @param port the port that it belongs to, as {@code umad0} does; absent if it belongs to the
 *     device
 * @param major its major number
 * @param minor its minor number
 */
public record InfinibandNode(
    String name, @Nullable String device, OptionalInt port, int major, int minor) {}
