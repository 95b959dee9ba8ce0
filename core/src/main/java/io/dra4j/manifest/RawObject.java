package io.dra4j.manifest;

import io.dra4j.manifest.Manifest.Origin;

/**
 * An object of a known kind, or a Namespace, as it was written: before defaults are filled in and
 * other versions are converted to v1.
 *
 * @param origin the place of the object
 * @param apiVersion its API version, for example {@code resource.k8s.io/v1beta1}
 * @param kind its kind, for example {@code ResourceClaim}
 * @param displayName the name of the object in messages, for example {@code ResourceClaim
 *     "default/gpus"}
 * @param fields its fields
 */
public record RawObject(
    Origin origin, String apiVersion, String kind, String displayName, Json.Fields fields) {}
