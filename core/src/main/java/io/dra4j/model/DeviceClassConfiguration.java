package io.dra4j.model;

import org.jspecify.annotations.Nullable;

/**
 * Configuration that every allocation of a class contains.
 *
 * @param opaque the parameters, or {@code null} for an unknown kind of configuration
 */
public record DeviceClassConfiguration(@Nullable OpaqueDeviceConfiguration opaque) {}
