/** Conversion of JSON text to a tree and back, with positions and bounds. */
@NullMarked
package io.dra4j.manifest.internal.json;

import org.jspecify.annotations.NullMarked;
