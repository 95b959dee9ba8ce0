package io.dra4j.manifest;

import com.fasterxml.jackson.databind.JsonNode;
import io.dra4j.model.KubernetesObject;
import org.jspecify.annotations.Nullable;

/**
 * An object and the document that it was read from.
 *
 * @param object the object
 * @param source the document as v1 JSON, or {@code null} when there is none or it was not kept
 * @param origin where it was read
 */
public record Manifest(KubernetesObject object, @Nullable JsonNode source, Origin origin) {

  /**
   * Where a document was read.
   *
   * @param file the file as it was named
   * @param document number of the document in the file, from 1
   */
  public record Origin(String file, int document) {

    @Override
    public String toString() {
      return file + ": document " + document;
    }
  }

  private static final Origin NOWHERE = new Origin("(made here)", 1);

  /**
   * An object that was not read from anywhere.
   *
   * @param object the object
   * @return a manifest without source
   */
  public static Manifest of(KubernetesObject object) {
    return new Manifest(object, null, NOWHERE);
  }

  /**
   * The same document with a changed object. When written, fields of the document that dra4j does
   * not know are kept.
   *
   * @param changed the object as it is now
   * @return the manifest with this object
   */
  public Manifest withObject(KubernetesObject changed) {
    return new Manifest(changed, source, origin);
  }
}
