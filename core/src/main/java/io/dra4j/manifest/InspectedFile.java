package io.dra4j.manifest;

import io.dra4j.manifest.Manifest.Origin;
import io.dra4j.model.ObjectKey;
import java.util.List;

/**
 * What an inspection found in a file.
 *
 * @param name the file's name as given
 * @param findings what is wrong, in the order of the text; of very many the first
 * @param omitted how many findings are left out
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
   * @param origin where it is
   * @param displayName how messages name it
   * @param key its kind, its namespace, {@code default} where none is written, and its name
   */
  public record Named(Origin origin, String displayName, ObjectKey key) {}

  /** Copies the lists. {@inheritDoc} */
  public InspectedFile {
    findings = List.copyOf(findings);
    objects = List.copyOf(objects);
    skipped = List.copyOf(skipped);
  }
}
