/** The order and the limits of calls: locks by key, turns of pods, pauses between retries. */
@NullMarked
package io.dra4j.runtime.internal.call;

import org.jspecify.annotations.NullMarked;
