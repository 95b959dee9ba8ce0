/** Expressions that want to exhaust who evaluates them, and the entry point of the fuzzer. */
@NullMarked
package io.dra4j.cel.hostile;

import org.jspecify.annotations.NullMarked;
