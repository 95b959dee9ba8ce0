/** Bounded lists and names for the sentences of reasons. */
@NullMarked
package io.dra4j.allocation.internal.text;

import org.jspecify.annotations.NullMarked;
