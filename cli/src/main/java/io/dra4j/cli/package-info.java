/**
 * The {@code dra4j} command: allocation and CEL on a terminal and in scripts. Its output and exit
 * codes are a contract that scripts rely on; the library computes the answers.
 */
@NullMarked
package io.dra4j.cli;

import org.jspecify.annotations.NullMarked;
