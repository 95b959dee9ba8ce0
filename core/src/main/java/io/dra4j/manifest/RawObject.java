package io.dra4j.manifest;

import io.dra4j.manifest.Manifest.Origin;

/**
 * An object of a known kind, or a Namespace, as it was written: before defaults are filled in and
 * other versions are turned into v1.
 *
 * @param origin where it is
 * @param apiVersion its API version, for example {@code resource.k8s.io/v1beta1}
 * @param kind its kind, for example {@code ResourceClaim}
 * @param displayName how messages name it, for example {@code ResourceClaim "default/gpus"}
 * @param fields its fields
 */
public record RawObject(
    Origin origin, String apiVersion, String kind, String displayName, Json.Fields fields) {}
