/**
 * RDMA devices as the kernel reports them. Start with {@link io.dra4j.netlink.rdma.RdmaNetlink}, to
 * follow changes with {@link io.dra4j.netlink.rdma.RdmaMonitor}.
 */
@NullMarked
package io.dra4j.netlink.rdma;

import org.jspecify.annotations.NullMarked;
