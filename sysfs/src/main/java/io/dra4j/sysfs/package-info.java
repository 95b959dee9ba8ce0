/**
 * Reads the devices of a Linux host from its {@code /sys} and {@code /proc}.
 *
 * <p>Start with {@link io.dra4j.sysfs.SysfsReader}. Here, {@code SysfsTree} gets text from files
 * and links, within limits; the classes named after what they read turn text into facts.
 */
@NullMarked
package io.dra4j.sysfs;

import org.jspecify.annotations.NullMarked;
