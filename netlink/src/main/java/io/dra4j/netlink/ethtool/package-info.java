/** Settings of network hardware: ethtool. Start with {@link io.dra4j.netlink.ethtool.Ethtool}. */
@NullMarked
package io.dra4j.netlink.ethtool;

import org.jspecify.annotations.NullMarked;
