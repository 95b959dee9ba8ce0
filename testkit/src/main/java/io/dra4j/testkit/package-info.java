/**
 * Hosts for tests. {@link CapturedHost} is a host recorded as entries, {@link CapturedHostTree}
 * gives a test one laid out as a folder, and {@link Reading} is what other programs said about the
 * same machine.
 */
@NullMarked
package io.dra4j.testkit;

import org.jspecify.annotations.NullMarked;
