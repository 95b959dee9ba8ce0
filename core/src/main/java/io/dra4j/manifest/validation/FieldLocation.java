package io.dra4j.manifest.validation;

import io.dra4j.manifest.Manifest.Origin;
import io.dra4j.manifest.ManifestException.Problem;
import io.dra4j.manifest.RawObject;
import io.dra4j.manifest.SourcePosition;

/**
 * A field of an object, for a problem that is known only after other objects are read.
 *
 * @param origin the place of the object
 * @param object the name of the object in messages
 * @param path the field
 */
record FieldLocation(Origin origin, String object, String path) {

  static FieldLocation of(RawObject object, String path) {
    return new FieldLocation(object.origin(), object.displayName(), path);
  }

  /** A problem of the field, at the place of its object. */
  Problem problem(String message) {
    return new Problem(origin, SourcePosition.UNKNOWN, object, path, message);
  }
}
