/**
 * RDMA devices of a host, from the facts of RDMA netlink ({@code io.dra4j.netlink.rdma}) and {@code
 * /sys/class/infiniband} ({@code io.dra4j.sysfs}).
 *
 * <p>{@link io.dra4j.rdma.RdmaReader} completes the inventory of a host; {@link
 * io.dra4j.rdma.RdmaNetdevs} maps network devices to RDMA devices.
 */
@NullMarked
package io.dra4j.rdma;

import org.jspecify.annotations.NullMarked;
