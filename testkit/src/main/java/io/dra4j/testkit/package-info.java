/**
 * Hosts for tests. {@link CapturedHost} is a host recorded as entries, {@link CapturedHostTree}
 * passes a host to a test as a directory, and {@link Reading} is the output of other programs about
 * the same machine.
 */
@NullMarked
package io.dra4j.testkit;

import org.jspecify.annotations.NullMarked;
