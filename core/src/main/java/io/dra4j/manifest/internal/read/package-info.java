/**
 * One file to objects: documents, lists, problems, unknown fields, and the memory that reading may
 * use.
 */
@NullMarked
package io.dra4j.manifest.internal.read;

import org.jspecify.annotations.NullMarked;
