/** Checks of arguments, and the small maps of their copies. */
@NullMarked
package io.dra4j.internal;

import org.jspecify.annotations.NullMarked;
