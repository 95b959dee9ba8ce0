package io.dra4j.manifest;

import io.dra4j.manifest.Manifest.Origin;
import io.dra4j.model.ObjectKey;
import java.util.List;

/**
 * The result of the inspection of a file.
 *
 * @param name the file's name as given
 * @param findings the problems, in the order of the text; at most the allowed number, the first
 *     ones
 * @param omitted the number of further findings
 * @param objects the objects of known kinds, in order
 * @param skipped the objects of other kinds that are not for dra4j, in order
 */
public record InspectedFile(
    String name,
    List<ManifestFinding> findings,
    int omitted,
    List<Named> objects,
    List<SkippedObject> skipped) {

  /**
   * An object by its name.
   *
   * @param origin the place of the object
   * @param displayName the name of the object in messages
   * @param key its kind, its namespace ({@code default} if none is given), and its name
   */
  public record Named(Origin origin, String displayName, ObjectKey key) {}

  /** Copies the lists. {@inheritDoc} */
  public InspectedFile {
    findings = List.copyOf(findings);
    objects = List.copyOf(objects);
    skipped = List.copyOf(skipped);
  }
}
