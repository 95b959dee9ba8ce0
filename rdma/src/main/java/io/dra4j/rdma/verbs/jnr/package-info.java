/** The binding of {@code libibverbs.so.1}, by jnr-ffi. */
@NullMarked
package io.dra4j.rdma.verbs.jnr;

import org.jspecify.annotations.NullMarked;
