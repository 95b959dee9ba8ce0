/** Conversion of YAML text to the same tree as JSON, with positions and bounds. */
@NullMarked
package io.dra4j.manifest.internal.yaml;

import org.jspecify.annotations.NullMarked;
