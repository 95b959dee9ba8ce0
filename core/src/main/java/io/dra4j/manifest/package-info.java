/**
 * How objects are written down: JSON and YAML of {@code resource.k8s.io} v1, v1beta2 and v1beta1,
 * and of the few kinds of {@code v1} and {@code apps/v1} that device allocation looks at.
 *
 * <p>{@link io.dra4j.manifest.ManifestReader} turns files into {@link io.dra4j.manifest.Manifest}s:
 * the object as a record of {@code io.dra4j.model} beside the document it came from, so that {@link
 * io.dra4j.manifest.ManifestWriter} loses no field that dra4j does not know. {@link
 * io.dra4j.manifest.Manifests} has short cuts. Reading goes in stages, each a class: text to JSON
 * documents, older API versions to v1, v1 to records. It checks syntax, types and limits; whether
 * an object makes sense is not asked here.
 */
@NullMarked
package io.dra4j.manifest;

import org.jspecify.annotations.NullMarked;
