package io.dra4j.model;

import org.jspecify.annotations.Nullable;

/**
 * Configuration that every allocation of a class carries.
 *
 * @param opaque the parameters, or {@code null} for a kind of configuration that this version does
 *     not know
 */
public record DeviceClassConfiguration(@Nullable OpaqueDeviceConfiguration opaque) {}
