/** Manifests that want to exhaust their reader: a corpus made by code, and what Jazzer makes. */
@NullMarked
package io.dra4j.manifest.hostile;

import org.jspecify.annotations.NullMarked;
