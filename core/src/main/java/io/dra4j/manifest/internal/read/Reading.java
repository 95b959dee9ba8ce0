package io.dra4j.manifest.internal.read;

import io.dra4j.manifest.ManifestInspector;
import io.dra4j.manifest.internal.codec.SharedValues;
import org.jspecify.annotations.Nullable;

/**
 * Makes manifests of the objects of a file.
 *
 * @param factory makes their manifests
 * @param keepSources whether these have the documents
 * @param findsUnknownFields whether fields are looked for that Kubernetes does not know
 * @param shared makes equal values one
 * @param type of documents that do not state their own
 * @param inspection looks at objects; {@code null} for none
 */
public record Reading(
    ManifestFactory factory,
    boolean keepSources,
    boolean findsUnknownFields,
    SharedValues shared,
    ObjectType type,
    @Nullable Inspection inspection) {

  /**
   * What an inspection asks for.
   *
   * @param inspector looks at each object
   * @param keepsObjects whether the objects are kept, too; otherwise problems of reading them are
   *     among the findings
   * @param maxFindings so many findings are kept of objects that are not
   */
  public record Inspection(ManifestInspector inspector, boolean keepsObjects, int maxFindings) {}
}
