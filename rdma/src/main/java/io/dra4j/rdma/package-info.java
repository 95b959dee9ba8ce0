/**
 * RDMA devices of a host: what RDMA netlink ({@code io.dra4j.netlink.rdma}) and {@code
 * /sys/class/infiniband} ({@code io.dra4j.sysfs}) mean together.
 *
 * <p>{@link io.dra4j.rdma.RdmaReader} completes the inventory of a host; {@link
 * io.dra4j.rdma.RdmaNetdevs} says which network device belongs to which RDMA device.
 */
@NullMarked
package io.dra4j.rdma;

import org.jspecify.annotations.NullMarked;
