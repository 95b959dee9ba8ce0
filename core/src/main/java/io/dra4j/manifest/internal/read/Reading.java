package io.dra4j.manifest.internal.read;

import io.dra4j.manifest.ManifestInspector;
import io.dra4j.manifest.internal.codec.SharedValues;
import org.jspecify.annotations.Nullable;

/**
 * The options of reading a file.
 *
 * @param factory creates the manifests of the objects
 * @param keepSources whether manifests keep the documents
 * @param findsUnknownFields whether to report fields that Kubernetes does not know
 * @param shared shares equal values
 * @param type the type of documents that do not state their own
 * @param inspection the inspection of objects; {@code null} for none
 */
public record Reading(
    ManifestFactory factory,
    boolean keepSources,
    boolean findsUnknownFields,
    SharedValues shared,
    ObjectType type,
    @Nullable Inspection inspection) {

  /**
   * The options of an inspection.
   *
   * @param inspector checks each object
   * @param keepsObjects whether the objects are kept as well; otherwise problems of reading them
   *     are among the findings
   * @param maxFindings the most findings to keep if objects are not kept
   */
  public record Inspection(ManifestInspector inspector, boolean keepsObjects, int maxFindings) {}
}
