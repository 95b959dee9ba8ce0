package io.dra4j.manifest.validation;

import static io.dra4j.manifest.validation.ValidationRule.FULL_ATTRIBUTE_NAME;
import static io.dra4j.manifest.validation.ValidationRule.STANDARD_ATTRIBUTE;

import io.dra4j.common.SimilarNames;
import java.util.List;

/** The rules of names of attributes, including names in Kubernetes' own domain. */
final class AttributeNames {

  private static final String DOMAIN = "resource.kubernetes.io";
  private static final List<String> STANDARD =
      List.of(DOMAIN + "/numaNode", DOMAIN + "/pciBusID", DOMAIN + "/pcieRoot");

  /** Checks a name that must have a domain. */
  void checkFull(FieldCursor object, String field, String name) {
    if (!NameFormat.FULLY_QUALIFIED.accepts(name)) {
      object.problem(
          FULL_ATTRIBUTE_NAME,
          field,
          "expected "
              + NameFormat.FULLY_QUALIFIED.expected()
              + ", found "
              + FieldCursor.shown(name),
          SimilarNames.of(name, STANDARD));
    } else {
      checkStandard(object, field, name);
    }
  }

  /** Warns of names that are similar to names of Kubernetes. */
  void checkStandard(FieldCursor object, String path, String name) {
    int slash = name.indexOf('/');
    if (slash < 0 || STANDARD.contains(name)) {
      return;
    }
    String domain = name.substring(0, slash);
    String id = name.substring(slash + 1);
    boolean isOurs = domain.equals(DOMAIN);
    boolean isNear =
        SimilarNames.of(domain, List.of(DOMAIN)).size() == 1
            && STANDARD.stream().anyMatch(one -> one.endsWith("/" + id));
    if (isOurs || isNear) {
      object.problem(
          STANDARD_ATTRIBUTE,
          path,
          FieldCursor.shown(name) + " is not an attribute that Kubernetes defines",
          isNear ? List.of(DOMAIN + "/" + id) : SimilarNames.of(name, STANDARD));
    }
  }
}
