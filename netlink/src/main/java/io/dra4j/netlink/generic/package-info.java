/** Families that have names instead of protocol numbers: generic netlink. */
@NullMarked
package io.dra4j.netlink.generic;

import org.jspecify.annotations.NullMarked;
