/** The command cel. */
@NullMarked
package io.dra4j.cli.cel;

import org.jspecify.annotations.NullMarked;
