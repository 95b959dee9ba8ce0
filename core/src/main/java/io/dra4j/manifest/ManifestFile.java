package io.dra4j.manifest;

import io.dra4j.manifest.ManifestException.Problem;
import java.util.List;

/**
 * The contents of a file.
 *
 * @param name the file's name as given
 * @param manifests the objects of known kinds, in order, including the items of lists
 * @param skipped the objects of other kinds, in order
 * @param unknownFields the unknown fields of objects of known kinds in their version, which the
 *     reader skipped: the first ones of each file, and a last problem that counts the others
 * @param findings the findings of the inspector of the reader, in order: the first ones of each
 *     file; empty without an inspector
 * @param omitted the number of further findings
 */
public record ManifestFile(
    String name,
    List<Manifest> manifests,
    List<SkippedObject> skipped,
    List<Problem> unknownFields,
    List<ManifestFinding> findings,
    int omitted) {

  /** Copies the lists. {@inheritDoc} */
  public ManifestFile {
    manifests = List.copyOf(manifests);
    skipped = List.copyOf(skipped);
    unknownFields = List.copyOf(unknownFields);
    findings = List.copyOf(findings);
  }
}
