package io.dra4j.manifest;

import java.util.List;

/**
 * What a file holds.
 *
 * @param name the file's name as given
 * @param manifests the objects of known kinds, in order; lists are taken apart
 * @param skipped the objects of other kinds, in order
 */
public record ManifestFile(String name, List<Manifest> manifests, List<SkippedObject> skipped) {

  /** Copies the lists. {@inheritDoc} */
  public ManifestFile {
    manifests = List.copyOf(manifests);
    skipped = List.copyOf(skipped);
  }
}
