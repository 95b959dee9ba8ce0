/** The terminal: output, tables, exit codes, converters of options, and messages. */
@NullMarked
package io.dra4j.cli.terminal;

import org.jspecify.annotations.NullMarked;
