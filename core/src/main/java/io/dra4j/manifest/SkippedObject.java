package io.dra4j.manifest;

import io.dra4j.common.PrintableText;
import io.dra4j.common.SimilarNames;
import io.dra4j.manifest.Manifest.Origin;
import io.dra4j.manifest.internal.codec.ObjectKind;
import java.util.List;

/**
 * An object that was passed over because dra4j does not know its kind.
 *
 * @param origin where it is
 * @param apiVersion its API version; empty when it has none
 * @param kind its kind; empty when it has none
 * @param name its name, behind its namespace and a slash if it says one; empty when it has none
 * @param usesClaims whether it has a template of pods that use claims, and does not ask for zero of
 *     them
 */
public record SkippedObject(
    Origin origin, String apiVersion, String kind, String name, boolean usesClaims) {

  /**
   * Returns whether the object looks like one that was meant for dra4j: its type is missing, or is
   * nearly that of a kind that can be read.
   *
   * @return whether it does
   */
  public boolean isMistaken() {
    return apiVersion.isEmpty()
        || kind.isEmpty()
        || ObjectKind.isDra(apiVersion)
        || !ObjectKind.kindsMeantBy(apiVersion, kind).isEmpty();
  }

  /**
   * Returns whether the object is of a kind that is shown to {@link
   * ManifestReader.Builder#inspector inspectors} and not kept.
   *
   * @return {@code true} for namespaces
   */
  public boolean isInspected() {
    return ObjectKind.isInspectedOnly(apiVersion, kind);
  }

  /**
   * Says why the object was passed over.
   *
   * @return for example {@code kind ResourceClaims of resource.k8s.io/v1 is not known; did you mean
   *     ResourceClaim?}
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

  /**
   * How messages name the object.
   *
   * @return for example {@code Deployment "default/train"}
   */
  public String displayName() {
    return kind + " \"" + PrintableText.abbreviate(name) + '"';
  }
}
