/** Devices as a whole: devlink. Start with {@link io.dra4j.netlink.devlink.Devlink}. */
@NullMarked
package io.dra4j.netlink.devlink;

import org.jspecify.annotations.NullMarked;
