package io.dra4j.manifest;

import com.fasterxml.jackson.databind.JsonNode;
import io.dra4j.manifest.internal.codec.ObjectKind;
import io.dra4j.manifest.internal.json.JacksonTree;
import io.dra4j.manifest.internal.json.JsonText;
import io.dra4j.model.KubernetesObject;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An object together with the document that it was read from. The document keeps what the record
 * does not know; {@link ManifestWriter} puts both together again.
 */
public final class Manifest {

  /**
   * Where a document was read.
   *
   * @param file the file's name as given
   * @param document number of the document in the file, from 1; 0 for the file as a whole
   * @param item the place in a list, for example {@code items[3]}; empty outside of lists
   * @param place where it begins in the file; {@link SourcePosition#UNKNOWN} for the file as a
   *     whole
   */
  public record Origin(String file, int document, String item, SourcePosition place) {

    /**
     * A file as a whole.
     *
     * @param file the file's name as given
     * @return its origin, of document 0
     */
    public static Origin ofFile(String file) {
      Objects.requireNonNull(file, "file");
      return new Origin(file, 0, "", SourcePosition.UNKNOWN);
    }

    /**
     * How messages name the place.
     *
     * @return for example {@code cluster.yaml:12:3}, file, line and column; where these are not
     *     known {@code cluster.yaml: document 1: items[3]}
     */
    @Override
    public String toString() {
      if (place.isKnown()) {
        return file + ":" + place.line() + ":" + place.column();
      }
      return file
          + (document == 0 ? "" : ": document " + document)
          + (item.isEmpty() ? "" : ": " + item);
    }
  }

  private final KubernetesObject object;
  private final KubernetesObject original;
  private final String apiVersion;
  private final Origin origin;
  private final @Nullable String source;

  private Manifest(
      KubernetesObject object,
      KubernetesObject original,
      String apiVersion,
      Origin origin,
      @Nullable String source) {
    this.object = object;
    this.original = original;
    this.apiVersion = apiVersion;
    this.origin = origin;
    this.source = source;
  }

  /** For the reader. */
  static Manifest read(
      KubernetesObject object, String apiVersion, Origin origin, @Nullable String source) {
    return new Manifest(object, object, apiVersion, origin, source);
  }

  /**
   * An object that was made, not read.
   *
   * @param object the object
   * @return a manifest without source document
   */
  public static Manifest of(KubernetesObject object) {
    Objects.requireNonNull(object, "object");
    String apiVersion = ObjectKind.of(object).apiVersion();
    return new Manifest(object, object, apiVersion, Origin.ofFile(""), null);
  }

  /**
   * The object.
   *
   * @return the record
   */
  public KubernetesObject object() {
    return object;
  }

  /**
   * The API version of the document.
   *
   * @return for example {@code resource.k8s.io/v1beta1}
   */
  public String apiVersion() {
    return apiVersion;
  }

  /**
   * Where the document was read.
   *
   * @return the place; with an empty file name for an object that was not read
   */
  public Origin origin() {
    return origin;
  }

  /**
   * The document as it was read, with all its fields, in the terms of version v1.
   *
   * @return a copy of the document, or {@code null} when there is none or it was not kept
   */
  public @Nullable JsonNode source() {
    return source != null && JsonText.parseValid(source) instanceof Json.Fields document
        ? JacksonTree.of(document)
        : null;
  }

  /** The document as JSON; empty when there is none or it was not kept. */
  Optional<String> sourceText() {
    return Optional.ofNullable(source);
  }

  /**
   * The same document with a changed object.
   *
   * @param changed the object; of the same kind
   * @return a manifest that is written with the fields that changed, and with the others as they
   *     were read
   * @throws IllegalArgumentException if the object is of another kind
   */
  public Manifest withObject(KubernetesObject changed) {
    Objects.requireNonNull(changed, "changed");
    if (changed.getClass() != object.getClass()) {
      throw new IllegalArgumentException(
          "a "
              + object.getClass().getSimpleName()
              + " cannot become a "
              + changed.getClass().getSimpleName());
    }
    return new Manifest(changed, original, apiVersion, origin, source);
  }

  /** The object as it was read. */
  KubernetesObject original() {
    return original;
  }

  @Override
  public String toString() {
    return origin + ": " + ObjectKind.displayName(object);
  }
}
