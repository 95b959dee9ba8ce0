/** The command {@code dra4j cel}. */
@NullMarked
package io.dra4j.cli.cel;

import org.jspecify.annotations.NullMarked;
