package io.dra4j.manifest;

import io.dra4j.manifest.Manifest.Origin;

/**
 * An object that was passed over because dra4j does not know its kind.
 *
 * @param origin where it is
 * @param apiVersion its API version; empty when it has none
 * @param kind its kind; empty when it has none
 */
public record SkippedObject(Origin origin, String apiVersion, String kind) {}
