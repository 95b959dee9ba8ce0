package io.dra4j.manifest;

import io.dra4j.common.PrintableText;
import io.dra4j.common.SimilarNames;
import io.dra4j.manifest.Manifest.Origin;
import io.dra4j.manifest.internal.codec.ObjectKind;
import java.util.List;

/**
 * An object that was skipped because dra4j does not know its kind.
 *
 * @param origin the place of the object
 * @param apiVersion its API version; empty if it has none
 * @param kind its kind; empty if it has none
 * @param name its name, after its namespace and a slash if it states one; empty if it has none
 * @param usesClaims whether it has a template of pods that use claims, and does not request zero
 *     pods
 */
public record SkippedObject(
    Origin origin, String apiVersion, String kind, String name, boolean usesClaims) {

  /** {@return whether dra4j was probably meant: the type is missing or similar to a known one} */
  public boolean isMistaken() {
    return apiVersion.isEmpty()
        || kind.isEmpty()
        || ObjectKind.isDra(apiVersion)
        || !ObjectKind.kindsMeantBy(apiVersion, kind).isEmpty();
  }

  /**
   * {@return whether the object is of a kind that is only passed to {@link
   * ManifestReader.Builder#inspector inspectors}: {@code true} for namespaces}
   */
  public boolean isInspected() {
    return ObjectKind.isInspectedOnly(apiVersion, kind);
  }

  /**
   * {@return the reason why the object was skipped, for example {@code kind ResourceClaims of
   * resource.k8s.io/v1 is not known; did you mean ResourceClaim?}}
   */
  public String reason() {
    String shownKind = PrintableText.abbreviate(kind);
    String shownVersion = PrintableText.abbreviate(apiVersion);
    if (apiVersion.isEmpty() && kind.isEmpty()) {
      return "it has neither apiVersion nor kind";
    } else if (apiVersion.isEmpty()) {
      String known = ObjectKind.apiVersionsOf(kind);
      return "kind "
          + shownKind
          + " has no apiVersion"
          + (known.isEmpty() ? "" : "; known are " + known);
    } else if (kind.isEmpty()) {
      return "apiVersion " + shownVersion + " has no kind";
    }
    String ofGroup = ObjectKind.apiVersionsOf(kind);
    if (!ofGroup.isEmpty()) {
      return "%s of apiVersion %s is not known; known are %s"
          .formatted(shownKind, shownVersion, ofGroup);
    }
    List<String> near = ObjectKind.kindsMeantBy(apiVersion, kind);
    return "kind %s of %s is not known".formatted(shownKind, shownVersion)
        + SimilarNames.hint(near);
  }

  /** {@return the name of the object in messages, such as {@code Deployment "default/train"}} */
  public String displayName() {
    return kind + " \"" + PrintableText.abbreviate(name) + '"';
  }
}
