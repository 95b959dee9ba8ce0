/** Examples of programs that use dra4j, compiled and tested with the library. */
@NullMarked
package io.dra4j.examples;

import org.jspecify.annotations.NullMarked;
