/**
 * Says what the API server would refuse in manifests, before it is asked: {@link
 * io.dra4j.manifest.validation.ManifestValidator} looks at objects as they are written, {@link
 * io.dra4j.manifest.validation.ValidationRule} is the table of what it looks for.
 */
@NullMarked
package io.dra4j.manifest.validation;

import org.jspecify.annotations.NullMarked;
