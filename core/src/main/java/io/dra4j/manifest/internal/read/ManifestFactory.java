package io.dra4j.manifest.internal.read;

import io.dra4j.manifest.Manifest;
import io.dra4j.manifest.Manifest.Origin;
import io.dra4j.model.KubernetesObject;
import org.jspecify.annotations.Nullable;

/** Creates manifests, whose constructor is not part of the public API. */
@FunctionalInterface
public interface ManifestFactory {

  /**
   * {@return the manifest of an object that was read}
   *
   * @param object the object
   * @param apiVersion the API version of its document
   * @param origin the place of the object
   * @param source its document converted to version v1, as JSON; {@code null} if not kept
   */
  Manifest make(KubernetesObject object, String apiVersion, Origin origin, @Nullable String source);
}
