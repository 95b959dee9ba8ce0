/** YAML text to the same tree, with positions and bounds. */
@NullMarked
package io.dra4j.manifest.internal.yaml;

import org.jspecify.annotations.NullMarked;
