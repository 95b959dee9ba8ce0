/**
 * How objects are written down: Kubernetes manifests in JSON and YAML, read into the records of
 * {@link io.dra4j.model} and written from them.
 *
 * <p>The eight types to start with, in this order:
 *
 * <ol>
 *   <li>{@link io.dra4j.manifest.Manifests}: reads a whole cluster.
 *   <li>{@link io.dra4j.manifest.ManifestReader}: reads files and streams, with the options of its
 *       builder.
 *   <li>{@link io.dra4j.manifest.Manifest}: one object that was read, and where it stands.
 *   <li>{@link io.dra4j.manifest.ManifestException}: what is wrong with a text, by line and column.
 *   <li>{@link io.dra4j.manifest.ManifestLimits}: how much is read at most.
 *   <li>{@link io.dra4j.manifest.ManifestFile}: a file with what was skipped and what is not known.
 *   <li>{@link io.dra4j.manifest.ManifestWriter}: writes objects back.
 *   <li>{@link io.dra4j.manifest.validation.ManifestValidator}: says what the API server would
 *       refuse.
 * </ol>
 *
 * <p>Reading goes in stages, each its own class: text becomes JSON documents, documents of older
 * API versions become {@code v1}, the API server's defaults are filled in, and the fields become
 * records. Syntax, types and limits are checked here; whether an object makes sense is not, because
 * an allocator must answer for whatever a cluster holds. The source document is kept beside the
 * record, so that what the record does not know survives when the object is written again.
 */
@NullMarked
package io.dra4j.manifest;

import org.jspecify.annotations.NullMarked;
