/**
 * The text format of objects: Kubernetes manifests in JSON and YAML, read into the records of
 * {@link io.dra4j.model} and written from them.
 *
 * <p>The eight types to start with, in this order:
 *
 * <ol>
 *   <li>{@link io.dra4j.manifest.Manifests}: reads a whole cluster.
 *   <li>{@link io.dra4j.manifest.ManifestReader}: reads files and streams, with the options of its
 *       builder.
 *   <li>{@link io.dra4j.manifest.Manifest}: one object that was read, with its place.
 *   <li>{@link io.dra4j.manifest.ManifestException}: the problems of a text, by line and column.
 *   <li>{@link io.dra4j.manifest.ManifestLimits}: the limits of input.
 *   <li>{@link io.dra4j.manifest.ManifestFile}: a file with its objects, skipped objects and
 *       unknown fields.
 *   <li>{@link io.dra4j.manifest.ManifestWriter}: writes objects back.
 *   <li>{@link io.dra4j.manifest.validation.ManifestValidator}: reports the problems for which the
 *       API server would reject objects.
 * </ol>
 *
 * <p>Reading has several stages, each in its own class: text is parsed to JSON documents, documents
 * of older API versions are converted to {@code v1}, the API server's defaults are filled in, and
 * the fields are read into records. Syntax, types and limits are checked here. The meaning of an
 * object is not, because an allocator must handle all objects that a cluster has. The source
 * document is kept with the record, so that fields that the record does not have are kept when the
 * object is written again.
 */
@NullMarked
package io.dra4j.manifest;

import org.jspecify.annotations.NullMarked;
