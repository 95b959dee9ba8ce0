/**
 * Runs drivers on a host. {@link io.dra4j.runtime.DriverRuntime} is where to start: it keeps what
 * drivers offer up to date, allocates claims on this host, prepares and attaches them, and takes
 * back after a crash what was begun. What must outlive the process is in a {@link
 * io.dra4j.runtime.ClaimStore}.
 */
@NullMarked
package io.dra4j.runtime;

import org.jspecify.annotations.NullMarked;
