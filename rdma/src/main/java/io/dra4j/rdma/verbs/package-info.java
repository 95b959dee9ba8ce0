/**
 * What RDMA devices allow, as {@code libibverbs.so.1} reports it where it is installed: {@link
 * io.dra4j.rdma.verbs.RdmaLimits}. Nothing here sends or receives.
 */
@NullMarked
package io.dra4j.rdma.verbs;

import org.jspecify.annotations.NullMarked;
