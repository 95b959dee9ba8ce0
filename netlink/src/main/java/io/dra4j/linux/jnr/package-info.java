/** The implementation of {@link io.dra4j.linux.NativeAccess} with jnr-ffi. */
@NullMarked
package io.dra4j.linux.jnr;

import org.jspecify.annotations.NullMarked;
