/**
 * What the JVM does not offer of Linux: owned file descriptors and network namespaces, over a
 * handful of system calls.
 *
 * <p>Start with {@link io.dra4j.linux.NetworkNamespace}. Everything reaches the kernel through
 * {@link io.dra4j.linux.NativeAccess}.
 */
@NullMarked
package io.dra4j.linux;

import org.jspecify.annotations.NullMarked;
