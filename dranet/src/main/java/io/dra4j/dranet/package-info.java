/**
 * The network driver: offers the network devices of a host, and brings them into pods and back.
 * Start with {@link io.dra4j.dranet.NetworkDriver}.
 */
@NullMarked
package io.dra4j.dranet;

import org.jspecify.annotations.NullMarked;
