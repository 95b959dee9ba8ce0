/**
 * Functions of Linux that the JVM does not offer: owned file descriptors and network namespaces,
 * with a few system calls.
 *
 * <p>Start with {@link io.dra4j.linux.NetworkNamespace}. All calls of the kernel go through {@link
 * io.dra4j.linux.NativeAccess}.
 */
@NullMarked
package io.dra4j.linux;

import org.jspecify.annotations.NullMarked;
