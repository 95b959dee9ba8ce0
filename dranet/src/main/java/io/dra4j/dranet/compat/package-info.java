/** Compatibility with the configuration of DraNet, so that dra4j can replace it on a node. */
@NullMarked
package io.dra4j.dranet.compat;

import org.jspecify.annotations.NullMarked;
