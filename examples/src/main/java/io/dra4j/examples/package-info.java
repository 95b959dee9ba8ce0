/** How other projects use dra4j: code to start from, compiled and tested with the library. */
@NullMarked
package io.dra4j.examples;

import org.jspecify.annotations.NullMarked;
