/** Checks of arguments. */
@NullMarked
package io.dra4j.internal;

import org.jspecify.annotations.NullMarked;
