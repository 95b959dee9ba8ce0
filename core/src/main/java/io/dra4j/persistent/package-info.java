/** Immutable collections whose changed copies share what has not changed. Not exported. */
@NullMarked
package io.dra4j.persistent;

import org.jspecify.annotations.NullMarked;
