/**
 * Reports the problems for which the API server would reject manifests, without a server: {@link
 * io.dra4j.manifest.validation.ManifestValidator} checks objects as they are written, {@link
 * io.dra4j.manifest.validation.ValidationRule} is the table of its rules. {@link
 * io.dra4j.manifest.validation.PlacementInspector} reports the fields of pods and nodes that are
 * ignored when pods are placed.
 */
@NullMarked
package io.dra4j.manifest.validation;

import org.jspecify.annotations.NullMarked;
