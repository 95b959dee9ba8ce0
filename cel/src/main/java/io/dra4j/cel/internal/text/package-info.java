/**
 * Texts as Go reads and writes them: regular expressions, Unicode.
 *
 * <p>Knows nothing of CEL.
 */
@NullMarked
package io.dra4j.cel.internal.text;

import org.jspecify.annotations.NullMarked;
