/**
 * Reads the devices of a Linux host from its {@code /sys} and {@code /proc}.
 *
 * <p>Start with {@link io.dra4j.sysfs.SysfsReader}. {@code SysfsTree} reads text from files and
 * links, within limits. The other classes convert text to facts and have the names of their
 * sources.
 */
@NullMarked
package io.dra4j.sysfs;

import org.jspecify.annotations.NullMarked;
