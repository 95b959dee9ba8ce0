/**
 * The limits of RDMA devices, as {@code libibverbs.so.1} reports them if it is installed: {@link
 * io.dra4j.rdma.verbs.RdmaLimits}. This package does not send or receive data.
 */
@NullMarked
package io.dra4j.rdma.verbs;

import org.jspecify.annotations.NullMarked;
