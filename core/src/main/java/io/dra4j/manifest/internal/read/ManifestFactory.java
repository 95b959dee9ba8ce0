package io.dra4j.manifest.internal.read;

import io.dra4j.manifest.Manifest;
import io.dra4j.manifest.Manifest.Origin;
import io.dra4j.model.KubernetesObject;
import org.jspecify.annotations.Nullable;

/** Makes manifests, whose constructor is no part of the public API. */
@FunctionalInterface
public interface ManifestFactory {

  /**
   * Makes the manifest of an object that was read.
   *
   * @param object the object
   * @param apiVersion the API version of its document
   * @param origin where it was read
   * @param source its document in the terms of version v1, as JSON; {@code null} if not kept
   * @return the manifest
   */
  Manifest make(KubernetesObject object, String apiVersion, Origin origin, @Nullable String source);
}
