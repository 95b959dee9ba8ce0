package io.dra4j.manifest.validation;

import io.dra4j.manifest.Manifest.Origin;
import io.dra4j.manifest.ManifestException.Problem;
import io.dra4j.manifest.Place;
import io.dra4j.manifest.WrittenObject;

/**
 * A field of an object, to be told of when other objects are known.
 *
 * @param origin where the object is
 * @param object how messages name it
 * @param path the field
 */
record WrittenPlace(Origin origin, String object, String path) {

  static WrittenPlace of(WrittenObject object, String path) {
    return new WrittenPlace(object.origin(), object.displayName(), path);
  }

  /** A problem of the field, at the place of its object. */
  Problem problem(String message) {
    return new Problem(origin, Place.UNKNOWN, object, path, message);
  }
}
