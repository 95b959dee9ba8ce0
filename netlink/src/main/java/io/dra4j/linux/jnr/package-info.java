/** {@link io.dra4j.linux.NativeAccess} by jnr-ffi. */
@NullMarked
package io.dra4j.linux.jnr;

import org.jspecify.annotations.NullMarked;
