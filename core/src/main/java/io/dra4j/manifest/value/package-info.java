/**
 * Values in YAML or JSON that are not objects of Kubernetes, such as the parameters of a driver:
 * {@link io.dra4j.manifest.value.PlacedValue}.
 */
@NullMarked
package io.dra4j.manifest.value;

import org.jspecify.annotations.NullMarked;
