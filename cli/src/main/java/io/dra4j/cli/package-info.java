/**
 * The {@code dra4j} command: allocation and CEL on a terminal and in scripts. What it prints and
 * how it exits is a contract that scripts rely on; what it computes is the library's.
 */
@NullMarked
package io.dra4j.cli;

import org.jspecify.annotations.NullMarked;
