/**
 * The network driver's configuration: the JSON document that a claim or device class carries for a
 * device. Start with {@link io.dra4j.dranet.config.NetworkConfig#parse}.
 */
@NullMarked
package io.dra4j.dranet.config;

import org.jspecify.annotations.NullMarked;
