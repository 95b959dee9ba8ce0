/**
 * The configuration of the network driver: the JSON document of a claim or device class for a
 * device. Start with {@link io.dra4j.dranet.config.NetworkConfig#parse}.
 */
@NullMarked
package io.dra4j.dranet.config;

import org.jspecify.annotations.NullMarked;
