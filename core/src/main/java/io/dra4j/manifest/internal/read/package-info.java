/**
 * Reading of one file: documents, lists, objects, problems, unknown fields, and the memory limits.
 */
@NullMarked
package io.dra4j.manifest.internal.read;

import org.jspecify.annotations.NullMarked;
