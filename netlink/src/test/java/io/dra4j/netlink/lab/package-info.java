/**
 * Tests on the devices of a machine, which they change as they like: they run in the virtual
 * machines of {@code e2e/lab} only.
 */
@NullMarked
package io.dra4j.netlink.lab;

import org.jspecify.annotations.NullMarked;
