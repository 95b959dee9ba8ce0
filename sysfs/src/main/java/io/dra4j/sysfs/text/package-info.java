/** Text of the kernel as numbers; not for users of the module. */
@NullMarked
package io.dra4j.sysfs.text;

import org.jspecify.annotations.NullMarked;
