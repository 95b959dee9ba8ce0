/** Conversion of trees to records and back: one codec for each part of an object. */
@NullMarked
package io.dra4j.manifest.internal.codec;

import org.jspecify.annotations.NullMarked;
