/** A strict reader of small JSON documents. */
@NullMarked
package io.dra4j.internal.json;

import org.jspecify.annotations.NullMarked;
