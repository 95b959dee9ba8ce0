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
 * An object together with the document that it was read from. The document keeps the fields that
 * the record does not have; {@link ManifestWriter} combines both.
 */
public final class Manifest {

  /**
   * The place of a document.
   *
   * @param file the file's name as given
   * @param document the number of the document in the file, from 1; 0 for the whole file
   * @param item the position in a list, for example {@code items[3]}; empty outside of lists
   * @param place the position at which it begins in the file; {@link SourcePosition#UNKNOWN} for
   *     the whole file
   */
  public record Origin(String file, int document, String item, SourcePosition place) {

    /**
     * {@return the origin of a whole file, of document 0}
     *
     * @param file the file's name as given
     */
    public static Origin ofFile(String file) {
      Objects.requireNonNull(file, "file");
      return new Origin(file, 0, "", SourcePosition.UNKNOWN);
    }

    /**
     * {@return the place in messages, for example {@code cluster.yaml:12:3} with file, line and
     * column; if these are not known, {@code cluster.yaml: document 1: items[3]}}
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
   * {@return a manifest, without source document, of an object that was not read from one}
   *
   * @param object the object
   */
  public static Manifest of(KubernetesObject object) {
    Objects.requireNonNull(object, "object");
    String apiVersion = ObjectKind.of(object).apiVersion();
    return new Manifest(object, object, apiVersion, Origin.ofFile(""), null);
  }

  /** {@return the object} */
  public KubernetesObject object() {
    return object;
  }

  /** {@return the API version of the document, for example {@code resource.k8s.io/v1beta1}} */
  public String apiVersion() {
    return apiVersion;
  }

  /** {@return the place of the document; the file name is empty for an object that was not read} */
  public Origin origin() {
    return origin;
  }

  /** {@return a copy of the whole document as v1; {@code null} if it was not read or not kept} */
  public @Nullable JsonNode source() {
    return source != null && JsonText.parseValid(source) instanceof Json.Fields document
        ? JacksonTree.of(document)
        : null;
  }

  /** The document as JSON; empty if there is none or it was not kept. */
  Optional<String> sourceText() {
    return Optional.ofNullable(source);
  }

  /**
   * {@return this manifest with the changed fields of an object, and all others as they were read}
   *
   * @param changed the object; of the same kind
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
