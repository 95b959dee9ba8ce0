/**
 * The network driver: offers the network devices of a host, attaches them to pods and returns them.
 * Start with {@link io.dra4j.dranet.NetworkDriver}.
 */
@NullMarked
package io.dra4j.dranet;

import org.jspecify.annotations.NullMarked;
