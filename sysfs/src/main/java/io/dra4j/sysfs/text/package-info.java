/** Parsers of the kernel's text; internal to the project. */
@NullMarked
package io.dra4j.sysfs.text;

import org.jspecify.annotations.NullMarked;
