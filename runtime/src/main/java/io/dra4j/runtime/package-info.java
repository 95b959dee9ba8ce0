/**
 * Runs drivers on a host. Start with {@link io.dra4j.runtime.DriverRuntime}: it keeps the offers of
 * drivers current, allocates claims on this host, prepares and attaches them, and undoes unfinished
 * work after a crash. A {@link io.dra4j.runtime.ClaimStore} has the state that must outlive the
 * process.
 */
@NullMarked
package io.dra4j.runtime;

import org.jspecify.annotations.NullMarked;
