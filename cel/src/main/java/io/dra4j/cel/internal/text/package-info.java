/**
 * Texts as Go reads and writes them: numbers, times, addresses, regular expressions, Unicode, and
 * its order of sorting.
 *
 * <p>Knows nothing of CEL.
 */
@NullMarked
package io.dra4j.cel.internal.text;

import org.jspecify.annotations.NullMarked;
