/**
 * How objects are written down: Kubernetes manifests in JSON and YAML, read into the records of
 * {@link io.dra4j.model} and written from them.
 *
 * <p>Start at {@link io.dra4j.manifest.Manifests} for a whole cluster, else at {@link
 * io.dra4j.manifest.ManifestReader} and {@link io.dra4j.manifest.ManifestWriter}. Reading goes in
 * stages, each its own class: text becomes JSON documents, documents of older API versions become
 * {@code v1}, the API server's defaults are filled in, and the fields become records. Syntax, types
 * and limits are checked here; whether an object makes sense is not, because an allocator must
 * answer for whatever a cluster holds. The source document is kept beside the record, so that what
 * the record does not know survives when the object is written again.
 */
@NullMarked
package io.dra4j.manifest;

import org.jspecify.annotations.NullMarked;
