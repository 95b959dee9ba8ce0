/**
 * Says what the API server would refuse in manifests, before it is asked: {@link
 * io.dra4j.manifest.validation.ManifestValidator} looks at objects as they are written, {@link
 * io.dra4j.manifest.validation.ValidationRule} is the table of what it looks for. {@link
 * io.dra4j.manifest.validation.PlacementInspector} says what of pods and nodes is not looked at
 * where pods are placed.
 */
@NullMarked
package io.dra4j.manifest.validation;

import org.jspecify.annotations.NullMarked;
