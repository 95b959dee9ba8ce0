package io.dra4j.manifest;

import io.dra4j.manifest.ManifestException.Problem;
import java.util.List;

/**
 * What a file holds.
 *
 * @param name the file's name as given
 * @param manifests the objects of known kinds, in order; lists are taken apart
 * @param skipped the objects of other kinds, in order
 * @param unknownFields the fields of known kinds that these do not have in their version, which the
 *     reader passed over: the first of each file, and a last one that counts the others
 * @param findings what the inspector of the reader found, in order: the first of each file; none
 *     without an inspector
 * @param omitted how many findings are left out
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
